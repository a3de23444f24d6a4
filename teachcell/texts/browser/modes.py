"""Modes."""

from __future__ import annotations

TABLE = {
    "browser.panel_modes": ("Modes", "模式"),
    "browser.panel_modes_tip": (
        "train or predict for any part of the net, and what differs between them",
        "对网络任一部分切换训练与推理，并查看二者的差别",
    ),
    "browser.modes_depends": ("acts by mode", "行为随模式而变"),
    "browser.modes_keys": (
        "◆ acts by mode. Keys: ↑ ↓ to move, T train, P predict.",
        "◆ 行为随模式而变。按键：↑ ↓ 移动，T 训练，P 推理。",
    ),
    "browser.modes_twin": ("Twin run", "双模式运行"),
    "browser.modes_twin_tip": (
        "run from the same seed once in training and once in prediction; everything is put back afterwards",
        "从同一种子各运行一次训练与推理；之后全部还原",
    ),
    "browser.modes_leave": ("Back to the present run", "回到当前运行"),
    "browser.modes_compare": ("Show in Compare", "在“比较”中查看"),
    "browser.modes_gradients": ("Gradients", "梯度"),
    "browser.modes_mask": (
        "mask: blue kept, grey dropped, blank: its input is 0",
        "掩码：蓝为保留，灰为丢弃，空白处输入为 0",
    ),
}
