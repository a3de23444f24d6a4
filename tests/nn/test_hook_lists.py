"""Hooks on Cells: what they may return, the list of hooks while it runs, exceptions, and what they keep alive."""

from __future__ import annotations

import copy
import gc
import inspect
import weakref
from typing import Any

import numpy as np
import pytest
from nn.hooked import Affine, Listener, Sum, X, values

import teachcell as tc
from teachcell import Tensor, grad, nn, value_and_grad

# Returns -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ((), TypeError), ((X, X), TypeError), ([X], TypeError), ("text", TypeError), (1.0, TypeError),
        ((None,), TypeError), ((Tensor([[1.0]]),), ValueError),
        ((Tensor([1.0], np.float64),), ValueError), (Tensor(1.0), ValueError),
    ],
)  # fmt: skip
@pytest.mark.parametrize("register", ["register_backward_hook", "register_backward_pre_hook"])
def test_wrong_returns_name_the_cell_and_what_was_wanted(register: str, result: Any, kind: type[Exception]) -> None:
    net = Affine()
    getattr(net, register)(lambda *_: result)
    with pytest.raises(kind, match=r"Affine backward (pre-)?hook"):
        grad(net)(X)


def test_unchanged_in_any_form_is_a_no_op() -> None:
    for hook in (lambda c, gi, go: None, lambda c, gi, go: gi, lambda c, gi, go: gi[0], lambda c, gi, go: (gi[0],)):
        net = Affine()
        net.register_backward_hook(hook)
        assert grad(net)(X).item() == 3.0


def test_with_kwargs_returns() -> None:
    net = Sum()
    for result in ((X,), (X, {}, 1), [X, {}], X, (X, None)):
        handle = net.register_forward_pre_hook(lambda cell, args, kwargs, r=result: r, with_kwargs=True)
        with pytest.raises(RuntimeError, match=r"Sum registered with_kwargs must return None or \(args, kwargs\)"):
            net(X)
        handle.remove()
    net.register_forward_pre_hook(lambda cell, args, kwargs: (args[0], {"y": args[0]}), with_kwargs=True)
    seen: list[Any] = []
    net.register_forward_hook(lambda cell, args, kwargs, out: seen.append((args, kwargs)), with_kwargs=True)
    assert net(X).item() == 3.0 and seen[0][0][0] is X and seen[0][1]["y"] is X


# The list of hooks while it runs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["forward_pre_hook", "forward_hook", "backward_pre_hook", "backward_hook"])
def test_a_hook_may_remove_itself_and_register_others_with_others_behind_it(kind: str) -> None:
    net, order = Affine(), []  # type: ignore[var-annotated]
    register = getattr(net, f"register_{kind}")

    def first(*_: Any) -> None:
        order.append("first")
        handle.remove()
        register(lambda *_: order.append("new"))

    handle = register(first)
    register(lambda *_: order.append("second"))
    grad(net)(X)
    assert order == ["first", "second"]
    grad(net)(X)
    assert order == ["first", "second", "second", "new"]


def test_registering_inside_construct_adds_one_each_run() -> None:
    class Careless(nn.Cell):
        runs = 0

        def construct(self, x: Tensor) -> Tensor:
            self.register_forward_pre_hook(self.count)
            return x

        def count(self, cell: Any, inputs: Any) -> None:
            self.runs += 1

    net = Careless()
    for _ in range(3):
        net(X)
    assert net.runs == 0 + 1 + 2


def test_one_function_registered_twice_is_removed_one_by_one() -> None:
    net, calls = Affine(), []  # type: ignore[var-annotated]

    def hook(*_: Any) -> None:
        calls.append(1)

    first = net.register_forward_hook(hook)
    second = net.register_forward_hook(hook)
    assert first is not second
    second.remove()
    second.remove()
    net(X)
    assert len(calls) == 1


# Exceptions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["forward_pre_hook", "forward_hook", "backward_pre_hook", "backward_hook"])
def test_an_exception_leaves_no_state(kind: str) -> None:
    net, log = Affine(), []  # type: ignore[var-annotated]

    def failing(*_: Any) -> None:
        raise LookupError("mine")

    handle = getattr(net, f"register_{kind}")(failing)
    net.register_backward_hook(lambda cell, gi, go: log.append((values(gi), values(go))))
    for _ in range(2):
        with pytest.raises(LookupError, match="mine"):
            grad(net)(X)
    handle.remove()
    log.clear()
    assert grad(net)(X).item() == 3.0 and log == [(([3.0],), ([1.0],))]


def test_always_called_hooks_run_once_and_the_exception_goes_on() -> None:
    class Failing(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            raise LookupError("construct")

    seen: list[Any] = []
    net = Failing()
    net.register_forward_hook(lambda cell, i, o: seen.append("not called"))
    net.register_forward_hook(lambda cell, i, o: seen.append(o), always_call=True)
    with pytest.raises(LookupError, match="construct"):
        net(X)
    assert seen == [None]

    def fails(cell: Any, i: Any, o: Any) -> None:
        seen.append("failing hook")
        raise LookupError("hook")

    seen.clear()
    fine = Affine()
    fine.register_forward_hook(lambda cell, i, o: seen.append(o.item()), always_call=True)
    fine.register_forward_hook(fails, always_call=True)
    fine.register_forward_hook(lambda cell, i, o: seen.append("last"), always_call=True)
    with pytest.raises(LookupError, match="hook"):
        fine(X)
    assert seen == [3.0, "failing hook", "last"]


# Nothing stays --------------------------------------------------------------------------------------------------------


def test_hooks_do_not_keep_nets_alive() -> None:
    class Self(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Affine()
            self.inner.register_backward_hook(self.note)
            self.inner.register_forward_hook(lambda *_: self.inner.w and None)

        def note(self, *_: Any) -> None: ...

        def construct(self, x: Tensor) -> Tensor:
            return self.inner(x)

    refs = []
    for _ in range(100):
        net = Self()
        value_and_grad(net, 0, net.trainable_params())(X)
        refs.append(weakref.ref(net))
    del net
    gc.collect()
    assert not any(ref() for ref in refs)


def test_remove_frees_at_once() -> None:
    net, hook = Affine(), Listener()
    handle = net.register_backward_hook(hook)
    grad(net)(X)
    ref = weakref.ref(hook)
    gc.disable()
    try:
        del hook
        assert ref() is not None
        handle.remove()
        del handle
        assert ref() is None
    finally:
        gc.enable()


def test_a_copy_s_hooks_get_the_copy() -> None:
    net, cells = Affine(), []  # type: ignore[var-annotated]
    net.register_forward_hook(lambda cell, i, o: cells.append(cell))
    grad(net)(X)
    twin = copy.deepcopy(net)
    twin(X)
    assert cells[-1] is twin and twin.w is not net.w
    twin.register_forward_hook(lambda cell, i, o: cells.append("twin's own"))
    net(X)
    assert cells[-1] is net


def test_hooks_do_not_watch_construct_itself_which_is_said_once() -> None:
    class Net(Affine):
        def construct(self, x: Tensor) -> Tensor:
            """Documented."""
            return super().construct(x)

    net, seen = Net(), []  # type: ignore[var-annotated]
    handle = net.register_forward_hook(lambda *_: seen.append(1))
    net(X)
    assert seen == [1]
    with pytest.warns(tc.HookNote, match="directly"):
        net.construct(X)
    net.construct(X)
    assert seen == [1] and (net.construct.__doc__, str(inspect.signature(net.construct))) == (
        "Documented.", "(x: 'Tensor') -> 'Tensor'",
    )  # fmt: skip
    twin = copy.deepcopy(net)
    handle.remove()
    Net().construct(X)  # nobody's hooks
    with pytest.raises(ZeroDivisionError):
        net.register_forward_pre_hook(lambda *_: 1 / 0)
        net(X)
    assert net._hooks is not None and net._hooks.running == 0
    assert twin(X).shape == X.shape
