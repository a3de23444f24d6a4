"""Learners' code that writes in place during the backward pass: nobody else's numbers change."""

from __future__ import annotations

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn, ops

ONES = [[1.0, 1.0], [1.0, 1.0]]


def both(f: object) -> list[list[float]]:
    x, y = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
    gradients = tc.grad(f, (0, 1))(x, y)  # type: ignore[arg-type]
    assert x.tolist() == y.tolist() == [1, 2]
    return [g.tolist() for g in gradients]


class Times(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x * 1.0


def test_a_rule_may_write_into_its_dout() -> None:
    class Writing(Times):
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            dout[0] = 0.0
            return (dout,)

    cell = Writing()
    assert both(lambda x, y: cell(x) + y) == [[0, 1], [1, 1]]


def test_hooks_may_write_into_the_gradient_they_get() -> None:
    def zero_first(gradient: Tensor) -> None:
        gradient[0] = 0.0

    def with_tensor_hook(x: Tensor, y: Tensor) -> Tensor:
        z = x * 1.0
        z.register_hook(zero_first)
        return z + y

    tap = ops.HookBackward(lambda gradients: zero_first(gradients[0]))
    cell = Times()
    cell.register_backward_pre_hook(lambda cell, gradients: zero_first(gradients[0]))
    for f in (with_tensor_hook, lambda x, y: tap(x * 1.0) + y, lambda x, y: cell(x) + y):
        assert both(f)[1] == [1, 1]


@pytest.mark.parametrize("which", ["x", "out"])
def test_inputs_and_outputs_are_lent_to_a_rule_for_reading(which: str) -> None:
    class Writing(Times):
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            {"x": x, "out": out}[which][0] = 100.0
            return (dout,)

    x = Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match=r"lent for reading.*copy\(\)"):
        tc.grad(Writing())(x)
    assert x.tolist() == [1, 2]


def test_what_a_rule_keeps_of_its_inputs_can_be_returned() -> None:
    class Returning(Times):
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (x,)

    x = Tensor([1.0, 2.0])
    gradient = tc.grad(Returning())(x)
    gradient[0] = 5.0
    assert x.tolist() == [1, 2] and np.allclose(gradient.asnumpy(), [5, 2])
