"""``jit`` and the context: functions run as one piece, in which hooks do not act.

``decorator.py`` is ``jit``; ``function.py`` decides how a call is run. ``capture.py`` records one run: ``traced.py``
stands for arrays, ``trace.py`` writes down steps, ``watch.py`` sees to what Python does, ``world.py`` (with
``walk.py`` and ``reads.py``) to what it looks at; ``values.py`` and ``comparison.py`` compare that before each run. The
result is a plan (``plan.py``, ``replay.py``), with the way back for a gradient taken outside (``linked.py``), which
``fold.py`` rids of repetitions, ``buffers.py`` gives memory, ``code.py`` turns into straight lines of Python,
``show.py`` prints and ``as_ops.py`` lets be drawn. ``context.py`` and ``accepted.py`` are MindSpore's names.
"""

from typing import TYPE_CHECKING

from ..core.loading import lazily
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
from .context import GRAPH_MODE, PYNATIVE_MODE, get_context, set_context
from .decorator import jit

if TYPE_CHECKING:
    from ..nn.hooks import HookNote
    from .function import JitNote

__all__ = [
    "GRAPH_MODE", "HookNote", "JitConfig", "JitNote", "PYNATIVE_MODE", "constexpr", "get_context", "get_jit_config",
    "jit", "jit_class", "launch_blocking", "lazy_inline", "mutable", "set_context", "set_device", "set_deterministic",
]  # fmt: skip
__getattr__ = lazily(__name__, {"..nn.hooks": "HookNote", ".function": "JitNote"})[0]
