"""Labels of the Explorer's browser side; they travel to it as ``view["texts"]``, without the area."""

from __future__ import annotations

TABLE = {
    # header and banner
    "browser.mode": ("mode", "模式"),
    "browser.train": ("Train", "训练"),
    "browser.predict": ("Predict", "推理"),
    "browser.applies_to": ("applies to", "作用于"),
    "browser.new_draw": ("New draw", "重新抽样"),
    "browser.new_draw_tip": ("run again with new random numbers", "用新的随机数再运行一次"),
    "browser.capture": ("Capture hooks", "捕获钩子"),
    "browser.capture_tip": (
        "attach hooks to the selected node's Cell and show what they see",
        "在所选节点的 Cell 上挂钩子，显示它们看到的内容",
    ),
    "browser.stale": ("The picture is from before the error.", "图为出错之前的结果。"),
    # panel
    "browser.value": ("value y", "值 y"),
    "browser.gradient": ("gradient g", "梯度 g"),
    "browser.incoming": ("incoming", "传入"),
    "browser.not_yet": ("not computed yet", "尚未计算"),
    "browser.gradient_not_yet": ("gradient not computed yet", "梯度尚未计算"),
    "browser.no_rule": ("Inputs and parameters have no rule.", "输入和参数没有规则。"),
    "browser.rule": ("rule", "规则"),
    "browser.check_rule": ("Check rule", "检验规则"),
    "browser.numbers": ("Numbers", "数值"),
    "browser.min": ("min", "最小"),
    "browser.max": ("max", "最大"),
    "browser.mean": ("mean", "均值"),
    "browser.std": ("std", "标准差"),
    "browser.zeros": ("zeros", "零"),
    "browser.rule_source": ("Rule source", "规则源码"),
    "browser.hooks": ("Hooks", "钩子"),
    "browser.calls": ("Calls", "调用"),
    # check view
    "browser.close": ("close", "关闭"),
    "browser.error": ("error", "误差"),
    "browser.reference": ("reference", "参照"),
    "browser.at": ("at", "位于"),
    "browser.max_abs": ("max abs error", "最大绝对误差"),
    "browser.max_rel": ("max rel error", "最大相对误差"),
    "browser.worst_mark": ("☐ marks the worst element.", "☐ 标出误差最大的元素。"),
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
