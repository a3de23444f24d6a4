"""Words in the graph: states, pills, legend, what a screen reader says."""

TABLE = {
    # States of a strip
    "graph.not_yet": ("not yet", "尚未计算"),
    "graph.zero": ("exactly 0", "恰为 0"),
    "graph.cut": ("cut", "截断"),
    "graph.not_needed": ("not needed", "不需要"),
    "graph.not_asked": ("not asked", "未要求"),
    "graph.not_differentiable": ("no gradient", "没有梯度"),
    "graph.dead": ("dead: 0 / {units} on", "失活：0 / {units}"),
    "graph.dead_short": ("dead", "失活"),
    "graph.nan_starts_short": ("NaN here", "NaN 起点"),
    "graph.nan_starts": ("NaN starts here", "NaN 从这里开始"),
    "graph.nan": ("NaN", "NaN"),
    "graph.empty": ("no elements", "无元素"),
    "graph.absent": ("not in this run", "此次运行中没有"),
    # Flags and pills
    "graph.now_forward": ("now ▼", "当前 ▼"),
    "graph.now_backward": ("now ▲", "当前 ▲"),
    "graph.training": ("training", "训练"),
    "graph.predicting": ("predicting", "推理"),
    "graph.op_rule": ("rule: {rule}", "规则：{rule}"),
    "graph.rule": ("bprop: {rule}", "bprop：{rule}"),
    "graph.hooks": ("{count} hooks", "{count} 个钩子"),
    "graph.hook_forward_pre": ("pre-hook", "正向前钩子"),
    "graph.hook_forward": ("forward hook", "正向钩子"),
    "graph.hook_backward_pre": ("backward pre-hook", "反向前钩子"),
    "graph.hook_backward": ("backward hook", "反向钩子"),
    "graph.call_of": ("call {call} of {of}", "第 {call}/{of} 次调用"),
    "graph.failed": ("✕ failed", "✕ 失败"),
    # Names of what has none
    "graph.run": ("{ops} ops", "{ops} 个算子"),
    "graph.run_in_cells": ("{ops} ops in {cells} Cells", "{cells} 个 Cell 中的 {ops} 个算子"),
    "graph.iteration": ("iteration {number} of {of}", "第 {number}/{of} 次"),
    "graph.iterations": ("{first} … {last} of {of}", "第 {first} … {last} 次，共 {of} 次"),
    "graph.run_kind": ("folded", "已折叠"),
    "graph.again": ("shared", "共享"),
    "graph.all_same": ("all {number}", "全为 {number}"),
    "graph.outputs": ("{count} outputs", "{count} 个输出"),
    "graph.scalar": ("scalar", "标量"),
    "graph.more": ("{count} more", "还有 {count} 个"),
    "graph.input": ("input", "输入"),
    "graph.constant": ("constant", "常量"),
    "graph.constant_short": ("const", "常量"),  # in a box as narrow as those of Parameters
    "graph.parameter": ("parameter", "参数"),
    "graph.cut_here": ("cut here", "梯度在此截断"),
    # Legend and static picture
    "graph.legend_value": ("value, forward", "值，正向"),
    "graph.legend_grad": ("gradient, backward", "梯度，反向"),
    "graph.legend_value_short": ("value", "值"),
    "graph.legend_grad_short": ("gradient", "梯度"),
    "graph.legend_twins": ("A {a}, B {b}", "A {a}，B {b}"),
    "graph.legend_differs": ("largest difference", "最大差"),
    "graph.range": ("min … max", "最小 … 最大"),
    "graph.grad_up_to": ("gradient up to {number}", "梯度最大 {number}"),
    "graph.reading_strips": (
        "Strips: first sample, the same units in both rows. Above the line positive, below negative, gap: 0.",
        "条带：第一个样本，两行单元相同。线上为正，线下为负，空缺恰为 0。",
    ),
    "graph.reading_values": (
        "Strips: first sample. Above the line positive, below negative, gap: 0. Each strip has its own scale.",
        "条带：第一个样本。线上为正，线下为负，空缺恰为 0。每条条带各有比例。",
    ),
    "graph.reading_plan": (
        "Box: a step, with the op that it is and the part of it. Pointed box: parameter. Round box: input.",
        "方框：一个步骤，写明算子及其中的一部分。尖角框：参数。圆角框：输入。",
    ),
    "graph.summed": (
        "The program ends in several numbers: the gradients are those of their sum.",
        "程序的结果不止一个数：图中的梯度是它们之和的梯度。",
    ),
    "graph.reading_boxes": (
        "Stacked box: folded Cell. Pointed box: parameter. Round box: input. Each strip has its own scale.",
        "叠放的框：折叠的 Cell。尖角框：参数。圆角框：输入。每条条带各有比例。",
    ),
    "graph.no_png": (
        "a PNG is drawn by matplotlib, which is not installed here; install it with pip install 'teachcell[lab]', or "
        "save as .svg, which needs nothing",
        "PNG 由 matplotlib 绘制，而这里没有安装；请用 pip install 'teachcell[lab]' 安装，或保存为 .svg（无需任何依赖）",
    ),
    "graph.nothing": ("Nothing was recorded.", "没有任何记录。"),
    # For screen readers
    "graph.label": ("Computation graph of {title}, {count} nodes", "{title} 的计算图，{count} 个节点"),
    "graph.label_shape": ("shape {shape}", "形状 {shape}"),
    "graph.label_grad": ("gradient: {state}", "梯度：{state}"),
    "graph.label_fold": ("{name}, open, press to fold", "{name}，已展开，按下可折叠"),
    "graph.described": (
        "Values flow down from {inputs} to {outputs}.",
        "值从 {inputs} 向下流到 {outputs}。",
    ),
    "graph.described_grads": ("Gradients flow back up.", "梯度沿原路返回。"),
}
