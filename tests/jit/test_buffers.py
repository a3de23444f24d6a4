"""What a plan need not do in each run: views of its buffers, parts put together, copies, one thing twice."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, nn, ops
from teachcell.jit.buffers import Buffers
from teachcell.jit.plan import Step


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Step], Buffers]]:
    """The steps of each plan that is made from now on, and their buffers."""
    code, found = import_module("teachcell.jit.code"), []

    def noting(steps: list[Any], kept: Any) -> Buffers:
        buffers = Buffers(steps, kept)
        if kept is not None:
            found.append(([s for s in steps if isinstance(s, Step)], buffers))
        return buffers

    monkeypatch.setattr(code, "Buffers", noting)
    return found


def inputs(seed: int) -> list[Tensor]:
    values = np.random.RandomState(seed)
    return [Tensor(values.randn(3, 8).astype(np.float32)) for _ in range(2)]


def check(f: Callable[..., Any]) -> None:
    """Plans give what Python gives, and no run touches what an earlier one gave."""
    jitted, given = tc.jit(f), []
    for seed in (0, 1, 2, 0):
        got, wanted = jitted(*inputs(seed)), f(*inputs(seed))
        given.append((got, wanted))
    assert jitted.plan() is not None
    for got, wanted in given:
        for a, b in zip(got, wanted, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6, atol=1e-6)


def left_out(made: list[tuple[list[Step], Buffers]]) -> list[str]:
    ((_, buffers),) = made
    return sorted(step.label for step in buffers.done)


def test_parts_are_views_and_gradients_are_put_together_in_their_places(made: Any) -> None:
    def gates(x: Tensor, y: Tensor) -> Tensor:
        a, b, c, d = ops.split(x * y, 2, 1)
        return (ops.sigmoid(a) * ops.tanh(b) + ops.sigmoid(c) * d).sum()

    check(grad(gates, (0, 1)))
    assert {"assemble", "parts"} <= set(left_out(made))


def test_a_part_that_is_handed_out_or_used_twice_is_not_computed_into_its_place(made: Any) -> None:
    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        def halves(t: Tensor) -> Tensor:
            a, b = ops.split(t, 4, 1)
            return (ops.tanh(a) * ops.sigmoid(b)).sum()

        g = grad(halves)(x * y)
        a, b = ops.split(g, 4, 1)
        return g * 1, a * 2, b @ b.T, g

    check(f)
    assert "assemble" not in left_out(made)  # g is handed out


def test_gaps_are_filled_with_zeros() -> None:
    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        def first(t: Tensor) -> Tensor:
            a, _, c, _ = ops.split(t * y, 2, 1)
            return (a * a + c).sum()

        return grad(first)(x) * y, y + 1

    check(f)


def test_numbers_are_computed_as_arrays(made: Any) -> None:
    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        total = (x.mean() + y.mean()) * 2
        return x * total, total + 1

    check(f)
    assert "asarray" in left_out(made)


def test_one_thing_is_computed_once_and_not_copied(made: Any) -> None:
    class Half(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (dout * 0.5,)

    half = Half()

    def f(x: Tensor, y: Tensor) -> Tensor:
        return (half(x * y) * (x * y) * (x * y)).sum()

    check(grad(f, (0, 1)))
    labels = [step.label for step in made[0][0]]
    assert "copy" not in labels
    assert labels.count("multiply") == 14  # x · y once and not three times


def test_a_copy_that_is_written_to_stays_a_copy() -> None:
    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        a = x * y
        b, c = a.copy(), a.copy()
        b[0] = 5.0
        a[1] = 7.0
        return a + b + c, c * 1, ops.tanh(a.copy())

    check(f)


def test_a_sum_that_asks_for_a_value_is_one_step() -> None:
    check(lambda x, y: (x / y.sum(), x / 2.0, x.astype(tc.int32) / 3, (x > 0).astype(tc.float32) / y))


def images(seed: int) -> list[Tensor]:
    values = np.random.RandomState(seed)
    return [Tensor(values.randn(*shape).astype(np.float32)) for shape in ((16, 3, 16, 16), (8, 3, 3, 3))]


def test_results_are_written_over_new_arrays_that_are_done_with(made: Any) -> None:
    def f(x: Tensor, w: Tensor) -> Tensor:
        y = ops.conv2d(x, w, pad_mode="same") + 1.0
        return (ops.max_pool2d(ops.relu(y), 2, 2) * 2).sum()

    def g(x: Tensor, w: Tensor) -> tuple[Tensor, ...]:
        y = ops.conv2d(x, w, pad_mode="same")
        z = ops.conv2d(y, ops.concat((w, w, w[:, :2]), 1), pad_mode="same") * 0.5  # handed out
        return y * 2 + y, z, ops.tanh(y)  # y is looked at twice

    for h in (grad(f, (0, 1)), g):
        jitted, given = tc.jit(h), []
        for seed in (0, 1, 2, 0):
            given.append((jitted(*images(seed)), h(*images(seed))))
        for got, wanted in given:
            for a, b in zip(got, wanted, strict=True):
                np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-5)
    (_, first), (steps, second) = made
    inside = {slot for step in steps for slot in step.inputs}
    assert first._over and second._over.keys() <= inside
