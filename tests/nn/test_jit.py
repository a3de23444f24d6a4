"""jit and graph mode: the same values, hooks silent inside and one note that says so, hooks on leaves and bprop act."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import teachcell as tc
from teachcell import HookNote, Parameter, Tensor, grad, nn, ops
from teachcell.core import events, modes

X = Tensor([2.0])


class Scaled(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.w


def hooked() -> tuple[Scaled, list[str]]:
    net, log = Scaled(), []  # type: ignore[var-annotated]
    net.register_forward_pre_hook(lambda *_: log.append("pre"))
    net.register_forward_hook(lambda *_: log.append("forward"))
    net.register_backward_pre_hook(lambda *_: log.append("backward pre"))
    net.register_backward_hook(lambda *_: log.append("backward"))
    return net, log


@pytest.fixture
def graph_mode() -> Iterator[None]:
    tc.set_context(mode=tc.GRAPH_MODE)
    yield
    tc.set_context(mode=tc.PYNATIVE_MODE)
    assert not events.OBSERVERS


def test_values_and_gradients_are_those_of_python() -> None:
    @tc.jit
    def f(x: Tensor, n: int = 2) -> Any:
        for _ in range(n):
            if x > 0:
                x = x * 2
        return x, True

    assert f(X)[0].item() == 8.0 and f(X, n=3)[1] is True and f.__name__ == "f"
    assert grad(lambda x: f(x)[0])(X).item() == 4.0
    assert tc.jit(lambda x: x + 1)(X).item() == 3.0 and tc.jit(input_signature=None)(lambda x: x)(X) is X


def test_assignments_inside_are_seen_outside_and_the_other_way() -> None:
    net = Scaled()

    @tc.jit
    def change() -> Tensor:
        ops.assign(net.w, Tensor([7]))
        return net.w * 1

    assert change().item() == 7.0 == net.w.item()
    f = tc.jit(net)
    net.w.set_data(Tensor([5.0]))
    assert f(X).item() == 10.0


def test_cell_hooks_are_silent_and_one_note_says_so_once() -> None:
    net, log = hooked()
    f = tc.jit(lambda x: net(x) + net(x))
    with pytest.warns(HookNote, match=r"hooks do not act inside a jit function: those of Scaled\(\d+\)") as notes:
        assert grad(f)(X).item() == 6.0
        f(X)
    assert len(notes) == 1 and not log
    assert grad(net)(X).item() == 3.0 and log == ["pre", "forward", "backward pre", "backward"]


def test_the_note_points_at_the_learner_s_line() -> None:
    net, _ = hooked()
    f = tc.jit(lambda x: net(x))
    with pytest.warns(HookNote) as notes:
        f(X)
    assert notes[0].filename == __file__


def test_a_cell_whose_construct_is_decorated_is_silent_too() -> None:
    log: list[str] = []

    class Jitted(nn.Cell):
        @tc.jit
        def construct(self, x: Tensor) -> Tensor:
            return x * 3

    net = Jitted()
    net.register_forward_hook(lambda *_: log.append("forward"))
    net.register_backward_hook(lambda *_: log.append("backward"))
    with pytest.warns(HookNote):
        assert grad(net)(X).item() == 3.0
    assert not log


def test_a_cell_without_hooks_or_with_removed_ones_gets_no_note() -> None:
    net, log = hooked()
    net = Scaled()
    net.register_forward_hook(lambda *_: log.append("forward")).remove()
    tc.jit(lambda x: net(x))(X)


def test_hooks_of_inner_values_are_silent_and_those_of_leaves_act() -> None:
    net, log = Scaled(), []  # type: ignore[var-annotated]
    tap = ops.HookBackward(lambda g: log.append("tap") or (g[0] * 100,))

    @tc.jit
    def f(x: Tensor) -> Tensor:
        y = tap(net(x))
        y.register_hook(lambda g: log.append("inner"))
        x.register_hook(lambda g: log.append("argument, inside"))
        return y

    x = Tensor([2.0])
    x.register_hook(lambda g: log.append("argument"))
    net.w.register_hook(lambda g: log.append("parameter"))
    gx, gw = grad(f, 0, net.w)(x)
    assert (gx.item(), gw.item()) == (3.0, 2.0) and log == ["argument", "argument, inside", "parameter"]


def test_a_gradient_taken_inside_jit() -> None:
    log: list[str] = []

    @tc.jit
    def f(x: Tensor) -> Tensor:
        def g(t: Tensor) -> Tensor:
            y = t * t
            y.register_hook(lambda g: log.append("inner"))
            return y

        return grad(g)(x)

    assert f(X).item() == 4.0 and grad(f)(X).item() == 2.0 and not log


def test_bprop_acts_inside() -> None:
    class Ruled(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (dout * 7,)

    net = Ruled()
    assert grad(tc.jit(lambda x: net(x)))(X).item() == 7.0


def test_an_exception_leaves_hooks_speaking_and_nobody_watching() -> None:
    net, log = hooked()

    @tc.jit
    def broken(x: Tensor) -> Tensor:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        broken(X)
    assert modes.silence() is None and not events.OBSERVERS
    net(X)
    assert log == ["pre", "forward"]


def test_a_jit_function_is_no_hook() -> None:
    jitted = tc.jit(lambda *_: None)
    net = Scaled()
    for register in (
        net.register_forward_pre_hook, net.register_forward_hook, net.register_backward_hook, X.register_hook,
        net.register_backward_pre_hook, ops.HookBackward,
    ):  # fmt: skip
        with pytest.raises(TypeError, match="a jit function cannot be a hook; remove @jit"):
            register(jitted)


@pytest.mark.filterwarnings("ignore:waiting runs eagerly inside jit")
def test_silence_belongs_to_the_thread_inside_jit() -> None:
    net, log = hooked()
    inside, done = threading.Event(), threading.Event()

    @tc.jit
    def waiting(x: Tensor) -> Tensor:
        inside.set()
        done.wait(5)
        return x * 2

    thread = threading.Thread(target=waiting, args=(X,))
    thread.start()
    inside.wait(5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net(X)
    done.set()
    thread.join()
    assert log == ["pre", "forward"]


# Graph mode ----------------------------------------------------------------------------------------------------------


def test_graph_mode_is_silent_everywhere(graph_mode: None) -> None:
    assert tc.get_context("mode") == tc.GRAPH_MODE == 0
    net, log = hooked()
    tap = ops.HookBackward(lambda g: log.append("tap"))
    with pytest.warns(HookNote) as notes:
        assert grad(lambda x: tap(net(x)))(X).item() == 3.0
        net(X)
    assert len(notes) == 1 and not log


def test_graph_mode_refuses_registration_inside_construct(graph_mode: None) -> None:
    class Registers(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            self.register_forward_hook(print)
            return x

    with pytest.raises(RuntimeError, match="Registers: a hook cannot be registered inside construct in GRAPH_MODE"):
        Registers()(X)
    net = Scaled()
    net.register_forward_hook(print).remove()  # outside it may


def test_the_mode_may_be_switched_inside_construct() -> None:
    class Switches(nn.Cell):
        def __init__(self, mode: int) -> None:
            super().__init__()
            self.mode = mode

        def construct(self, x: Tensor) -> Tensor:
            tc.set_context(mode=self.mode)
            return x

    try:
        Switches(tc.GRAPH_MODE)(X)
        Scaled().register_forward_hook(print).remove()
        Switches(tc.PYNATIVE_MODE)(X)
        Scaled().register_forward_hook(print).remove()
    finally:
        tc.set_context(mode=tc.PYNATIVE_MODE)


def test_graph_mode_refuses_a_bprop_that_reads_a_parameter(graph_mode: None) -> None:
    class Reads(Scaled):
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (dout * self.w,)

    assert Reads()(X).item() == 6.0
    with pytest.raises(RuntimeError, match=r"Reads\.bprop reads a Parameter, which GRAPH_MODE refuses"):
        grad(Reads())(X)


def test_context() -> None:
    tc.set_context(mode=tc.PYNATIVE_MODE, device_target="CPU")
    assert tc.get_context("mode") == 1 and tc.get_context("device_target") == "CPU"
    for bad in (2, "GRAPH_MODE", True):
        with pytest.raises(ValueError, match=r"mode must be GRAPH_MODE \(0\) or PYNATIVE_MODE \(1\)"):
            tc.set_context(mode=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown context key modes"):
        tc.set_context(modes=0)
    with pytest.raises(ValueError, match="unknown context key 'nothing'"):
        tc.get_context("nothing")
