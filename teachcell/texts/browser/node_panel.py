"""The panel of the selected node."""

from __future__ import annotations

TABLE = {
    "browser.panel_node": ("Node", "节点"),
    "browser.panel_node_tip": ("values, gradient and rule of the selected node", "所选节点的值、梯度和规则"),
    "browser.value": ("value y", "值 y"),
    "browser.gradient": ("gradient g", "梯度 g"),
    "browser.incoming": ("incoming", "传入"),
    "browser.not_yet": ("not computed yet", "尚未计算"),
    "browser.gradient_not_yet": ("gradient not computed yet", "梯度尚未计算"),
    "browser.no_rule": ("Inputs and parameters have no rule.", "输入和参数没有规则。"),
    "browser.open_for_rules": ("Open ▸ for the rules inside.", "打开 ▸ 可查看内部各步的规则。"),
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
}
