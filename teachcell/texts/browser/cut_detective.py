"""The cut detective."""

from __future__ import annotations

TABLE = {
    "browser.panel_cut_detective": ("Why?", "为什么？"),
    "browser.panel_cut_detective_tip": (
        "why a gradient is zero, missing or NaN, and where that happened",
        "梯度为什么是 0、缺失或 NaN，发生在哪里",
    ),
    "browser.why_question": ("Why is its gradient like this?", "它的梯度为什么是这样？"),
    "browser.odd_here": ("Worth a look in this run", "本次运行中值得一看的节点"),
    "browser.nothing_odd": (
        "In this run every gradient that is needed arrived, and none has a NaN or is 0 in every element.",
        "本次运行中所需的梯度都已到达，没有全为 0 或含 NaN 的。",
    ),
    "browser.nothing_ran_back": ("No backward pass ran, so there are no gradients.", "没有运行反向，所以没有梯度。"),
    "browser.no_value_here": ("Select a node that has a value.", "请选择有值的节点。"),
    "browser.show_place": ("Show where it happened", "查看发生的位置"),
}
