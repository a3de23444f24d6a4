"""Texts of the Explorer's Python side."""

TABLE = {
    "explorer.whole_net": ("whole net", "整个网络"),
    "explorer.a_function": ("a plain function has no modes", "普通函数没有训练/推理状态"),
    "explorer.says": ("training {training} · phase {phase!r}", "training {training} · phase {phase!r}"),
    "explorer.says_mixed": ("training mixed · phase {phase!r}", "training 不一致 · phase {phase!r}"),
    "explorer.phase_tip": (
        "phase is 'train' but training is False: layers act as in prediction until set_train() is called",
        "phase 为 'train' 而 training 为 False：调用 set_train() 之前各层按推理方式工作",
    ),
    "explorer.summed": (
        "No loss was given: the gradient is that of the sum of all outputs.",
        "没有给出 loss：梯度是所有输出之和的梯度。",
    ),
    "explorer.graph_mode": (
        "GRAPH_MODE is set: hooks stay silent.",
        "当前为 GRAPH_MODE：钩子不会触发。",
    ),
    "explorer.state_why": ("{state}: {why}", "{state}：{why}"),
    "explorer.state_cut": ("cut", "截断"),
    "explorer.state_not_needed": ("not needed", "不需要"),
    "explorer.state_not_asked": ("not asked", "未要求"),
    "explorer.state_not_differentiable": ("no gradient", "没有梯度"),
    "explorer.kind_op": ("ops", "算子"),
    "explorer.kind_cell": ("Cell", "Cell"),
    "explorer.kind_repeat": ("repeated", "重复"),
    "explorer.kind_parameter": ("Parameter", "参数"),
    "explorer.kind_rewritten": (
        "Parameter at its first use, written later in the run",
        "参数（首次使用时的值，之后在运行中被改写）",
    ),
    "explorer.kind_input": ("input", "输入"),
    "explorer.kind_constant": ("constant", "常量"),
    "explorer.more_ops": ("… and {count} more ops", "… 另有 {count} 个算子"),
    "explorer.gradient_by": ("∂x by {rule}", "∂x 由 {rule} 给出"),
    "explorer.rule_of": ("rule of {cell}", "{cell} 的规则"),
    "explorer.no_source": ("The source is not available.", "没有源码。"),
    "explorer.no_hooks": ("none of your own", "没有自己的钩子"),
    "explorer.captured_hooks": ("none of your own; what Capture hooks saw", "没有自己的钩子；以下为捕获钩子所见"),
    "explorer.hooks": ("{attached} attached, {fired} fired", "已挂 {attached} 个，触发 {fired} 个"),
    "explorer.hook_fired": ("called {count} ×, only looked", "调用 {count} 次，只是查看"),
    "explorer.hook_replaced": ("called {count} ×, replaced what it was given", "调用 {count} 次，替换了所得的内容"),
    "explorer.hook_silent": ("not called", "没有调用"),
    "explorer.error_in": ("{where} failed", "{where} 失败"),
    "explorer.error_run": ("The run failed", "运行失败"),
    "explorer.error_action": ("That did not work", "操作失败"),
    "explorer.closed": (
        "This Explorer was closed or replaced by a newer one of its Cells; the picture stays, switches do not act.",
        "这个 Explorer 已关闭，或被含有相同 Cell 的新 Explorer 取代；图仍可查看，开关不再起作用。",
    ),
    "explorer.no_copy": (
        "{widget}: a widget cannot be copied or pickled, it shows a net that lives in this kernel; "
        "keep code() instead, or a page by export('lesson.html')",
        "{widget}：控件展示的是此内核中的网络，不能复制或 pickle；可以保留 code() 的代码，"
        "或用 export('lesson.html') 保存为网页",
    ),
    "explorer.needs_cell": ("Choose a node that belongs to a Cell first.", "请先选择属于某个 Cell 的节点。"),
    "explorer.no_fold": (
        "{node!r} is no Cell that can be opened; there are {known}",
        "{node!r} 不是可以展开的 Cell；有 {known}",
    ),
    "explorer.no_repeat": ("{node!r} belongs to no repetition", "{node!r} 不属于任何重复结构"),
    "explorer.no_iteration": ("there is no iteration {number}, only 1 to {of}", "没有第 {number} 次，只有 1 到 {of}"),
    "explorer.no_value": (
        "{node!r} is no Cell that returned a value, no Parameter, input or drawn node; there are {known}",
        "{node!r} 不是有返回值的 Cell，也不是参数、输入或图中的节点；现有 {known}",
    ),
    "explorer.gradient_graph": (
        "{ops} ops: the forward pass, then what {rules} rules compute (∂ boxes). Dashed: one more derivative.",
        "共 {ops} 个算子：先是正向，再是 {rules} 个算子的规则所计算的（∂ 框）。虚线：再求一次导。",
    ),
    "explorer.gradient_flat": (
        " No op leads from what this is differentiated by to the gradient before it: this derivative is 0.",
        "上一阶梯度与求导的变量之间没有任何算子相连：这一阶导数为 0。",
    ),
    "explorer.no_panel": ("there is no view {panel!r} here, only {known}", "这里没有视图 {panel!r}，只有 {known}"),
    "explorer.no_argument": (
        "{cls} has no argument {name!r}; after net and its inputs there are {known}.",
        "{cls} 没有参数 {name!r}；在 net 及其输入之后的参数有 {known}。",
    ),
    "explorer.scale_kind": (
        "scale: a number such as 1.5 is wanted, not {got}",
        "scale：应为 1.5 这样的数，而不是 {got}",
    ),
    "explorer.scale_range": (
        "scale: from {least} (half size) to {most} (three times as large), not {got}",
        "scale：取值 {least}（一半大小）到 {most}（三倍大小），而不是 {got}",
    ),
    "explorer.unknown_action": ("the action {do!r} is not known here", "未知的操作 {do!r}"),
    "explorer.text_0": ("{title}: {ops}", "{title}：{ops}"),
    "explorer.text_1": ("{title}: {ops}, 1 Cell", "{title}：{ops}，1 个 Cell"),
    "explorer.text_2": ("{title}: {ops}, {cells} Cells", "{title}：{ops}，{cells} 个 Cell"),
    "explorer.ops_0": ("no ops", "没有算子"),
    "explorer.ops_1": ("1 op", "1 个算子"),
    "explorer.ops_2": ("{count} ops", "{count} 个算子"),
}
