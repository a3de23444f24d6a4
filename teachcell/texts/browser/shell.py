"""The shell: header, banner, tabs, now-line, transport, timeline."""

from __future__ import annotations

TABLE = {
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
    "browser.by_hand": ("By hand: the code", "手写代码"),
    "browser.capture": ("Capture hooks", "捕获钩子"),
    "browser.capture_tip": (
        "attach hooks to the selected node's Cell and show what they see",
        "在所选节点的 Cell 上挂钩子，显示它们看到的内容",
    ),
    "browser.stale": ("The picture is from before the error.", "图为出错之前的结果。"),
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
}
