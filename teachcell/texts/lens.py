"""Texts of the lens: names, causes, one sentence per event, verdicts."""

TABLE = {
    # what cannot be run
    "lens.not_a_program": (
        "{got} cannot be run; give a Cell (an instance, not its class) or a function of Tensors",
        "{got} 无法运行；请给出 Cell 的实例（而不是类）或以 Tensor 为参数的函数",
    ),
    "lens.not_a_loss": (
        "loss={got} cannot be called; give a Cell such as nn.CrossEntropyLoss() or a function",
        "loss={got} 无法调用；请给出 nn.CrossEntropyLoss() 这样的 Cell 或函数",
    ),
    "lens.bad_inputs": (
        "{name}{signature} cannot be called with these inputs: {why}; give them after the net, each as an argument",
        "{name}{signature} 无法用这些输入调用：{why}；请在 net 之后逐个给出输入",
    ),
    "lens.bad_targets": (
        "loss {name}{signature} cannot be called with the output and these targets: {why}; give targets=(...); "
        "what a net with several outputs returns is one tuple: loss=lambda out: … out[0] …",
        "损失 {name}{signature} 无法用输出和这些 targets 调用：{why}；请给出 targets=(...)；"
        "网络有多个输出时，返回的是一个元组：loss=lambda out: … out[0] …",
    ),
    "lens.one_target": (
        "loss {name} takes one target after the output, and a list or tuple of {count} counts as {count} targets; "
        "labels are one Tensor, such as targets=Tensor([0, 2])",
        "损失 {name} 在输出之后只接受一个 target，而含 {count} 项的列表或元组算作 {count} 个 target；"
        "标签应为一个 Tensor，例如 targets=Tensor([0, 2])",
    ),
    "lens.loss_of_several": (
        "{title} returns {count} outputs, and the loss gets them as one tuple, which {loss} does not take; "
        "choose one: loss=lambda out{more}: loss(out[0]{more})",
        "{title} 返回 {count} 个输出，它们作为一个元组传给损失，而 {loss} 不接受元组；"
        "请选取其中一个：loss=lambda out{more}: loss(out[0]{more})",
    ),
    "lens.targets_without_loss": (
        "targets are passed to the loss, and there is none; give loss=...",
        "targets 会传给 loss，但没有给出 loss；请给 loss=...",
    ),
    "lens.no_float_output": (
        "{title} returned {got} with no float Tensor in it, so there is nothing to differentiate; return one",
        "{title} 返回的 {got} 中没有浮点 Tensor，无法求导；请返回浮点 Tensor",
    ),
    "lens.gradient_order": (
        "the order of a gradient is from 1 to {most}, not {got}",
        "梯度的阶数是 1 到 {most}，而不是 {got}",
    ),
    "lens.gradient_of_nothing": (
        "{title} has no float input and no Parameter with requires_grad, so there is nothing to differentiate by",
        "{title} 没有浮点输入，也没有 requires_grad 的 Parameter，因此没有可求导的对象",
    ),
    "lens.gradient_title_1": ("gradient of {title}", "{title} 的梯度"),
    "lens.gradient_title_2": ("second-order gradient of {title}", "{title} 的二阶梯度"),
    "lens.gradient_title_3": ("third-order gradient of {title}", "{title} 的三阶梯度"),
    "lens.rule_run": ("rule", "规则"),
    "lens.no_cell": ("there is no Cell at {path!r}; known: {known}", "{path!r} 处没有 Cell；已有：{known}"),
    "lens.no_rule": ("{path!r} has no rule {rule!r}; known: {known}", "{path!r} 没有规则 {rule!r}；已有：{known}"),
    "lens.rule_kind": (
        "bprops[{path!r}][{name!r}] must be a function under a name other than 'engine' and 'own'",
        "bprops[{path!r}][{name!r}] 必须是函数，且名字不能是 'engine' 或 'own'",
    ),
    "lens.bprops_kind": (
        "bprops must be a dict of dicts of functions, such as {{'relu': {{'zero': my_bprop}}}}; there is a {got}",
        "bprops 必须是由函数字典组成的字典，例如 {{'relu': {{'no gradient': my_bprop}}}}；这里有一个 {got}",
    ),
    "lens.seed_kind": ("seed must be a whole number, not {got}", "seed 必须是整数，而不是 {got}"),
    "lens.seed_range": ("seed must be from 0 to 2**32 − 1, not {got}", "seed 必须在 0 到 2**32 − 1 之间，而不是 {got}"),
    # names
    "lens.outcome": ("{title}: a run of {ops} ops in {calls} calls", "{title}：一次运行，{calls} 次调用，{ops} 个算子"),
    "lens.rule_engine": ("engine rule", "引擎规则"),
    "lens.rule_own": ("own bprop", "自带 bprop"),
    "lens.rule_inside": ("{rule} of {cell}", "{cell} 的{rule}"),
    "lens.call_of": ("call {call} of {of}", "第 {call} 次调用，共 {of} 次"),
    "lens.inputs": ("inputs", "输入"),
    "lens.outputs": ("outputs", "输出"),
    "lens.incoming": ("incoming", "传入梯度"),
    "lens.outgoing": ("outgoing", "传出梯度"),
    "lens.captured": ("{shape} {min} … {max}, mean {mean}", "{shape} {min} … {max}，均值 {mean}"),
    "lens.new_data": ("y = new data", "y = 新数据"),
    # comments in the code by hand
    "lens.code_given": ("given: {names}", "已有：{names}"),
    "lens.code_bprops": (
        "bprops: the rules that the widget was given under this name",
        "bprops：以此名称交给控件的规则",
    ),
    # why there is no gradient
    "lens.why_integer": ("{dtype} has no gradient", "{dtype} 没有梯度"),
    "lens.why_no_backward": ("no backward pass ran", "没有运行反向"),
    "lens.why_backward_failed": ("the backward pass failed before it came here", "反向在到达这里之前失败了"),
    "lens.why_not_asked": (
        "no gradient was asked for: not a Tensor given to the net itself",
        "没有要求它的梯度：不是直接传给网络的 Tensor",
    ),
    "lens.why_frozen": ("frozen: requires_grad is False", "已冻结：requires_grad 为 False"),
    "lens.why_own_rule": ("{cell} ran a bprop instead of this", "{cell} 用 bprop 代替了这里的反向"),
    "lens.why_unused": ("no op uses it", "没有算子使用它"),
    "lens.why_no_influence": (
        "no ops lead from it to the result; ways through NumPy or Python numbers carry no gradient",
        "没有算子从它通向结果；经过 NumPy 或 Python 数的路径不传梯度",
    ),
    "lens.why_nothing_behind": (
        "no ops lead to it from a Parameter, or from an input whose gradient is asked for",
        "没有算子从参数或要求梯度的输入通向它",
    ),
    "lens.why_put_in": (
        "{why}; this is that new data, and no ops lead to it",
        "{why}；这里就是那份新数据，没有算子通向它",
    ),
    "lens.why_blocked": (
        "{op}, which it was computed with, passes no gradient on: none would get any further",
        "计算它的 {op} 不传递梯度：即使有梯度也到此为止",
    ),
    "lens.cut_pre_hook": (
        "{cell}'s pre-hook {hook} returned new data, not computed from its input",
        "{cell} 的正向前钩子 {hook} 返回了新数据，而不是由输入计算得到",
    ),
    "lens.cut_hook": (
        "{cell}'s forward hook {hook} returned new data, not computed from its output",
        "{cell} 的正向钩子 {hook} 返回了新数据，而不是由输出计算得到",
    ),
    "lens.cut_copy": (
        "its numbers went on as new data, through NumPy or a copy, not by an op",
        "它的数值经 NumPy 或复制成为新数据继续使用，而不是经过算子",
    ),
    "lens.cut_op": ("{op} passes no gradient on", "{op} 不传递梯度"),
    "lens.cut_rule": ("{cell}'s bprop returned no gradient for it", "{cell} 的 bprop 没有为它返回梯度"),
    "lens.cut_new_data": (
        "{cell} returned new data, not computed from its input by ops",
        "{cell} 返回了新数据，而不是由算子从输入计算得到",
    ),
    # one sentence per event
    "lens.forward": ("{op} forward", "{op} 正向"),
    "lens.backward": ("{op} backward", "{op} 反向"),
    "lens.backward_by": ("{op} backward by {rule}", "{op} 反向（{rule}）"),
    "lens.own_rule": ("{cell} backward by {rule}", "{cell} 反向（{rule}）"),
    "lens.arrives": (" incoming ", " 传入 "),
    "lens.no_formula": ("no gradient leaves", "没有梯度传出"),
    "lens.hook_forward_pre": ("pre-hook {name}", "正向前钩子 {name}"),
    "lens.hook_forward": ("forward hook {name}", "正向钩子 {name}"),
    "lens.hook_backward_pre": ("backward pre-hook {name}", "反向前钩子 {name}"),
    "lens.hook_backward": ("backward hook {name}", "反向钩子 {name}"),
    "lens.hook_of": (" of {cell} ", "（{cell}）"),
    "lens.hook_looked": ("only looked", "只是查看"),
    "lens.hook_replaced": ("replaced what it was given", "替换了所得的内容"),
    "lens.cut_here": ("Gradient cut: ", "梯度被截断："),
    "lens.many_forward": ("{count} ops forward", "{count} 个算子正向"),
    "lens.many_backward": ("{count} ops backward", "{count} 个算子反向"),
    # check rule
    "lens.numeric": ("numeric", "数值"),
    "lens.check_note": (
        "Numeric: central difference, {dtype}, h = {h}; same inputs, draws and state.",
        "数值梯度：中心差分，{dtype}，h = {h}；输入、随机数与状态均不变。",
    ),
    "lens.check_ones": (
        " No gradient that could be used arrived in this run (none, 0, NaN or ∞), so 1 is taken for it.",
        "这次运行没有可用的梯度传到这里(没有、为 0、NaN 或 ∞)，因此取 1。",
    ),
    "lens.window": ("rows {r0}–{r1}, cols {c0}–{c1}", "行 {r0}–{r1}，列 {c0}–{c1}"),
    "lens.check_right_head": ("Matches.", "一致。"),
    "lens.check_right": ("The rule agrees with the numeric gradient.", "规则与数值梯度一致。"),
    "lens.check_kink_head": ("Matches.", "一致。"),
    "lens.check_kink": (
        "The rule agrees with the numeric gradient. Kinks: {count}; the value there is a convention, not an error.",
        "规则与数值梯度一致。折点：{count} 处；那里的取值属于约定，不算错误。",
    ),
    "lens.check_nan_head": ("NaN or Inf.", "出现 NaN 或 Inf。"),
    "lens.check_nan": ("{text}.", "{text}。"),
    "lens.check_wrong_head": ("Does not match.", "不一致。"),
    "lens.check_wrong": ("{text}.", "{text}。"),
    "lens.check_inside": (
        " By the engine's rules alone it matches: the rule at fault is that of {cells} inside.",
        "只用引擎的规则则一致：有误的是内部 {cells} 的规则。",
    ),
    "lens.check_raised_head": ("Cannot be checked.", "无法检验。"),
    "lens.check_raised": ("{error}", "{error}"),
    "lens.check_not_called_head": ("Cannot be checked.", "无法检验。"),
    "lens.check_not_called": ("This Cell was not called in the last run.", "上次运行没有调用这个 Cell。"),
    "lens.check_op_gone_head": ("Cannot be checked.", "无法检验。"),
    "lens.check_op_gone": ("This op did not run in the last run.", "上次运行没有执行这个算子。"),
    "lens.check_op_failed_head": ("Cannot be checked.", "无法检验。"),
    "lens.check_op_failed": ("{op} raised an error in this run.", "{op} 在这次运行中出错了。"),
    "lens.no_rule_here": ("Takes no rule.", "不接受规则。"),
    "lens.op_integer": (
        "{op} returns {dtype}: such values have no slope, so no gradient comes back to it and no rule can act here. "
        "A rule on the Cell around it can.",
        "{op} 返回 {dtype}：这样的值没有斜率，没有梯度会传回这里，规则在此不起作用。可以在它外层的 Cell 上设规则。",
    ),
    "lens.check_purpose_head": ("Does not match, on purpose.", "不一致，这是有意的。"),
    "lens.check_purpose": ("{text}.", "{text}。"),
    "lens.purpose_zero": (
        "the chosen rule is constant zero; the numeric slope is not: up to {slope}",
        "所选规则恒为零；数值斜率不为零：最大 {slope}",
    ),
    "lens.purpose_stop": (
        "{op} passes nothing on, whatever arrives; the numeric slope is not zero: up to {slope}",
        "无论传来什么，{op} 都不往下传；数值斜率不为零：最大 {slope}",
    ),
    "lens.purpose_stop_inside": (
        "{op} inside cuts one way to it; the numeric gradient counts that way too. The rest agrees",
        "内部的 {op} 截断了通向它的一条路径，数值梯度则把这条路径也计算在内。其余部分一致",
    ),
    "lens.check_unanswered": (
        "the rule gives it no gradient, so it does not train. A bprop answers for all that is inside: "
        "name it in internal_params",
        "规则没有给它梯度，因此它不会被训练。bprop 要为内部的一切负责：请把它列入 internal_params",
    ),
    "lens.check_left_out": (" Parameters not looked at: {count}.", " 未检验的参数：{count} 个。"),
    "lens.check_too_large_head": ("Cannot be checked.", "无法检验。"),
    "lens.check_too_large": ("Its arrays are over 4 MB and were not kept.", "数组超过 4 MB，没有保留。"),
    "lens.check_precision_head": ("Cannot be checked.", "无法检验。"),
    "lens.check_precision": (
        "The Cell casts to fewer digits than float32, too few for a numeric gradient.",
        "这个 Cell 内部转换到低于 float32 的精度，不足以计算数值梯度。",
    ),
    "lens.check_no_input_head": ("Nothing to check.", "无需检验。"),
    "lens.check_no_input": ("No float Tensor enters this Cell.", "没有浮点 Tensor 进入这个 Cell。"),
}
