"""Named laws that cards give as their source: ``{product_rule}`` stands for ``cards.product_rule``."""

TABLE = {
    "cards.chain_rule": ("chain rule", "链式法则"),
    "cards.definition": ("by definition", "按定义"),
    "cards.discrete": ("whole numbers and Bool have no derivative", "整数和布尔值没有导数"),
    "cards.integral_rule": ("fundamental theorem of calculus", "微积分基本定理"),
    "cards.inverse_function": ("inverse function rule", "反函数求导法则"),
    "cards.linear_map": (
        "the gradient of a linear map is its transpose applied to g",
        "线性映射的梯度是其转置作用于 g",
    ),
    "cards.linearity": ("linearity of the derivative", "求导的线性性质"),
    "cards.permutation": ("a permutation; the gradient takes its inverse", "置换，梯度走它的逆"),
    "cards.piecewise": ("a function in pieces is differentiated piece by piece", "分段函数逐段求导"),
    "cards.power_rule": ("power rule", "幂函数求导法则"),
    "cards.product_rule": ("product rule", "乘积求导法则"),
    "cards.product_of_others": ("what multiplies xᵢ in each term, times g", "每一项中与 xᵢ 相乘的部分，再乘以 g"),
    "cards.quotient_rule": ("quotient rule", "商的求导法则"),
    "cards.steps": ("the slope of a step function is 0 between its jumps", "阶梯函数在跳变点之间斜率为 0"),
    "cards.subgradient": ("subgradients, Rockafellar 1970", "次梯度，Rockafellar 1970"),
    "cards.sum_of_uses": ("a value used several times gets the sum", "一个值被多次使用时，梯度相加"),
    "cards.sum_rule": ("sum rule", "和的求导法则"),
    "cards.triple_product": ("the triple product a · (b × c) = b · (c × a)", "混合积 a · (b × c) = b · (c × a)"),
}
