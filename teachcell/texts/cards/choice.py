"""Comparisons, logic, bits, selection and casts: remarks, and the rules in words."""

_BOOL = ("The result is True or False and carries no gradient.", "结果是 True 或 False，不传梯度。")
_WHOLE = ("The result is a whole number and carries no gradient.", "结果是整数，不传梯度。")

TABLE = {
    "cards.words.equal": _BOOL,
    "cards.words.not_equal": _BOOL,
    "cards.words.greater": _BOOL,
    "cards.words.greater_equal": _BOOL,
    "cards.words.less": _BOOL,
    "cards.words.less_equal": _BOOL,
    "cards.words.isclose": _BOOL,
    "cards.words.approximate_equal": _BOOL,
    "cards.words.logical_and": _BOOL,
    "cards.words.logical_or": _BOOL,
    "cards.words.logical_xor": _BOOL,
    "cards.words.logical_not": _BOOL,
    "cards.words.isnan": _BOOL,
    "cards.words.isinf": _BOOL,
    "cards.words.isfinite": _BOOL,
    "cards.words.isposinf": _BOOL,
    "cards.words.isneginf": _BOOL,
    "cards.words.bitwise_and": _WHOLE,
    "cards.words.bitwise_or": _WHOLE,
    "cards.words.bitwise_xor": _WHOLE,
    "cards.words.bitwise_not": _WHOLE,
    "cards.words.left_shift": _WHOLE,
    "cards.words.right_shift": _WHOLE,
    "cards.words.population_count": _WHOLE,
    "cards.words.gcd": _WHOLE,
    "cards.words.lcm": _WHOLE,
    "cards.words.select": (
        "Each element of the result comes from one of the two, and its gradient goes back to that one; the other gets "
        "0 there. The condition chooses and gets none.",
        "结果的每个元素来自两者之一，梯度就回到那一个；另一个在该处得到 0。条件只做选择，得不到梯度。",
    ),
    "cards.words.cast": (
        "The same value in another dtype; the gradient comes back in x's own. Whole numbers and Bool stop it.",
        "同样的值换了数据类型；梯度回来时转回 x 自己的类型。转为整数或布尔时梯度中断。",
    ),
    "cards.words.stop_gradient": (
        "Forwards nothing happens. Backwards the value counts as a constant: what lies before it gets nothing.",
        "正向什么也不做。反向把该值当作常数：它之前的部分得不到梯度。",
    ),
    "cards.words.identity": (
        "Nothing changes: the gradient passes as it is.",
        "没有变化：梯度原样通过。",
    ),
}
