"""Square matrices: remarks, and the rules in words."""

TABLE = {
    "cards.cofactors": ("(the cofactors, also where there is no inverse)", "（代数余子式，没有逆矩阵时也成立）"),
    "cards.upper_right": ("the upper right block of", "右上角的块，取自"),
    "cards.words.trace": (
        "Only the diagonal was summed, each element once: it gets g, everything else 0.",
        "只有对角线参与求和，每个元素一次：对角线得到 g，其余为 0。",
    ),
    "cards.words.det": (
        "Developed along its row, the determinant is an element times its cofactor plus terms without it. So each "
        "element gets g times its cofactor, in a singular matrix too.",
        "按行展开，行列式等于元素乘以它的代数余子式，再加上不含它的项。"
        "因此每个元素得到 g 乘以它的代数余子式，奇异矩阵也一样。",
    ),
    "cards.words.slogdet": (
        "The logarithm turns the cofactors into the inverse: they are divided by the determinant. The sign jumps and "
        "passes nothing on. In a singular matrix the slope is infinite.",
        "取对数后，代数余子式要除以行列式，正好得到逆矩阵。符号只会跳变，不传梯度。奇异矩阵处斜率为无穷大。",
    ),
    "cards.words.inverse": (
        "x · y stays the identity, so a change dx changes y by −y · dx · y; the gradient takes the same way "
        "transposed.",
        "x · y 始终是单位阵，所以 x 改变 dx 时 y 改变 −y · dx · y；梯度沿同一条路转置返回。",
    ),
    "cards.words.matrix_solve": (
        "The right-hand side gets the solution of the transposed system with g on the right. The matrix gets minus "
        "that times x transposed: a change of A acts like a change of the right-hand side by −dA · x.",
        "右端得到以 g 为右端的转置方程组的解。矩阵得到它与 x 转置之积的负值：A 的改变相当于右端改变 −dA · x。",
    ),
    "cards.words.triangular_solve": (
        "As for a full system; elements outside of the triangle were not read and get 0.",
        "与一般方程组相同；三角以外的元素没有被读取，梯度为 0。",
    ),
    "cards.words.matrix_exp": (
        "x does not commute with its change, so the slope is no single product. It is the derivative of the same "
        "function at x transposed in direction g, read off the exponential of a matrix of twice the size.",
        "x 与它的改变量一般不可交换，所以斜率不是一个简单的乘积。"
        "它是同一函数在 xᵀ 处沿方向 g 的导数，可从两倍大小矩阵的指数中读出。",
    ),
    "cards.words.cross": (
        "The triple product may be turned in a circle: g · (dx × y) is dx · (y × g). So x gets y × g, and y gets "
        "g × x.",
        "混合积可以轮换：g · (dx × y) 等于 dx · (y × g)，所以 x 得到 y × g，y 得到 g × x。",
    ),
}
