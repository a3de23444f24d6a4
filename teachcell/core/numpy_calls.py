"""NumPy's functions on Tensors: those that have an op here are that op, and so are recorded."""

from __future__ import annotations

from typing import Any

import numpy as np

from .op import OPS


def array_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """``np.sin(t)``, ``array * t``: the op of that name; else NumPy's own on the arrays, a constant to ``grad``."""
    from .record import apply

    op = OPS.get(ufunc.__name__)
    if op is not None and method == "__call__" and not options:
        return apply(op, inputs)
    if any(hasattr(x, "_array") for x in options.get("out", ())):
        return NotImplemented  # a Tensor is written by its own methods only
    arrays = [np.asarray(x) if hasattr(x, "_array") else x for x in inputs]
    if hasattr(options.get("where"), "_array"):
        options["where"] = np.asarray(options["where"])
    return getattr(ufunc, method)(*arrays, **options)
