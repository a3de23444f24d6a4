"""Texts of the rule lab: ready rules, what a rule does to training, what cannot be chosen."""

TABLE = {
    "lab.told": ("{rule}: {head} {text}", "{rule}：{head}{text}"),
    "lab.ready_straight_through": ("straight-through (identity)", "直通（恒等）"),
    "lab.ready_zero": ("zero", "零"),
    "lab.ready_reversal": ("gradient reversal", "梯度反转"),
    "lab.ready_sigmoid": ("surrogate: sigmoid", "替代梯度：sigmoid"),
    "lab.ready_triangle": ("surrogate: triangle", "替代梯度：三角"),
    "lab.ready_arctan": ("surrogate: arctan", "替代梯度：arctan"),
    # what they are for
    "lab.about_straight_through": (
        "Passes on what arrives, as if the output were the input. It lets a gradient through a step; "
        "it is not the derivative.",
        "把到来的梯度原样传下去，就像输出等于输入。它让梯度穿过阶跃；它并不是导数。",
    ),
    "lab.about_zero": ("Passes nothing on: what lies behind does not train.", "什么也不传：后面的部分不会被训练。"),
    "lab.about_reversal": (
        "Passes on the opposite: what lies behind is trained to make the loss larger (Ganin & Lempitsky 2015).",
        "传下相反的梯度：后面的部分会被训练成使损失变大（Ganin & Lempitsky 2015）。",
    ),
    "lab.about_sigmoid": (
        "For a step at 0: the slope of sigmoid(5x), largest (1.25) at 0. The forward stays a step.",
        "用于 0 处的阶跃：sigmoid(5x) 的斜率，在 0 处最大（1.25）。正向仍是阶跃。",
    ),
    "lab.about_triangle": (
        "For a step at 0: max(0, 1 − |x|), and 0 from ±1 on. The forward stays a step.",
        "用于 0 处的阶跃：max(0, 1 − |x|)，在 ±1 之外为 0。正向仍是阶跃。",
    ),
    "lab.about_arctan": (
        "For a step at 0: 1 / (1 + (πx)²), which never is quite 0. The forward stays a step.",
        "用于 0 处的阶跃：1 / (1 + (πx)²)，始终不为 0。正向仍是阶跃。",
    ),
    "lab.at_kinks": ("at x = {places}: slope {slopes}", "x = {places} 处：斜率 {slopes}"),
    # what is looked at, and rules that are typed
    "lab.no_target": (
        "{where!r} is no Cell, no drawn node, and no op that ran exactly once; there are {known}",
        "{where!r} 不是 Cell、图中的节点，也不是恰好运行一次的算子；现有 {known}",
    ),
    "lab.not_a_rule": (
        "a rule is a function, called like a Cell's bprop: rule(x, out, dout); got {got}",
        "规则应是函数，调用方式与 Cell 的 bprop 相同：rule(x, out, dout)；得到 {got}",
    ),
    "lab.every_cell": ("every=True is for ops; Cells are chosen one by one", "every=True 只用于算子；Cell 请逐个选择"),
    "lab.typed": ("typed rule", "输入的规则"),
    "lab.the_op": ("op {op}", "算子 {op}"),
    "lab.every": ("at all {count} of them", "全部 {count} 处"),
    "lab.stale": (
        "Below is the last check that could be made, of: {rule}.",
        "以下是最近一次可以完成的检验，规则为：{rule}。",
    ),
    # effect on training
    "lab.steps": (
        "steps must be a whole number from 1 to {most}, not {got}",
        "steps 必须是 1 到 {most} 的整数，而不是 {got}",
    ),
    "lab.not_an_optimizer": (
        "optimizer must be an optimizer of nn, or make one from the Parameters, as nn.Adam does; got {got}",
        "optimizer 必须是 nn 的优化器，或能由参数构造优化器（如 nn.Adam）；得到 {got}",
    ),
    "lab.foreign_parameters": (
        "the optimizer has Parameters that the program does not train: {names}",
        "优化器含有程序不训练的参数：{names}",
    ),
    "lab.effect_same": (
        "{steps} steps: both trainings are the same, the loss ends at {loss}.",
        "{steps} 步：两次训练完全相同，最终损失 {loss}。",
    ),
    "lab.effect": (
        "{steps} steps from loss {start}: {engine}, {chosen}.",
        "从损失 {start} 开始训练 {steps} 步：{engine}，{chosen}。",
    ),
    "lab.effect_end": ("{label} ends at {loss}", "{label} 最终为 {loss}"),
    "lab.effect_nan": ("NaN or Inf (after step {step})", "NaN 或 Inf（第 {step} 步之后）"),
}
