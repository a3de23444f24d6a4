"""Errors: shapes, parts, frames and diagonals."""

TABLE = {
    "errors.whole": ("{name} must be a whole number, got {got}", "{name} 必须是整数，得到 {got}"),
    "errors.merged_axes": (
        "start_dim = {start} comes after end_dim = {end}",
        "start_dim = {start} 在 end_dim = {end} 之后",
    ),
    "errors.moved_axes": (
        "source {source} and destination {destination} must name equally many axes",
        "source {source} 与 destination {destination} 必须给出同样多的轴",
    ),
    "errors.repeats": (
        "repeats must be one int >= 0, or one for each of the {length} slices along axis {axis}, got {got}",
        "repeats 必须是一个非负整数，或为轴 {axis} 的 {length} 个切片各给一个，得到 {got}",
    ),
    "errors.sum_to_size": (
        "a Tensor of shape {shape} cannot be summed to {got}: that shape must broadcast to its own",
        "形状为 {shape} 的 Tensor 不能求和成 {got}：后者必须能广播成前者",
    ),
    "errors.block_axes": (
        "a block has at most 2 axes, got shape {shape}",
        "一个块最多有 2 个轴，得到形状 {shape}",
    ),
    "errors.combinations": (
        "combinations are taken from a 1-D Tensor, r >= 1 elements each; got shape {shape} and r = {got}",
        "combinations 从一维 Tensor 中每次取 r >= 1 个元素；得到形状 {shape} 和 r = {got}",
    ),
    "errors.sections": (
        "the lengths of the parts must be >= 0 and add up to {length}, the length of axis {axis}; got {got}",
        "各部分的长度必须非负，且总和为轴 {axis} 的长度 {length}；得到 {got}",
    ),
    "errors.equal_parts": (
        "axis {axis} of length {length} cannot be divided into {got} equal parts",
        "长度为 {length} 的轴 {axis} 不能等分为 {got} 份",
    ),
    "errors.unstack_count": (
        "axis {axis} has {length} slices, but num = {got}",
        "轴 {axis} 有 {length} 个切片，而 num = {got}",
    ),
    "errors.slice_range": (
        "{size} elements from {start} on do not lie within axis {axis} of length {length}",
        "从 {start} 开始的 {size} 个元素超出了长度为 {length} 的轴 {axis}",
    ),
    "errors.one_per_axis": (
        "all parts of the index must have {ndim} numbers, one per axis; got {got}",
        "索引的各部分都必须有 {ndim} 个数，每轴一个；得到 {got}",
    ),
    "errors.pad_list": (
        "padding is a list of pairs (before, after), from the last axis backwards, for at most {ndim} axes; got {got}",
        "padding 是从最后一轴往前的 (前, 后) 数对列表，最多 {ndim} 个轴；得到 {got}",
    ),
    "errors.pad_pairs": (
        "paddings must be a pair (before, after) for each of the {ndim} axes, got {got}",
        "paddings 必须为 {ndim} 个轴各给一对 (前, 后)，得到 {got}",
    ),
    "errors.pad_value": (
        "mode {mode!r} takes no value: it repeats elements of the input",
        "{mode!r} 方式不接受 value：它重复输入的元素",
    ),
    "errors.pad_width": (
        "{mode!r} needs axis {axis} to hold what it repeats: its length is {length}, the padding {got}",
        "{mode!r} 方式需要轴 {axis} 有足够的元素可重复：其长度为 {length}，填充为 {got}",
    ),
    "errors.pad_crop": (
        "the negative padding {got} takes away more than axis {axis} of length {length} has",
        "负的填充 {got} 去掉的比长度为 {length} 的轴 {axis} 还多",
    ),
    "errors.one_axis_twice": ("axis {axis} was named twice", "轴 {axis} 给了两次"),
    "errors.cube": (
        "a main diagonal needs a matrix, or more axes all of one length; got shape {shape}",
        "主对角线需要一个矩阵，或多个等长的轴；得到形状 {shape}",
    ),
    "errors.diagonal_range": (
        "a ({rows}, {columns}) matrix has no diagonals {low} … {high}",
        "({rows}, {columns}) 的矩阵没有对角线 {low} … {high}",
    ),
    "errors.two_halves": (
        "the shape must be the same twice over, such as (2, 3, 2, 3); got {shape}",
        "形状必须由相同的两半组成，例如 (2, 3, 2, 3)；得到 {shape}",
    ),
    "errors.steps": (
        "there is no way from {start} to {end} in steps of {step}",
        "以步长 {step} 无法从 {start} 到 {end}",
    ),
    "errors.most_numbers": ("at most {most} numbers are allowed, got {got}", "最多允许 {most} 个数，得到 {got}"),
    "errors.array_size": (
        "{name} = {got} asks for more than {most} elements",
        "{name} = {got} 要求的元素多于 {most} 个",
    ),
    "errors.window_length": ("a window has a length >= 0, got {got}", "窗的长度应为非负整数，得到 {got}"),
    "errors.permutation": (
        "a permutation has every number 0 … n - 1 once, got {got}",
        "排列应恰好包含 0 … n - 1 各一次，得到 {got}",
    ),
    "errors.a_tensor": ("a Tensor is needed, got {got}", "需要 Tensor，得到 {got}"),
    "errors.a_number": ("a Python number is needed, got {got}", "需要 Python 数，得到 {got}"),
}
