"""The larger, the smaller, and values kept within bounds: remarks, and the rules in words."""

TABLE = {
    "cards.is_finite": ("finite", "有限"),
    "cards.not_nan": ("(of those that are not NaN)", "（忽略 NaN）"),
    "cards.replaced": ("with NaN and ±∞ replaced", "替换 NaN 和 ±∞"),
    "cards.words.maximum": (
        "The larger one is the result, so it gets the whole gradient and the other nothing. At a tie both get half.",
        "结果就是较大者，所以它得到全部梯度，另一个得不到。相等时各得一半。",
    ),
    "cards.words.minimum": (
        "The smaller one is the result, so it gets the whole gradient and the other nothing. At a tie both get half.",
        "结果就是较小者，所以它得到全部梯度，另一个得不到。相等时各得一半。",
    ),
    "cards.words.fmax": (
        "As for maximum, but a NaN loses against any number, and gets no gradient.",
        "与 maximum 相同，但 NaN 总是输给数，并且得不到梯度。",
    ),
    "cards.words.fmin": (
        "As for minimum, but a NaN loses against any number, and gets no gradient.",
        "与 minimum 相同，但 NaN 总是输给数，并且得不到梯度。",
    ),
    "cards.words.clamp": (
        "Between the bounds, and on them, x passes and so does its gradient. Beyond, the result is the bound, whatever "
        "x is: x gets 0.",
        "在两界之间和界上，x 通过，梯度也通过。超出时结果就是界，与 x 无关：x 得到 0。",
    ),
    "cards.words.nan_to_num": (
        "A finite x passes and so does its gradient. What was replaced got a constant in its place, so it gets 0.",
        "有限的 x 通过，梯度也通过。被替换处成了常数，所以得到 0。",
    ),
}
