"""Signs, rounding and neighbours: the rules in words."""

TABLE = {
    "cards.words.absolute": (
        "The gradient keeps its sign where x is positive and turns it where x is negative. At the corner, 0, the slope "
        "is taken as 0, half way between.",
        "x 为正处梯度不变，x 为负处梯度变号。在拐点 0 处斜率取 0，即两侧的中间值。",
    ),
    "cards.words.sign": (
        "Only the sign is left of x: a small change changes nothing, so no gradient passes.",
        "x 只剩下符号：微小变化不改变结果，所以梯度不通过。",
    ),
    "cards.words.signbit": (
        "True where the sign is a minus, also for −0. Bool values carry no gradient.",
        "带负号处为 True，−0 也算。布尔值不传梯度。",
    ),
    "cards.words.floor": (
        "A staircase: flat between whole numbers, so no gradient passes.",
        "阶梯函数：整数之间是平的，所以梯度不通过。",
    ),
    "cards.words.ceil": (
        "A staircase: flat between whole numbers, so no gradient passes.",
        "阶梯函数：整数之间是平的，所以梯度不通过。",
    ),
    "cards.words.round": (
        "A staircase with its jumps at the halves: flat between them, so no gradient passes. To train through it, a "
        "rule of one's own is needed.",
        "跳变点在半整数处的阶梯函数：其间是平的，所以梯度不通过。要让训练穿过它，需要自定义反向规则。",
    ),
    "cards.words.trunc": (
        "A staircase with a double step around 0: flat between whole numbers, so no gradient passes.",
        "在 0 附近有双倍宽台阶的阶梯函数：整数之间是平的，所以梯度不通过。",
    ),
    "cards.words.frac": (
        "What is cut off is constant between whole numbers, so what is left grows as x does.",
        "被截去的部分在整数之间不变，所以剩下的部分随 x 一同增长。",
    ),
    "cards.words.heaviside": (
        "A step: flat on both sides, so x gets nothing. Where x is 0 the result is taken from values, which get the "
        "gradient there.",
        "阶跃函数：两侧都是平的，所以 x 得不到梯度。x 为 0 处结果取自 values，那里的梯度归 values。",
    ),
    "cards.words.copysign": (
        "x keeps its size and takes the sign of y: its gradient turns where the sign did. y only gives a sign, so it "
        "gets none.",
        "x 保持大小，取 y 的符号：符号改变处梯度也变号。y 只提供符号，得不到梯度。",
    ),
    "cards.words.nextafter": (
        "The result is x, one rounding step further: it moves with x. y only says in which direction.",
        "结果是 x 再移动一个舍入步长：它随 x 移动。y 只决定方向。",
    ),
}
