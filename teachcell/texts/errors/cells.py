"""Errors: cells and Parameters."""

TABLE = {
    "errors.state_dict": (
        "load_state_dict takes a dict of path and Tensor, as state_dict() gives, got {got}",
        "load_state_dict 需要路径到 Tensor 的字典（如 state_dict() 所给），得到 {got}",
    ),
    "errors.cell_init": (
        "{cls}: call super().__init__() at the start of __init__",
        "{cls}：请在 __init__ 开头调用 super().__init__()",
    ),
    "errors.no_attribute": ("{cls} has no attribute {name!r}.", "{cls} 没有属性 {name!r}。"),
    "errors.no_construct": (
        "{cls} has no construct method; define construct(self, ...)",
        "{cls} 没有 construct 方法；请定义 construct(self, ...)",
    ),
    "errors.construct_meant": (
        "; it has {method}: a Cell's method is named construct",
        "；其中有 {method}：Cell 的这个方法应命名为 construct",
    ),
    "errors.over_cell": (
        "{cls}.{name} holds a Cell; assign a Cell or None to it, not {got}",
        "{cls}.{name} 是 Cell；只能赋 Cell 或 None，不能是 {got}",
    ),
    "errors.over_parameter": (
        "{cls}.{name} holds a Parameter; assign a Tensor, a Parameter or None to it, not {got}",
        "{cls}.{name} 是 Parameter；只能赋 Tensor、Parameter 或 None，不能是 {got}",
    ),
    "errors.name_taken": ("{cls}.{name} already holds a {by}; delete it first", "{cls}.{name} 已是 {by}；请先删除"),
    "errors.new_name": (
        "{cls}: {name!r} cannot be a new name: it is empty, has a dot, or is taken",
        "{cls}：{name!r} 不能作为新名字：为空、含点或已被占用",
    ),
    "errors.new_name_kind": ("a name must be a str, got {got}", "名字必须是 str，得到 {got}"),
    "errors.not_a_parameter": ("a Parameter is needed, got {got}", "需要 Parameter，得到 {got}"),
    "errors.not_a_cell": ("a Cell is needed, got {got}", "需要 Cell，得到 {got}"),
    "errors.cell_index": ("index {index} is out of range for {count} Cells", "索引 {index} 越界：共 {count} 个 Cell"),
    "errors.cell_index_kind": (
        "a Cell is chosen by an int or a slice, got {got}",
        "请用整数或切片选择 Cell，得到 {got}",
    ),
    "errors.container_call": (
        "a {cls} cannot be called; call its members, or use SequentialCell",
        "{cls} 不能被调用；请调用其成员或使用 SequentialCell",
    ),
    "errors.parameter_data": (
        "a Parameter cannot be made of {got}; give a Tensor, ndarray, list or number",
        "不能用 {got} 构造 Parameter；请给 Tensor、ndarray、列表或数",
    ),
    "errors.parameter_name": (
        "a Parameter's name must be a str or None, got {got}",
        "Parameter 的名字必须是 str 或 None，得到 {got}",
    ),
    "errors.parameter_tuple": (
        "a ParameterTuple holds Parameters only, got {got}",
        "ParameterTuple 只能包含 Parameter，得到 {got}",
    ),
    "errors.parameter_same_name": (
        "two different Parameters are named {name!r}; rename one",
        "有两个不同的 Parameter 都叫 {name!r}；请改名",
    ),
    "errors.set_data_type": (
        "set_data of {name!r} takes a Tensor or a number of its kind, got {got}",
        "{name!r} 的 set_data 需要 Tensor 或同类的数，得到 {got}",
    ),
    "errors.assign_shape": (
        "{name!r} has shape {shape}, the new value {got}; shapes must be equal",
        "{name!r} 的形状为 {shape}，新值为 {got}；形状必须相同",
    ),
    "errors.buffer_type": (
        "buffer {name!r} must be a Tensor or None, got {got}",
        "buffer {name!r} 必须是 Tensor 或 None，得到 {got}",
    ),
    "errors.state_keys": (
        "missing keys {missing}, unexpected keys {unexpected}; strict=False loads the rest",
        "缺少 {missing}，多余 {unexpected}；strict=False 可加载其余部分",
    ),
    "errors.state_type": (
        "{name!r} is a {got} in the given dict, not a Tensor; wrap it in Tensor(...); nothing was loaded",
        "给出的字典中 {name!r} 是 {got}，不是 Tensor；请用 Tensor(...) 包装；没有加载任何内容",
    ),
    "errors.always_call": (
        "a forward hook of {cell} that is always called failed as well: {why}",
        "{cell} 的一个总会调用的正向钩子也失败了：{why}",
    ),
    "errors.state_shape": ("{name!r}: shape {got} does not fit {wanted}", "{name!r}：形状 {got} 与 {wanted} 不符"),
    "errors.to_float": (
        "to_float takes float16 or float32, got {got}",
        "to_float 只接受 float16 或 float32，得到 {got}",
    ),
}
