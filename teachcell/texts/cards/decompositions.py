"""Matrices taken apart: remarks, and the rules in words."""

TABLE = {
    "cards.lower_half": (
        "(Φ: the lower triangle with half the diagonal)",
        "（Φ：下三角，对角线减半）",
    ),
    "cards.mirrored": (
        "(L: the lower triangle mirrored upwards; x no wider than high)",
        "（L：把下三角镜像到上方；x 的列数不超过行数）",
    ),
    "cards.if_square": ("(for a square x)", "（x 为方阵时）"),
    "cards.symmetric_part": ("symmetric part of", "对称部分，取自"),
    "cards.packed": ("(packed as LAPACK does)", "（按 LAPACK 方式存放）"),
    "cards.words.cholesky": (
        "dy · yᵀ + y · dyᵀ must equal dx, and y stays lower triangular: that fixes dy. The gradient takes the same way "
        "back, and is symmetric as x is.",
        "dy · yᵀ + y · dyᵀ 必须等于 dx，且 y 保持下三角，这就确定了 dy。梯度沿原路返回，并且与 x 一样对称。",
    ),
    "cards.words.qr": (
        "A change of x changes both factors: q only turns, so qᵀ · dq is antisymmetric, and r stays upper triangular. "
        "What arrives at q and at r is put together, and r is divided out.",
        "x 的改变同时影响两个因子：q 只能旋转，所以 qᵀ · dq 反对称；r 保持上三角。"
        "到达 q 和 r 的梯度合在一起，再除去 r。",
    ),
    "cards.words.svd": (
        "A singular value changes by its own pair of vectors: uᵀ · dx · v. Vectors turn into each other the faster, "
        "the closer their values are; at equal values they have no gradient.",
        "每个奇异值只随它自己的一对向量改变：uᵀ · dx · v。"
        "两个值越接近，它们的向量彼此旋转得越快；值相等时向量没有梯度。",
    ),
    "cards.words.eigh": (
        "An eigenvalue changes by vᵀ · dx · v of its own vector. Vectors turn into each other the faster, the closer "
        "their eigenvalues are; at equal ones they have no gradient.",
        "特征值的改变是它自己向量的 vᵀ · dx · v。两个特征值越接近，它们的向量彼此旋转得越快；相等时向量没有梯度。",
    ),
    "cards.words.pinv": (
        "The first term is the inverse's. The others come from the spaces that x turns: they vanish where x has an "
        "inverse. While the rank stays the same, this is all.",
        "第一项与逆矩阵相同。其余各项来自 x 的值域与零空间的转动：x 可逆时它们为零。只要秩不变，这就是全部。",
    ),
    "cards.words.geqrf": (
        "A storage format, not differentiated; use qr for gradients.",
        "这是一种存储格式，不求导；需要梯度请用 qr。",
    ),
}
