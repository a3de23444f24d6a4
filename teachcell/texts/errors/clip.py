"""Errors: clipping."""

TABLE = {
    "errors.clip_input": (
        "{where} takes float Tensors, got {dtype} {shape}", "{where} 需要浮点 Tensor，得到 {dtype} {shape}",
    ),
    "errors.clip_list": (
        "clip_by_global_norm takes a Tensor, or a list or tuple of them, got {got}",
        "clip_by_global_norm 需要 Tensor，或由 Tensor 组成的列表或元组，得到 {got}",
    ),
    "errors.norm_not_finite": ("the norm is {got}, so nothing can be clipped to it", "范数为 {got}，无法据此裁剪"),
}  # fmt: skip
