"""Hooks on Cells, beyond the conformance cases: calling conventions, capture range, odd inputs and outputs."""

from __future__ import annotations

import copy
import functools
from collections import namedtuple
from typing import Any

import pytest
from nn.hooked import Affine, Listener, Sum, X, Y, values

from teachcell import Parameter, Tensor, grad, nn, ops

# The two calling conventions -----------------------------------------------------------------------------------


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


def test_an_output_of_constants_alone_has_no_gradient() -> None:
    class Twice(nn.Cell):
        def construct(self, x: Tensor, y: Tensor) -> Any:
            return x * 2, y * 3

    cell, heard = Twice(), []
    cell.register_backward_hook(lambda cell, leaving, arriving: heard.append((values(leaving), values(arriving))))
    assert grad(lambda x: sum(cell(x, Y)))(X).item() == 2.0  # type: ignore[arg-type]
    assert heard == [(([2.0], None), ([1.0], None))]
    heard.clear()
    grad(lambda x: cell(x, Y)[1] + x)(X)
    assert not heard


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


def test_hooks_that_can_be_called_are_taken_whatever_they_look_like() -> None:
    heard = []

    def of_one(gradient):
        heard.append("wrapped")

    @functools.wraps(of_one)  # its signature tells of one argument
    def adapted(*given):
        of_one(given[1])

    class Hook:
        def __call__(self, cell, grad_input, grad_output, more=None):
            heard.append("object")

    def of_more(word, cell, grad_input, grad_output):
        heard.append(word)

    net = nn.ReLU()
    for hook in (adapted, Hook(), functools.partial(of_more, "partial"), lambda *all: heard.append("all")):
        net.register_backward_hook(hook)
    grad(net)(Tensor([1.0]))
    assert heard == ["wrapped", "object", "partial", "all"]
