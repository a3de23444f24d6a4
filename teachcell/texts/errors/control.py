"""Errors: functions of functions."""

TABLE = {
    "errors.map_containers": (
        "{name} takes a function and tuples or lists, got {got}", "{name} 需要一个函数和若干元组或列表，得到 {got}",
    ),
    "errors.map_lengths": (
        "{name}: the containers have different lengths or structures: {got}", "{name}：各容器的长度或结构不同：{got}",
    ),
    "errors.multitype_kind": (
        "unknown kind {got}; known: {known}, or a class", "未知的类型 {got}；可用：{known}，或一个类",
    ),
    "errors.multitype": (
        "{name} has no body for ({got}); registered: {known}", "{name} 没有针对 ({got}) 的函数体；已注册：{known}",
    ),
}  # fmt: skip
