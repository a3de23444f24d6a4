"""Cards of the softmax family, losses and dropout: the rules in words, and remarks of their formulas."""

_DROPPED = (
    "The gradient goes the way the values went: 0 where they were dropped, divided by keep_prob where they were kept.",
    "梯度与数值走同样的路：被丢弃处为 0，保留处除以 keep_prob。",
)
TABLE = {
    "cards.near": ("where |e| ≤ delta, else", "（|e| ≤ delta 时），否则"),
    "cards.words.binary_cross_entropy": (
        "p gets its distance from the target, divided by the variance p · (1 − p): confident errors weigh most. The "
        "target gets the log odds.",
        "p 得到它与目标之差除以方差 p · (1 − p)：越自信的错误分量越大。目标得到对数几率。",
    ),
    "cards.words.cross_entropy": (
        "Each logit gets the difference between its probability and the one wanted: 1 for the label, 0 for the others. "
        "No gradient is left when they agree.",
        "每个 logit 得到其概率与目标概率之差：标签处目标为 1，其余为 0。两者一致时不再有梯度。",
    ),
    "cards.words.dropout": (
        "The gradient goes the way the values went: 0 where they were dropped, divided by 1 − p where they were kept.",
        "梯度与数值走同样的路：被丢弃处为 0，保留处除以 1 − p。",
    ),
    "cards.words.dropout1d": _DROPPED,
    "cards.words.dropout2d": _DROPPED,
    "cards.words.dropout3d": _DROPPED,
    "cards.words.dropout_with_mask": _DROPPED,
    "cards.words.huber": (
        "Small errors pull in proportion to their size, as squares do; large ones with the constant strength delta, so "
        "that outliers do not dominate.",
        "小误差的作用与其大小成正比，如同平方误差；大误差的作用恒为 delta，因此离群点不会占主导。",
    ),
    "cards.words.kl_div": (
        "Each log-probability gets minus the probability wanted there: raising it lowers the divergence most where q "
        "is large.",
        "每个对数概率得到该处目标概率的相反数：q 越大处，提高它越能降低散度。",
    ),
    "cards.words.log_softmax": (
        "Each element keeps its own g and gives up its probability's share of the sum of all g.",
        "每个元素保留自己的 g，再减去它的概率在所有 g 之和中的份额。",
    ),
    "cards.words.nll_loss": (
        "Only the log-probability of the label was used, so only it gets a gradient: minus its share of g.",
        "只用到了标签处的对数概率，因此只有它得到梯度：g 中它那一份的相反数。",
    ),
    "cards.words.sigmoid_cross_entropy": (
        "The logit gets the difference between its probability and the target; sigmoid and logarithm cancel, so it "
        "never vanishes for a wrong answer.",
        "logit 得到其概率与目标之差；sigmoid 与对数相互抵消，因此答错时梯度不会消失。",
    ),
    "cards.words.softmax": (
        "The outputs share a total of 1, so a g that is the same for all changes nothing: each element gets y times "
        "what its own g is above the average of g, weighted by y.",
        "所有输出之和为 1，因此每个元素只得到它的 g 超出以 y 加权的平均值的部分，再乘以 y。",
    ),
    "cards.words.softmin": (
        "As for the softmax of −x, with the sign turned by the minus.",
        "与 −x 的 softmax 相同，负号使梯度变号。",
    ),
}
