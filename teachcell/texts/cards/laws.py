"""Named laws that cards give as their source: ``{product_rule}`` stands for ``cards.product_rule``."""

TABLE = {
    "cards.definition": ("by definition", "按定义"),
    "cards.discrete": ("whole numbers and Bool have no derivative", "整数和布尔值没有导数"),
    "cards.integral_rule": ("fundamental theorem of calculus", "微积分基本定理"),
    "cards.inverse_function": ("inverse function rule", "反函数求导法则"),
    "cards.linearity": ("linearity of the derivative", "求导的线性性质"),
    "cards.piecewise": ("a function in pieces is differentiated piece by piece", "分段函数逐段求导"),
    "cards.power_rule": ("power rule", "幂函数求导法则"),
    "cards.product_rule": ("product rule", "乘积求导法则"),
    "cards.quotient_rule": ("quotient rule", "商的求导法则"),
    "cards.steps": ("the slope of a step function is 0 between its jumps", "阶梯函数在跳变点之间斜率为 0"),
    "cards.subgradient": ("subgradients, Rockafellar 1970", "次梯度，Rockafellar 1970"),
    "cards.sum_rule": ("sum rule", "和的求导法则"),
}
