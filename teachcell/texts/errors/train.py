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
    "errors.dataset": (
        "a data set is something to go through batch by batch, such as a list [(data, label), …]; got {got}; for one "
        "batch of x and y give [(x, y)]",
        "数据集应可逐批遍历，例如列表 [(data, label), …]；得到 {got}；只有一批 x 和 y 时请给 [(x, y)]",
    ),
    "errors.dataset_once": (
        "a {got} can be gone through only once, but {passes} epochs are to run; give a list, or a class with __iter__",
        "{got} 只能遍历一次，但要运行 {passes} 轮；请给列表，或带 __iter__ 的类",
    ),
    "errors.batch_pair": (
        "with a loss a batch is (data, label), got {got} member(s); give pairs, or a network that returns its own loss "
        "and no loss_fn",
        "有损失函数时，每个批次应为 (data, label)，得到 {got} 项；请给成对的数据，或给自带损失的网络而不给 loss_fn",
    ),
    "errors.dataset_empty": ("the data set has no batches", "数据集中没有任何批次"),
    "errors.run_context": (
        "a RunContext is made of a dict of facts, got {got}",
        "RunContext 需要一个字典，得到 {got}",
    ),
    "errors.callback": (
        "callbacks must be instances of Callback, got {got}",
        "callbacks 应为 Callback 的实例，得到 {got}",
    ),
    "errors.amp_level": (
        "amp_level must be 'O0', got {got}; for Float16 give Model amp.auto_mixed_precision(network, {got})",
        "amp_level 只能是 'O0'，得到 {got}；需要 Float16 请把 amp.auto_mixed_precision(network, {got}) 交给 Model",
    ),
    "errors.amp_network": (
        "mixed precision is for a Cell, got {got}; give the network itself",
        "混合精度用于 Cell，得到 {got}；请给出网络本身",
    ),
    "errors.amp_lists": (
        "give either white_list or black_list",
        "white_list 与 black_list 必须且只能给一个",
    ),
    "errors.amp_class": (
        "white_list and black_list are lists of classes of Cells such as [nn.Dense], got {got}",
        "white_list 与 black_list 应为 Cell 的类的列表，例如 [nn.Dense]，得到 {got}",
    ),
    "errors.amp_finite": (
        "all_finite takes Tensors, or a tuple or list of them, got {got}",
        "all_finite 需要 Tensor 或其元组、列表，得到 {got}",
    ),
    "errors.eval_indexes": (
        "eval_indexes must be three positions, of loss, output and label, got {got}",
        "eval_indexes 应为三个位置：损失、输出、标签，得到 {got}",
    ),
    "errors.eval_network": (
        "metrics need a loss_fn, or an eval_network of your own",
        "使用 metrics 需要 loss_fn，或自己的 eval_network",
    ),
    "errors.eval_outputs": (
        "eval_indexes {indexes} do not fit: the eval_network returned {count} value(s)",
        "eval_indexes {indexes} 不符：eval_network 返回了 {count} 个值",
    ),
    "errors.no_metrics": (
        "an evaluation needs metrics: make the Model with metrics=['loss', 'acc'] or others",
        "评估需要指标：请在创建 Model 时给出 metrics=['loss', 'acc'] 等",
    ),
    "errors.metrics_kind": (
        "metrics must be a set of names, or a dict of names and metrics, got {got}",
        "metrics 应为名字的集合，或名字到指标的字典，得到 {got}",
    ),
    "errors.count": ("{cls}: {name} must be an int >= 0, got {got}", "{cls}：{name} 应为非负整数，得到 {got}"),
    "errors.loss_not_finite": (
        "in epoch {epoch}, step {step}, the loss is {loss}; look for a learning rate that is too large, a logarithm "
        "of 0 or a division by 0",
        "轮次 {epoch} 第 {step} 步的损失为 {loss}；请检查学习率是否过大，是否对 0 取对数或除以 0",
    ),
    "errors.rate_not_a_number": (
        "the optimizer's learning_rate must be one number to be changed, got {got}",
        "要改变优化器的 learning_rate，它必须是一个数，得到 {got}",
    ),
    "errors.monitor": (
        "{cls} watches {got!r}, which this run does not have; it has: {known}",
        "{cls} 监视的 {got!r} 在本次运行中不存在；可用：{known}",
    ),
    "errors.checkpoint_prefix": (
        "ModelCheckpoint: the prefix must be a str without '/', got {got}; the folder goes into directory",
        "ModelCheckpoint：prefix 应为不含 '/' 的 str，得到 {got}；文件夹请用 directory 给出",
    ),
    "errors.checkpoint_config": (
        "ModelCheckpoint: config must be a CheckpointConfig, got {got}",
        "ModelCheckpoint：config 应为 CheckpointConfig，得到 {got}",
    ),
}
