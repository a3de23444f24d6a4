"""Texts of training under the lens."""

TABLE = {
    "training.no_parameters": (
        "There is nothing to train: no Parameter with requires_grad was found in this program.",
        "没有可训练的内容：此程序中没有 requires_grad 的 Parameter。",
    ),
    "training.foreign_optimizer": (
        "The optimizer trains none of this net's Parameters; make it from net.trainable_params().",
        "该优化器不训练此网络的任何 Parameter；请用 net.trainable_params() 创建它。",
    ),
    "training.no_loss": (
        "Training makes one number smaller, and there is none: the net returns {shapes}. "
        "Give loss=…, and targets=… if it takes them.",
        "训练使一个数变小，而这里没有这样的数：网络返回 {shapes}。请给出 loss=…，需要时再给 targets=…。",
    ),
    "training.no_number": (
        "Training makes one number smaller; the loss returns {shapes}. Let it return one number, such as the mean.",
        "训练使一个数变小，而 loss 返回 {shapes}。请让它返回一个数，例如均值。",
    ),
    "training.not_finite": (
        "The loss is {loss}, so this step was not made: the Parameters are those after the step before.",
        "损失为 {loss}，因此这一步没有执行：参数保持上一步之后的值。",
    ),
    "training.scheduled": (
        "The step size of this optimizer follows a schedule or differs by group; set it where the optimizer is made.",
        "此优化器的步长遵循计划或按组不同；请在创建优化器处设置。",
    ),
    "training.step_size": ("step size", "步长"),
    "training.no_loop": (
        "Keep training needs a running event loop, as a notebook has; here there is none. Use training.run(steps).",
        "持续训练需要正在运行的事件循环（笔记本中有），这里没有。请用 training.run(步数)。",
    ),
    "training.steps": ("steps must be a whole number from 1 on, not {got}", "steps 必须是 ≥ 1 的整数，而不是 {got}"),
    "training.failed": ("Step {step} failed", "第 {step} 步失败"),
    "training.failed_in": ("Step {step} failed in {cell}", "第 {step} 步在 {cell} 中失败"),
    "training.ran": ("After {step} steps the loss is {loss}.", "{step} 步之后，损失为 {loss}。"),
    "training.stopped": ("Interrupted in step {step}", "第 {step} 步被中断"),
    "training.nothing_seen": ("No step was seen", "没有看到任何一步"),
    "training.nothing_seen_why": (
        "No optimizer of this net ran where hooks act; in jit they are silent. "
        "Call watching(loss) after each step: with explorer.training.watch() as watching: …",
        "没有此网络的优化器在钩子生效处运行（jit 中钩子不触发）。"
        "请在每一步之后调用 watching(loss)：with explorer.training.watch() as watching: …",
    ),
    "training.rate": ("{rate} steps a second", "每秒 {rate} 步"),
    "training.rate_slow": ("{seconds} s a step", "每步 {seconds} 秒"),
    "training.left_seconds": ("about {count} s left", "约剩 {count} 秒"),
    "training.left_minutes": ("about {count} min left", "约剩 {count} 分钟"),
    "training.left_hours": ("about {count} h left", "约剩 {count} 小时"),
    "training.left_unknown": ("time left not known yet", "剩余时间尚不可知"),
    "training.done_of": ("{done} of {total}", "{done} / {total}"),
    "training.looked": ("seen in step {step}", "取自第 {step} 步"),
    "training.looked_start": ("seen in a run without a step", "取自一次不更新参数的运行"),
    "training.some_layers": ("{shown} of {count} layers are shown.", "显示 {count} 层中的 {shown} 层。"),
    "training.dead": (
        "{dead} of {units} units dead: 0 for all {samples} recent samples",
        "{units} 个单元中 {dead} 个失活：最近 {samples} 个样本全为 0",
    ),
    "training.none_dead": ("none of {units} units dead", "{units} 个单元都未失活"),
    "training.spread": ("{mean} ± {std}", "{mean} ± {std}"),
    "training.zeros": ("{zeros} zeros", "{zeros} 为零"),
    "training.holds_nan": ("{count} not finite", "{count} 个非有限值"),
    "training.no_gradient": ("none", "无"),
    "training.code_back": (
        "tc.load_param_into_net(net, start)  # kept before the first step",
        "tc.load_param_into_net(net, start)  # 第一步之前保存的参数",
    ),
}
