"""Texts of checkpoints: what cannot be written, read or loaded."""

TABLE = {
    "checkpoint.save_kind": (
        "save_checkpoint takes a Cell, a dict of name and Tensor, or a list of {{'name': ..., 'data': Tensor}}, "
        "got {got}",
        "save_checkpoint 接受 Cell、名字到 Tensor 的字典，或 {{'name': ..., 'data': Tensor}} 的列表，得到 {got}",
    ),
    "checkpoint.save_entry": (
        "save_checkpoint: {name!r} must be a name with a Tensor, got {got}",
        "save_checkpoint：{name!r} 应是名字与 Tensor，得到 {got}",
    ),
    "checkpoint.missing": ("there is no checkpoint {path}", "没有检查点文件 {path}"),
    "checkpoint.broken": (
        "{path} is no checkpoint, or a broken one ({why}); nothing was loaded",
        "{path} 不是检查点，或已损坏（{why}）；没有加载任何内容",
    ),
    "checkpoint.none_chosen": (
        "none of the names in {path} was chosen: it has {names}; nothing was loaded",
        "{path} 中没有选中任何名字：其中有 {names}；没有加载任何内容",
    ),
    "checkpoint.shape": (
        "{name!r} is {got} in the checkpoint and {wanted} in the net; nothing was loaded",
        "{name!r} 在检查点中是 {got}，在网络中是 {wanted}；没有加载任何内容",
    ),
    "checkpoint.dict": (
        "load_param_into_net takes a dict of name and Parameter, got {got}",
        "load_param_into_net 需要名字到 Parameter 的字典，得到 {got}",
    ),
    "checkpoint.dict_value": (
        "load_param_into_net: {name!r} must be a Parameter, got {got}; wrap it in Parameter(...)",
        "load_param_into_net：{name!r} 应是 Parameter，得到 {got}；请用 Parameter(...) 包装",
    ),
}
