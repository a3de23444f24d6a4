"""Errors: initializers."""

TABLE = {
    "errors.choice": ("{name} must be one of {known}, got {got}", "{name} 只能是 {known} 之一，得到 {got}"),
    "errors.initializer_method": (
        "{cls}: define _initialize(self, arr), which fills the array arr in place",
        "{cls}：请定义 _initialize(self, arr)，就地填充数组 arr",
    ),
    "errors.truncation": (
        "TruncatedNormal: next to nothing of a normal distribution with mean {mean} and sigma {sigma} lies in "
        "[{a}, {b}]; a and b are bounds of the values, not multiples of sigma",
        "TruncatedNormal：均值 {mean}、标准差 {sigma} 的正态分布几乎没有值落在 [{a}, {b}] 内；"
        "a 和 b 是数值的界限，不是 sigma 的倍数",
    ),
    "errors.init_axes": (
        "{cls} fills shapes of {wanted} axes, got {shape}",
        "{cls} 只能填充 {wanted} 个轴的形状，得到 {shape}",
    ),
    "errors.dirac_groups": (
        "Dirac: the first length of {shape} must be divisible by groups = {groups}",
        "Dirac：形状 {shape} 的第一个长度必须能被 groups = {groups} 整除",
    ),
}
