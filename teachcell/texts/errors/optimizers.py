"""Errors: optimizers and schedules."""

TABLE = {
    "errors.optimizer_empty": (
        "the optimizer got no Parameters; has the net any with requires_grad?",
        "优化器没有得到 Parameter；网络是否有 requires_grad 的参数？",
    ),
    "errors.optimizer_value": ("{name} must be a number >= 0, got {got}", "{name} 必须是非负数，得到 {got}"),
    "errors.optimizer_gradients": (
        "the optimizer takes a tuple of gradients, one Tensor per Parameter, got {got}",
        "优化器需要梯度元组，每个 Parameter 对应一个 Tensor，得到 {got}",
    ),
    "errors.optimizer_twice": ("a Parameter was given to the optimizer twice", "同一个 Parameter 给了优化器两次"),
    "errors.optimizer_count": (
        "the optimizer got {got} gradient(s) for {wanted} Parameter(s)",
        "优化器得到 {got} 个梯度，而有 {wanted} 个 Parameter",
    ),
    "errors.nesterov": ("nesterov needs momentum > 0 and dampening = 0", "nesterov 需要 momentum > 0 且 dampening = 0"),
    "errors.not_a_number": ("{name} must be a number, got {got}", "{name} 必须是数字，得到 {got}"),
    "errors.optimizer_parameters": (
        "the optimizer takes a list of Parameters, such as net.trainable_params(), got one {got}",
        "优化器需要 Parameter 的列表，例如 net.trainable_params()，得到单个 {got}",
    ),
    "errors.optimizer_group": (
        "a group needs params, and may have lr, weight_decay and grad_centralization, got {got}",
        "参数组需要 params，可选 lr、weight_decay、grad_centralization，得到 {got}",
    ),
    "errors.optimizer_fixed": (
        "the Parameters of {cls} are chosen when it is made; make a new one for others",
        "{cls} 的 Parameter 在创建时确定；要换别的请新建一个",
    ),
    "errors.optimizer_shape": (
        "{name!r} has shape {shape}, but what the optimizer keeps for it has shape {kept}: make a new optimizer after "
        "a change of shape",
        "{name!r} 的形状为 {shape}，而优化器为它保存的状态形状为 {kept}：形状改变后请新建优化器",
    ),
    "errors.optimizer_order": (
        "order_params must name every Parameter of the groups once",
        "order_params 必须把各组的每个 Parameter 恰好列出一次",
    ),
    "errors.optimizer_stranger": (
        "{name!r} is no Parameter of this optimizer",
        "{name!r} 不是这个优化器的 Parameter",
    ),
    "errors.optimizer_rate": (
        "{name} must be a number, a list of numbers or a schedule Cell, got {got}",
        "{name} 应为数字、数字列表或学习率 Cell，得到 {got}",
    ),
    "errors.relative_step": (
        "give a learning_rate or relative_step=True, not both (and warmup_init only with relative_step)",
        "learning_rate 与 relative_step=True 只能给一个（warmup_init 只用于 relative_step）",
    ),
    "errors.lars_optimizer": (
        "LARS goes around an optimizer such as Momentum or SGD, got {got}",
        "LARS 需要包住 Momentum 或 SGD 之类的优化器，得到 {got}",
    ),
    "errors.milestones": (
        "milestones must rise and have one rate each, got milestones {milestones} and rates {rates}",
        "milestone 必须递增，且各有一个学习率，得到 milestone {milestones} 与学习率 {rates}",
    ),
}
