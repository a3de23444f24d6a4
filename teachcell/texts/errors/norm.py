"""Errors: normalisation."""

TABLE = {
    "errors.norm_weight": (
        "weight and bias must have the shape of the input's last axes, got {got}",
        "权重和偏置的形状必须等于输入最后几个轴的形状，得到 {got}",
    ),
    "errors.norm_groups": (
        "{channels} channels cannot be split into {groups} equal groups",
        "{channels} 个通道不能等分为 {groups} 组",
    ),
    "errors.norm_region": (
        "norm_region must be 'ACROSS_CHANNELS', got {got}",
        "norm_region 只能是 'ACROSS_CHANNELS'，得到 {got}",
    ),
    "errors.data_format": (
        "{cls}: data_format must be 'NCHW' (channels on axis 1), got {got}; move them there with transpose",
        "{cls}：data_format 只能是 'NCHW'（通道在轴 1），得到 {got}；请用 transpose 移动通道轴",
    ),
}
