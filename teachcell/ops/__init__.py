"""The public ops, by family: one declaration each; functional and class forms come from it.

``ops.matmul(x, y)`` and ``ops.MatMul()(x, y)`` are the same op. A family is imported when one of its names is first
asked for (``core/loading.py``).

Read ``elementwise/arithmetic.py`` first, then ``reductions/sums.py`` and ``neural/losses/labels.py``: an op of one
line, an op that repeats its gradient, an op that saves something. Each folder lists its families.
"""

from typing import Any

from ..core.absent import error as _error
from ..core.loading import PUBLIC as __all__
from ..core.loading import also_called as _also_called
from ..core.public import FUNCTIONS as _FUNCTIONS
from ..core.public import PRIMITIVES as _PRIMITIVES

# As older code has it: ``from teachcell.ops import operations as P``.
_also_called(__name__, """
    auto_generate composite composite.base function function.array_func function.clip_func function.grad
    function.grad.grad_func function.math_func function.nn_func function.parameter_func function.random_func functional
    operations operations.array_ops operations.math_ops operations.nn_ops primitive
""")


def __getattr__(name: str) -> Any:
    """A public name, found once and then kept."""
    found = _FUNCTIONS.get(name) or _PRIMITIVES.get(name)
    if found is None:
        raise _error("ops", name, __all__)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
