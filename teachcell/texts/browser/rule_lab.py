"""The rule lab."""

from __future__ import annotations

TABLE = {
    "browser.panel_rule_lab": ("Rule lab", "规则实验"),
    "browser.panel_rule_lab_tip": (
        "another backward rule beside the engine's and a numeric gradient",
        "把另一条反向规则与引擎的规则和数值梯度并列比较",
    ),
    "browser.nothing_checked": (
        "Select an op or a Cell in the graph.",
        "请在图中选择一个算子或 Cell。",
    ),
    "browser.not_checked_yet": (
        "A check sets the gradients that the backward rule of the selected node gives beside numeric ones. There you "
        "can also choose another rule.",
        "检验会把所选节点的反向规则给出的梯度与数值梯度并列比较；在那里也可以换用别的规则。",
    ),
    "browser.error": ("error", "误差"),
    "browser.reference": ("reference", "参照"),
    "browser.at": ("at", "位于"),
    "browser.max_abs": ("max abs error", "最大绝对误差"),
    "browser.max_rel": ("max rel error", "最大相对误差"),
    "browser.worst_mark": ("☐ marks the worst element.", "☐ 标出误差最大的元素。"),
    "browser.lab_agreed": ("What the engine's rule takes at kinks, by convention:", "引擎的规则在折点处按约定取值："),
    "browser.lab_other": ("Check what is selected instead", "改为检验所选节点"),
    "browser.lab_whose": ("whose rule", "谁的规则"),
    "browser.lab_training": ("Effect on training", "对训练的影响"),
    "browser.lab_training_how": (
        "Two trainings by {optimizer} on the inputs given here, from the same seed and start: with the engine's rule "
        "and with this one. Afterwards everything is as it was.",
        "用这里给出的输入以 {optimizer} 训练两次，种子与起点相同：一次用引擎的规则，一次用这条规则。之后一切恢复原状。",
    ),
    "browser.lab_plain_sgd": ("plain SGD", "普通 SGD"),
    "browser.lab_steps": ("steps", "步数"),
    "browser.lab_rate": ("step size", "步长"),
    "browser.lab_train": ("Train with both", "两种都训练"),
    "browser.lab_same_rule": ("Choose another rule than the engine's first.", "请先选择引擎以外的规则。"),
    "browser.lab_typing": ("Type your own", "自己写规则"),
    "browser.lab_typing_how": (
        "Run this in a cell of the notebook. It is called like a Cell's bprop and returns one gradient per input.",
        "在笔记本的单元格中运行。它的调用方式与 Cell 的 bprop 相同，每个输入返回一个梯度。",
    ),
}
