"""The bar above the graph: find, iterations, zoom."""

from __future__ import annotations

TABLE = {
    "browser.find": ("find by name", "按名称查找"),
    "browser.find_hint": ("Find ( / )", "查找（/）"),
    "browser.find_none": ("nothing found", "没有找到"),
    "browser.iteration": ("iteration", "第几次"),
    "browser.draw_iteration": ("Show one", "展开一次"),
    "browser.fold_iteration": ("Fold", "折叠"),
    "browser.zoom": ("zoom", "缩放"),
    "browser.zoom_in_tip": ("larger (+ in the graph, or Ctrl and wheel)", "放大（图中按 +，或 Ctrl 加滚轮）"),
    "browser.zoom_out_tip": ("smaller (− in the graph, or Ctrl and wheel)", "缩小（图中按 −，或 Ctrl 加滚轮）"),
    "browser.zoom_normal_tip": ("back to 100 % (0 in the graph)", "恢复 100 %（图中按 0）"),
    "browser.zoom_fit": ("Fit", "全图"),
    "browser.zoom_fit_tip": ("all of the graph at once (F in the graph)", "显示整张图（图中按 F）"),
    "browser.hand": ("Hand", "拖动"),
    "browser.hand_tip": ("drag the graph", "拖动图"),
}
