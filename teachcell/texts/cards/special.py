"""Special functions: the rules in words."""

_RECURRENCE = (
    "The slope of a Bessel function is half the sum or the difference of its two neighbours in order; that of order 0 "
    "is, but for the sign, the function of order 1."
)
_RECURRENCE_ZH = "贝塞尔函数的斜率是相邻两阶之和或差的一半；0 阶的斜率除符号外就是 1 阶函数。"

TABLE = {
    "cards.words.erf": (
        "The error function adds up a bell curve, so the bell curve is its slope: highest at 0, soon flat.",
        "误差函数是钟形曲线的累积，所以它的斜率就是钟形曲线：0 处最高，很快变平。",
    ),
    "cards.words.erfc": (
        "1 minus erf x: the same bell curve with the sign turned.",
        "它是 1 与 erf 之差：同一钟形曲线，符号相反。",
    ),
    "cards.words.erfinv": (
        "The inverse function has one over the slope: the bell curve at the result, upside down. It is infinite at ±1.",
        "反函数的斜率是倒数：结果处钟形曲线的倒数。在 ±1 处为无穷。",
    ),
    "cards.words.lgamma": (
        "Its slope has a name of its own: the digamma function ψ, close to ln x for large x.",
        "它的斜率有自己的名字：digamma 函数 ψ，x 很大时接近 ln x。",
    ),
    "cards.words.digamma": (
        "Its slope is the next of the polygamma functions, close to 1 / x for large x.",
        "它的斜率是下一个 polygamma 函数，x 很大时接近 1 / x。",
    ),
    "cards.words.polygamma": (
        "Each polygamma function is the slope of the one before: x gets the gradient times the next.",
        "每个 polygamma 函数都是前一个的斜率：x 得到梯度乘以下一个。",
    ),
    "cards.words.bessel_i": (_RECURRENCE, _RECURRENCE_ZH),
    "cards.words.bessel_j": (_RECURRENCE, _RECURRENCE_ZH),
    "cards.words.bessel_k": (_RECURRENCE, _RECURRENCE_ZH),
    "cards.words.bessel_y": (_RECURRENCE, _RECURRENCE_ZH),
    "cards.words.bessel_ie": (
        _RECURRENCE + " The factor e^(−|x|) takes the value itself away, with the sign of x.",
        _RECURRENCE_ZH + "因子 e^(−|x|) 再减去值本身乘 x 的符号。",
    ),
    "cards.words.bessel_ke": (
        _RECURRENCE + " The factor eˣ adds the value itself.",
        _RECURRENCE_ZH + "因子 eˣ 再加上值本身。",
    ),
    "cards.words.igamma": (
        "By x the slope is the height of the gamma density there. By the shape a it is an integral over the density "
        "with a logarithm in it.",
        "对 x 的斜率是该处伽马密度的高度；对形状 a 的斜率是密度乘对数的积分。",
    ),
    "cards.words.igammac": (
        "1 minus igamma: the same slopes with the sign turned.",
        "它是 1 与 igamma 之差：斜率相同，符号相反。",
    ),
    "cards.words.igamma_moment": (
        "By a, one more logarithm comes under the integral, less what the factor 1 / Γ(a) takes away. By x it is what "
        "stands under the integral, at x.",
        "对 a 求导，积分号下多一个对数，再减去因子 1 / Γ(a) 带来的部分；对 x 求导得到 x 处的被积函数。",
    ),
    "cards.words.betainc": (
        "By x the slope is the height of the beta density there. By a or b it is an integral over the density with the "
        "logarithm of t, or of 1 − t, in it.",
        "对 x 的斜率是该处贝塔密度的高度；对 a 或 b 的斜率是密度乘 t 或 1 − t 的对数的积分。",
    ),
    "cards.words.betainc_moment": (
        "By a or b, one more logarithm comes under the integral, less what the factor 1 / B(a, b) takes away. By x it "
        "is what stands under the integral, at x.",
        "对 a 或 b 求导，积分号下多一个对数，再减去因子 1 / B(a, b) 带来的部分；对 x 求导得到 x 处的被积函数。",
    ),
    "cards.words.zeta": (
        "Every term is differentiated by itself: by y as a power, which gives zeta at x + 1, and by x as an "
        "exponential, which brings a logarithm.",
        "逐项求导：对 y 按幂函数，得到 x + 1 处的 zeta；对 x 按指数函数，带来一个对数。",
    ),
    "cards.words.zeta_slope": (
        "Every term is differentiated by itself once more: by x another logarithm comes, by y the power goes up by 1.",
        "再逐项求导一次：对 x 再多一个对数，对 y 幂次加一。",
    ),
}
