"""Cell.bprop: what it is given, what it may return, when it is used, and how it is exchanged."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import GradOperation, Parameter, Tensor, grad, gradcheck, nn, ops

X, Y = Tensor([2.0]), Tensor([5.0])


class Product(nn.Cell):
    """x · y with a recognisable rule: dout·100 and dout·1000."""

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> Any:
        return dout * 100, dout * 1000


def with_rule(rule: Callable[..., Any], construct: Callable[..., Any]) -> nn.Cell:
    """A Cell of one construct and one rule, both functions without self."""
    members = {"construct": lambda self, *a, **k: construct(*a, **k), "bprop": lambda self, *a: rule(*a)}
    return type("Ruled", (nn.Cell,), members)()  # type: ignore[no-any-return]


# What a rule is given ----------------------------------------------------------------------------------------------


def test_a_rule_gets_inputs_output_and_what_arrives_only_when_a_gradient_is_taken() -> None:
    seen: list[Any] = []
    cell = with_rule(lambda *a: seen.append([t.tolist() for t in a]) or (a[-1], a[-1]), lambda x, y: x * y)
    assert cell(X, Y).item() == 10.0 and not seen
    grad(lambda x, y: cell(x, y) * 3, (0, 1))(X, Y)
    assert seen == [[[2.0], [5.0], [10.0], [3.0]]]


def test_construct_called_directly_is_differentiated_as_usual() -> None:
    assert [g.item() for g in grad(Product().construct, (0, 1))(X, Y)] == [5.0, 2.0]


def test_several_outputs_arrive_as_a_tuple_with_zeros_for_the_unused() -> None:
    seen: list[Any] = []

    def rule(x: Tensor, out: Any, dout: Any) -> Any:
        seen.append(([o.tolist() for o in out], [d.tolist() for d in dout]))
        return (dout[0],)

    cell = with_rule(rule, lambda x: (x * 2, x * 3, x > 0))
    grad(lambda x: cell(x)[0] * 7)(X)
    assert seen == [([[4.0], [6.0], [True]], [[7.0], [0.0], [False]])]


@pytest.mark.parametrize("make", [list, tuple, lambda t: {"a": t[0], "b": [t[1]]}, lambda t: (t[0], (t[1],))])
def test_structures_of_outputs_are_kept_in_out_and_dout(make: Any) -> None:
    seen: list[Any] = []
    cell = with_rule(lambda x, out, dout: seen.append((out, dout)) or (x * 0 + 1,), lambda x: make((x * 2, x * 3)))

    def total(value: Any) -> Any:
        if isinstance(value, Tensor):
            return value
        return sum(total(v) for v in (value.values() if isinstance(value, dict) else value))

    assert grad(lambda x: total(cell(x)))(X).item() == 1.0
    out, dout = seen[0]
    assert type(out) is type(dout) is type(make((X, X)))
    assert str(dout).count("1.00000000e+00") == 2


def test_defaults_and_keywords_arrive_in_the_order_of_construct() -> None:
    seen: list[Any] = []

    class Three(nn.Cell):
        def construct(self, x: Tensor, y: Tensor, k: float = 4.0, *, z: Tensor | None = None) -> Tensor:
            return x + y * k + (0 if z is None else z)

        def bprop(self, x: Tensor, y: Tensor, k: float, z: Any, out: Tensor, dout: Tensor) -> Any:
            seen.append((x.item(), y.item(), k, None if z is None else z.item()))
            return dout * 10, dout * 20, None, None if z is None else dout * 30

    cell = Three()
    assert [g.item() for g in grad(lambda a, b: cell(y=b, x=a), (0, 1))(X, Y)] == [10.0, 20.0]
    three = grad(lambda a, b, c: cell(a, z=c, y=b, k=5.0), (0, 1, 2))(X, Y, Tensor([7.0]))
    assert [g.item() for g in three] == [10.0, 20.0, 30.0]
    assert seen == [(2.0, 5.0, 4.0, None), (2.0, 5.0, 5.0, 7.0)]
    with pytest.raises(TypeError, match="missing a required argument: 'y'"):
        grad(lambda a: cell(a, k=1.0))(X)


def test_inputs_in_containers_have_their_gradients_in_containers() -> None:
    cell = with_rule(
        lambda pair, named, x, out, dout: ((dout * 1, dout * 2), {"b": dout * 4, "a": dout * 3}, dout * 5),
        lambda pair, named, x: pair[0] + pair[1] + named["a"] + named["b"] + x,
    )
    found = grad(lambda *t: cell((t[0], t[1]), {"a": t[2], "b": t[3]}, t[4]), (0, 1, 2, 3, 4))(X, X, X, X, X)
    assert [g.item() for g in found] == [1.0, 2.0, 3.0, 4.0, 5.0]
    nothing = with_rule(lambda pair, x, out, dout: (None, dout), lambda pair, x: pair[0] + x)
    assert [g.item() for g in grad(lambda a, b: nothing((a, 3), b), (0, 1))(X, X)] == [0.0, 1.0]


def test_other_inputs_pass_and_their_places_are_ignored() -> None:
    for place in (None, 0, 1.5, Tensor([9])):
        cell = with_rule(lambda x, n, text, i, out, dout, p=place: (dout * n, p, p, p), lambda x, n, text, i: x * n * i)
        assert grad(lambda x: cell(x, 3, "text", Tensor([2])))(X).item() == 3.0  # noqa: B023


def test_star_arguments() -> None:
    cell = with_rule(lambda *args: tuple(args[-1] * t for t in args[:-2]), lambda *xs: xs[0] + xs[1] + xs[2])
    assert [g.item() for g in grad(cell, (0, 1, 2))(X, Y, X)] == [2.0, 5.0, 2.0]


# What it may return ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", [lambda d: (d * 3,), lambda d: [d * 3], lambda d: d * 3])
def test_a_tuple_a_list_or_a_bare_tensor(result: Any) -> None:
    assert grad(with_rule(lambda x, out, dout: result(dout), lambda x: x * 1))(X).item() == 3.0


def test_none_is_zeros() -> None:
    assert grad(with_rule(lambda x, out, dout: (None,), lambda x: x * 1))(X).item() == 0.0


ONE = Tensor([1.0])


@pytest.mark.parametrize(
    ("result", "kind", "text"),
    [
        (None, TypeError, r"Ruled\.bprop must return a tuple of 2 gradient\(s\), one per input, got NoneType"),
        ({"x": ONE}, TypeError, "got dict"),
        (ONE, RuntimeError, r"Ruled\.bprop returned 1 gradient\(s\) for 2 input\(s\)"),
        ((), RuntimeError, r"returned 0 gradient\(s\) for 2"),
        ((ONE, ONE, ONE), RuntimeError, r"returned 3 gradient\(s\) for 2"),
        ((ONE, np.ones(1)), TypeError, r"Ruled\.bprop: the gradient of input 1 must be a Tensor or None, got ndarray"),
        ((3.0, ONE), TypeError, "the gradient of input 0 must be a Tensor or None, got float"),
        ((ONE, Tensor(1.0)), RuntimeError, r"the gradient of input 1 has shape \(\), the input \(1,\)"),
        ((Tensor(1.0), ONE), RuntimeError, r"the gradient of input 0 has shape \(\), the input \(1,\)"),
    ],
)
def test_wrong_returns_each_have_a_message(result: Any, kind: type[Exception], text: str) -> None:
    cell = with_rule(lambda x, y, out, dout: result, lambda x, y: x * y)
    with pytest.raises(kind, match=text):
        grad(cell, (0, 1))(X, Y)


def test_wrong_containers_have_messages() -> None:
    for result, kind in (((ONE,), RuntimeError), (ONE, TypeError)):
        cell = with_rule(lambda pair, out, dout, r=result: (r,), lambda pair: pair[0] * pair[1])
        with pytest.raises(kind, match=r"Ruled\.bprop"):
            grad(lambda x: cell((x, x)))(X)  # noqa: B023


def test_exceptions_and_wrong_signatures_reach_the_caller() -> None:
    def failing(*_: Any) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        grad(with_rule(failing, lambda x: x * 1))(X)
    with pytest.raises(TypeError, match="positional argument"):
        grad(with_rule(lambda x, out: (x,), lambda x: x * 1))(X)
    assert grad(with_rule(lambda x, out, dout, extra=7: (dout * extra,), lambda x: x * 1))(X).item() == 7.0


def test_a_gradient_is_cast_to_its_input_s_dtype_and_summed_to_its_shape() -> None:
    cell = with_rule(lambda x, out, dout: (Tensor(np.ones((3, 2))),), lambda x: x * 1)
    found = grad(cell)(Tensor([1.0, 2.0]))
    assert (found.tolist(), found.dtype) == ([3.0, 3.0], tc.float32)


# When it is used ---------------------------------------------------------------------------------------------------


def test_it_is_not_run_when_no_input_needs_it_or_the_output_is_unused() -> None:
    ran: list[int] = []
    cell = with_rule(lambda x, out, dout: ran.append(1) or (dout,), lambda x: x * 2)
    grad(lambda x: cell(Tensor([1.0])) + x)(X)
    grad(lambda x: (cell(x), x)[1])(X)
    grad(lambda x: ops.stop_gradient(cell(x)) + x)(X)
    assert not ran


def test_it_replaces_everything_inside() -> None:
    log: list[str] = []

    class Inner(Product):
        def bprop(self, *args: Any) -> Any:
            log.append("inner bprop")
            return super().bprop(*args)

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Inner()
            self.inner.register_forward_hook(lambda *_: log.append("forward hook"))
            self.inner.register_backward_hook(lambda *_: log.append("backward hook"))

        def construct(self, x: Tensor) -> Tensor:
            return self.inner(x, x)

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (dout * 7,)

    assert grad(Outer())(X).item() == 7.0 and log == ["forward hook"]


def test_weights_inside_have_no_gradient_and_weights_outside_do() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inside = Parameter(Tensor([3.0]), name="inside")
            self.before = Parameter(Tensor([4.0]), name="before")
            self.cell = with_rule(lambda x, out, dout: (dout * self.inside,), lambda x: x * self.inside)

        def construct(self, x: Tensor) -> Tensor:
            return self.cell(x * self.before)

    net = Net()
    gx, (inside, before) = grad(net, 0, [net.inside, net.before])(X)
    assert (gx.item(), inside.item(), before.item()) == (12.0, 0.0, 6.0)


def test_repeated_inputs_and_calls_add_up() -> None:
    assert grad(lambda x: Product()(x, x))(X).item() == 1100.0
    cell = Product()
    assert grad(lambda x, y: cell(x, y) + cell(x, y) * 2)(X, Y).item() == 300.0


def test_hooks_around_it() -> None:
    log: list[Any] = []
    cell = with_rule(lambda x, out, dout: log.append(("rule", x.item(), dout.item())) or (dout * 7,), lambda x: x * 2)
    cell.register_forward_pre_hook(lambda c, inputs: (inputs[0] * 10,))
    cell.register_backward_pre_hook(lambda c, go: (go[0] * 3,))
    cell.register_backward_hook(lambda c, gi, go: log.append((gi[0].item(), go[0].item())))
    assert grad(cell)(X).item() == 210.0
    assert log == [("rule", 20.0, 3.0), (21.0, 3.0)]


def test_grad_operation_and_seeds() -> None:
    found = GradOperation(get_all=True, sens_param=True)(Product())(X, Y, Tensor([2.0]))
    assert [g.item() for g in found] == [200.0, 2000.0]


def test_it_may_call_ops_cells_and_grad_itself() -> None:
    relu = nn.ReLU()
    cell = with_rule(lambda x, out, dout: (dout * relu(x) * grad(ops.square)(x),), lambda x: x * 1)
    assert grad(cell)(X).item() == 8.0
    assert gradcheck(with_rule(lambda x, out, dout: (dout * grad(ops.sin)(x),), ops.sin), X, order=2)


def test_second_order_goes_through_inputs_out_and_dout() -> None:
    by_input = with_rule(lambda x, out, dout: (dout * 3 * x * x,), lambda x: x * x * x)
    by_output = with_rule(lambda x, out, dout: (dout * out,), ops.exp)
    for cell in (by_input, by_output, with_rule(lambda x, out, dout: (dout * out * (2 - out / out),), ops.exp)):
        assert gradcheck(cell, Tensor([0.5, 1.5]), order=2)
    assert gradcheck(lambda x: by_input(by_output(x)), Tensor([0.5]), order=2)


# Exchanging it -----------------------------------------------------------------------------------------------------


def test_it_is_looked_up_when_the_gradient_is_computed() -> None:
    class Plain(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

    cell = Plain()
    slope = grad(cell)
    assert slope(X).item() == 2.0
    Plain.bprop = lambda self, x, out, dout: (dout * 5,)
    assert slope(X).item() == 5.0
    cell.bprop = lambda x, out, dout: (dout * 7,)  # an instance's has no self, and wins
    assert slope(X).item() == 7.0
    cell.bprop = None
    assert slope(X).item() == 2.0
    del cell.bprop
    assert slope(X).item() == 5.0
    del Plain.bprop
    assert slope(X).item() == 2.0

    def exchanging(x: Tensor) -> Tensor:
        y = cell(x)
        cell.bprop = lambda x, out, dout: (dout * 11,)
        return y

    cell.bprop = lambda x, out, dout: (dout * 7,)
    assert grad(exchanging)(X).item() == 11.0


def test_bprop_set_in_init_inherited_and_mixed_in() -> None:
    class Mixin:
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (dout * 3,)

    class Base(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

    class Mixed(Mixin, Base): ...

    class Own(Mixed):
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (super().bprop(x, out, dout)[0] * 10,)

    class InInit(Base):
        def __init__(self) -> None:
            super().__init__()
            self.bprop = lambda x, out, dout: (dout * 9,)

    assert [grad(c())(X).item() for c in (Mixed, Own, InInit)] == [3.0, 30.0, 9.0]
    twin = copy.deepcopy(InInit())
    assert grad(twin)(X).item() == 9.0


def test_bprop_debug_is_a_flag_without_effect() -> None:
    cell = Product()
    assert cell.bprop_debug is False
    cell.bprop_debug = True
    assert cell.bprop_debug is True and grad(cell)(X, Y).item() == 100.0
    with pytest.raises(TypeError, match="bprop_debug must be True or False, got 'yes'"):
        cell.bprop_debug = "yes"  # type: ignore[assignment]
    assert cell.bprop_debug is True


@pytest.mark.parametrize("mode", [tc.PYNATIVE_MODE, tc.GRAPH_MODE])
def test_a_type_error_inside_a_rule_stays_what_it_is(mode: int) -> None:
    def inside(x, out, dout):
        return (len(dout, dout),)

    net = nn.ReLU()
    net.bprop = inside
    tc.set_context(mode=mode)
    try:
        with pytest.raises(TypeError, match=r"len\(\) takes exactly one argument"):
            tc.grad(net)(Tensor([1.0]))
    finally:
        tc.set_context(mode=tc.PYNATIVE_MODE)
