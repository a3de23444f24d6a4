"""Samples and references: clipping by norms."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Array, Calls, References, call


def _by_norm(x: Array, max_norm: float, norm_type: float = 2.0) -> Array:
    return x * min(1, max_norm / np.linalg.norm(x.ravel(), norm_type))


def _together(*xs: Array, clip_norm: float) -> tuple[Array, ...]:
    norm = np.sqrt(sum((x * x).sum() for x in xs))
    return tuple(x * min(1, clip_norm / norm) for x in xs)


CALLS: Calls = {
    "clip_by_norm": [
        call((2, 3), max_norm=0.5), call((2, 3), max_norm=50.0), call((3,), max_norm=0.5, norm_type=3.0),
        call((3,), max_norm=0.5, norm_type=float("inf")), call((), max_norm=0.5),
    ],
    "clip_by_global_norm": [
        call((2, 3), (2,), clip_norm=0.5), call((2,), (), clip_norm=50.0), call((3,), clip_norm=1.0),
    ],
}  # fmt: skip
REFERENCES: References = {"clip_by_norm": _by_norm, "clip_by_global_norm": _together}
SEQUENCES = {"clip_by_global_norm"}
