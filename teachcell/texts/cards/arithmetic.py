"""Element-wise arithmetic: remarks, and the rules in words."""

TABLE = {
    "cards.zero_dividend": ("(0 where x = 0)", "（x = 0 处为 0）"),
    "cards.zero_divisor": ("(0 where y = 0)", "（y = 0 处为 0）"),
    "cards.words.scale": (
        "y changes c times as fast as x, so x gets c times the gradient.",
        "y 的变化是 x 的 c 倍，所以 x 得到 c 倍的梯度。",
    ),
    "cards.words.shift": (
        "Adding a constant changes no slope: the gradient passes as it is.",
        "加上常数不改变斜率：梯度原样通过。",
    ),
    "cards.words.add": (
        "One more in x or in y is one more in z, so both get the whole gradient. It is copied, not shared out.",
        "x 或 y 增加多少，z 就增加多少，所以两者都得到完整的梯度：是复制，不是分摊。",
    ),
    "cards.words.subtract": (
        "x gets the gradient as it is. y gets it with the sign turned: one more in y is one less in z.",
        "x 原样得到梯度；y 得到变号的梯度：y 增加多少，z 就减少多少。",
    ),
    "cards.words.multiply": (
        "Each factor is the other one's slope: x gets the gradient times y, and y gets it times x.",
        "每个因子就是另一个因子的斜率：x 得到梯度乘 y，y 得到梯度乘 x。",
    ),
    "cards.words.divide": (
        "x is divided by y, and so is its gradient. A larger y makes the quotient smaller: it gets the gradient times "
        "the quotient over y, with the sign turned.",
        "x 被 y 除，它的梯度也被 y 除。y 越大商越小：它得到的是梯度乘以商再除以 y，并且变号。",
    ),
    "cards.words.floor_divide": (
        "The result stays the same until it jumps by 1, so no gradient passes.",
        "结果保持不变，直到跳变 1，所以梯度不通过。",
    ),
    "cards.words.truncate_div": (
        "The result stays the same until it jumps by 1, so no gradient passes. It is rounded towards 0.",
        "结果保持不变，直到跳变 1，所以梯度不通过。取整方向是朝向 0。",
    ),
    "cards.words.mod": (
        "Between the jumps the remainder grows as x does. One more in y takes away ⌊x / y⌋ more, the number of times "
        "that y was subtracted.",
        "在跳变点之间，余数随 x 一同增长。y 每增加一点，就多减去 ⌊x / y⌋ 份，即 y 被减去的次数。",
    ),
    "cards.words.fmod": (
        "As for the floored remainder, but the quotient is rounded towards 0, so the result has the sign of x.",
        "与向下取整的余数相同，只是商朝 0 取整，因此结果与 x 同号。",
    ),
    "cards.words.power": (
        "x gets y times the power one below. y gets the power itself times ln x, as for an exponential. Where y = 0 "
        "the result is constant, and x gets 0, even at x = 0.",
        "x 得到 y 乘以低一次的幂；y 得到幂本身乘 ln x，与指数函数相同。y = 0 处结果为常数，x 得到 0，即使 x = 0。",
    ),
    "cards.words.negative": (
        "The sign of the gradient turns with the sign of the value.",
        "值变号，梯度也变号。",
    ),
    "cards.words.positive": ("Nothing changes: the gradient passes as it is.", "没有变化：梯度原样通过。"),
    "cards.words.square": (
        "The slope at x is 2x: 0 at the bottom of the parabola, steeper the farther out.",
        "x 处的斜率是 2x：在抛物线底部为 0，越往外越陡。",
    ),
    "cards.words.reciprocal": (
        "A larger x makes 1 / x smaller: the slope is minus the square of the result, so small x feel it most.",
        "x 增大时 1 / x 减小：斜率是结果平方的相反数，所以 x 越小影响越大。",
    ),
    "cards.words.squared_difference": (
        "Both inputs get twice the difference, with opposite signs: what pulls x towards y pulls y towards x.",
        "两个输入都得到两倍的差，符号相反：把 x 拉向 y 的力也把 y 拉向 x。",
    ),
    "cards.words.lerp": (
        "The ends share the gradient in the proportion of the weight: w goes to y, the rest to x. The weight gets the "
        "length of the way from x to y.",
        "两端按权重分配梯度：w 归 y，其余归 x。权重得到的是从 x 到 y 的距离。",
    ),
    "cards.words.addn": (
        "Every term gets the whole gradient, as in a sum of two.",
        "每一项都得到完整的梯度，与两项相加时一样。",
    ),
    "cards.words.div_no_nan": (
        "A quotient, but 0 where y is 0; there the result does not depend on either input, so both get 0.",
        "除法，但 y 为 0 处结果取 0；那里结果与两个输入都无关，所以梯度都是 0。",
    ),
    "cards.words.mul_no_nan": (
        "A product, but 0 where y is 0, whatever x is: an infinite x or a NaN does not get through, nor does its "
        "gradient.",
        "乘法，但 y 为 0 处结果取 0，不论 x 为何：无穷大或 NaN 的 x 传不过去，它也得不到梯度。",
    ),
    "cards.words.xdivy": (
        "A quotient, but 0 where x is 0, whatever y is. At 0 / 0 both gradients are 0 by the same convention.",
        "除法，但 x 为 0 处结果取 0，不论 y 为何。在 0 / 0 处按同样的约定两个梯度都为 0。",
    ),
    "cards.words.xlogy": (
        "The product of x and ln y, but 0 where x is 0, as entropies want it: 0 · ln 0 counts as 0, and so do its "
        "gradients.",
        "x 与 ln y 的乘积，但 x 为 0 处取 0，正如熵所要求：0 · ln 0 视为 0，其梯度也是 0。",
    ),
}
