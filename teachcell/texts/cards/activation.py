"""Cards of activations: the rules in words, and remarks of their formulas."""

TABLE = {
    "cards.drawn_where_not_positive": ("(s drawn where x ≤ 0, else 1)", "（x ≤ 0 处 s 随机抽取，其余为 1）"),
    "cards.words.celu": (
        "Above 0 the gradient passes unchanged. Below 0 it fades like e^(x/alpha), without a jump at 0.",
        "x 大于 0 处梯度原样通过；小于 0 处按 e^(x/alpha) 衰减，在 0 处没有跳变。",
    ),
    "cards.words.elu": (
        "Above 0 the gradient passes unchanged. Below 0 it is multiplied by alpha · eˣ, which is y + alpha.",
        "x 大于 0 处梯度原样通过；小于 0 处乘以 alpha · eˣ，也就是 y + alpha。",
    ),
    "cards.words.gelu": (
        "x is weighted by the probability Φ(x), so the product rule gives two terms: the weight itself, and x times "
        "the bell curve φ(x).",
        "x 以概率 Φ(x) 加权，乘积法则给出两项：权重本身，以及 x 乘钟形曲线 φ(x)。",
    ),
    "cards.words.hardshrink": (
        "What was kept gets its gradient unchanged; what was set to 0 gets none.",
        "保留下来的元素得到原样的梯度；被置 0 的元素没有梯度。",
    ),
    "cards.words.hardsigmoid": (
        "On the slope between −3 and 3 the gradient is divided by 6. On the two flat pieces nothing passes.",
        "在 −3 与 3 之间的斜坡上梯度除以 6；在两端平坦的部分不通过。",
    ),
    "cards.words.hardswish": (
        "Above 3 the gradient passes unchanged, below −3 not at all. Between them the parabola's slope is x/3 + ½, "
        "which is negative at the lower end.",
        "大于 3 处梯度原样通过，小于 −3 处不通过；中间抛物线的斜率为 x/3 + ½，在下端为负。",
    ),
    "cards.words.hardtanh": (
        "Between the bounds the gradient passes unchanged; at them and outside it stops.",
        "在两个界限之间梯度原样通过；在界限上和界限外不通过。",
    ),
    "cards.words.leaky_relu": (
        "Where x is positive the gradient passes unchanged; elsewhere alpha times it does, so no unit is ever dead.",
        "x 为正处梯度原样通过；其余处通过 alpha 倍，因此没有单元会“死亡”。",
    ),
    "cards.words.logsigmoid": (
        "The slope is the sigmoid of −x: near 1 for very negative x, where y is nearly x, and fading to 0 above.",
        "斜率是 −x 的 sigmoid：x 很小时 y 近似为 x，斜率接近 1；x 变大时趋于 0。",
    ),
    "cards.words.mish": (
        "Product rule: t itself, and x times the slope of t, which is sigmoid(x) · (1 − t²) by the chain rule.",
        "乘积法则：一项是 t 本身，一项是 x 乘 t 的斜率；由链式法则，该斜率为 sigmoid(x) · (1 − t²)。",
    ),
    "cards.words.normal_cdf": (
        "The slope of a distribution function is its density, here the bell curve.",
        "分布函数的斜率是它的密度，这里是钟形曲线。",
    ),
    "cards.words.prelu": (
        "Where x is positive g passes to x unchanged, elsewhere multiplied by the weight. The weight collects g · x "
        "from all elements that are not positive.",
        "x 为正处 g 原样传给 x，其余处乘以权重。权重从所有非正的元素收集 g · x。",
    ),
    "cards.words.relu": (
        "The gradient passes where x is positive and stops elsewhere, also at 0.",
        "x 为正处梯度通过，其余处（包括 0）不通过。",
    ),
    "cards.words.relu6": (
        "The gradient passes on the slope from 0 to 6, the upper end included, and stops where y is flat.",
        "在 0 到 6 的斜坡上（含上端）梯度通过；在 y 平坦处不通过。",
    ),
    "cards.words.rrelu": (
        "As in the forward pass: the gradient is multiplied by the slopes that were drawn then.",
        "与正向相同：梯度乘以当时抽取的斜率。",
    ),
    "cards.words.selu": (
        "As for elu with α, and everything is multiplied by λ, so above 0 the slope is λ > 1.",
        "与参数为 α 的 elu 相同，再整体乘以 λ，因此 0 以上的斜率是 λ > 1。",
    ),
    "cards.words.sigmoid": (
        "The slope y · (1 − y) is read off the output: at most ¼, and near 0 where y saturates at 0 or 1.",
        "斜率 y · (1 − y) 可由输出得到：最大为 ¼，在 y 饱和于 0 或 1 处接近 0。",
    ),
    "cards.words.silu": (
        "x is weighted by sigmoid(x), so the product rule gives two terms: the weight, and x times the weight's slope.",
        "x 以 sigmoid(x) 加权，乘积法则给出两项：权重，以及 x 乘权重的斜率。",
    ),
    "cards.words.softplus": (
        "The slope of this smooth relu is a sigmoid: 0 far below, 1 far above.",
        "这个平滑的 relu 的斜率是 sigmoid：很小处为 0，很大处为 1。",
    ),
    "cards.words.softshrink": (
        "Moving by lambd does not change the slope: what is not 0 gets its gradient unchanged.",
        "平移 lambd 不改变斜率：不为 0 的元素得到原样的梯度。",
    ),
    "cards.words.softsign": (
        "The slope falls as 1 / (1 + |x|)², more slowly than that of tanh.",
        "斜率按 1 / (1 + |x|)² 下降，比 tanh 慢。",
    ),
    "cards.words.tanh": (
        "The slope 1 − y² is read off the output: 1 at x = 0, and near 0 where y saturates at −1 or 1.",
        "斜率 1 − y² 可由输出得到：x = 0 处为 1，在 y 饱和于 −1 或 1 处接近 0。",
    ),
    "cards.words.tanhshrink": (
        "The slope is 1 − (1 − tanh² x) = tanh² x: 0 at x = 0, near 1 far from it.",
        "斜率为 1 − (1 − tanh² x) = tanh² x：x = 0 处为 0，远处接近 1。",
    ),
    "cards.words.threshold": (
        "What was kept gets its gradient unchanged; what was replaced by the value gets none.",
        "保留下来的元素得到原样的梯度；被替换为 value 的元素没有梯度。",
    ),
}
