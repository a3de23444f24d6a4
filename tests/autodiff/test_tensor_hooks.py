"""Tensor.register_hook and HookBackward: what hooks on values see and change."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, nn, ops
from teachcell.ops import HookBackward


def doubling(gradient: Tensor) -> Tensor:
    return gradient * 2


# Tensor.register_hook --------------------------------------------------------------------------------------------


def test_a_hook_sees_the_accumulated_gradient_once() -> None:
    seen: list[Any] = []

    def f(x: Tensor) -> Tensor:
        y = x * 1
        y.register_hook(lambda g: seen.append((type(g), g.item(), g.shape)))
        return y * y + y + 1

    assert grad(f)(Tensor(1.0)).item() == 3.0
    assert seen == [(Tensor, 3.0, ())]


def test_on_an_argument_the_hook_stays_for_later_calls_with_the_same_object() -> None:
    x, equal = Tensor(1.0), Tensor(1.0)
    handle = x.register_hook(doubling)
    f = grad(lambda t: t * t + t + 1)
    assert [f(x).item(), f(equal).item(), f(x).item()] == [6.0, 3.0, 6.0]
    handle.remove()
    handle.remove()
    assert f(x).item() == 3.0


def test_a_hook_registered_on_the_argument_inside_lasts_for_that_call() -> None:
    x = Tensor(1.0)

    def f(t: Tensor) -> Tensor:
        t.register_hook(doubling)
        return t * 3

    assert [grad(f)(x).item(), grad(f)(x).item(), grad(lambda t: t * 3)(x).item()] == [6.0, 6.0, 3.0]


def test_hooks_run_in_order_on_the_running_value_and_one_may_go() -> None:
    x = Tensor(1.0)
    x.register_hook(doubling)
    handle = x.register_hook(lambda g: g + 1)
    x.register_hook(doubling)
    f = grad(lambda t: t * 5)
    assert f(x).item() == (5 * 2 + 1) * 2
    handle.remove()
    assert f(x).item() == 20.0


def test_the_same_function_twice_is_two_registrations() -> None:
    x = Tensor(1.0)
    first, _ = x.register_hook(doubling), x.register_hook(doubling)
    f = grad(lambda t: t * 5)
    assert f(x).item() == 20.0
    first.remove()
    assert f(x).item() == 10.0


def test_removed_before_the_backward_pass_it_has_no_effect() -> None:
    def f(x: Tensor) -> Tensor:
        y = x * 1
        y.register_hook(doubling).remove()
        return y * 3

    assert grad(f)(Tensor(1.0)).item() == 3.0


def test_a_hook_may_remove_itself_and_register_others() -> None:
    x, seen = Tensor(1.0), []  # type: ignore[var-annotated]

    def once(g: Tensor) -> None:
        handle.remove()
        seen.append("once")
        x.register_hook(lambda g: seen.append("later"))

    handle = x.register_hook(once)
    f = grad(lambda t: t * 5)
    f(x)
    assert seen == ["once"]
    f(x)
    assert seen == ["once", "later"]


def test_on_a_parameter_it_sees_the_total_over_all_uses_when_asked_for() -> None:
    w = Parameter(Tensor(2.0), name="w")
    seen: list[float] = []
    w.register_hook(lambda g: seen.append(g.item()))
    f = lambda x: w * w * x  # noqa: E731
    grad(f, None, w)(Tensor(3.0))
    assert seen == [12.0]
    grad(f)(Tensor(3.0))  # not requested
    assert seen == [12.0]
    w.register_hook(doubling)
    assert grad(f, None, w)(Tensor(3.0)).item() == 24.0
    w.requires_grad = False
    w.requires_grad = True
    assert grad(f, None, w)(Tensor(3.0)).item() == 24.0


@pytest.mark.parametrize("result", [(Tensor(1.0),), 1.0, "text", [Tensor(1.0)]])
def test_what_is_not_a_tensor_is_refused(result: Any) -> None:
    x = Tensor(1.0)
    x.register_hook(lambda g: result)
    with pytest.raises(RuntimeError, match="a Tensor hook returns a Tensor or None"):
        grad(lambda t: t * 2)(x)


@pytest.mark.parametrize("result", [Tensor([1.0]), Tensor(1.0, tc.float16)])
def test_another_shape_or_dtype_is_refused(result: Tensor) -> None:
    x = Tensor(1.0)
    x.register_hook(lambda g: result)
    with pytest.raises(ValueError, match=r"Tensor hook returned a gradient of .* in the place of \(\) float32"):
        grad(lambda t: t * 2)(x)


def test_exceptions_pass_unchanged_and_leave_nothing() -> None:
    x = Tensor(1.0)

    def failing(g: Tensor) -> None:
        raise LookupError("mine")

    handle = x.register_hook(failing)
    with pytest.raises(LookupError, match="mine"):
        grad(lambda t: t * 2)(x)
    handle.remove()
    assert grad(lambda t: t * 2)(x).item() == 2.0


def test_on_what_carries_no_gradient_it_is_never_called() -> None:
    seen: list[Any] = []

    def f(x: Tensor) -> Tensor:
        for t in (Tensor(1.0), ops.stop_gradient(x * 2), x > 0, x * 3):
            t.register_hook(seen.append)
        return x * 5

    grad(f)(Tensor(1.0))
    assert not seen
    with pytest.raises(TypeError, match="register_hook needs a function, got int"):
        Tensor(1.0).register_hook(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="jit"):
        Tensor(1.0).register_hook(tc.jit(doubling))


def test_what_a_hook_computes_counts_for_the_second_derivative() -> None:
    def f(x: Tensor) -> Tensor:
        y = x * 1
        y.register_hook(lambda g: g * g)
        return y * y * y

    # Sent on: (3 y²)² = 9 y⁴. Its derivative 36 y³ passes y in the outer pass, and the hook squares it too.
    assert grad(f)(Tensor(2.0)).item() == 144.0
    assert grad(grad(f))(Tensor(2.0)).item() == (36 * 8.0) ** 2


# HookBackward ----------------------------------------------------------------------------------------------------


def test_hook_backward_is_an_identity_that_shows_the_gradient() -> None:
    seen: list[Any] = []
    tap = HookBackward(seen.append, "label")

    def f(x: Tensor, y: Tensor) -> Tensor:
        z = tap(x * y)
        return z * y

    x, y = Tensor([1.0]), Tensor([2.0])
    f(x, y)
    assert not seen and tap.cell_id == "label" and HookBackward(print).cell_id == ""
    gx, gy = grad(f, (0, 1))(x, y)
    assert (gx.item(), gy.item()) == (4.0, 4.0)
    assert len(seen) == 1 and type(seen[0]) is tuple and seen[0][0].tolist() == [2.0]


def test_it_may_replace_what_flows_upstream_only() -> None:
    w = Parameter(Tensor([3.0]), name="w")
    tap = HookBackward(lambda g: (g[0] * 10,))
    assert grad(lambda x: tap(x * w) * w, None, w)(Tensor([2.0])).item() == 2 * 3 * 10 + 6
    bare = HookBackward(lambda g: g[0] * 10)
    assert grad(lambda x: bare(x) * 2)(Tensor([1.0])).item() == 20.0


def test_several_inputs_and_an_unused_output_that_counts_as_zeros() -> None:
    seen: list[Any] = []

    def hook(gradients: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        seen.append([g.tolist() for g in gradients])
        return gradients[1], gradients[0]

    def f(x: Tensor, y: Tensor) -> Tensor:
        a, _ = HookBackward(hook)(x, y)
        return a * 5

    gx, gy = grad(f, (0, 1))(Tensor([1.0]), Tensor([2.0]))
    assert seen == [[[5.0], [0.0]]] and (gx.item(), gy.item()) == (0.0, 5.0)


def test_it_is_called_once_for_several_uses_and_acts_in_each_pass_of_a_second_derivative() -> None:
    seen: list[float] = []
    tap = HookBackward(lambda g: seen.append(g[0].item()))

    def f(x: Tensor) -> Tensor:
        y = tap(x)
        return y * y * y

    grad(f)(Tensor(2.0))
    assert seen == [12.0]
    seen.clear()
    assert grad(grad(f))(Tensor(2.0)).item() == 12.0
    assert seen[0] == 12.0 and len(seen) == 2


def test_it_is_silent_where_nothing_flows() -> None:
    seen: list[Any] = []
    tap = HookBackward(seen.append)
    grad(lambda x: (tap(x), x * 2)[1])(Tensor(1.0))
    grad(lambda x: ops.stop_gradient(tap(x)) + x)(Tensor(1.0))
    grad(lambda x: tap(Tensor(1.0)) + x)(Tensor(1.0))
    assert not seen
    grad(lambda x: tap(x) * 0)(Tensor(1.0))  # a zero gradient is one
    assert len(seen) == 1


def test_integers_pass_and_others_are_refused() -> None:
    assert HookBackward(print)(Tensor(3)).item() == 3
    for inputs in ((), (1.0,), (Tensor(1.0), "a")):
        with pytest.raises(TypeError, match="HookBackward takes one or more Tensors"):
            HookBackward(print)(*inputs)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="HookBackward needs a function"):
        HookBackward(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ([Tensor([1.0])], TypeError), ("text", TypeError), (1.0, TypeError), ((None,), TypeError),
        ((Tensor([1.0]), Tensor([1.0])), TypeError), (Tensor(1.0), ValueError), (Tensor([1.0], tc.float64), ValueError),
    ],
)  # fmt: skip
def test_what_a_hook_may_return(result: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="HookBackward"):
        grad(HookBackward(lambda g: result))(Tensor([1.0]))


def test_hooks_keep_nothing_alive() -> None:
    class Owner(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.tap = HookBackward(self.note)
            self.w = Parameter(Tensor(np.ones(1000)), name="w")
            self.w.register_hook(self.note)

        def note(self, g: Any) -> None: ...

        def construct(self, x: Tensor) -> Tensor:
            return self.tap(x * self.w)

    net = Owner()
    grad(net, 0, net.w)(Tensor(np.ones(1000)))
    ref = weakref.ref(net)
    del net
    gc.collect()
    assert ref() is None
