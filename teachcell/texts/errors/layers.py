"""Errors: layers, losses."""

TABLE = {
    "errors.positive_int": (
        "{cls}: {name} must be a positive int, got {got}",
        "{cls}：{name} 必须是正整数，得到 {got}",
    ),
    "errors.dense_input": (
        "Dense({wanted}, {out}) with {name!r}: the last axis of an input of shape {shape} must be in_channels = "
        "{wanted}",
        "权重为 {name!r} 的 Dense({wanted}, {out})：输入形状 {shape} 的最后一轴应为 in_channels = {wanted}",
    ),
    "errors.dropout_both": ("Dropout: give p or keep_prob, not both", "Dropout：p 和 keep_prob 只能给一个"),
    "errors.activation": ("unknown activation {got}; known: {known}", "未知的激活函数 {got}；可用：{known}"),
    "errors.activation_kind": (
        "{cls}: activation is a name, a Cell such as nn.ReLU() or a function, got {got}",
        "{cls}：activation 应为名字、Cell（例如 nn.ReLU()）或函数，得到 {got}",
    ),
    "errors.picture_ending": (
        "a picture is saved as {known}, not {got}; the ending of the name decides",
        "只能保存为 {known}，不能是 {got}；由文件名的后缀决定",
    ),
    "errors.norm_one_value": (
        "{cls} in training got one value per channel: its variance is 0, so the output is beta and no gradient "
        "passes; give a larger batch, or call set_train(False)",
        "训练中的 {cls} 每个通道只得到一个值：方差为 0，输出就是 beta，也没有梯度；请增大批量，或调用 set_train(False)",
    ),
    "errors.norm_input": (
        "{cls}: the input has shape {shape}, expected {wanted}",
        "{cls}：输入形状为 {shape}，应为 {wanted}",
    ),
    "errors.init_shape": ("the Tensor has shape {got}, asked for {wanted}", "Tensor 的形状为 {got}，要求 {wanted}"),
    "errors.init_name": ("unknown initializer {got}; known: {known}", "未知的初始化方式 {got}；可用：{known}"),
    "errors.init_type": (
        "an initializer is a name, a number, an Initializer or a Tensor, got {got}",
        "初始化方式应为名字、数、Initializer 或 Tensor，得到 {got}",
    ),
    "errors.fan_shape": (
        "fan-based initializers need at least 2 axes, got shape {shape}",
        "基于 fan 的初始化至少需要 2 个轴，得到形状 {shape}",
    ),
    "errors.nonlinearity": (
        "unknown nonlinearity {got}; known: {known}",
        "未知的非线性函数 {got}；已知的有：{known}",
    ),
    "errors.shape_kind": (
        "a shape is an int or a sequence of ints >= 0, got {got}",
        "形状应为整数或非负整数序列，得到 {got}",
    ),
    "errors.seed": ("a seed is an int >= 0, got {got}", "随机种子应为非负整数，得到 {got}"),
}
