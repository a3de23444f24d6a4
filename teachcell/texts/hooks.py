"""Texts of the hook timeline: what happened, what was seen, why a hook was silent, and the namings."""

TABLE = {
    # what happened
    "hooks.construct": ("construct", "construct"),
    "hooks.construct_raised": ("construct raised: the run failed in here.", "construct 抛出异常：运行在这里失败。"),
    "hooks.bprop_engine": ("backward by the engine's rules", "按引擎规则反向"),
    "hooks.bprop_own": ("bprop: {rule}", "bprop：{rule}"),
    "hooks.part": ("{name}: gradient {nth} of {of} arrives", "{name}：第 {nth} 份梯度到达，共 {of} 份"),
    "hooks.sum": ("{name}: gradient complete", "{name}：梯度已齐"),
    "hooks.part_means": (
        "It is added to the Parameter's sum. The sum counts as complete only at the end of the backward pass.",
        "它被加入该参数的累加和。要到整个反向结束，累加和才算完整。",
    ),
    "hooks.sum_means": (
        "The backward pass is over: all that came ({count}) is added up. Hooks on the Parameter itself act here, once.",
        "反向已结束：到达的梯度（{count} 份）全部相加。挂在参数本身上的钩子在此执行一次。",
    ),
    "hooks.sum_changed": ("A hook on the Parameter changed the sum.", "参数上的钩子改变了累加和。"),
    "hooks.raised": ("It raised an exception.", "它抛出了异常。"),
    "hooks.replaced": (
        "Replaced: what it returned goes on instead of what it was given.",
        "已替换：后续使用它返回的内容，而不是它所得到的内容。",
    ),
    "hooks.wrote": (
        "Replaced: it wrote new numbers into what it was given.",
        "已替换：它在所得到的内容里就地写入了新数值。",
    ),
    "hooks.joins": (
        "What it computed joins the graph: its ops run backward too, before the backward hooks of this Cell.",
        "它的计算加入计算图：这些算子同样参与反向，且先于本 Cell 的反向钩子。",
    ),
    "hooks.scope": (
        "Scope: construct alone. What the forward hook {hook} added lies outside.",
        "范围：只有 construct。正向钩子 {hook} 添加的部分在范围之外。",
    ),
    "hooks.scope_number": (
        "At the result of that hook the gradient is {number}.",
        "在该钩子的结果处，梯度为 {number}。",
    ),
    "hooks.scope_elsewhere": (
        "MindSpore from 2.4 on and PyTorch count it as inside: there the gradient at the hook's result is shown.",
        "MindSpore 2.4 起的版本和 PyTorch 把它算在范围之内：那里显示的是钩子结果处的梯度。",
    ),
    "hooks.unseen": (
        "{seen} of {given} Tensors have an entry: those nested in an input or given by keyword pass unseen.",
        "{given} 个 Tensor 中有 {seen} 个在列：嵌套在输入中或以关键字传入的不可见。",
    ),
    "hooks.so_far": (
        "At this moment {name} has {came} of {of} gradients.",
        "此刻 {name} 已得到 {came} 份梯度，共 {of} 份。",
    ),
    "hooks.not_ready": (
        "A Parameter's gradient is complete only when the whole backward pass is over (Σ).",
        "参数的梯度要到整个反向结束（Σ）才完整。",
    ),
    "hooks.line_replaced": ("replaced", "已替换"),
    # roles
    "hooks.role_inputs": ("inputs", "输入"),
    "hooks.role_output": ("output", "输出"),
    "hooks.role_incoming": ("incoming", "传入"),
    "hooks.role_outgoing": ("outgoing", "传出"),
    "hooks.role_gradient": ("gradient", "梯度"),
    "hooks.role_result": ("in its place", "替换为"),
    # silent hooks
    "hooks.silent_jit": ("hooks do not act inside jit", "钩子在 jit 内不起作用"),
    "hooks.silent_graph": ("hooks do not act in graph mode", "钩子在图模式下不起作用"),
    "hooks.silent_never": ("the Cell was not called in this run", "这次运行没有调用该 Cell"),
    "hooks.silent_direct": (
        "construct was called directly ({times} ×), past the hooks: call the Cell itself",
        "直接调用了 construct（{times} 次），绕过了钩子：请调用 Cell 本身",
    ),
    "hooks.silent_failed": ("the run failed before", "运行在此之前已失败"),
    "hooks.silent_changed": ("it was not attached when the Cell was called", "调用该 Cell 时它并未挂上"),
    "hooks.silent_no_tensor": ("the Cell returned no Tensor", "该 Cell 没有返回 Tensor"),
    "hooks.silent_no_gradient": ("no gradient came here: {why}", "没有梯度到达这里：{why}"),
    # namings
    "hooks.naming_neutral": ("neutral", "中性"),
    "hooks.naming_older": ("older", "旧命名"),
    "hooks.naming_newer": ("newer", "新命名"),
    "hooks.neutral": ("in this view", "本视图所用"),
    "hooks.no_such_hook": ("no such hook", "没有这种钩子"),
    "hooks.the_cell": ("the Cell", "Cell"),
    "hooks.arriving": ("gradient that arrives, by the outputs", "到达的梯度（对应输出）"),
    "hooks.leaving": ("gradient that leaves, by the inputs", "离开的梯度（对应输入）"),
    # none of one's own
    "hooks.none": (
        "No hooks of your own. Register one, for example {cell}.register_forward_hook(f), and run again.",
        "没有自己的钩子。可先注册，例如 {cell}.register_forward_hook(f)，再运行一次。",
    ),
    "hooks.none_but_capture": (
        "No hooks of your own. Capture hooks are on {cell}; they are left out of the lanes. What they saw: in the view "
        "Node of that Cell, under Hooks, or hook_timeline.captured().",
        "没有自己的钩子。捕获钩子挂在 {cell} 上，泳道中不显示。它们看到的内容：在该 Cell 的“节点”视图的“钩子”下，"
        "或 hook_timeline.captured()。",
    ),
    "hooks.none_in_function": (
        "A function without Cells has no hooks. To look at the gradient of a value inside it, pass the value through "
        "ops.HookBackward(f).",
        "不含 Cell 的函数没有钩子。要查看其中某个值的梯度，可让该值经过 ops.HookBackward(f)。",
    ),
    # how much is shown
    "hooks.fewer_lanes": (
        "{shown} of {calls} calls have a lane, those with hooks first; the others count with the Cell around them.",
        "共 {calls} 次调用，显示其中 {shown} 条，优先显示有钩子的；其余计入外层的 Cell。",
    ),
    "hooks.fewer_parts": (
        "Of each Parameter the first {shown} gradients are shown as they arrive.",
        "每个参数只显示最先到达的 {shown} 份梯度。",
    ),
    "hooks.fewer_sums": (
        "Σ is shown for {shown} of {count} Parameters.",
        "共 {count} 个参数，只显示其中 {shown} 个的 Σ。",
    ),
    # refusals
    "hooks.no_capture": (
        "no hooks capture here; explorer.set_capture(path) attaches some to a Cell",
        "这里没有捕获用的钩子；explorer.set_capture(path) 可以在某个 Cell 上挂载",
    ),
    "hooks.no_entry": (
        "there is no event {number} here; events() lists {count}, from 0 on",
        "这里没有第 {number} 个事件；events() 共列出 {count} 个，从 0 开始",
    ),
    "hooks.no_lane": ("no Cell {path!r} ran here; there were {known}", "这里没有运行 Cell {path!r}；有 {known}"),
}
