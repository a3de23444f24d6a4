"""Errors: convolution, pooling and other ops over space."""

TABLE = {
    "errors.per_axis": (
        "{name} must be an int >= {least} or {axes} of them, got {got}",
        "{name} 应为不小于 {least} 的整数，或 {axes} 个这样的整数，得到 {got}",
    ),
    "errors.axes": ("{name} must have {wanted} axes, got shape {got}", "{name} 应有 {wanted} 个轴，得到形状 {got}"),
    "errors.multiple": (
        "the {name}, {got}, must be a multiple of {by}",
        "{name}（{got}）必须是 {by} 的倍数",
    ),
    "errors.one_of_two": (
        "give {first} or {second}: one of them, not both",
        "{first} 和 {second} 必须且只能给一个",
    ),
    "errors.needs_pad_mode": (
        "{name} = {got} needs pad_mode='pad', not {pad_mode}",
        "{name} = {got} 需要 pad_mode='pad'，而不是 {pad_mode}",
    ),
    "errors.window": (
        "a window reaches over {window} elements, and with its padding the input has only {sizes}; make the window "
        "smaller or pad more",
        "窗口跨越 {window} 个元素，而输入连同填充只有 {sizes}；请减小窗口或增加填充",
    ),
    "errors.conv_channels": (
        "the input has {got} channels, the weight is made for {wanted} in {groups} group(s)",
        "输入有 {got} 个通道，权重适用于 {groups} 组共 {wanted} 个通道",
    ),
    "errors.conv_weight": ("the weight must have shape {wanted}, got {got}", "权重的形状应为 {wanted}，得到 {got}"),
    "errors.conv_group": (
        "{cls}: channels {channels} must be divisible by group = {group}",
        "{cls}：通道数 {channels} 必须能被 group = {group} 整除",
    ),
    "errors.transposed_channels": (
        "the input has {got} channels, the weight spreads {wanted}",
        "输入有 {got} 个通道，而权重适用于 {wanted} 个通道",
    ),
    "errors.transposed_size": (
        "an input of size {size} would be convolved to {counts}, so {got} cannot come from it",
        "大小为 {size} 的输入会被卷积为 {counts}，因此 {got} 不可能由它得到",
    ),
    "errors.fold_columns": (
        "columns must have shape {wanted}: {counts} windows fit",
        "列的形状应为 {wanted}：可放 {counts} 个窗口",
    ),
    "errors.unfold_ends": (
        "{name} must be [1, vertical, horizontal, 1], got {got}",
        "{name} 应为 [1, 竖直, 水平, 1]，得到 {got}",
    ),
    "errors.pool_padding": (
        "padding = {padding} is more than half the window {kernel}: some windows would hold nothing else",
        "padding = {padding} 超过窗口 {kernel} 的一半：有的窗口里会只有填充",
    ),
    "errors.fractional_size": (
        "{size} windows of size {kernel} do not fit into {got} elements at distances of 1 or more",
        "{size} 个大小为 {kernel} 的窗口以不小于 1 的间距放不进 {got} 个元素",
    ),
    "errors.unpool_index": (
        "indices must be integers of shape {wanted}, as max pooling returns them; got {got}",
        "索引应为形状 {wanted} 的整数，即最大池化返回的索引；得到 {got}",
    ),
    "errors.unpool_range": (
        "the indices reach from {low} to {high}, but a plane of size {size} ends at {last}; give the right output_size",
        "索引范围为 {low} 到 {high}，而大小为 {size} 的平面只到 {last}；请给出正确的 output_size",
    ),
    "errors.resize_axes": (
        "mode {mode} is for inputs with {wanted} axes, got shape {got}",
        "{mode} 模式要求输入有 {wanted} 个轴，得到形状 {got}",
    ),
    "errors.align_corners": (
        "align_corners means nothing in mode {mode}; leave it out",
        "{mode} 模式下 align_corners 没有意义；请不要给出",
    ),
    "errors.scale_factor": (
        "scale_factor must be a number above 0 or {axes} of them, got {got}",
        "scale_factor 应为正数，或 {axes} 个正数，得到 {got}",
    ),
    "errors.affine": (
        "theta must have shape (N, 2, 3) or (N, 3, 4), got {got}",
        "theta 的形状应为 (N, 2, 3) 或 (N, 3, 4)，得到 {got}",
    ),
    "errors.affine_batch": (
        "size names a batch of {got}, theta has {wanted} map(s)",
        "size 中的批量为 {got}，而 theta 有 {wanted} 个映射",
    ),
    "errors.grid": (
        "an image (N, C, H, W) or (N, C, D, H, W) is read at places (N, …, 2) or (N, …, 3) of as many axes; "
        "got {image} and {grid}",
        "图像 (N, C, H, W) 或 (N, C, D, H, W) 需要轴数相同的位置 (N, …, 2) 或 (N, …, 3)；得到 {image} 和 {grid}",
    ),
    "errors.pad_ints": (
        "{cls}: padding must be an int, or an even number of ints up to {most}, got {got}",
        "{cls}：padding 应为整数，或至多 {most} 个、共偶数个整数，得到 {got}",
    ),
}
