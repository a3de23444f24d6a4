"""Calls that exercise every op and every public function made of ops, for the generated tests.

One file per family. Each may define: ``UNARY`` and ``BINARY`` (references of element-wise functions, which are
tried on generated shapes), ``CALLS`` with ``REFERENCES`` for the others, ``DOMAINS`` and ``SEQUENCES`` (functions
whose inputs are one list) of functions that are no ops, and four sets of names: ``NOT_DIFFERENTIABLE`` (the result
does not change, or jumps, with the inputs), ``NEW_VALUES`` (results that depend on no Tensor), ``WRITES`` (in
place) and ``TESTED_ELSEWHERE``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from ops.samples.sample import Sample

from teachcell.core.op import OPS, REAL

SHAPES = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (2, 1, 3), (0, 3)]
FAMILIES = [
    import_module(f"ops.samples.{file.stem}")
    for file in sorted(Path(__file__).parent.glob("*.py"))
    if file.stem not in ("__init__", "sample")
]


def _fits(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        return False
    return True


PAIRS = [(a, b) for a, b in itertools.product(SHAPES, SHAPES) if _fits(a, b)]


def _samples(family: Any) -> Iterator[Sample]:
    domains, sequences = getattr(family, "DOMAINS", {}), getattr(family, "SEQUENCES", ())

    def sample(name: str, given: tuple[Any, ...], attrs: dict[str, Any], formula: Any) -> Sample:
        op = OPS.get(name)
        domain = op.domain if op else domains.get(name, REAL)
        return Sample(name, given, attrs, formula, domain, op.arity is None if op else name in sequences)

    for name, formula in getattr(family, "UNARY", {}).items():
        yield from [sample(name, (shape,), {}, formula) for shape in SHAPES]
    for name, formula in getattr(family, "BINARY", {}).items():
        yield from [sample(name, pair, {}, formula) for pair in PAIRS]
    references = {**getattr(family, "UNARY", {}), **getattr(family, "BINARY", {}), **getattr(family, "REFERENCES", {})}
    for name, calls in getattr(family, "CALLS", {}).items():
        yield from [sample(name, given, attrs, references[name]) for given, attrs in calls]


def _names(of: str) -> set[str]:
    return {name for family in FAMILIES for name in getattr(family, of, ())}


SAMPLES: dict[str, list[Sample]] = {}
for _family in FAMILIES:
    for _sample in _samples(_family):
        SAMPLES.setdefault(_sample.name, []).append(_sample)
NOT_DIFFERENTIABLE = _names("NOT_DIFFERENTIABLE")
NEW_VALUES, WRITES, TESTED_ELSEWHERE = _names("NEW_VALUES"), _names("WRITES"), _names("TESTED_ELSEWHERE")
