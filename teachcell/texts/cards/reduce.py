"""Reductions: the rules in words."""

TABLE = {
    "cards.words.sum": (
        "Each element counts once in its sum, so it gets the sum's gradient unchanged.",
        "每个元素在所属的和中出现一次，所以原样得到该和的梯度。",
    ),
    "cards.words.mean": (
        "A mean is a sum divided by n: each of the n elements gets an n-th of its mean's gradient.",
        "均值是和除以 n：n 个元素各得到该均值梯度的 n 分之一。",
    ),
    "cards.words.prod": (
        "An element changes its product by the product of all others, so it gets g times that. Dividing y by x would "
        "fail at 0; multiplying those before by those after does not.",
        "一个元素的变化被放大其余元素之积那么多倍，所以它得到 g 乘以该积。用 y 除以 x 在 0 处会出错；"
        "把它之前的积乘以之后的积则不会。",
    ),
    "cards.words.logsumexp": (
        "A smooth maximum: the gradient is split among the elements in the proportions of their exponentials, which "
        "is softmax.",
        "平滑的最大值：梯度按各元素指数的比例分配，这个比例就是 softmax。",
    ),
    "cards.words.all": (
        "True or False does not change with a small change of x, so nothing goes back.",
        "x 的微小变化不改变真假，所以没有梯度返回。",
    ),
    "cards.words.any": (
        "True or False does not change with a small change of x, so nothing goes back.",
        "x 的微小变化不改变真假，所以没有梯度返回。",
    ),
}
