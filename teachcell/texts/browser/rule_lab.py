"""The rule lab."""

from __future__ import annotations

TABLE = {
    "browser.panel_rule_lab": ("Rule lab", "规则实验"),
    "browser.panel_rule_lab_tip": (
        "another backward rule beside the engine's and a numeric gradient",
        "把另一条反向规则与引擎的规则和数值梯度并列比较",
    ),
    "browser.nothing_checked": (
        "Select a node of a Cell and press Check rule.",
        "选择某个 Cell 的节点，再按“检验规则”。",
    ),
    "browser.error": ("error", "误差"),
    "browser.reference": ("reference", "参照"),
    "browser.at": ("at", "位于"),
    "browser.max_abs": ("max abs error", "最大绝对误差"),
    "browser.max_rel": ("max rel error", "最大相对误差"),
    "browser.worst_mark": ("☐ marks the worst element.", "☐ 标出误差最大的元素。"),
}
