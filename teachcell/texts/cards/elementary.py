"""Elementary functions: remarks, and the rules in words."""

TABLE = {
    "cards.of_quadrant": ("in the quadrant of the point (y, x)", "按点 (y, x) 所在象限"),
    "cards.words.sqrt": (
        "The slope is one over twice the root: steep near 0, infinite at 0, flat for large x.",
        "斜率是根的两倍的倒数：0 附近很陡，0 处为无穷，x 很大时平缓。",
    ),
    "cards.words.rsqrt": (
        "The slope is minus half the cube of the result itself, so only the result is needed.",
        "斜率是结果自身立方的负二分之一，所以只需要结果。",
    ),
    "cards.words.hypot": (
        "The gradient goes along the direction of the point (x, y): each side gets its share of the length. At the "
        "origin there is no direction, and both get 0.",
        "梯度沿点 (x, y) 的方向：每条边按其占长度的比例得到。原点处没有方向，两者都得 0。",
    ),
    "cards.words.exp": (
        "The exponential is its own slope: the gradient is multiplied by the result.",
        "指数函数的斜率就是它自己：梯度乘以结果。",
    ),
    "cards.words.exp2": (
        "The slope is the result times ln 2, about 0.69 of it.",
        "斜率是结果乘 ln 2，约为结果的 0.69 倍。",
    ),
    "cards.words.expm1": (
        "Taking away 1 changes no slope: it is that of eˣ.",
        "减去 1 不改变斜率：仍是 eˣ 的斜率。",
    ),
    "cards.words.log": (
        "The slope is one over x: the same relative change of x counts the same everywhere.",
        "斜率是 x 的倒数：x 的相对变化相同，结果的变化就相同。",
    ),
    "cards.words.log2": (
        "A natural logarithm divided by ln 2, and so is its slope.",
        "自然对数除以 ln 2，斜率也除以 ln 2。",
    ),
    "cards.words.log10": (
        "A natural logarithm divided by ln 10, and so is its slope.",
        "自然对数除以 ln 10，斜率也除以 ln 10。",
    ),
    "cards.words.log1p": (
        "The logarithm moved by 1: its slope is one over 1 + x.",
        "平移了 1 的对数：斜率是 1 + x 的倒数。",
    ),
    "cards.words.logaddexp": (
        "A soft maximum: x and y share the gradient in the proportion of eˣ to eʸ.",
        "平滑的最大值：x 与 y 按 eˣ 与 eʸ 的比例分配梯度。",
    ),
    "cards.words.logaddexp2": (
        "A soft maximum: x and y share the gradient in the proportion of 2ˣ to 2ʸ.",
        "平滑的最大值：x 与 y 按 2ˣ 与 2ʸ 的比例分配梯度。",
    ),
    "cards.words.logit": (
        "The inverse of the sigmoid, so its slope is one over the sigmoid's: steep near 0 and 1. Where eps limits x, x "
        "gets 0.",
        "sigmoid 的反函数，斜率是 sigmoid 斜率的倒数：接近 0 和 1 时很陡。被 eps 截断处 x 得到 0。",
    ),
    "cards.words.sin": (
        "The slope of the sine is the cosine: steepest at 0, flat at the top.",
        "正弦的斜率是余弦：在 0 处最陡，在顶点处为平。",
    ),
    "cards.words.cos": (
        "The slope of the cosine is minus the sine: flat at 0, then falling.",
        "余弦的斜率是负的正弦：在 0 处为平，然后下降。",
    ),
    "cards.words.tan": (
        "The slope is 1 plus the square of the result itself: it never falls below 1.",
        "斜率是 1 加结果自身的平方：从不小于 1。",
    ),
    "cards.words.asin": (
        "One over the cosine of the angle found, which is √(1 − x²): infinite at ±1.",
        "是所得角的余弦 √(1 − x²) 的倒数：在 ±1 处为无穷。",
    ),
    "cards.words.acos": (
        "A right angle minus arcsin x: the same slope with the sign turned.",
        "它等于直角减去 arcsin x：斜率相同而变号。",
    ),
    "cards.words.atan": (
        "Steepest at 0, with slope 1, and flat where the angle comes near ±π/2.",
        "在 0 处最陡，斜率为 1；角接近 ±π/2 时变平。",
    ),
    "cards.words.atan2": (
        "Only moving across the line of sight turns the angle, and less the farther the point is. At the origin there "
        "is no angle: both get NaN.",
        "只有横过视线的移动才改变角度，而且点越远影响越小。原点没有角度：两者都得 NaN。",
    ),
    "cards.words.sinh": ("The slope of sinh is cosh, which is at least 1.", "sinh 的斜率是 cosh，它至少为 1。"),
    "cards.words.cosh": (
        "The slope of cosh is sinh: 0 at the bottom of the hanging chain.",
        "cosh 的斜率是 sinh：在悬链线的最低点为 0。",
    ),
    "cards.words.asinh": (
        "One over the hyperbolic cosine of the result, which is √(x² + 1).",
        "是结果的双曲余弦 √(x² + 1) 的倒数。",
    ),
    "cards.words.acosh": (
        "One over the hyperbolic sine of the result, which is √(x² − 1): infinite at 1.",
        "是结果的双曲正弦 √(x² − 1) 的倒数：在 1 处为无穷。",
    ),
    "cards.words.atanh": (
        "One over the slope that tanh has there, 1 − x²: infinite at ±1.",
        "是 tanh 在该处斜率 1 − x² 的倒数：在 ±1 处为无穷。",
    ),
    "cards.words.sinc": (
        "A wave that dies out: by the quotient rule its slope is the wave's, less the value itself, over x. At 0 it is "
        "at its top, and the slope is 0.",
        "逐渐衰减的波：按商的求导法则，斜率等于波的斜率减去值本身再除以 x。0 处是最高点，斜率为 0。",
    ),
    "cards.words.sinc_slope": (
        "A derivative of sinc; its own slope is the next one.",
        "sinc 的某阶导数；它自己的斜率是下一阶导数。",
    ),
}
