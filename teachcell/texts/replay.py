"""Texts of the replay: each step of a run in words, beside its formulas and numbers."""

from __future__ import annotations

TABLE = {
    # what a value is
    "replay.constant": ("a constant", "常量"),
    "replay.result_of": ("result of {op}", "{op} 的结果"),
    "replay.not_kept": ("array not kept (over 4 MB)", "数组未保留（超过 4 MB）"),
    # numbers
    "replay.largest_terms": (
        "{terms} + … ({count} terms, the largest shown)",
        "{terms} + …（共 {count} 项，列出最大的）",
    ),
    "replay.nothing_leads_here": ("0: nothing leads here", "0：没有通向这里的项"),
    # forward
    "replay.own_forward": (
        "The Cell computes this itself, outside ops; its own rule answers for the gradient.",
        "Cell 在算子之外自行计算；梯度由它自己的规则给出。",
    ),
    "replay.is_result": (
        "This is the result. The backward pass starts here with 1.",
        "这是结果，反向从这里以 1 开始。",
    ),
    "replay.is_array": (
        "This is the result. Its elements are summed, so the backward pass starts with 1 at each of them.",
        "这是结果。它的元素相加，因此反向在每个元素处都以 1 开始。",
    ),
    "replay.is_output": (
        "One of {count} outputs. All their elements are summed, so the backward pass starts with 1 at each of them.",
        "{count} 个输出之一。所有输出的元素相加，因此反向在每个元素处都以 1 开始。",
    ),
    "replay.stops": (
        "The value passes, the gradient will not: nothing goes back from here.",
        "值照常通过，梯度不通过：不会有梯度从这里传回。",
    ),
    "replay.none_comes": ("No gradient will come back here: {why}.", "不会有梯度传回这里：{why}。"),
    "replay.used": (
        "{count} gradients will come back to it and are added up.",
        "会有 {count} 份梯度传回并相加。",
    ),
    # backward
    "replay.seed": ("The result itself: it starts with 1.", "这是结果本身：以 1 开始。"),
    "replay.seed_many": (
        "One of {count} outputs. They are summed, so each starts with 1.",
        "{count} 个输出之一。输出相加，因此每个都以 1 开始。",
    ),
    "replay.sum_of": ("The sum of {count} gradients that came to it.", "是传到它的 {count} 份梯度之和。"),
    "replay.hook_changed": (
        "A hook changed what arrived{at}: {before} became {after}.",
        "钩子改变了传到的梯度{at}：{before} 变为 {after}。",
    ),
    "replay.none_arrived": ("No gradient arrived here: {why}.", "没有梯度传到这里：{why}。"),
    "replay.no_rule": ("Not wanted: the op has no rule for this input.", "不需要：算子没有针对这个输入的规则。"),
    "replay.constant_input": ("Not wanted: a constant.", "不需要：它是常量。"),
    "replay.behind_stop": (
        "Not wanted: StopGradient lies before it and passes nothing on.",
        "不需要：它前面是 StopGradient，不再传递梯度。",
    ),
    "replay.not_wanted": ("Not wanted: {why}.", "不需要：{why}。"),
    "replay.summed_axis": (
        "Summed over axis {axes}: {own} was broadcast to {full}.",
        "沿轴 {axes} 求和：{own} 被广播为 {full}。",
    ),
    "replay.summed_axes": (
        "Summed over axes {axes}: {own} was broadcast to {full}.",
        "沿轴 {axes} 求和：{own} 被广播为 {full}。",
    ),
    # running sums
    "replay.nth_of": ("{nth} of {of}", "第 {nth} 份，共 {of} 份"),
    "replay.from_output": ("the output itself", "输出本身"),
    # own rules, hooks, cuts
    "replay.own_rule": (
        "The Cell's rule “{rule}” runs instead of the rules of the ops inside.",
        "由 Cell 的规则“{rule}”代替内部各算子的规则。",
    ),
    "replay.rule_gave_none": ("the rule returned no gradient for it", "规则没有为它返回梯度"),
    "replay.hook_forward_pre": (
        "It sees the inputs before construct runs.",
        "它在 construct 运行之前看到输入。",
    ),
    "replay.hook_forward": (
        "It sees the inputs and the output after construct.",
        "它在 construct 之后看到输入和输出。",
    ),
    "replay.hook_backward_pre": (
        "It sees the gradient that comes in, before the ops of the Cell run backward.",
        "它在 Cell 内各算子反向之前看到传入的梯度。",
    ),
    "replay.hook_backward": (
        "It sees the gradients that leave the Cell and those that came in.",
        "它看到离开 Cell 的梯度和传入的梯度。",
    ),
    "replay.hook_capture": (
        "Capture hooks put it there. What it saw is in the view Node, under Hooks.",
        "由“捕获钩子”挂上。它看到的内容在“节点”视图的“钩子”下。",
    ),
    "replay.hook_looked": ("It only looked: nothing changes.", "它只是查看：没有改变。"),
    "replay.hook_replaced": (
        "It put something else in the place of what it was given.",
        "它用别的内容替换了所得到的。",
    ),
    "replay.hook_cuts": (
        "What it put in was not computed from the old value by ops, so no gradient goes back past it.",
        "换上的内容不是由算子从旧值算出的，所以没有梯度越过这里传回。",
    ),
    "replay.cut_title": ("Gradient cut", "梯度被截断"),
    "replay.cut_means": (
        "No gradient reaches {of}, nor what lies before it on this way.",
        "梯度到不了“{of}”，也到不了这条路上它之前的部分。",
    ),
    # many events in one step
    "replay.many": ("{count} events in one step", "一步包含 {count} 个事件"),
    "replay.many_note": (
        "This run is long, so one step holds several events. Open the Cell in the graph to see them one by one.",
        "运行很长，所以一步包含多个事件。在图中打开该 Cell 可逐个查看。",
    ),
    "replay.more_events": ("… and {count} more", "……另有 {count} 个"),
    # asking for another element
    "replay.start": ("Start: nothing done yet.", "起点：还没有执行任何一步。"),
    "replay.no_step": (
        "there is no such step; steps go from 1 to {count}, and at the start none is done",
        "没有这一步；步骤从 1 到 {count}，位于起点时还没有完成任何一步",
    ),
    "replay.no_row": (
        "this step lists {count} arrays that it makes, and there is none with numbers at {row}",
        "这一步列出 {count} 个它产生的数组，位置 {row} 处没有带数值的数组",
    ),
    "replay.index": (
        "{index} is not an index of an array of shape {shape}",
        "{index} 不是形状 {shape} 的数组的索引",
    ),
}
