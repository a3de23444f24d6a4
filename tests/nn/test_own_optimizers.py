"""Optimizers of a learner's own: a formula, what one Parameter becomes, or a whole ``construct``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nn.test_optimizers import parameters

from teachcell import Parameter, Tensor, nn, ops


def test_a_subclass_writes_one_formula() -> None:
    class SignDescent(nn.Optimizer):
        def updated(self, i: int, p: Any, g: Any, lr: float, t: int, decay: float) -> Any:
            return p - g.dtype.type(lr) * np.sign(g)

    p = Parameter(Tensor([1.0, 1.0]), name="p")
    SignDescent(0.25, [p])((Tensor([5.0, -7.0]),))
    assert p.tolist() == [0.75, 1.25]


def test_a_subclass_writes_a_construct_of_ops() -> None:
    class Plain(nn.Optimizer):
        def construct(self, gradients: Any) -> Any:
            gradients = self.gradients_centralization(self.decay_weight(self.flatten_gradients(gradients)))
            gradients = self.scale_grad(gradients)
            rates = self.get_lr()
            rates = rates if self.is_group_lr else (rates,) * len(gradients)
            for p, rate, g in zip(self.parameters, rates, gradients, strict=True):
                ops.assign_sub(p, rate * g)
            return gradients

    def pair() -> list[Parameter]:
        return [Parameter(Tensor([[1.0, 3.0]]), name="w"), Parameter(Tensor([2.0]), name="beta")]

    given = (Tensor([[4.0, 2.0]]), Tensor([8.0]))
    for groups in (False, True):
        own, ours = pair(), pair()

        def grouped(ps: list[Parameter], groups: bool = groups) -> Any:
            centred = {"params": ps[:1], "lr": 0.5, "grad_centralization": True}
            return [centred, {"params": ps[1:], "weight_decay": 0.25}] if groups else ps

        optimizer = Plain(0.1, grouped(own), weight_decay=0.5, loss_scale=2.0)
        optimizer(given)
        nn.SGD(grouped(ours), 0.1, weight_decay=0.5, loss_scale=2.0)(given)
        for p, q in zip(own, ours, strict=True):
            assert p.asnumpy() == pytest.approx(q.asnumpy())
        assert optimizer.is_group is groups and not optimizer.dynamic_lr
        assert optimizer.get_lr_parameter(own[1]).item() == pytest.approx(0.1)
        rates = optimizer.get_lr_parameter(own)
        assert [r.item() for r in rates] == pytest.approx([0.5, 0.1] if groups else [0.1, 0.1])


def test_a_subclass_may_change_what_one_parameter_becomes() -> None:
    class Halved(nn.SGD):
        def updated(self, i: int, p: Any, g: Any, lr: float, t: int, decay: float) -> Any:
            return super().updated(i, p, g, lr / 2 if i else lr, t, decay)

    mine = parameters()
    Halved(mine, 0.5, momentum=0.5)((Tensor([1.0, 1.0, 1.0]), Tensor(np.ones((2, 2), np.float32))))
    assert mine[0].tolist() == [0.5, -2.5, 2.5] and mine[1].tolist() == [[0.25, -0.75], [0.0, 0.75]]
