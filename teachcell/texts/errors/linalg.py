"""Errors: linear algebra."""

TABLE = {
    "errors.axes_count": (
        "{op}: {name} must have {wanted} axes, but its shape is {shape}",
        "{op}：{name} 必须有 {wanted} 个轴，但其形状为 {shape}",
    ),
    "errors.contract": (
        "{op}: axes {axes} do not pair axes of equal lengths of shapes {shapes[0]} and {shapes[1]}",
        "{op}：轴 {axes} 不能把形状 {shapes[0]} 与 {shapes[1]} 中等长的轴配对",
    ),
    "errors.batch_axis": (
        "batch_dot: axis 0 of shapes {shapes[0]} and {shapes[1]} counts the samples and cannot be summed over",
        "batch_dot：形状 {shapes[0]} 与 {shapes[1]} 的第 0 轴是样本轴，不能对它求和",
    ),
    "errors.einsum_text": (
        "the equation comes first and is text such as 'ij,jk->ik', got {got}",
        "第一个参数是等式文本，例如 'ij,jk->ik'，得到 {got}",
    ),
    "errors.einsum_letters": (
        "{term!r} is not made of one letter per axis and at most one '...'",
        "{term!r} 应由每轴一个字母和至多一个 '...' 组成",
    ),
    "errors.einsum_operands": (
        "the equation names {named} operand(s), {got} were given",
        "等式中有 {named} 个操作数，给出了 {got} 个",
    ),
    "errors.einsum_axes": (
        "{term!r} does not name the axes of an operand of shape {shape}, one letter each",
        "{term!r} 与形状 {shape} 的操作数不符：每个轴应有一个字母",
    ),
    "errors.einsum_length": (
        "{letter!r} stands for axes of different lengths: {lengths}",
        "{letter!r} 对应的轴长度不同：{lengths}",
    ),
    "errors.einsum_output": (
        "the result {output!r} may name each letter once, and only letters of the operands",
        "结果 {output!r} 中每个字母只能出现一次，且必须来自操作数",
    ),
}
