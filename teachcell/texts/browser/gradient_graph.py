"""The graph of the gradient."""

from __future__ import annotations

TABLE = {
    "browser.panel_gradient_graph": ("∂ graph", "∂ 图"),
    "browser.panel_gradient_graph_tip": (
        "the backward pass as a graph of its own: what a second derivative goes through",
        "把反向传播本身画成一张图：二阶导数要经过的路",
    ),
    "browser.gradient_graph": ("Graph of the gradient", "梯度的计算图"),
    "browser.degree": ("derivative", "导数"),
    "browser.first": ("first", "一阶"),
    "browser.second": ("second", "二阶"),
    "browser.third": ("third", "三阶"),
}
