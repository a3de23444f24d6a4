"""Two runs compared: where they part, by how much, what was changed between them."""

TABLE = {
    # Names of runs
    "compare.present": ("present", "当前"),
    "compare.train": ("train", "训练"),
    "compare.predict": ("predict", "推理"),
    "compare.failed_run": ("failed run", "失败的运行"),
    "compare.run": ("run {number}", "运行 {number}"),
    "compare.quoted": ("“{name}”", "“{name}”"),
    # Where they part
    "compare.same": ("{a} and {b} agree in every value and every gradient.", "{a}与{b}的每个值和每个梯度都一致。"),
    "compare.same_value": ("{a} and {b} agree in every value; gradients differ.", "{a}与{b}的值全部一致；梯度不同。"),
    "compare.same_gradient": (
        "{a} and {b} agree in every gradient; values differ.",
        "{a}与{b}的梯度全部一致；值不同。",
    ),
    "compare.agree_value": ("{a} and {b} agree up to {last}.", "{a}与{b}直到 {last} 都一致。"),
    "compare.agree_gradient": (
        "Going back, the gradients of {a} and {b} agree down to {last}.",
        "从后往前，{a}与{b}的梯度直到 {last} 都一致。",
    ),
    "compare.no_start": ("{a} and {b} differ from the start.", "{a}与{b}从一开始就不同。"),
    "compare.part": (" They part at {place}: ", "二者在 {place} 处分开："),
    # How they differ
    "compare.largest": ("largest difference ", "最大差 "),
    "compare.at_least": ("the array was too large to keep; difference at least ", "数组过大未保留；差至少为 "),
    "compare.only": ("only {run} has it", "只有{run}有"),
    "compare.two": ("{one} in A, {other} in B", "A 中为 {one}，B 中为 {other}"),
    "compare.state_equal": ("equal", "相等"),
    "compare.state_rounding": ("equal up to rounding", "除舍入外相等"),
    "compare.state_alike": ("too large to keep; all that is known of it is equal", "过大未保留；已知的部分都相等"),
    "compare.state_none": ("in neither run", "两次运行中都没有"),
    "compare.state_nan": ("NaN or infinity on one side only", "只有一边出现 NaN 或无穷"),
    "compare.state_differs": ("too large to be written as a number", "大得无法写成数"),
    "compare.more": (
        "{count} of {size} elements differ; relative {relative}",
        "{size} 个元素中有 {count} 个不同；相对差 {relative}",
    ),
    "compare.count_value": ("{count} of {of} results differ", "{of} 个结果中有 {count} 个不同"),
    "compare.count_gradient": ("{count} of {of} gradients of results differ", "{of} 个结果的梯度中有 {count} 个不同"),
    "compare.loss": ("; the loss goes from {a} in A to {b} in B", "；loss 由 A 的 {a} 变为 B 的 {b}"),
    "compare.put_in": ("what a hook put in the place of {name}", "钩子放在 {name} 位置上的内容"),
    "compare.constant": ("constant of {name}", "{name} 的常量"),
    "compare.and_more": ("{names} and {count} more", "{names} 及另外 {count} 个"),
    # What was changed
    "compare.modes": (
        "training is {a} in A and {b} in B: {cells}.",
        "training 在 A 中为 {a}，在 B 中为 {b}：{cells}。",
    ),
    "compare.kinds": ("{cell} is a {a} in A, a {b} in B.", "{cell} 在 A 中是 {a}，在 B 中是 {b}。"),
    "compare.rules": ("Backward rule of {cell}: {a} in A, {b} in B.", "{cell} 的反向规则：A 用 {a}，B 用 {b}。"),
    "compare.hooks": ("Hooks on {cell}: {a} in A, {b} in B.", "{cell} 上的钩子：A 有 {a}，B 有 {b}。"),
    "compare.no_hooks": ("none", "无"),
    "compare.seeds": ("Random draws from seed {a} in A, {b} in B.", "随机抽样的种子：A 为 {a}，B 为 {b}。"),
    "compare.changed_input": ("Inputs changed: {names}.", "改变的输入：{names}。"),
    "compare.changed_parameter": ("Parameters changed: {names}.", "改变的参数：{names}。"),
    "compare.alone_a": ("Only in A ({run}): {names}.", "只在 A（{run}）中有：{names}。"),
    "compare.alone_b": ("Only in B ({run}): {names}.", "只在 B（{run}）中有：{names}。"),
    "compare.times": ("{name} ({count} ops)", "{name}（{count} 个算子）"),
    "compare.a_cell": ("the Cell {name}", "Cell {name}"),
    "compare.instead": ("{a} in A, {b} in B: {places}.", "A 中为 {a}，B 中为 {b}：{places}。"),
    "compare.failed": ("{run} failed: {why}", "{run}失败：{why}"),
    # Pills in the graph
    "compare.pill": ("≠ {number}", "≠ {number}"),
    "compare.pill_at_least": ("≠ ≥ {number}", "≠ ≥ {number}"),
    "compare.pill_only": ("≠ only in {side}", "≠ 仅 {side} 有"),
    "compare.pill_shape": ("≠ shape", "≠ 形状"),
    "compare.pill_dtype": ("≠ dtype", "≠ 类型"),
    "compare.pill_nan": ("≠ NaN", "≠ NaN"),
    "compare.pill_huge": ("≠ huge", "≠ 极大"),
    "compare.pill_inside": ("≠ inside: {number}", "≠ 内部：{number}"),
    "compare.pill_inside_other": ("≠ inside", "≠ 内部"),
    # The widget
    "compare.reserved": (
        "{name!r} is a name that every comparison has; choose another one",
        "{name!r} 是固定名称；请换一个",
    ),
    "compare.name_kind": (
        "a run is pinned under a name, which is a text that is not empty; got {got}",
        "固定运行需要非空的文字名称；得到 {got}",
    ),
    "compare.too_many": (
        "{count} runs are pinned already; unpin one first: {names}",
        "已固定 {count} 次运行；请先取消其中一个：{names}",
    ),
    "compare.no_run": ("there is no run {name!r}, only {known}", "没有名为 {name!r} 的运行，只有 {known}"),
    "compare.no_side": ("compare 'value' or 'gradient', not {got}", "只能比较 'value' 或 'gradient'，不能是 {got}"),
    "compare.no_modes": (
        "{title} has no Cell, so there is no training and no prediction",
        "{title} 没有 Cell，因此没有训练与推理之分",
    ),
}
