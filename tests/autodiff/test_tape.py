"""The tape of a call: which Nodes a sweep runs, what keeps the tape, and threads that share one."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import Context, copy_context
from queue import Queue
from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, grad, nn, ops, value_and_grad, vjp
from teachcell.core import modes
from teachcell.core.op import OPS

X = Tensor([1.0, 2.0])


def noting(stack: ExitStack, ran: list[str], *names: str) -> None:
    """Let these ops tell when a rule of theirs runs."""
    for name in names:
        rules: Any = OPS[name].rules
        noted = [r and (lambda F, *a, n=name, r=r, **k: (ran.append(n), r(F, *a, **k))[1]) for r in rules]
        stack.enter_context(OPS[name].override(tuple(noted)))


# Which Nodes are run ---------------------------------------------------------------------------------------------


def test_nodes_that_lead_nowhere_are_not_run() -> None:
    ran: list[str] = []

    def f(x: Tensor) -> Tensor:
        y = ops.exp(x)
        ops.sin(y)  # nobody asks for it
        return ops.cos(y)

    with ExitStack() as stack:
        noting(stack, ran, "exp", "sin", "cos")
        grad(f)(X)
        assert ran == ["cos", "exp"]
        del ran[:]
        grad(lambda x: (grad(f)(x) * 2).sum())(X)
    assert ran.count("sin") == 1, "as the slope of cos alone"


@pytest.mark.parametrize("asked", [0, (0, 1), None])
def test_parents_from_outside_get_no_gradient(asked: Any) -> None:
    w, frozen = Parameter([3.0, 4.0], name="w"), Parameter([5.0, 6.0], name="frozen")
    ran: list[str] = []

    def f(x: Tensor, y: Tensor) -> Tensor:
        return (ops.exp(frozen) * x * w + ops.sin(frozen * y)).sum()

    with ExitStack() as stack:
        noting(stack, ran, "exp")
        found = grad(f, asked, None if asked == 0 else [w])(X, X)
    assert ran == [], "exp has a Parameter before it that nobody asked for"
    assert frozen._node is not None and w._node is not None
    assert frozen._node.grad is None and w._node.grad is None
    by_x = found if asked == 0 else found[0][0] if asked else None
    if by_x is not None:
        np.testing.assert_allclose(by_x.asnumpy(), np.exp([5.0, 6.0]) * [3, 4], rtol=1e-6)


def test_nodes_of_an_outer_call_get_no_gradient_from_an_inner_one() -> None:
    def f(x: Tensor) -> Tensor:
        outside = ops.exp(x)
        inner = grad(lambda t: (t * t * outside).sum())(x)
        assert outside._node is not None and outside._node.grad is None
        return (inner + outside).sum()

    x = np.array([1.0, 2.0])  # d/dx (2 x eˣ + eˣ)
    np.testing.assert_allclose(grad(f)(Tensor(x)).asnumpy(), 2 * np.exp(x) + 2 * x * np.exp(x) + np.exp(x))


def test_a_gradient_that_is_taken_in_a_hook_leaves_the_outer_one_alone() -> None:
    w = Parameter([3.0, 4.0], name="w")
    inner: list[Any] = []

    def f(x: Tensor) -> Tensor:
        y = x * w
        y.register_hook(lambda g: inner.append(grad(lambda: (w * w).sum(), None, w)()))
        return (y * w).sum()

    np.testing.assert_array_equal(grad(f, None, w)(X).asnumpy(), 2 * X.asnumpy() * [3, 4])
    np.testing.assert_array_equal(inner[0].asnumpy(), [6, 8])
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: _failing(x * w) * w, None, w)(X)
    assert w._node is not None and w._node.grad is None
    np.testing.assert_array_equal(grad(f, None, w)(X).asnumpy(), 2 * X.asnumpy() * [3, 4])


def _failing(y: Tensor) -> Tensor:
    y.register_hook(lambda g: 1 / 0)
    return y


@pytest.mark.parametrize("used", [True, False])
def test_a_tapped_call_is_closed_only_where_the_sweep_came_through(used: bool) -> None:
    net, seen = nn.Dense(2, 2), []
    net.register_backward_hook(lambda cell, given, arrived: seen.append((given, arrived)))

    def f(x: Tensor) -> Tensor:
        y = net(Tensor([[1.0, 2.0]]))  # a constant: no gradient reaches the tap of the input
        return (y * x if used else x * 2.0).sum()

    grad(f, 0, net.trainable_params())(X)
    assert len(seen) == used
    if used:
        (given,), (arrived,) = seen[0]
        assert given is None and arrived is not None


def test_a_value_of_an_inner_call_is_its_output_also_when_it_was_written_into() -> None:
    def f(x: Tensor) -> Tensor:
        value, pull = vjp(lambda t: t * t, x)
        value[0] = 7.0
        return (pull(Tensor([1.0, 1.0]))[0] * value).sum()  # 2 x₀ · 7 + 2 x₁ · x₁²

    np.testing.assert_allclose(grad(f)(X).asnumpy(), [14, 24])


# What keeps the tape ---------------------------------------------------------------------------------------------


def test_a_dead_branch_is_gone_with_its_call() -> None:
    kept: list[weakref.ref[np.ndarray]] = []

    def f(x: Tensor) -> Tensor:
        kept.append(weakref.ref(ops.exp(x)._array))
        return x * 2.0

    gc.collect()
    gc.disable()
    try:
        grad(f)(X)
        assert kept.pop()() is None
        grad(lambda x: grad(f)(x).sum())(X)
        assert kept.pop()() is None
        value, pull = vjp(f, X)
        assert kept[0]() is not None, "may be swept again"
        pull(value)
        del pull
        assert kept[0]() is None
    finally:
        gc.enable()


def test_a_context_that_outlives_its_call_keeps_nothing() -> None:
    contexts: list[Context] = []
    w = Parameter([1.0, 2.0], name="w")

    def f(x: Tensor) -> Tensor:
        contexts.append(copy_context())
        return ops.exp(x) * w

    def later() -> weakref.ref[np.ndarray]:
        return weakref.ref((w * 2.0)._array)

    grad(f)(X)
    context = contexts[0]
    mode = context[modes._recording]
    assert mode is not None and not list(mode.tape)
    assert context.run(later)() is None
    np.testing.assert_array_equal(context.run(grad(lambda x: x * x * w), X).asnumpy(), [2, 8])
    assert not list(mode.tape)


# Threads ---------------------------------------------------------------------------------------------------------


def test_threads_with_a_copied_context_record_on_one_tape() -> None:
    def part(x: Tensor, k: int) -> Tensor:
        for _ in range(200):
            x = x * 1.001 + ops.sin(x) * 0.001 * k
        return x

    def f(x: Tensor, threads: int) -> Tensor:
        if threads == 0:
            parts = [part(x, k) for k in range(4)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                parts = [job.result() for job in [pool.submit(copy_context().run, part, x, k) for k in range(4)]]
        return (parts[0] * parts[1] + parts[2] * parts[3]).sum()

    np.testing.assert_array_equal(grad(f)(X, 4).asnumpy(), grad(f)(X, 0).asnumpy())


def test_what_another_thread_records_meanwhile_is_a_constant() -> None:
    given: Queue[Tensor] = Queue()
    begun: Queue[None] = Queue()

    def other() -> Tensor:
        def g(x: Tensor) -> Tensor:
            begun.put(None)
            return x * given.get(timeout=20)  # made after this call began

        return grad(g)(X)

    def f(x: Tensor, pool: ThreadPoolExecutor) -> Tensor:
        job = pool.submit(other)
        begun.get(timeout=20)
        y = ops.exp(x)
        given.put(y)
        np.testing.assert_array_equal(job.result().asnumpy(), y.asnumpy())
        assert y._node is not None and y._node.grad is None
        return y * 3.0

    with ThreadPoolExecutor(1) as pool:
        value, slope = value_and_grad(f)(X, pool)
    np.testing.assert_array_equal(slope.asnumpy(), value.asnumpy())


@pytest.mark.parametrize("inner", [False, True])
def test_a_long_loop_beside_what_is_differentiated_keeps_little(inner: bool) -> None:
    p = Parameter(np.ones(1000, np.float32), name="p")
    optimizer = nn.SGD([p], 1e-3)
    step = value_and_grad(lambda x: (x * p * p).sum(), None, [p])

    def beside(times: int) -> None:
        for _ in range(times):
            x = Tensor(np.ones(1000, np.float32))
            if inner:
                optimizer(step(x)[1])
            else:
                (x * p * p).sum().asnumpy()

    def peak(times: int) -> int:
        def run(x: Tensor) -> Tensor:
            first = x * p
            beside(times)
            return (first * p * x).sum()

        gc.collect()
        tracemalloc.start()
        found = grad(run, 0, [p])(Tensor(np.ones(1000, np.float32)))
        largest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (found[1][0].asnumpy() > 0).all()
        return largest

    assert peak(4000) < 2 * peak(1000)
