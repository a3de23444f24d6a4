"""The replay."""

from __future__ import annotations

TABLE = {
    "browser.panel_replay": ("Step", "步骤"),
    "browser.panel_replay_tip": (
        "the step just done, with formulas and numbers",
        "刚完成的这一步：公式与数值",
    ),
    "browser.replay_start": ("No step is done yet. → steps forward.", "还没有完成任何步骤。按 → 前进。"),
    "browser.replay_inputs": ("inputs", "输入"),
    "browser.replay_in_use": ("values in use", "用到的值"),
    "browser.replay_result": ("result", "结果"),
    "browser.replay_incoming": ("incoming", "传入"),
    "browser.replay_outgoing": ("outgoing, to each input", "传出，给每个输入"),
    "browser.replay_goes_to": ("to", "给"),
    "browser.replay_before": ("before", "之前"),
    "browser.replay_after": ("after", "之后"),
    "browser.replay_sum": ("sum so far", "当前的和"),
    "browser.replay_to_come": ("still to come: {names}", "还会到来：{names}"),
    "browser.replay_complete": ("complete", "已齐"),
    "browser.replay_choose": (
        "The ringed element is written out. Click or use the arrow keys for another one.",
        "写出的是圈出的元素。点击或按方向键可换一个。",
    ),
}
