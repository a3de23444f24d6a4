"""Errors: random draws and writing in place."""

TABLE = {
    "errors.random_dtype": (
        "{name} cannot draw {got}: rand, randn and uniform give floats, randint and randperm whole numbers",
        "{name} 不能产生 {got}：rand、randn 和 uniform 给出浮点数，randint 和 randperm 给出整数",
    ),
    "errors.random_range": (
        "there is no whole number from {low} up to, but without, {high}",
        "从 {low} 到 {high}（不含）之间没有整数",
    ),
    "errors.weights": (
        "weights must be finite and >= 0, in one axis or two, got shape {shape}",
        "权重必须有限且非负，且有一个或两个轴；得到形状 {shape}",
    ),
    "errors.draws": (
        "{draws} different indices cannot be drawn, {possible} being possible; draw fewer, or with replacement",
        "无法取出 {draws} 个不同的索引，只有 {possible} 个可选；请少取一些，或允许重复",
    ),
    "errors.generator": (
        "a generator is a Generator, got {got}; give none to draw from the one that set_seed restarts",
        "generator 应为 Generator，得到 {got}；不给则使用 set_seed 重启的那一个",
    ),
    "errors.random_state": (
        "a random state is the UInt8 Tensor that get_state or get_rng_state returned",
        "随机状态应为 get_state 或 get_rng_state 返回的 UInt8 Tensor",
    ),
    "errors.in_place": (
        "{name} writes in place, and {got} does not go into {was}; use the method without _, or cast first",
        "{name} 就地写入，而 {got} 放不进 {was}；请用不带 _ 的方法，或先转换",
    ),
}
