"""Errors: indices, masks, segments and what is written at them."""

TABLE = {
    "errors.index_range": (
        "index {index} is out of range for axis {axis} of length {length}",
        "索引 {index} 超出了长度为 {length} 的轴 {axis}",
    ),
    "errors.along_shape": (
        "an index along axis {axis} of an input of shape {shape} must have as many axes, none longer but that one; "
        "got {got}",
        "沿形状 {shape} 的轴 {axis} 的索引必须有同样多的轴，且除该轴外都不更长；得到 {got}",
    ),
    "errors.nd_depth": (
        "the last axis of indices holds 1 to {ndim} coordinates, one per axis of the input; got indices of shape {got}",
        "indices 的最后一轴是 1 到 {ndim} 个坐标，对应输入的各轴；得到 indices 的形状 {got}",
    ),
    "errors.batch_dims": (
        "the first batch_dims = {batch_dims} axes of both must be alike and come before axis {axis}",
        "两者的前 batch_dims = {batch_dims} 个轴必须一致，且在轴 {axis} 之前",
    ),
    "errors.sequence_lengths": (
        "seq_lengths must be {count} ints in 0 … {most}, one per batch entry; got {got}",
        "seq_lengths 必须是 {count} 个 0 … {most} 的整数，每个批次项一个；得到 {got}",
    ),
    "errors.depth": ("depth must be an int >= 0, got {got}", "depth 必须是非负整数，得到 {got}"),
    "errors.mask": (
        "a mask is a Bool Tensor, got {got}; compare first: x > 0",
        "掩码是布尔 Tensor，得到 {got}；请先比较：x > 0",
    ),
    "errors.mask_shape": (
        "a mask of shape {got} does not fit an input of shape {shape}",
        "形状为 {got} 的掩码与形状为 {shape} 的输入不相容",
    ),
    "errors.masked_source": (
        "the mask asks for {wanted} values, the source has {got}",
        "掩码需要 {wanted} 个值，source 只有 {got} 个",
    ),
    "errors.updates_shape": (
        "these indices take values of shape {wanted}, got {got}",
        "这些索引需要形状为 {wanted} 的值，得到 {got}",
    ),
    "errors.segment_shape": (
        "segment_ids must have the leading axes of the input of shape {shape}, got shape {got}",
        "segment_ids 必须具有形状 {shape} 的输入的前几个轴，得到形状 {got}",
    ),
    "errors.segment_order": (
        "segment ids must be one axis of ints >= 0 in ascending order, got {got}; unsorted_segment_sum takes any order",
        "段号必须是一维、升序的非负整数，得到 {got}；任意顺序请用 unsorted_segment_sum",
    ),
}
