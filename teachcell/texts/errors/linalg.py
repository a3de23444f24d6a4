"""Errors: linear algebra."""

TABLE = {
    "errors.contract": (
        "{op}: axes {axes} do not pair axes of equal lengths of shapes {shapes[0]} and {shapes[1]}",
        "{op}：轴 {axes} 不能把形状 {shapes[0]} 与 {shapes[1]} 中等长的轴配对",
    ),
    "errors.batch_axis": (
        "batch_dot: axis 0 of shapes {shapes[0]} and {shapes[1]} counts the samples and cannot be summed over",
        "batch_dot：形状 {shapes[0]} 与 {shapes[1]} 的第 0 轴是样本轴，不能对它求和",
    ),
    "errors.matrix_norm_axes": (
        "matrix_norm: axis must be two axes, got {got}; for vectors use vector_norm",
        "matrix_norm：axis 必须是两个轴，得到 {got}；向量请用 vector_norm",
    ),
    "errors.square": (
        "the last two axes must be of one length: a square matrix",
        "最后两个轴必须等长，即方阵",
    ),
    "errors.singular": (
        "the matrix is singular: its rows are linearly dependent, and it has no inverse",
        "矩阵是奇异的：各行线性相关，没有逆矩阵",
    ),
    "errors.not_symmetric": (
        "the matrix is not symmetric; take (x + x.mT) / 2 where the difference does not matter",
        "矩阵不对称；若差异无关紧要，请取 (x + x.mT) / 2",
    ),
    "errors.not_positive_definite": (
        "the matrix is not positive definite: some eigenvalue is 0 or less",
        "矩阵不是正定的：有不大于 0 的特征值",
    ),
    "errors.repeated_values": (
        "two singular values or eigenvalues are equal (a matrix that is not square has 0 as one more): their vectors "
        "may be turned into each other, so they have no gradient; differentiate the values alone",
        "有两个奇异值或特征值相等（非方阵还多一个 0）：它们的向量可以互相旋转，因此没有梯度；请只对值求导",
    ),
    "errors.svd_full": (
        "svd: the additional vectors of full_matrices=True are not unique and have no gradient; use "
        "full_matrices=False",
        "svd：full_matrices=True 补充的向量不唯一，没有梯度；请用 full_matrices=False",
    ),
    "errors.qr_mode": (
        "mode must be 'reduced' or 'complete', got {got}",
        "mode 只能是 'reduced' 或 'complete'，得到 {got}",
    ),
    "errors.qr_complete": (
        "qr: the additional columns of a complete q are not unique and have no gradient; use mode='reduced'",
        "qr：完整的 q 中补充的列不唯一，没有梯度；请用 mode='reduced'",
    ),
    "errors.lu_shapes": (
        "shapes {shapes[0]} and {shapes[1]} are not (…, M, N) and (…, K) with K = min(M, N)",
        "形状 {shapes[0]} 与 {shapes[1]} 不是 (…, M, N) 与 (…, K)，且 K = min(M, N)",
    ),
    "errors.pivots": ("pivots are ints from 1 to {rows}", "主元应为 1 到 {rows} 的整数"),
    "errors.orgqr": (
        "orgqr: shapes {shapes[0]} and {shapes[1]} are not (…, M, N) and (…, K) with K ≤ N ≤ M",
        "orgqr：形状 {shapes[0]} 与 {shapes[1]} 不是 (…, M, N) 与 (…, K)，且 K ≤ N ≤ M",
    ),
    "errors.no_convergence": (
        "the decomposition did not converge; are there NaN or infinite elements?",
        "分解没有收敛；是否含有 NaN 或无穷大的元素？",
    ),
    "errors.right_hand_side": (
        "the right-hand side must be a matrix with {rows} rows; a vector becomes one with unsqueeze(-1)",
        "右端必须是有 {rows} 行的矩阵；向量可先用 unsqueeze(-1) 变成一列",
    ),
    "errors.cross": (
        "both need the same axis of length 3; name it with dim",
        "两者需要同一个长度为 3 的轴；请用 dim 指明",
    ),
    "errors.einsum_text": (
        "einsum: the equation comes first and is text such as 'ij,jk->ik', got {got}",
        "einsum：第一个参数是等式文本，例如 'ij,jk->ik'，得到 {got}",
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
