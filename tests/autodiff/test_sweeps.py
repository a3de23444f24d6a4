"""What a sweep leaves behind (nothing), how deep it goes, and that threads and tasks do not meet."""

from __future__ import annotations

import asyncio
import gc
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from copy import copy
from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, grad, jvp, nn, ops, value_and_grad
from teachcell.core import modes
from teachcell.core.backward import sweep
from teachcell.core.op import OPS, Node

# Depth -----------------------------------------------------------------------------------------------------------


def test_three_hundred_thousand_chained_ops() -> None:
    def chain(x: Tensor) -> Tensor:
        for _ in range(300_000):
            x = x + 1.0
        return x

    value, slope = value_and_grad(chain)(Tensor(np.float64(1.0)))
    assert (value.item(), slope.item()) == (300_001.0, 1.0)


def test_deep_second_order_copies_and_text() -> None:
    def chain(x: Tensor) -> Tensor:
        y = x
        for _ in range(5_000):
            y = y * 1.0001
        assert "Tensor" in repr(y) and copy(y)._node is None
        return y * x

    assert grad(grad(chain))(Tensor(np.float64(1.0))).item() == pytest.approx(2 * 1.0001**5000)


# Nothing is left behind ------------------------------------------------------------------------------------------


def test_an_exception_in_the_function_leaves_no_recording_on() -> None:
    def broken(x: Tensor) -> Tensor:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        grad(broken)(Tensor(1.0))
    assert modes.recording() is None and (Tensor(1.0) * Parameter(2.0, name="p"))._node is None
    assert grad(ops.square)(Tensor(3.0)).item() == 6.0


def test_a_failing_rule_leaves_no_gradient_behind() -> None:
    w = Parameter(Tensor([2.0]), name="w")

    def f(x: Tensor) -> Tensor:
        return (ops.tanh(x * w) * w).sum()

    def failing(*_: Any) -> Any:
        raise ArithmeticError("rule")

    before = grad(f, 0, w)(Tensor([1.0]))
    with OPS["tanh"].override((failing,)), pytest.raises(ArithmeticError, match="rule"):
        grad(f, 0, w)(Tensor([1.0]))
    assert w._node is not None and w._node.grad is None
    after = grad(f, 0, w)(Tensor([1.0]))
    assert [g.item() for g in before] == [g.item() for g in after]


def test_a_rule_may_be_overridden_when_the_sweep_runs_only() -> None:
    double = (lambda F, g, out, x: F.scale(g, 2.0),)
    assert grad(ops.tanh)(Tensor(0.0)).item() == 1.0
    with OPS["tanh"].override(double):
        assert grad(ops.tanh)(Tensor(0.0)).item() == 2.0
        assert grad(lambda x: grad(ops.tanh)(x) * x)(Tensor(3.0)).item() == 2.0
    assert grad(ops.tanh)(Tensor(0.0)).item() == 1.0


def test_an_overriding_rule_may_read_what_the_old_one_did_not() -> None:
    by_input = (lambda F, g, out, x: F.multiply(g, F.cos(x)),)
    with OPS["tanh"].override(by_input):
        assert grad(ops.tanh)(Tensor(0.0)).item() == 1.0
        assert grad(grad(ops.tanh))(Tensor(0.5)).item() == pytest.approx(-np.sin(0.5))

    def late(x: Tensor) -> Tensor:
        y = ops.tanh(x)
        swap.enter_context(OPS["tanh"].override(by_input))
        return y

    with ExitStack() as swap, pytest.raises(RuntimeError, match=r"Tanh: this value was not kept"):
        grad(late)(Tensor(0.0))


def test_a_joint_rule_replaces_rules_per_input_and_is_told_what_is_wanted() -> None:
    asked: list[list[bool]] = []

    def joint(F: Any, g: Any, out: Any, wanted: list[bool], x: Any, y: Any) -> list[Any]:
        asked.append(wanted)
        return [F.multiply(g, y) if wanted[0] else None, F.multiply(g, x) if wanted[1] else None]

    with OPS["multiply"].override(joint):
        assert grad(lambda x: x * 3.0)(Tensor(2.0)).item() == 3.0
        assert [g.item() for g in grad(lambda x, y: x * y, (0, 1))(Tensor(2.0), Tensor(5.0))] == [5.0, 2.0]
    assert asked == [[True, False], [True, True]]


@pytest.mark.parametrize("keeping", [modes.keeping_all, nullcontext])
def test_values_of_a_call_that_is_over_are_constants_also_where_everything_is_kept(keeping: Any) -> None:
    kept: list[Tensor] = []

    def remember(x: Tensor) -> Tensor:
        kept.append(ops.tanh(x))
        return kept[-1]

    with keeping():
        grad(remember)(Tensor(1.0))
        grad(lambda x: kept.append(kept[0] * x + ops.exp(kept[0])) or kept[-1])(Tensor(1.0))  # type: ignore[func-returns-value]
    node = kept[1]._node
    seen = []
    while node is not None:
        seen.append(node.op.name)
        node = node.parents[0]
    assert seen == ["add", "multiply"]


def test_a_gradient_of_a_wrong_shape_is_refused() -> None:
    with (
        OPS["square"].override((lambda F, g, out, x: np.ones((3, 3)),)),
        pytest.raises(RuntimeError, match=r"\(3, 3\) cannot be summed to the value's shape \(2,\)"),
    ):
        grad(ops.square)(Tensor([1.0, 2.0]))


def test_the_graph_is_freed_at_once_without_the_garbage_collector() -> None:
    kept: list[weakref.ref[Tensor]] = []

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(3, 3)
            self.norm = nn.BatchNorm1d(3)
            self.dense.register_backward_hook(lambda cell, gi, go: None)
            self.dense.register_forward_hook(lambda cell, i, o: kept.append(weakref.ref(o)))

        def construct(self, x: Tensor) -> Tensor:
            y = self.norm(self.dense(x))[0] * 2
            kept.append(weakref.ref(y))
            return y

    net = Net().set_train()
    x = Tensor(np.random.default_rng(0).normal(size=(4, 3)))
    gc.collect()
    gc.disable()
    before = {id(o) for o in gc.get_objects() if isinstance(o, Node)}
    try:
        value_and_grad(net, 0, net.trainable_params())(x)
        grad(lambda t: grad(net)(t).sum())(x)
        assert kept and all(ref() is None for ref in kept)
        nodes = [o for o in gc.get_objects() if isinstance(o, Node) and id(o) not in before]
        assert all(node.op.name == "leaf" for node in nodes)
    finally:
        gc.enable()


class Kept(nn.Cell):
    """Values that live from one call to the next: on the way to the loss, beside it, and in a list."""

    def __init__(self, tapped: bool):
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.potential = self.average = Tensor([0.0])
        self.past = [Tensor([0.0])]
        self.inner = nn.Tanh()
        if tapped:
            self.inner.register_backward_hook(lambda *_: None)

    def construct(self, x: Tensor) -> Tensor:
        self.potential = self.potential * 0.5 + self.inner(x * self.w + self.potential)
        self.average = 0.9 * self.average + 0.1 * self.potential
        self.past = [ops.concat((self.past[0], x))[-1:] + x]
        return self.potential * self.past[0]


@pytest.mark.parametrize("tapped", [False, True])
def test_a_value_kept_from_call_to_call_is_a_constant_there_and_keeps_no_graph(tapped: bool) -> None:
    def nodes() -> int:
        gc.collect()
        return sum(type(o) is Node for o in gc.get_objects())

    net = Kept(tapped)
    step = value_and_grad(net, None, net.w)
    step(Tensor([0.3]))
    fresh, before = Kept(False), nodes()
    fresh.potential, fresh.past = Tensor(net.potential.asnumpy()), [Tensor(net.past[0].asnumpy())]
    assert step(Tensor([0.4]))[1].item() == grad(fresh, None, fresh.w)(Tensor([0.4])).item()
    for _ in range(20):
        step(Tensor([0.3]))
    del fresh
    assert nodes() <= before + 3


def test_memory_does_not_grow_over_steps() -> None:
    net = nn.SequentialCell(nn.Dense(50, 50), nn.ReLU(), nn.Dense(50, 50))
    net[0].register_backward_hook(lambda cell, gi, go: None)
    step = value_and_grad(net, None, net.trainable_params())
    x = Tensor(np.ones((40, 50), np.float32))
    step(x)
    tracemalloc.start()
    try:
        step(x)
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            step(x)
        assert tracemalloc.get_traced_memory()[0] - before < 50_000
    finally:
        tracemalloc.stop()


def inner_training(steps: int, follow: bool) -> Callable[[Tensor], Tensor]:
    """A net trained by gradients inside: its loss by the learning rate; or only tried, and something beside it."""

    def f(rate: Tensor) -> Tensor:
        w = Tensor(np.full((100, 100), 0.5, np.float32))
        for _ in range(steps):
            slope = grad(lambda v: (v * v).mean() * 100)(w)
            w = w - rate * slope if follow else w
        return (w * w).mean() if follow else rate * rate

    return f


def pushed(rate: Tensor) -> Tensor:
    w = ops.ones((100, 100))
    for _ in range(100):
        jvp(lambda v: (v * v).mean(), w, w)
    return rate * rate


@pytest.mark.parametrize("f", [inner_training(200, follow=False), pushed])
def test_what_inner_calls_leave_is_let_go(f: Callable[[Tensor], Tensor]) -> None:
    grad(f)(Tensor(0.1))
    tracemalloc.start()
    try:
        assert grad(f)(Tensor(0.1)).item() == pytest.approx(0.2)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000, "200 steps on 40 KB would take 30 MB"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("steps", [1, 5, 60])
def test_what_is_needed_of_inner_calls_stays(steps: int) -> None:
    rate, shrinks = 0.01, 1 - 0.01 * 0.02
    expected = -2 * steps * 0.02 * shrinks ** (2 * steps - 1) * 0.25
    assert grad(inner_training(steps, follow=True))(Tensor(rate)).item() == pytest.approx(expected, rel=1e-3)


def test_nobody_writes_into_arrays_that_are_not_its_own() -> None:
    x = Tensor(np.arange(4.0))
    x.asnumpy().flags.writeable = False

    def f(t: Tensor) -> Tensor:
        return t + t + t * t + t[1:3].sum() + ops.concat((t, t)).sum()

    assert grad(f)(x).tolist() == [10.0, 16.0, 18.0, 16.0]


def test_gradients_of_one_call_share_no_memory() -> None:
    a, b = grad(lambda x, y: x + y, (0, 1))(Tensor([1.0]), Tensor([2.0]))
    a[0] = 9.0
    assert b.item() == 1.0
    weights = [Parameter(Tensor([1.0]), name=n) for n in "uv"]
    u, v = grad(lambda: weights[0] + weights[1], None, weights)()
    u[0] = 9.0
    assert v.item() == 1.0


# Threads and tasks -----------------------------------------------------------------------------------------------


def small_net() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(4, 4, "ones", "zeros"), nn.ReLU(), nn.Dense(4, 1, "ones", "zeros"))


def train(net: nn.Cell, seed: int, rate: float) -> list[float]:
    """60 steps; the gradients met, as numbers."""
    draws = np.random.default_rng(seed)
    opt = nn.SGD(net.trainable_params(), rate)
    step = value_and_grad(lambda x: (net(x) ** 2).mean(), None, opt.parameters)
    met: list[float] = []
    for _ in range(60):
        _, gradients = step(Tensor(draws.normal(size=(8, 4)).astype(np.float32)))
        opt(gradients)
        met += [float(g.asnumpy().sum()) for g in gradients]
    return met


@pytest.mark.parametrize("shared", [False, True], ids=["a net each", "one net for both"])
def test_two_threads_train_at_once(shared: bool) -> None:
    net, rate = small_net(), 0.0 if shared else 0.01  # a shared net must not change, to be comparable
    alone = [train(net if shared else small_net(), seed, rate) for seed in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(train, net if shared else small_net(), seed, rate) for seed in (1, 2)]
        assert [job.result() for job in jobs] == alone


def test_recording_belongs_to_one_thread() -> None:
    seen: list[Any] = []
    w = Parameter(Tensor([1.0]), name="w")

    def f(x: Tensor) -> Tensor:
        thread = threading.Thread(target=lambda: seen.append((modes.recording(), (w * 2)._node)))
        thread.start()
        thread.join()
        return x * w

    grad(f)(Tensor([1.0]))
    assert seen == [(None, None)]


def test_recording_belongs_to_one_task() -> None:
    async def main() -> tuple[float, Any]:
        started = asyncio.Event()

        async def plain() -> Any:
            await started.wait()
            return (Parameter(Tensor([1.0]), name="w") * 2)._node

        task = asyncio.create_task(plain())
        with modes.Recording(since=1):
            started.set()
            await asyncio.sleep(0)
            node = await task
        return grad(ops.square)(Tensor(2.0)).item(), node

    assert asyncio.run(main()) == (4.0, None)


# The sweep itself ------------------------------------------------------------------------------------------------


def test_a_sweep_runs_each_rule_once_in_reverse_order() -> None:
    order: list[str] = []

    def noting(op: str) -> Any:
        rules = OPS[op].rules
        assert isinstance(rules, tuple)
        return OPS[op].override(tuple(lambda F, *a, r=r, **k: (order.append(op), r(F, *a, **k))[1] for r in rules if r))

    def f(x: Tensor) -> Tensor:
        y = ops.exp(x)
        return ops.sin(y) * ops.cos(y) + ops.tanh(y)

    with noting("exp"), noting("sin"), noting("cos"), noting("tanh"):
        grad(f)(Tensor(0.3))
    assert order == ["tanh", "cos", "sin", "exp"]


def test_sweeps_with_nothing_to_do() -> None:
    assert sweep([], [], [], False, []) == {}
    assert grad(lambda: Tensor(1.0), None, [])() == ()


# Calls in calls --------------------------------------------------------------------------------------------------


def test_an_inner_call_that_reaches_nothing_leaves_no_gradient_to_the_outer_one() -> None:
    used, other = Parameter([2.0, 3.0]), Parameter([5.0])

    def f(x: Tensor) -> Tensor:
        value, (nothing,) = value_and_grad(lambda t: (t * used).mean(), None, [other])(x)
        return (value * 3 + nothing).sum()

    np.testing.assert_array_equal(grad(f)(Tensor([1.0, 1.0])).asnumpy(), [3.0, 4.5])


def test_an_inner_argument_that_the_outer_call_does_not_know() -> None:
    y = Tensor([1.0, 2.0])

    def f(t: Tensor, y: Tensor) -> Tensor:
        return (t * t * t).sum() + (y * 1.0).sum() + (t * y).sum()

    hvp = grad(lambda t: (grad(f)(t, y) * y).sum())
    np.testing.assert_array_equal(hvp(Tensor([3.0, 4.0])).asnumpy(), [18.0, 48.0])
    both = grad(lambda t: sum((g * y).sum() for g in grad(f, (0, 1))(t, y)))
    np.testing.assert_array_equal(both(Tensor([3.0, 4.0])).asnumpy(), [19.0, 50.0])
