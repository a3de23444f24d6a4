"""Some samples of every op and public function: a jit function gives what it gives without jit, with other values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from jit.programs import agree, plainly
from ops.samples import NOT_DIFFERENTIABLE, SAMPLES
from ops.samples.sample import Sample

import teachcell as tc
from teachcell import grad
from teachcell.core.tensor import Tensor, wrap

pytestmark = pytest.mark.filterwarnings("ignore:.* runs eagerly inside jit")


def inputs(sample: Sample) -> Iterator[list[Tensor]]:
    """Those of the sample, then the same forms with the drawn values in another order, and again the first."""
    first = sample.inputs
    mixed = [a[::-1].copy() if isinstance(g, tuple) and a.ndim else a for a, g in zip(first, sample.given, strict=True)]
    for arrays in (first, mixed, first, mixed):
        yield [wrap(a.copy()) for a in arrays]


def total(value: Any) -> Any:
    """One number that depends on every float among the results."""
    parts = value if isinstance(value, (tuple, list)) else (value,)
    return sum((p * p).sum() for p in parts if isinstance(p, Tensor) and p.asnumpy().dtype.kind == "f")


def outcome(call: Callable[..., Any], tensors: list[Tensor]) -> Any:
    """What a call gives and what it leaves in its arguments, or how it fails."""
    tc.set_seed(1)
    try:
        result = plainly(call(tensors))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    return [result, plainly(tensors)]


@pytest.mark.parametrize("name", SAMPLES)
def test_as_without_jit(name: str) -> None:
    for sample in SAMPLES[name][:: max(1, len(SAMPLES[name]) // 3)]:
        ways: list[tuple[Callable[..., Any], Callable[..., Any]]] = [(sample.run, tc.jit(sample.run))]
        if name not in NOT_DIFFERENTIABLE:

            def slope(tensors: list[Tensor], run: Callable[..., Any] = sample.run) -> Any:
                floats = tuple(i for i, t in enumerate(tensors) if t.asnumpy().dtype.kind == "f")
                return grad(lambda *given: total(run(list(given))), floats)(*tensors)

            inside, outside = tc.jit(slope), tc.jit(sample.run)
            ways += [(slope, inside), (slope, lambda tensors, f=outside: slope(tensors, f))]
        for plain, jitted in ways:
            for first, second in zip(inputs(sample), inputs(sample), strict=True):
                assert agree(outcome(jitted, second), outcome(plain, first)), str(sample)
