"""An optimizer's step over arrays that lie side by side, and nobody can tell."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor, nn, value_and_grad
from teachcell.core.events import Observer, observing
from teachcell.nn.optim import joint
from teachcell.nn.optim.joint import Joint, Joints

SHAPES = ((3, 4), (4,), (2, 3, 2), (1, 5), (5, 1))


class Apart(Joints):
    """Arrays are never laid side by side."""

    def found(self, *_: Any) -> None:
        return None


class Work:
    """A training step, and what it trains.

    Args:
        how: "apart" for arrays that stay where they are, "joint" or "jit".
    """

    def __init__(self, make: Callable[..., Any], how: str, shapes: Any = SHAPES, dtype: str = "float32"):
        draws = np.random.default_rng(4)
        self.parameters = ParameterTuple(
            Parameter(draws.normal(size=shape).astype(dtype), name=f"p{i}") for i, shape in enumerate(shapes)
        )
        self.optimizer = make(self.parameters)
        if how == "apart":
            getattr(self.optimizer, "opt", self.optimizer)._joints = Apart()

        def loss(x: Tensor) -> Tensor:
            return sum(((p * x.sum() - 1) ** 2).sum() for p in self.parameters)  # type: ignore[return-value]

        differentiate = value_and_grad(loss, None, self.parameters)

        def step(x: Tensor) -> Tensor:
            value, gradients = differentiate(x)
            self.optimizer(gradients)
            return value

        self.step = tc.jit(step) if how == "jit" else step

    def state(self) -> list[np.ndarray]:
        """Copies of all values."""
        return [p.asnumpy().copy() for p in (*self.parameters, *self.optimizer.get_parameters())]


def x(i: int, size: int = 3) -> Tensor:
    return Tensor(np.linspace(0.01, 0.1 + i / 100, size, dtype=np.float32))


def same(a: list[np.ndarray], b: list[np.ndarray]) -> None:
    for one, other in zip(a, b, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.fixture(params=["joint", "jit"])
def how(request: pytest.FixtureRequest) -> str:
    return request.param


def pair(make: Callable[..., Any], how: str, **more: Any) -> tuple[Work, Work]:
    return Work(make, "apart", **more), Work(make, how, **more)


def nothing(work: Work, i: int) -> None:
    pass


def check(apart: Work, other: Work, steps: int = 6, between: Callable[[Work, int], Any] = nothing) -> None:
    """Both do the same, whatever is done between two steps."""
    for i in range(steps):
        np.testing.assert_allclose(apart.step(x(i)).asnumpy(), other.step(x(i)).asnumpy(), rtol=1e-6)  # sums differ
        same(apart.state(), other.state())
        between(apart, i), between(other, i)


def laid(work: Work) -> Joint | None:
    return work.optimizer._joints._joint


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
def test_every_optimizer_does_what_it_does_with_arrays_apart(name: str, how: str) -> None:
    check(*pair(OPTIMIZERS[name], how))


@pytest.mark.parametrize("name", ["plain", "momentum", "dampened", "nesterov", "class Momentum", "Adagrad", "RMSProp"])
def test_formulas_whose_numbers_stay_go_over_all_parameters_at_once(name: str, how: str) -> None:
    _, other = works = pair(OPTIMIZERS[name], how)
    check(*works)
    assert laid(other) is not None


def test_many_parameters_lie_in_several_groups(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint, "LARGE", 16)
    _, other = works = pair(SGD, how)
    check(*works)
    found = laid(other)
    assert found is not None and len(found._moving.all) - len(SHAPES) == 3


def test_what_somebody_holds_does_not_change(how: str) -> None:
    held: list[tuple[np.ndarray, np.ndarray]] = []

    def hold(work: Work, i: int) -> None:
        everything = (*work.parameters, *work.optimizer.accum)
        array = everything[i % len(everything)].asnumpy()
        part = array[..., 1:] if i % 2 else array.T  # which refer to the whole
        held.append((part, part.copy()))
        del array

    check(*pair(SGD, how), steps=30, between=hold)
    for now, before in held:
        np.testing.assert_array_equal(now, before)


@pytest.mark.parametrize("of", ["parameters", "accum"])
def test_values_that_are_set_are_those_of_the_next_step(of: str, how: str) -> None:
    def put(work: Work, i: int) -> None:
        tensors = work.parameters if of == "parameters" else work.optimizer.accum
        if i % 3 == 2:
            tensors[1].set_data(Tensor(np.full(4, i, np.float32)))
        elif i % 3 == 1:
            tensors[0][1] = float(i)

    check(*pair(SGD, how), steps=12, between=put)


def test_numbers_that_change(how: str) -> None:
    def change(work: Work, i: int) -> None:
        if i == 4:
            work.optimizer.learning_rate.set_data(Tensor(np.float32(0.1)))
        elif i == 8:
            work.optimizer.momentum = 0.5
        elif i == 12:
            work.optimizer.loss_scale = 4.0

    check(*pair(SGD, how), steps=16, between=change)


def test_another_formula_or_another_step_for_one_optimizer(how: str) -> None:
    def change(work: Work, i: int) -> None:
        optimizer = work.optimizer
        if i == 4:
            optimizer.updated = lambda i, p, g, lr, t, decay: p - np.float32(0.5) * g
        elif i == 8:
            del optimizer.updated
            usual = optimizer.formula
            optimizer.formula = lambda lr, t, decay: usual(lr * 0.5, t, decay)

    check(*pair(SGD, how), steps=12, between=change)


def test_steps_outside_of_the_plan_and_other_plans_for_the_same_parameters(how: str) -> None:
    works = pair(SGD, how)
    other = [nn.SGD(work.parameters, 0.001, momentum=0.5) for work in works]
    steps = [
        value_and_grad(lambda y, w=work: (w.parameters[0] * y.sum()).sum(), None, work.parameters) for work in works
    ]
    for i in range(12):
        for work, second, differentiate, jitted in zip(works, other, steps, (False, how == "jit"), strict=True):
            work.step(x(i))
            work.step(x(i, 5))  # another plan
            update = tc.jit(second) if jitted and i == 0 else second
            update(differentiate(x(i))[1])
        same(works[0].state(), works[1].state())


def test_arrays_are_laid_once(how: str) -> None:
    _, other = works = pair(SGD, how)
    check(*works)
    found = laid(other)
    check(*works)
    assert found is laid(other) is not None


def test_plans_share_what_lies_side_by_side(how: str) -> None:
    apart, other = pair(SGD, how)
    for i in range(20):
        for size in (3, 5):
            apart.step(x(i, size)), other.step(x(i, size))
    same(apart.state(), other.state())
    assert other.optimizer._joints._joints == 1


def test_dtypes(how: str) -> None:
    for dtype in ("float16", "float32", "float64"):
        check(*pair(SGD, how, dtype=dtype))


def test_parameters_in_another_order_in_memory_and_numbers(how: str) -> None:
    check(*pair(SGD, how, shapes=((), (2, 3))))
    works = pair(SGD, how)
    for work in works:
        work.parameters[0]._array = np.asfortranarray(work.parameters[0]._array)
    check(*works)


@pytest.mark.parametrize("jit", [False, True])
def test_nothing_is_left_behind(jit: bool) -> None:
    def trained() -> weakref.ref[Any]:
        p, q = (Parameter(np.ones(3, np.float32), name=name) for name in "pq")
        optimizer = SGD([p, q])
        differentiate = value_and_grad(lambda x: (p * x).sum() + (q * x).sum(), None, optimizer.parameters)
        step = lambda x: optimizer(differentiate(x)[1])  # noqa: E731
        step = tc.jit(step) if jit else step
        for i in range(4):
            step(x(i))
        assert optimizer._joints._joint is not None
        return weakref.ref(optimizer)

    gone = trained()
    gc.collect()
    assert gone() is None


def test_arrays_are_free_as_soon_as_nobody_needs_them() -> None:
    work = Work(SGD, "joint")
    for i in range(4):
        work.step(x(i))
    found = laid(work)
    assert found is not None
    whole = weakref.ref(found._moving.parts[0].base)
    gc.disable()
    try:
        del found
        work.optimizer._joints = Joints()
        for p in (*work.parameters, *work.optimizer.accum):
            p._array = p._array.copy()
        assert whole() is None
    finally:
        gc.enable()


def test_a_copy_moves_its_own_parameters() -> None:
    work = Work(SGD, "joint")
    for i in range(4):
        work.step(x(i))
    before = work.state()
    twin = copy.deepcopy(work.optimizer)
    for _ in range(4):
        twin(tuple(Tensor(np.ones(p.shape, np.float32)) for p in twin.parameters))
    same(work.state(), before)
    assert twin.global_step.tolist() == [8]


def test_one_parameter_stays_where_it_is() -> None:
    work = Work(SGD, "joint", shapes=((3, 4),))
    place = work.parameters[0].asnumpy().ctypes.data
    for i in range(4):
        work.step(x(i))
    assert work.parameters[0].asnumpy().ctypes.data == place


@pytest.mark.parametrize("name", ["plain", "momentum", "nesterov", "class Momentum", "Adagrad", "RMSProp"])
def test_where_somebody_watches_parameters_have_two_arrays_by_turns(name: str) -> None:
    apart, other = Work(OPTIMIZERS[name], "apart"), Work(OPTIMIZERS[name], "joint")
    places = []
    for i in range(10):
        with observing(Observer()):
            apart.step(x(i)), other.step(x(i))
        same(apart.state(), other.state())
        places.append(other.parameters[0].asnumpy().ctypes.data)
    assert places[4:7] == places[6:9] and places[4] != places[5]


def test_what_a_watcher_holds_does_not_change() -> None:
    held: list[tuple[np.ndarray, np.ndarray]] = []
    apart, other = Work(SGD, "apart"), Work(SGD, "joint")
    for i in range(40):
        with observing(Observer()) if i % 5 else nullcontext():
            if i % 3:
                array = other.parameters[i % len(SHAPES)].asnumpy()
                held.append((array[..., :1] if i % 2 else array, array[..., :1].copy() if i % 2 else array.copy()))
                del array
            apart.step(x(i)), other.step(x(i))
        same(apart.state(), other.state())
    for now, before in held:
        np.testing.assert_array_equal(now, before)


def test_with_an_observer_arrays_are_left_to_it() -> None:
    class Counting(Observer):
        """Counts the steps that it is told of."""

        told = 0

        def before_move(self, parameters: Any) -> None:
            self.told += 1

    apart, other = Work(SGD, "apart"), Work(SGD, "joint")
    for i in range(8):
        observer = Counting()
        with observing(observer) if i > 4 else nullcontext():
            kept = other.parameters[0].asnumpy() if i > 4 else None
            values = None if kept is None else kept.copy()
            apart.step(x(i)), other.step(x(i))
            if kept is not None:
                np.testing.assert_array_equal(kept, values)
                assert observer.told == 2, "a step over arrays side by side tells nobody"
        same(apart.state(), other.state())
