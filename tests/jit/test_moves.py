"""An optimizer's step in a plan: its arrays side by side, and nobody can tell."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor, nn, value_and_grad
from teachcell.jit import moves
from teachcell.jit.moves import Joint

SHAPES = ((3, 4), (4,), (2, 3, 2), (1, 5), (5, 1))


class Work:
    """A training step, and what it trains."""

    def __init__(self, make: Callable[..., Any], jitted: bool, shapes: Any = SHAPES, dtype: str = "float32"):
        draws = np.random.default_rng(4)
        self.parameters = ParameterTuple(
            Parameter(draws.normal(size=shape).astype(dtype), name=f"p{i}") for i, shape in enumerate(shapes)
        )
        self.optimizer = make(self.parameters)

        def loss(x: Tensor) -> Tensor:
            return sum(((p * x.sum() - 1) ** 2).sum() for p in self.parameters)  # type: ignore[return-value]

        differentiate = value_and_grad(loss, None, self.parameters)

        def step(x: Tensor) -> Tensor:
            value, gradients = differentiate(x)
            self.optimizer(gradients)
            return value

        self.step = tc.jit(step) if jitted else step

    def state(self) -> list[np.ndarray]:
        """Copies of all values."""
        return [p.asnumpy().copy() for p in (*self.parameters, *self.optimizer.get_parameters())]


def x(i: int, size: int = 3) -> Tensor:
    return Tensor(np.linspace(0.01, 0.1 + i / 100, size, dtype=np.float32))


def same(a: list[np.ndarray], b: list[np.ndarray]) -> None:
    for one, other in zip(a, b, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def pair(make: Callable[..., Any], **how: Any) -> tuple[Work, Work]:
    return Work(make, False, **how), Work(make, True, **how)


def nothing(work: Work, i: int) -> None:
    pass


def check(eager: Work, jitted: Work, steps: int = 6, between: Callable[[Work, int], Any] = nothing) -> None:
    """Both do the same, whatever is done between two steps."""
    for i in range(steps):
        np.testing.assert_allclose(eager.step(x(i)).asnumpy(), jitted.step(x(i)).asnumpy(), rtol=1e-6)  # sums differ
        same(eager.state(), jitted.state())
        between(eager, i), between(jitted, i)


def joint(work: Work) -> Joint | None:
    return moves._KNOWN[id(work.optimizer)]._joint


SGD = lambda ps: nn.SGD(ps, 0.01, momentum=0.9)  # noqa: E731
OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "plain": lambda ps: nn.SGD(ps, 0.01),
    "momentum": SGD,
    "dampened": lambda ps: nn.SGD(ps, 0.01, momentum=0.9, dampening=0.5),
    "nesterov": lambda ps: nn.SGD(ps, 0.01, momentum=0.9, nesterov=True),
    "decayed": lambda ps: nn.SGD(ps, 0.01, momentum=0.9, weight_decay=0.1),
    "scaled": lambda ps: nn.SGD(ps, 0.01, momentum=0.9, loss_scale=8.0),
    "class Momentum": lambda ps: nn.Momentum(ps, 0.01, 0.9),
    "schedule": lambda ps: nn.Momentum(ps, [0.1, 0.01, 0.001], 0.9),
    "schedule Cell": lambda ps: nn.Momentum(ps, nn.ExponentialDecayLR(0.1, 0.9, 2), 0.9),
    "groups": lambda ps: nn.SGD([{"params": ps[:2], "lr": 0.1}, {"params": ps[2:]}], 0.01, momentum=0.9),
    "Adam": lambda ps: nn.Adam(ps, 0.01),
    "AdamWeightDecay": lambda ps: nn.AdamWeightDecay(ps, 0.01, weight_decay=0.0),
    "Adagrad": lambda ps: nn.Adagrad(ps, learning_rate=0.01),
    "ProximalAdagrad": lambda ps: nn.ProximalAdagrad(ps, learning_rate=0.01, l1=0.01, l2=0.01),
    "Adadelta": lambda ps: nn.Adadelta(ps, 0.5),
    "RMSProp": lambda ps: nn.RMSProp(ps, 0.01, momentum=0.5),
    "centered": lambda ps: nn.RMSProp(ps, 0.01, centered=True),
    "FTRL": lambda ps: nn.FTRL(ps, learning_rate=0.01),
    "Lamb": lambda ps: nn.Lamb(ps, 0.01),
    "Rprop": lambda ps: nn.Rprop(ps, 0.01),
    "LARS": lambda ps: nn.LARS(SGD(ps)),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_optimizer_does_in_a_plan_what_it_does_alone(name: str) -> None:
    check(*pair(OPTIMIZERS[name]))


@pytest.mark.parametrize("name", ["plain", "momentum", "dampened", "nesterov", "class Momentum", "Adagrad", "RMSProp"])
def test_formulas_whose_numbers_stay_go_over_all_parameters_at_once(name: str) -> None:
    _, jitted = works = pair(OPTIMIZERS[name])
    check(*works)
    assert joint(jitted) is not None


def test_many_parameters_lie_in_several_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "LARGE", 16)
    _, jitted = works = pair(SGD)
    check(*works)
    found = joint(jitted)
    assert found is not None and [len(whole) for whole in found._wholes] == [16, 16, 12, 12, 10, 10]


def test_what_somebody_holds_does_not_change() -> None:
    held: list[tuple[np.ndarray, np.ndarray]] = []

    def hold(work: Work, i: int) -> None:
        everything = (*work.parameters, *work.optimizer.accum)
        array = everything[i % len(everything)].asnumpy()
        part = array[..., 1:] if i % 2 else array.T  # which refer to the whole
        held.append((part, part.copy()))
        del array

    check(*pair(SGD), steps=30, between=hold)
    for now, before in held:
        np.testing.assert_array_equal(now, before)


@pytest.mark.parametrize("of", ["parameters", "accum"])
def test_values_that_are_set_are_those_of_the_next_step(of: str) -> None:
    def put(work: Work, i: int) -> None:
        tensors = work.parameters if of == "parameters" else work.optimizer.accum
        if i % 3 == 2:
            tensors[1].set_data(Tensor(np.full(4, i, np.float32)))
        elif i % 3 == 1:
            tensors[0][1] = float(i)

    check(*pair(SGD), steps=12, between=put)


def test_numbers_that_change() -> None:
    def change(work: Work, i: int) -> None:
        if i == 4:
            work.optimizer.learning_rate.set_data(Tensor(np.float32(0.1)))
        elif i == 8:
            work.optimizer.momentum = 0.5
        elif i == 12:
            work.optimizer.loss_scale = 4.0

    check(*pair(SGD), steps=16, between=change)


def test_another_formula_or_another_step_for_one_optimizer() -> None:
    def change(work: Work, i: int) -> None:
        optimizer = work.optimizer
        if i == 4:
            optimizer.updated = lambda i, p, g, lr, t, decay: p - np.float32(0.5) * g
        elif i == 8:
            del optimizer.updated
            usual = optimizer.formula
            optimizer.formula = lambda lr, t, decay: usual(lr * 0.5, t, decay)

    check(*pair(SGD), steps=12, between=change)


def test_steps_outside_of_the_plan_and_other_plans_for_the_same_parameters() -> None:
    works = pair(SGD)
    other = [nn.SGD(work.parameters, 0.001, momentum=0.5) for work in works]
    steps = [
        value_and_grad(lambda y, w=work: (w.parameters[0] * y.sum()).sum(), None, work.parameters) for work in works
    ]
    for i in range(12):
        for work, second, differentiate, jitted in zip(works, other, steps, (False, True), strict=True):
            work.step(x(i))
            work.step(x(i, 5))  # another plan
            update = tc.jit(second) if jitted and i == 0 else second
            update(differentiate(x(i))[1])
        same(works[0].state(), works[1].state())


def test_plans_share_what_lies_side_by_side() -> None:
    eager, jitted = pair(SGD)
    for i in range(20):
        for size in (3, 5):
            eager.step(x(i, size)), jitted.step(x(i, size))
    same(eager.state(), jitted.state())
    assert moves._KNOWN[id(jitted.optimizer)]._joints == 1


def test_dtypes() -> None:
    for dtype in ("float16", "float32", "float64"):
        check(*pair(SGD, dtype=dtype))


def test_parameters_in_another_order_in_memory_and_numbers() -> None:
    check(*pair(SGD, shapes=((), (2, 3))))
    works = pair(SGD)
    for work in works:
        work.parameters[0]._array = np.asfortranarray(work.parameters[0]._array)
    check(*works)


def test_nothing_is_left_behind() -> None:
    def trained() -> weakref.ref[Any]:
        p = Parameter(np.ones(3, np.float32), name="p")
        optimizer = SGD([p])
        differentiate = value_and_grad(lambda x: (p * x).sum(), None, optimizer.parameters)
        step = tc.jit(lambda x: optimizer(differentiate(x)[1]))
        for i in range(4):
            step(x(i))
        assert moves._KNOWN[id(optimizer)]._joint is not None
        return weakref.ref(optimizer)

    gone = trained()
    gc.collect()
    assert gone() is None
