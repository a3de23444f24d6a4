"""``jit`` and the context: functions run as one piece, in which hooks do not act.

There is no compiler yet: ``eager.py`` runs such functions as they stand, ``accepted.py`` takes a compiler's options.
"""

from ..nn.hooks import HookNote
from .accepted import (
    JitConfig,
    constexpr,
    get_jit_config,
    jit_class,
    launch_blocking,
    lazy_inline,
    mutable,
    set_deterministic,
    set_device,
)
from .eager import GRAPH_MODE, PYNATIVE_MODE, get_context, jit, set_context

__all__ = [
    "GRAPH_MODE", "HookNote", "JitConfig", "PYNATIVE_MODE", "constexpr", "get_context", "get_jit_config", "jit",
    "jit_class", "launch_blocking", "lazy_inline", "mutable", "set_context", "set_device", "set_deterministic",
]  # fmt: skip
