"""Of Cells and Parameters a plan compares what the recorded run asked for, and only that."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from jit.plans import plans_of

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops, value_and_grad


class Scaled(nn.Cell):
    """Looks at some of its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.scale, self.unused, self.shared = 2.0, 1.0, [1.0]
        self.table = {"bias": 0.5}
        self.w = Parameter(np.ones(2, np.float32), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.scale * self.w + vars(self).get("extra", 0.0) if hasattr(self, "extra") else x * self.scale


class Looking(nn.Cell):
    """Finds its attributes in a way of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = 2.0

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return found * 10 if name == "scale" else found

    def construct(self, x: Tensor) -> Tensor:
        return x * self.scale


class Doubled(nn.Cell):
    """Looks at one attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.k, self.other, self.notes = 2.0, 1.0, [1]

    def construct(self, x: Tensor) -> Tensor:
        return x * self.k


ONE = Tensor([1.0, 2.0])


def test_what_was_not_looked_at_may_change() -> None:
    cell = Doubled()
    f = tc.jit(lambda x: cell(x))
    f(ONE)
    (plan,) = plans_of(f)
    cell.other, cell.phase = 7.0, "predict"
    cell.notes.append(2)
    cell.extra = 5
    assert (f(ONE).asnumpy() == [2, 4]).all() and plan.hits == 1 and plans_of(f) == [plan]


@pytest.mark.parametrize("change", [
    lambda cell: setattr(cell, "k", 3.0),
    lambda cell: cell.__dict__.update(k=3.0),
    lambda cell: setattr(cell, "__dict__", {**cell.__dict__, "k": 3.0}),
    lambda cell: setattr(cell, "construct", lambda x: x * 3),
    lambda cell: cell.__dict__.update(construct=lambda x: x * 3),
    lambda cell: setattr(cell, "__class__", type("Tripled", (Doubled,), {"construct": lambda self, x: x * 3})),
])  # fmt: skip
def test_what_was_looked_at_is_seen_when_it_changes(change: Callable[[Doubled], None]) -> None:
    cell = Doubled()
    f = tc.jit(lambda x: cell(x))
    f(ONE), f(ONE)
    change(cell)
    for _ in range(2):
        assert (f(ONE).asnumpy() == [3, 6]).all()


def test_names_that_were_not_there() -> None:
    cell = Scaled()
    f = tc.jit(lambda x: cell(x))
    assert (f(ONE).asnumpy() == f(ONE).asnumpy()).all() and (f(ONE).asnumpy() == [2, 4]).all()
    cell.extra = 1.0
    with pytest.warns(tc.JitNote, match="it calls vars"):
        assert (f(ONE).asnumpy() == [3, 5]).all()
    cell.extra = 2.0
    assert (f(ONE).asnumpy() == [4, 6]).all()


def test_cells_that_look_up_attributes_in_their_own_way() -> None:
    cell = Looking()
    f = tc.jit(lambda x: cell(x))
    for scale in (2.0, 2.0, 3.0, 3.0):
        cell.scale = scale
        assert (f(ONE).asnumpy() == ONE.asnumpy() * 10 * scale).all()


def test_code_that_looks_past_the_class() -> None:
    cell = Doubled()
    f = tc.jit(lambda x: x * object.__getattribute__(cell, "k"))
    for k in (2.0, 2.0, 3.0, 3.0):
        cell.k = k
        assert (f(ONE).asnumpy() == ONE.asnumpy() * k).all()


def test_a_parameter_that_is_frozen_or_exchanged() -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU(), nn.Dense(3, 1))
    f = tc.jit(lambda x: value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(x))
    x = Tensor(np.ones((4, 2), np.float32))
    assert [len(f(x)[1]) for _ in range(2)] == [4, 4]
    net[0].weight.requires_grad = False
    assert [len(f(x)[1]) for _ in range(2)] == [3, 3]
    net[2] = nn.Dense(3, 1, weight_init=0.5, bias_init=0.0)
    for _ in range(2):
        loss, gradients = f(x)
        assert abs(loss.item() - net(x).sum().item()) < 1e-6 and len(gradients) == 3


@pytest.mark.parametrize("around", [lambda opt: opt, lambda opt: nn.LARS(opt, coefficient=0.5)])
def test_an_optimizer_is_asked_anew(around: Any) -> None:
    """Whatever changes in an optimizer, steps are what they are without jit, and the plan stays."""
    def made() -> tuple[nn.Cell, nn.Optimizer, Any]:
        net = nn.Dense(2, 1, weight_init=0.5, bias_init=0.0)
        opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        return net, opt, value_and_grad(lambda x: ops.square(net(x)).mean(), None, opt.parameters)

    (net, opt, differentiate), (twin, twin_opt, twin_differentiate) = made(), made()
    move, twin_move = around(opt), around(twin_opt)

    def step(x: Tensor) -> Tensor:
        loss, gradients = differentiate(x)
        move(gradients)
        return loss

    f, x = tc.jit(step), Tensor(np.ones((4, 2), np.float32))
    for event in (None, None, "momentum", None, "rate", None, "weight_decay", "step"):
        for cell, optimizer, _ in ((net, opt, 0), (twin, twin_opt, 0)):
            if event == "momentum":
                optimizer.momentum = 0.5
            elif event == "rate":
                ops.assign(optimizer.learning_rate, 0.01)
            elif event == "weight_decay":
                optimizer.loss_scale = 2.0
            elif event == "step":
                cell.weight.set_data(cell.weight * 2)
        loss, (expected, gradients) = f(x), twin_differentiate(x)
        twin_move(gradients)
        assert np.allclose(loss.asnumpy(), expected.asnumpy(), rtol=1e-6)
    assert [plan.hits for plan in plans_of(f)] == [7]


def test_classes_are_as_before() -> None:
    for cls in (nn.Cell, Parameter):
        assert "__getattribute__" not in vars(cls)
    with pytest.raises(ZeroDivisionError):
        tc.jit(lambda x: Doubled()(x) / (1 // 0))(ONE)
    for cls in (nn.Cell, Parameter):
        assert "__getattribute__" not in vars(cls)


def test_unchanged_values_are_told_by_the_code_made_for_them() -> None:
    """Also texts and tuples, of which Python keeps equal ones in code in the place of those given."""
    cell = Doubled()
    cell.mode, cell.sizes, cell.k = "".join(["as", " is"]), tuple(["".join(["a", " b"]), 10**6]), float("2")
    f = tc.jit(lambda x: cell(x) * len(cell.mode) * len(cell.sizes))
    f(ONE)
    (plan,) = plans_of(f)
    values = plan.world.values
    assert next(values.alike) and values.hold()
    cell.k, cell.mode = float("2"), "".join(["as", " is"])
    assert not next(values.alike) and values.hold() and next(values.alike)
    assert cell.sizes[0] == "a b" and f(ONE) is not None
    cell.mode = "as was"
    assert not values.hold() and (f(ONE).asnumpy() == [24, 48]).all()


def test_a_comparison_that_was_interrupted() -> None:
    cell = Doubled()
    f = tc.jit(lambda x: cell(x))
    f(ONE)
    (plan,) = plans_of(f)
    plan.world.values.alike.close()  # type: ignore[attr-defined]
    assert (f(ONE).asnumpy() == [2, 4]).all() and plan.hits == 1
    cell.k = 3.0
    assert (f(ONE).asnumpy() == [3, 6]).all() and plan.hits == 1


@pytest.mark.parametrize("change", [
    lambda cell: setattr(cell, "sizes", (1.0, cell.sizes[1], cell.sizes[2])),
    lambda cell: cell.sizes[1].append(5.0),
    lambda cell: cell.sizes[1].__setitem__(0, 5.0),
    lambda cell: setattr(cell.sizes[2], "k", 5.0),
])  # fmt: skip
def test_what_a_tuple_leads_to(change: Callable[[Any], None]) -> None:
    """That its members stay the same need not be looked at; what they are need."""

    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.sizes = (2.0, [3.0], types.SimpleNamespace(k=4.0))

        def construct(self, x: Tensor) -> Tensor:
            first, others, last = self.sizes
            return x * first + sum(others) * last.k

    cell, x = Scaled(), Tensor([1.0, 2.0])
    f = tc.jit(lambda x: cell(x))
    before = cell(x).asnumpy()
    for _ in range(3):
        assert (f(x).asnumpy() == before).all()
    change(cell)
    for _ in range(3):
        assert (f(x).asnumpy() == cell(x).asnumpy()).all() and (f(x).asnumpy() != before).any()


@pytest.mark.parametrize("change", [
    lambda named: named.update(a=named.pop("a")),  # goes to the end
    lambda named: named.update(c=named.pop("b")),
    lambda named: named.update(c=5.0),
    lambda named: named.pop("b"),
    lambda named: named.__setitem__("b", 5.0),
    lambda named: named["few"].__setitem__(0, 5.0),
])  # fmt: skip
def test_names_and_their_order(change: Callable[[dict[str, Any]], None]) -> None:
    class Named(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.named = {"few": np.ones(2, np.float32), "a": 2.0, "b": 3.0}

        def construct(self, x: Tensor) -> Tensor:
            for place, (name, value) in enumerate(self.named.items()):
                x = x * (place + 1) + len(name) * (float(value.sum()) if name == "few" else value) + (name == "b")
            return x

    cell, x = Named(), Tensor([1.0, 2.0])
    f = tc.jit(lambda x: cell(x))
    before = cell(x).asnumpy()
    for _ in range(3):
        assert (f(x).asnumpy() == before).all()
    (plan,) = plans_of(f)
    assert plan.hits == 2
    change(cell.named)
    for _ in range(3):
        assert (f(x).asnumpy() == cell(x).asnumpy()).all() and (f(x).asnumpy() != before).any()
