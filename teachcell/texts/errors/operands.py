"""Errors: operands and kernels."""

TABLE = {
    "errors.kernel": ("{op} failed on {given}: {why}. {remedy}", "{op} 无法计算 {given}：{why}。{remedy}"),
    "errors.broadcast_why": ("the shapes do not fit together", "形状不相容"),
    "errors.broadcast_remedy": (
        "Compared from the right, lengths must be equal, or one of them 1; reshape one of the operands.",
        "从右往左逐轴比较，长度必须相等或其中一个为 1；请用 reshape 调整其中一个。",
    ),
    "errors.matmul_why": (
        "the last axis of the first must be as long as the second-to-last of the second",
        "前者的最后一轴必须与后者的倒数第二轴等长",
    ),
    "errors.matmul_remedy": ("Transpose or reshape one of them.", "请转置或改变其中一个的形状。"),
    "errors.reshape_why": ("the new shape must hold the same number of elements", "新形状的元素个数必须相同"),
    "errors.reshape_remedy": (
        "One length may be -1: it is computed from the others.",
        "其中一个长度可写 -1，由其余长度算出。",
    ),
    "errors.transpose_why": ("every axis must be named exactly once", "每个轴必须恰好出现一次"),
    "errors.transpose_remedy": ("Name as many axes as the input has.", "请给出与输入维数相同的轴。"),
    "errors.broadcast_to_why": (
        "only axes of length 1 and new leading axes can be repeated",
        "只能重复长度为 1 的轴和新增的前导轴",
    ),
    "errors.broadcast_to_remedy": ("Insert axes of length 1 with reshape first.", "请先用 reshape 插入长度为 1 的轴。"),
    "errors.concat_why": (
        "there must be at least one input, and all must be alike but for the joined axis",
        "至少需要一个输入，且除连接轴外形状必须一致",
    ),
    "errors.concat_remedy": ("To join along a new axis use stack.", "要沿新轴连接请用 stack。"),
    "errors.stack_why": (
        "there must be at least one input, and all must have one shape",
        "至少需要一个输入，且形状必须全部相同",
    ),
    "errors.stack_remedy": ("To join along an existing axis use concat.", "要沿已有轴连接请用 concat。"),
    "errors.power_why": ("integers have no negative integer powers", "整数没有负整数次幂"),
    "errors.power_remedy": ("Cast to float32 first.", "请先转换为 float32。"),
    "errors.axis_range": ("axis {axis} is out of range for {ndim} axes", "轴 {axis} 越界：共 {ndim} 个轴"),
    "errors.axis_kind": ("an axis must be an int, got {got}", "轴必须是整数，得到 {got}"),
    "errors.axis_length": ("axis {axis} has not length 1", "轴 {axis} 的长度不是 1"),
    "errors.bias_size": (
        "the bias must have as many elements as axis {axis} of the input",
        "偏置的元素个数必须等于输入第 {axis} 轴的长度",
    ),
    "errors.label_range": (
        "labels must lie in 0 … {last}, the number of classes being {classes}",
        "类别数为 {classes}，标签必须在 0 … {last} 之间",
    ),
    "errors.logits_shape": (
        "logits must be (N, C, …) and labels integers (N, …)",
        "logits 的形状应为 (N, C, …)，标签应为整数 (N, …)",
    ),
    "errors.channels": (
        "the input needs a channel axis 1 as long as weight, bias and statistics",
        "输入需要通道轴 1，其长度与权重、偏置和统计量相同",
    ),
    "errors.channel_axis": ("the input needs a channel axis: (N, C, …)", "输入需要通道轴：(N, C, …)"),
    "errors.batch_empty": ("the batch is empty", "批次为空"),
    "errors.interval": ("{name} must lie in {interval}, got {got}", "{name} 应在 {interval} 内，得到 {got}"),
    "errors.number_range": (
        "{number} does not fit into {dtype}; cast the Tensor to a wider dtype first, e.g. .astype('int64')",
        "{number} 超出 {dtype} 的范围；请先把 Tensor 转换为更宽的类型，例如 .astype('int64')",
    ),
    "errors.operand": ("{op}: {why}", "{op}：{why}"),
    "errors.dropped": (
        "{op}: this value was not kept for the backward pass, because the op's own rule did not need it when it was "
        "recorded; run the forward inside the with block of override too",
        "{op}：反向时没有保留这个值，因为记录时算子自己的规则不需要它；请把正向也放进 override 的 with 块中运行",
    ),
    "errors.too_many": ("{op} takes at most {most} arguments, got {got}", "{op} 最多 {most} 个参数，得到 {got} 个"),
    "errors.twice": ("{op}: argument {name!r} was given twice", "{op}：参数 {name!r} 给了两次"),
    "errors.missing": ("{op}: missing input {names}", "{op}：缺少输入 {names}"),
    "errors.unknown_argument": (
        "{op} has no argument {name!r}; it takes {known}",
        "{op} 没有参数 {name!r}；可用参数：{known}",
    ),
    "errors.nothing": ("nothing", "（无）"),
    "errors.primitive_init": (
        "{name}(…) takes {takes}, not {got}; Tensors belong to the call: {name}(…)(x)",
        "{name}(…) 的参数是 {takes}，不是 {got}；Tensor 应在调用时给出：{name}(…)(x)",
    ),
    "errors.reduction": (
        "reduction must be one of {known}, got {got}",
        "reduction 只能是 {known} 之一，得到 {got}",
    ),
}
