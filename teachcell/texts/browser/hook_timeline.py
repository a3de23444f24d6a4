"""The hook timeline."""

from __future__ import annotations

TABLE = {
    "browser.panel_hook_timeline": ("Hooks", "钩子"),
    "browser.panel_hook_timeline_tip": (
        "all hooks in time, what each saw, and which were silent",
        "所有钩子的时间顺序、各自看到的内容，以及未触发的钩子",
    ),
    "browser.hooks_lanes": ("events by Cell, in time", "各 Cell 的事件，按时间排列"),
    "browser.hooks_only": ("Only Cells with hooks", "只看有钩子的 Cell"),
    "browser.hooks_start": (
        "Choose an event to see what it saw. ← → go through time, ↑ ↓ from Cell to Cell.",
        "选择一个事件，查看它看到的内容。← → 沿时间移动，↑ ↓ 在 Cell 之间移动。",
    ),
    "browser.hooks_replaced": ("replaced", "已替换"),
    "browser.hooks_raised": ("raised", "抛出异常"),
    "browser.hooks_silent": ("silent", "未触发"),
    "browser.hooks_silent_head": ("Attached, did not fire", "已挂上但未触发"),
    "browser.hooks_naming": ("The same event in three namings", "同一事件的三种命名"),
    "browser.hooks_this": ("this hook", "本钩子"),
    "browser.hooks_code": ("code", "代码"),
    "browser.hooks_legend": (
        "▷ pre-hook, ▶ forward hook, ◁ backward pre-hook, ◀ backward hook, ▲ own bprop, + a gradient reaches a "
        "Parameter, Σ its sum is complete. Underlined ⇄: replaced. Dotted: ops that a hook added.",
        "▷ 正向前钩子，▶ 正向钩子，◁ 反向前钩子，◀ 反向钩子，▲ 自带 bprop，+ 一份梯度到达参数，Σ 累加完成。"
        "下划线 ⇄：已替换。点线：钩子添加的算子。",
    ),
}
