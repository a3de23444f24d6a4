"""Errors: reductions, order, statistics and distances."""

TABLE = {
    "errors.reduce_empty": (
        "the reduced axes hold no element to choose from; amax and amin take initial=… for that case",
        "被归约的轴上没有元素可选；amax 和 amin 可用 initial=… 处理这种情况",
    ),
    "errors.where_without_initial": (
        "where leaves elements out: give initial, the value that stands in for them",
        "where 会略去元素：请用 initial 给出代替它们的值",
    ),
    "errors.index_dtype": (
        "output_type must be int32 or int64, got {got}",
        "output_type 只能是 int32 或 int64，得到 {got}",
    ),
    "errors.sample_points": (
        "there are {points} points for {values} values along the axis; give one for each",
        "沿该轴有 {values} 个值，却有 {points} 个点；请一一对应",
    ),
    "errors.sorted_rows": (
        "the sorted rows must be one row, or have the same leading lengths as the values",
        "有序序列应为一行，或与待查值的前导轴等长",
    ),
    "errors.side": (
        "side must be 'left' or 'right' and agree with right={right}, got {side}",
        "side 只能是 'left' 或 'right'，且不能与 right={right} 矛盾，得到 {side}",
    ),
    "errors.counted": (
        "what is counted must be one row of whole numbers from 0 on",
        "被计数的必须是一行非负整数",
    ),
    "errors.weights_shape": ("there must be one weight for each element", "每个元素必须有一个权重"),
    "errors.cov_axes": (
        "the input must be (variables, observations) or one variable, got shape {shape}",
        "输入应为（变量，观测）或单个变量，得到形状 {shape}",
    ),
    "errors.norm_order": ("the order of a norm must be a number, got {got}", "范数的阶必须是数，得到 {got}"),
    "errors.matrix_norm_order": (
        "the norm of a matrix has ord 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {got}; name one axis in dim for "
        "vectors",
        "矩阵范数的 ord 只能是 'fro'、'nuc'、1、-1、2、-2、inf 或 -inf，得到 {got}；向量范数请在 dim 中给出一个轴",
    ),
    "errors.norm_axes": (
        "ord needs one axis (vectors) or two (matrices), got {got}; name them in dim",
        "ord 需要一个轴（向量）或两个轴（矩阵），得到 {got} 个；请在 dim 中给出",
    ),
    "errors.rows": (
        "both must be tables of rows (…, rows, length) of one length, got shapes {first} and {second}",
        "两者都应为行等长的表 (…, 行, 长度)，得到形状 {first} 和 {second}",
    ),
}
