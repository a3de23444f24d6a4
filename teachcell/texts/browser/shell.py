"""The shell: header, banner, tabs, now-line, transport, timeline."""

from __future__ import annotations

TABLE = {
    "browser.named": ("{what}: {name}", "{what}：{name}"),
    # header and banner
    "browser.mode": ("mode", "模式"),
    "browser.train": ("Train", "训练"),
    "browser.predict": ("Predict", "推理"),
    "browser.applies_to": ("applies to", "作用于"),
    "browser.new_draw": ("New draw", "重新抽样"),
    "browser.new_draw_tip": ("run again with new random numbers", "用新的随机数再运行一次"),
    "browser.reset": ("Reset", "复位"),
    "browser.reset_tip": (
        "modes, rules, hooks and random numbers as they were found",
        "恢复最初的模式、规则、钩子和随机数",
    ),
    "browser.by_hand": ("Code", "代码"),
    "browser.by_hand_tip": ("the lines that do by hand what was switched here", "手动完成这里所做切换的代码"),
    "browser.language": ("language", "语言"),
    "browser.language_tip": (
        "English or Chinese, for everything teachcell says in this notebook",
        "英文或中文，作用于本笔记本中 teachcell 的全部文字",
    ),
    "browser.capture": ("Capture hooks", "捕获钩子"),
    "browser.capture_tip": (
        "attach hooks to the selected node's Cell and show what they see",
        "在所选节点的 Cell 上挂钩子，显示它们看到的内容",
    ),
    "browser.stale": ("The picture is from before the error.", "图为出错之前的结果。"),
    "browser.saved_page": (
        "Saved page: replay and looking work, changes need the notebook.",
        "已保存的页面：可重放和查看，修改需要在笔记本中进行。",
    ),
    # tabs; the views' names are with the views
    "browser.views": ("views", "视图"),
    "browser.view_failed": ("This view could not be made:", "无法生成此视图："),
    "browser.needs_kernel": ("This view needs a running kernel.", "此视图需要正在运行的内核。"),
    # now-line, transport, timeline
    "browser.start": ("At the start. Press step to run forward.", "位于起点。按“前进”开始正向运行。"),
    "browser.waiting": ("Waiting for the kernel…", "正在等待内核…"),
    "browser.transport": ("transport", "播放控制"),
    "browser.to_start": ("to start", "到起点"),
    "browser.back": ("step back", "后退"),
    "browser.play": ("play", "播放"),
    "browser.pause": ("pause", "暂停"),
    "browser.forth": ("step", "前进"),
    "browser.to_end": ("to end", "到终点"),
    "browser.timeline": ("timeline", "时间线"),
    "browser.forward": ("forward", "正向"),
    "browser.backward": ("backward", "反向"),
    "browser.no_backward": ("no backward pass", "没有反向"),
    # overview of the keys
    "browser.keys": ("Keys", "按键"),
    "browser.keys_step": ("step, step back", "前进，后退"),
    "browser.keys_jump": ("next, previous Cell", "下一个、上一个 Cell"),
    "browser.keys_ends": ("to start, to end", "到起点，到终点"),
    "browser.keys_play": ("play or pause, faster, slower", "播放或暂停，加快，减慢"),
    "browser.keys_tab": (
        "to the next part: header, views, graph, side, timeline",
        "到下一部分：顶栏、视图、图、侧栏、时间线",
    ),
    "browser.keys_nodes": ("in the graph: previous, next node", "在图中：上一个、下一个节点"),
    "browser.keys_enter": ("select; on a selected Cell: open or fold it", "选择；在已选的 Cell 上：展开或折叠"),
    "browser.keys_find": ("find by name", "按名称查找"),
    "browser.keys_zoom": ("in the graph: larger, smaller, 100 %, all of it", "在图中：放大、缩小、100 %、全图"),
    "browser.keys_odd": ("next node where something is odd", "下一个异常的节点"),
    "browser.keys_check": ("check the rule of the selected node", "检验所选节点的规则"),
    "browser.keys_compare": ("compare two runs", "比较两次运行"),
    "browser.keys_back": ("back to the node", "返回节点"),
    "browser.keys_overview": ("show or hide this list", "显示或隐藏此列表"),
}
