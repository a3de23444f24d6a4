"""Samples and references: largest and smallest elements."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Array, Calls, References, call

_axes = [call((2, 3)), call((2, 3), axis=0), call((3, 2, 2), axis=-1, keepdims=True), call((0, 3), axis=1)]
_dims = [call((2, 3)), call((2, 3), dim=0), call((3, 2, 2), dim=-1, keepdim=True)]
TIED = np.array([[1.0, 3.0, 3.0], [1.0, 1.0, 2.0]])


def located(x: Array, axis: int, keepdims: bool, sign: int) -> tuple[Array, Array]:
    """The sign · largest along an axis, and where it is first found."""
    value = sign * (sign * x).max(axis, keepdims=True)
    index = np.where(x == value, np.arange(x.shape[axis]).reshape(-1, *(1,) * (x.ndim - 1 - axis % x.ndim)), 99)
    index = index.min(axis, keepdims=True).astype(np.int64)
    return (value, index) if keepdims else (value.squeeze(axis), index.squeeze(axis))


def extreme(sign: int) -> object:
    def reference(x: Array, axis: int | None = None, keepdims: bool = False, initial: float = -sign * np.inf) -> object:
        x = sign * np.maximum(sign * x, sign * initial)
        return (sign * (sign * x).max(), np.int64(0)) if axis is None else located(x, axis, keepdims, sign)

    return reference


def chosen(sign: int) -> object:
    def reference(x: Array, dim: int | None = None, keepdim: bool = False) -> object:
        return sign * (sign * x).max() if dim is None else located(x, dim, keepdim, sign)

    return reference


_several = [call(()), call((2, 3)), call((2, 3, 4), axis=(0, -1)), call((2, 3), axis=0, keep_dims=True)]
CALLS: Calls = {
    "amax": _several,
    "amin": _several,
    "max_with_index": _axes[1:],
    "min_with_index": _axes[1:],
    "max": [call(()), *_axes[:-1], call((2, 3), axis=1, initial=0.4)],
    "min": [call(()), *_axes[:-1], call((2, 3), axis=1, initial=0.4)],
    "max_ext": _dims,
    "min_ext": _dims,
    "aminmax": [call((2, 3)), call((2, 3), axis=1, keepdims=True), call((2, 3), axis=None)],
    "argmax": [call((2, 3)), call((2, 3), dim=0), call(TIED[0]), call((2, 3), dim=-1, keepdim=True), call((), dim=0)],
    "argmin": [call((2, 3)), call((2, 3), axis=0), call(TIED[1]), call((2, 3), axis=-1, keepdims=True)],
}  # fmt: skip
REFERENCES: References = {
    "amax": lambda x, axis=None, keep_dims=False: x.max(axis, keepdims=keep_dims),
    "amin": lambda x, axis=None, keep_dims=False: x.min(axis, keepdims=keep_dims),
    "max_with_index": lambda x, axis, keepdims=False: located(x, axis, keepdims, 1),
    "min_with_index": lambda x, axis, keepdims=False: located(x, axis, keepdims, -1),
    "max": extreme(1),
    "min": extreme(-1),
    "max_ext": chosen(1),
    "min_ext": chosen(-1),
    "aminmax": lambda x, axis=0, keepdims=False: (x.min(axis, keepdims=keepdims), x.max(axis, keepdims=keepdims)),
    "argmax": lambda x, dim=None, keepdim=False: np.argmax(x, dim if x.ndim else None, keepdims=keepdim),
    "argmin": lambda x, axis=None, keepdims=False: np.argmin(x, axis, keepdims=keepdims).astype(np.int32),
}
NOT_DIFFERENTIABLE = {"argmax", "argmin"}
