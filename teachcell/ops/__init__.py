"""The public ops, by family: one declaration each; functional and class forms come from it.

``ops.matmul(x, y)`` and ``ops.MatMul()(x, y)`` are the same op.

Read ``arithmetic.py`` first, then ``reduce.py`` and ``losses/labels.py``: an op of one line, an op that repeats its
gradient, an op that saves something. The families:

- element by element: ``arithmetic``, ``combined``, ``bounds``, ``rounding``, ``elementary``, ``trigonometry``,
  ``special``, ``incomplete``, ``bessel``; without a gradient ``compare`` and ``bits``
- activations: ``activation`` (smooth), ``piecewise``, ``softmax``, ``dropout``; normalisation: ``norm``
- along axes: ``reduce``, ``extremes``, ``statistics``, ``distance``, ``scan``, ``sort``, ``search``, ``segment``
- moving elements: ``shape``, ``order``, ``join``, ``split``, ``repeat``, ``pad``, ``diagonal``, ``index``,
  ``scatter``, ``select``
- matrices: ``products``, ``einsum``, ``linalg``, ``decompositions``, ``matrix_norms``
- sliding windows and images: ``conv``, ``pool``, ``adaptive``, ``resize``, ``grid_sample``, ``spatial``, and
  ``sliding`` for their arguments
- losses: ``losses/``, by what they compare
- new Tensors: ``creation``, ``random``, ``random_objects``, ``windows`` (of signals)
- writing in place: ``state``, ``in_place``, ``scatter_in_place``, ``update`` (steps of optimizers)
- about Tensors and functions: ``facts``, ``memory``, ``control``, ``hook``, ``clip``
"""

import sys
from typing import Any

from ..core.absent import error as _error
from ..core.public import FUNCTIONS as _FUNCTIONS
from ..core.public import PRIMITIVES as _PRIMITIVES
from . import (  # noqa: F401 - importing a family declares its ops
    activation,
    adaptive,
    arithmetic,
    bessel,
    bits,
    bounds,
    clip,
    combined,
    compare,
    control,
    conv,
    creation,
    decompositions,
    diagonal,
    distance,
    dropout,
    einsum,
    elementary,
    extremes,
    facts,
    grid_sample,
    hook,
    in_place,
    incomplete,
    index,
    join,
    linalg,
    losses,
    matrix_norms,
    memory,
    norm,
    order,
    pad,
    piecewise,
    pool,
    products,
    random,
    random_objects,
    reduce,
    repeat,
    resize,
    rounding,
    scan,
    scatter,
    scatter_in_place,
    search,
    segment,
    select,
    shape,
    softmax,
    sort,
    spatial,
    special,
    split,
    state,
    statistics,
    trigonometry,
    update,
    windows,
)

globals().update(_FUNCTIONS)
globals().update(_PRIMITIVES)
# Modules of older code: ``from teachcell.ops import operations as P``.
for _older in ("composite", "functional", "operations"):
    sys.modules[f"{__name__}.{_older}"] = globals()[_older] = sys.modules[__name__]


def __getattr__(name: str) -> Any:
    """Names that higher floors add (``ops.grad``), found once and then kept."""
    found = _FUNCTIONS.get(name) or _PRIMITIVES.get(name)
    if found is None:
        raise _error("ops", name, __dir__())
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*_FUNCTIONS, *_PRIMITIVES})
