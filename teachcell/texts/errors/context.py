"""Errors: context and jit."""

TABLE = {
    "errors.context_key": ("unknown context key {got}", "未知的上下文键 {got}"),
    "errors.context_mode": (
        "mode must be GRAPH_MODE (0) or PYNATIVE_MODE (1), got {got}",
        "mode 只能是 GRAPH_MODE (0) 或 PYNATIVE_MODE (1)，得到 {got}",
    ),
    "errors.jit_hooks": (
        "hooks do not act inside a jit function: those of {cell} stay silent",
        "jit 函数内 hook 不起作用：{cell} 的 hook 不会触发",
    ),
}
