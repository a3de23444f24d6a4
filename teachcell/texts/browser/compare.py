"""Compare."""

from __future__ import annotations

TABLE = {
    "browser.compare_at": ("at [{at}]. ", "位于 [{at}]。"),
    "browser.panel_compare": ("Compare", "比较"),
    "browser.panel_compare_tip": (
        "two runs side by side: pin one, change something, see where they part",
        "并列两次运行：固定一次，改动后看从哪里开始不同",
    ),
    "browser.compare_hint": (
        "Pin this run. Then change an input, a Parameter, a hook, a rule or the mode and run again.",
        "先固定这次运行，再改动输入、参数、钩子、规则或模式并重新运行。",
    ),
    "browser.compare_pin": ("Pin this run", "固定本次运行"),
    "browser.compare_unpin": ("Unpin A", "取消固定 A"),
    "browser.compare_name": ("name", "名称"),
    "browser.compare_modes": ("Compare train and predict", "比较训练与推理"),
    "browser.compare_value": ("value", "值"),
    "browser.compare_gradient": ("gradient", "梯度"),
    "browser.compare_first": ("first node that differs", "最先不同的节点"),
    "browser.compare_go": ("Show the first node that differs", "查看最先不同的节点"),
    "browser.compare_elsewhere": ("Different too, and not in this picture:", "图中没有、同样不同的还有："),
}
