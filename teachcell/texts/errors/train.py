"""Errors: cells of training, Model, callbacks, metrics."""

TABLE = {
    "errors.weights_missing": (
        "get_by_list needs the Parameters to differentiate by: give weights=net.trainable_params()",
        "get_by_list 需要给出求导的 Parameter：请给 weights=net.trainable_params()",
    ),
    "errors.micro_size": (
        "GradAccumulationCell: the first axis of an input of shape {shape} cannot be cut into micro_size = {count} "
        "equal parts",
        "GradAccumulationCell：输入形状 {shape} 的第一轴不能等分成 micro_size = {count} 份",
    ),
    "errors.not_an_optimizer": (
        "the optimizer must have the Parameters it trains in .parameters, as nn.SGD has; got {got}",
        "优化器必须以 .parameters 给出所训练的 Parameter，例如 nn.SGD；得到 {got}",
    ),
    "errors.scale_kind": (
        "a loss scale is a Tensor of one element, or a Cell such as DynamicLossScaleUpdateCell; got {got}",
        "损失缩放应为一个元素的 Tensor，或 DynamicLossScaleUpdateCell 等 Cell；得到 {got}",
    ),
}
