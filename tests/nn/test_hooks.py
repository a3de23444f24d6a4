"""Hooks on Cells, beyond the conformance cases: conventions, range, odd inputs and outputs, what is left behind."""

from __future__ import annotations

import copy
import functools
import gc
import warnings
import weakref
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, grad, nn, ops, value_and_grad


class Sum(nn.Cell):
    """x + 2 y, with y optional."""

    def construct(self, x: Tensor, y: Any = None) -> Any:
        return x if y is None else x + 2 * y


class Affine(nn.Cell):
    """w · x with w = 3."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return self.w * x


X, Y = Tensor([1.0]), Tensor([2.0])


def values(gradients: Any) -> Any:
    """Gradient tuples as plain numbers."""
    assert type(gradients) is tuple
    return tuple(None if g is None else g.tolist() for g in gradients)


# The two calling conventions -----------------------------------------------------------------------------------


class Listener:
    def __init__(self) -> None:
        self.heard: list[Any] = []

    def newer(self, cell: Any, grad_input: Any, grad_output: Any) -> None:
        self.heard.append((cell, values(grad_input), values(grad_output)))

    def older(self, cell_id: Any, grad_input: Any, grad_output: Any) -> None:
        self.heard.append((cell_id, values(grad_input), values(grad_output)))

    def __call__(self, cell_id: Any, a: Any, b: Any) -> None:
        self.older(cell_id, a, b)


def heard_by(register: Any) -> tuple[nn.Cell, Any]:
    """What one hook hears when the gradient 10 arrives at w · x."""
    net, listener = Affine(), Listener()
    net.register_backward_hook(register(listener))
    grad(lambda x: net(x) * 10)(X)
    (heard,) = listener.heard
    return net, heard


@pytest.mark.parametrize(
    "register",
    [
        lambda me: me.newer, lambda me: lambda cell, a, b: me.newer(cell, a, b), lambda me: lambda *a: me.newer(*a),
        lambda me: lambda c, gi, go: me.newer(c, gi, go), lambda me: functools.partial(me.newer),
        lambda me: lambda cell, cell_id, go: me.newer(cell, cell_id, go),
    ],
)  # fmt: skip
def test_the_newer_way_cell_then_leaving_then_arriving(register: Any) -> None:
    net, heard = heard_by(register)
    assert heard[0] is net and heard[1:] == (([30.0],), ([10.0],))


@pytest.mark.parametrize(
    "register",
    [
        lambda me: me.older, lambda me: me, lambda me: lambda cell_id, a, b: me.older(cell_id, a, b),
        lambda me: functools.partial(me.older), lambda me: lambda cell_id, *rest: me.older(cell_id, *rest),
    ],
)  # fmt: skip
def test_the_older_way_an_id_then_arriving_then_leaving(register: Any) -> None:
    _, heard = heard_by(register)
    name, number = heard[0].rstrip(")").split("(")
    assert name == "Affine" and number.isdigit() and heard[1:] == (([10.0],), ([30.0],))


def test_the_id_is_the_cell_s_own_and_no_address() -> None:
    first, second = nn.ReLU(), nn.ReLU()
    assert first.cell_id() == first.cell_id() != second.cell_id() != copy.deepcopy(second).cell_id()
    assert int(first.cell_id()[5:-1]) < 1_000_000


def test_both_ways_return_gradients_by_the_inputs() -> None:
    for hook in (lambda cell, gi, go: (gi[0] * 2,), lambda cell_id, gi, go: (go[0] * 2,)):
        net = Affine()
        net.register_backward_hook(hook)
        assert grad(lambda x: net(x) * 10)(X).item() == 60.0  # noqa: B023


# Capture range -----------------------------------------------------------------------------------------------------


def test_what_forward_hooks_add_is_outside_of_the_range() -> None:
    net, log = nn.ReLU(), []  # type: ignore[var-annotated]
    net.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 7,))
    net.register_forward_hook(lambda cell, inputs, output: output * 5)
    net.register_backward_pre_hook(lambda cell, go: log.append(values(go)))
    net.register_backward_hook(lambda cell, gi, go: log.append((values(gi), values(go))))
    assert grad(lambda x: net(x) * Tensor([3.0, 4.0]))(Tensor([1.0, 1.0])).tolist() == [105.0, 140.0]
    assert log == [([15.0, 20.0],), (([15.0, 20.0],), ([15.0, 20.0],))]


def test_order_of_everything() -> None:
    order: list[str] = []

    def note(text: str) -> Any:
        return lambda *_: order.append(text)

    class Child(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            order.append("construct")
            y = x * 2
            y.register_hook(note("inner value"))
            return y

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.child = Child()

        def construct(self, x: Tensor) -> Tensor:
            y = self.child(x)
            y.register_hook(note("child's output"))
            return y * 3

    net = Net()
    for name, cell in (("net", net), ("child", net.child)):
        cell.register_forward_hook(note(f"{name} forward"))
        cell.register_backward_hook(note(f"{name} backward"))
        cell.register_forward_pre_hook(note(f"{name} pre"))
        cell.register_backward_pre_hook(note(f"{name} backward pre"))
    x = Tensor([1.0])
    x.register_hook(note("argument"))
    grad(net)(x)
    assert order == [
        "net pre", "child pre", "construct", "child forward", "net forward", "net backward pre", "child's output",
        "child backward pre", "inner value", "child backward", "net backward", "argument",
    ]  # fmt: skip


def test_a_replaced_gradient_does_not_change_the_cell_s_own_weights() -> None:
    net = Affine()
    net.register_backward_hook(lambda cell, gi, go: (gi[0] * 100,))
    gx, gw = grad(net, 0, net.w)(X)
    assert (gx.item(), gw.item()) == (300.0, 1.0)
    net.register_backward_pre_hook(lambda cell, go: (go[0] * 2,))
    gx, gw = grad(net, 0, net.w)(X)
    assert (gx.item(), gw.item()) == (600.0, 2.0)


def test_three_inputs_have_three_leaving_gradients_in_order() -> None:
    class Three(nn.Cell):
        def construct(self, x: Tensor, y: Tensor, z: Tensor) -> Tensor:
            return x + y * 2 + z * 3

    net, log = Three(), []  # type: ignore[var-annotated]
    net.register_backward_hook(lambda cell, gi, go: log.append(values(gi)))
    grad(net, (0, 1, 2))(X, X, X)
    assert log == [([1.0], [2.0], [3.0])]


# Which inputs and outputs have entries ----------------------------------------------------------------------------


def entries(net: nn.Cell, run: Any) -> list[Any]:
    log: list[Any] = []
    handle = net.register_backward_hook(lambda cell, gi, go: log.append((values(gi), values(go))))
    run()
    handle.remove()
    return log


def test_constants_integers_frozen_and_unused_inputs_are_none() -> None:
    class Uses(nn.Cell):
        def construct(self, x: Tensor, other: Tensor) -> Tensor:
            return x * 2

    net, frozen = Uses(), Parameter(Tensor([1.0]), name="p", requires_grad=False)
    for other in (Tensor([5.0]), Tensor([5]), frozen, ops.stop_gradient(Tensor([1.0]))):
        assert entries(net, lambda other=other: grad(lambda x: net(x, other))(X)) == [(([2.0], None), ([1.0],))]
    assert entries(net, lambda: grad(net, (0, 1))(X, Y)) == [(([2.0], None), ([1.0],))]


def test_asked_for_or_not_every_argument_counts_but_none_with_weights_only() -> None:
    net = Affine()
    assert entries(net, lambda: grad(lambda a, b: net(a) * b, 1)(X, Y)) == [(([6.0],), ([2.0],))]
    assert entries(net, lambda: grad(net, None, net.w)(X)) == [((None,), ([1.0],))]
    inner = Parameter(Tensor([1.0]), name="i")
    assert entries(net, lambda: grad(lambda x: net(x * inner), None, inner)(X)) == [(([3.0],), ([1.0],))]


def test_positional_tensors_have_entries_others_have_none() -> None:
    net = Sum()
    assert entries(net, lambda: grad(lambda x: net(x, 3.0))(X)) == [(([1.0],), ([1.0],))]
    assert entries(net, lambda: grad(lambda x: net(x, y=x))(X)) == [(([1.0],), ([1.0],))]

    class Pair(nn.Cell):
        def construct(self, pair: Any) -> Tensor:
            return pair[0] * pair[1]

    assert entries(Pair(), lambda: None) == []
    pair = Pair()
    assert entries(pair, lambda: grad(lambda x: pair((x, x)))(X)) == [((), ([1.0],))]


Named = namedtuple("Named", "a b c d")


@pytest.mark.parametrize("kind", [tuple, list, dict, Named])
def test_outputs_in_containers_have_an_entry_per_tensor(kind: Any) -> None:
    class Several(nn.Cell):
        def construct(self, x: Tensor) -> Any:
            members = (x * 2, "text", x * 3, x > 0)
            if kind is dict:
                return dict(zip("abcd", members, strict=True))
            return kind(members) if kind in (tuple, list) else kind(*members)

    net, log = Several(), []  # type: ignore[var-annotated]
    net.register_backward_pre_hook(lambda cell, go: log.append(values(go)))

    def use(x: Tensor) -> Tensor:
        out = net(x)
        assert type(out) is kind
        return (out["c"] if kind is dict else out[2]) * 5

    assert entries(net, lambda: grad(use)(X)) == [(([15.0],), (None, [5.0], None))]
    assert log == [(None, [5.0], None)]


def test_no_gradient_through_the_cell_no_call() -> None:
    net = Sum()
    assert entries(net, lambda: net(X)) == []
    assert entries(net, lambda: grad(lambda x: net(Tensor([5.0])) + x)(X)) == []
    assert entries(net, lambda: grad(lambda x: (net(x), x * 2)[1])(X)) == []
    assert entries(net, lambda: grad(lambda x: ops.stop_gradient(net(x)) + x)(X)) == []
    cut = net.register_forward_hook(lambda cell, i, o: Tensor([9.0]))
    assert entries(net, lambda: grad(lambda x: net(x) + x)(X)) == []
    cut.remove()


def test_a_cell_that_returns_its_input_is_tapped() -> None:
    assert entries(cell := Sum(), lambda: grad(lambda x: cell(x) * 4)(X)) == [(([4.0],), ([4.0],))]


def test_one_cell_called_twice_the_later_call_first() -> None:
    net = Affine()
    assert entries(net, lambda: grad(lambda x: net(net(x)))(X)) == [(([3.0],), ([1.0],)), (([9.0],), ([3.0],))]
    parallel = entries(net, lambda: grad(lambda x: net(x) + net(x * 2) * 10)(X))
    assert parallel == [(([30.0],), ([10.0],)), (([3.0],), ([1.0],))]


def test_hooks_run_in_both_passes_of_a_second_derivative() -> None:
    class Cube(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * x * x

    net = Cube()
    log = entries(net, lambda: grad(grad(net))(Tensor([2.0])))
    assert log == [(([12.0],), ([1.0],)), (([12.0],), (None,))]  # in the outer pass nothing arrives at the output
    net.register_backward_hook(lambda cell, gi, go: (gi[0] * 10,))
    assert grad(net)(Tensor([2.0])).item() == 120.0
    assert grad(grad(net))(Tensor([2.0])).item() == 12.0 * 10 * 10


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


def test_hooks_do_not_watch_construct_itself() -> None:
    net, seen = Affine(), []  # type: ignore[var-annotated]
    net.register_forward_hook(lambda *_: seen.append(1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        net.construct(X)
    assert not seen
