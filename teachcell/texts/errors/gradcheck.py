"""Errors: gradcheck."""

TABLE = {
    "errors.gradcheck_input": (
        "gradcheck: input {position} is a {got}, not a Tensor; wrap it in Tensor(...)",
        "gradcheck：输入 {position} 是 {got}，不是 Tensor；请用 Tensor(...) 包装",
    ),
    "errors.gradcheck_order": (
        "gradcheck: order must be 1 or 2, got {got}",
        "gradcheck：order 只能是 1 或 2，得到 {got}",
    ),
    "errors.gradcheck_nothing": (
        "gradcheck: there is no {what}, so there is nothing to check",
        "gradcheck：没有{what}，无可检验",
    ),
    "errors.float_input": ("float input", "浮点输入"),
    "errors.float_output": ("float output", "浮点输出"),
    "errors.gradcheck_precision": (
        "gradcheck: something inside casts to fewer digits than float32, too few for a numeric gradient; leave the "
        "cast out while checking",
        "gradcheck：内部转换到低于 float32 的精度，不足以计算数值梯度；检验时请去掉该转换",
    ),
}
