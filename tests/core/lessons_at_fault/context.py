"""Lessons that go wrong: context and jit."""

from core.lessons_at_fault.lesson import NET, case

import teachcell as tc

CASES = [
    case("context_key", 'tc.get_context("modes")', ValueError, "modes"),
    case("context_mode", "tc.set_context(mode=2)", ValueError, "2"),
    case(
        "jit_hooks", NET + "net.register_forward_hook(lambda *_: None)\nf = tc.jit(lambda x: net(x, x))  # here\nf(x)",
        tc.HookNote, "Net(",
    ),
]  # fmt: skip
