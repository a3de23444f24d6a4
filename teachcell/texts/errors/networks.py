"""Errors: recurrent layers, attention, embeddings."""

TABLE = {
    "errors.input_kind": ("{cls}: {name} must be a Tensor, got {got}", "{cls}：{name} 必须是 Tensor，得到 {got}"),
    "errors.input_shape": (
        "{cls}: {name} has shape {got}, expected {wanted}",
        "{cls}：{name} 的形状为 {got}，应为 {wanted}",
    ),
    "errors.recurrent_state": (
        "{cls}: the state hx must be {wanted}, each a Tensor, got {got}",
        "{cls}：状态 hx 应为 {wanted}，各为 Tensor，得到 {got}",
    ),
    "errors.seq_length": (
        "{cls}: seq_length must be a Tensor of {batch} ints, one per sequence, got {got}",
        "{cls}：seq_length 应为含 {batch} 个整数的 Tensor，每个序列一个，得到 {got}",
    ),
}
