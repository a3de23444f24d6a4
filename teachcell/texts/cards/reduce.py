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
    "cards.words.var": (
        "A mean of squares: each element gets twice its deviation, divided as the squares are. Moving an element moves "
        "the mean as well, but that changes nothing: the deviations sum to 0.",
        "方差是平方的均值：每个元素得到其离差的两倍，再除以平方和所除的数。元素移动时均值也随之移动，"
        "但这没有影响：离差之和为 0。",
    ),
    "cards.words.std": (
        "The root of the variance: its slope 1 / (2y) times twice the deviation. So each element gets its deviation in "
        "units of y, divided by n − ddof.",
        "方差的平方根：其斜率 1 / (2y) 乘以离差的两倍。所以每个元素得到以 y 为单位的离差，再除以 n − ddof。",
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
