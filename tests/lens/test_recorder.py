"""The Recorder by itself: what it puts off is what would have been seen at once."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from teachcell import Tensor, nn, ops, value_and_grad
from teachcell.core.events import observing
from teachcell.lens.watch import recorder as noting
from teachcell.lens.watch.recorder import Recorder
from teachcell.lens.watch.watched import Watched

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def dense() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(4, 5), nn.ReLU(), nn.Dense(5, 2))


class Views(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        h = x * 2
        h[0] = 1
        return (h.reshape(2, 6)[:, 1:] + h.T.reshape(2, 6)[:, 1:]).swapaxes(0, 1)


class Several(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTMCell(4, 3)

    def construct(self, x: Tensor) -> Tensor:
        h, c = self.lstm(x, (ops.zeros((3, 3)), ops.zeros((3, 3))))
        return ops.cat(ops.split(h, 1, 1)[::-1], 1) * c


class Own(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x * x

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        return (dout * 3 * x,)


class Nested(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return value_and_grad(lambda x: (x * x).sum())(x)[1] * ops.stop_gradient(x)


class Rewriting(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layer = dense()

    def construct(self, x: Tensor) -> Tensor:
        y = self.layer(x)
        self.layer[0].bias.set_data(ops.ones(5))
        return y + self.layer(x)


def hooked() -> nn.Cell:
    net = dense()
    net[1].register_forward_hook(lambda cell, inputs, output: output * 2)
    net[2].register_backward_hook(lambda cell, leaving, arriving: None)
    return net


NETS = [dense, Views, Several, Own, Nested, Rewriting, hooked, lambda: nn.SequentialCell(nn.Flatten(), Own(), dense())]


def run(
    recorder: Watched, net: nn.Cell, after: Callable[[Any], None] = lambda gradients: None, x: Tensor | None = None
) -> Watched:
    """A step, forward and backward."""

    def loss(x: Tensor) -> Tensor:
        value = net(x).square().sum()
        recorder.forward = False
        return value

    with observing(recorder):
        positions = 0 if x is None else None
        after(value_and_grad(loss, positions, net.trainable_params())(Tensor(X) if x is None else x))
    recorder.finish()
    return recorder


def told(seen: Watched) -> list[Any]:
    """All that can be compared."""
    arrays = lambda part: None if part is None else (part.array.dtype, part.array.tolist())  # noqa: E731
    return [
        [(v.kind, v.name, v.op, v.output, v.tracked, v.replaces, v.rewritten) for v in seen.values],
        [(arrays(v.value), arrays(v.gradient)) for v in seen.values],
        [(o.op.name, o.call, o.slots, o.outputs, o.error) for o in seen.ops],
        [(c.parent, c.number, c.inputs, c.outputs, c.returned, c.entered, c.ran, c.left) for c in seen.calls],
        seen.events,
        {event: [(s.slot, s.value, s.shape, arrays(s.part)) for s in sent] for event, sent in seen.sent.items()},
        seen.sums,
        seen.severed,
    ]


@pytest.mark.parametrize("make", NETS)
def test_what_is_put_off_is_what_is_seen_at_once(make: Callable[[], nn.Cell]) -> None:
    net = make()
    net.set_train()
    start = {p: p.asnumpy().copy() for p in net.trainable_params()}
    seen = []
    for kind in (Watched, Recorder):
        for p, array in start.items():
            p.set_data(Tensor(array))
        seen.append(told(run(kind(net), net)))
    assert seen[0] == seen[1]


class WritingIntoAView(Rewriting):
    def construct(self, x: Tensor) -> Tensor:
        y = self.layer(x)
        self.layer[0].weight.reshape(-1)[1:3][0] = 2.0
        return y + self.layer(x)


@pytest.mark.parametrize("times", [1, 2])
def test_a_write_into_a_view_of_a_parameter_makes_another_value_of_it(times: int) -> None:
    net, seen = WritingIntoAView(), []
    for kind in (Watched, Recorder):
        twin = copy.deepcopy(net)
        seen.append(told([run(kind(twin), twin) for _ in range(times)][-1]))
    assert seen[0] == seen[1]


def test_the_common_case_is_put_off_until_somebody_asks() -> None:
    net = dense()
    recorder = run(Recorder(net), net, lambda found: nn.SGD(net.trainable_params())(found[1][1]))
    assert "values" not in vars(recorder)
    assert [op.op.name for op in recorder.ops][:3] == ["matmul", "bias_add", "relu"]
    assert "values" in vars(recorder)


def test_an_optimizer_needs_no_copies_of_what_is_kept() -> None:
    net = dense()
    weight, optimizer = net[0].weight, nn.SGD(net.trainable_params(), momentum=0.9)
    old = id(weight._array)
    recorder = run(Recorder(net), net, lambda found: optimizer(found[1][1]))
    assert id(next(v.value.array for v in recorder.values if v.name == weight.name)) == old


class Forgets(nn.Cell):
    """It tells when its parts are gone."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = dense()
        self.gone: list[weakref.ref[Tensor]] = []

    def construct(self, x: Tensor) -> Tensor:
        h = self.layer(x)
        self.gone.append(weakref.ref(h))
        return h * 2


@pytest.mark.parametrize("most", [0, 200, 1 << 20])
def test_no_tensor_is_kept_and_notes_have_a_cap(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(noting, "CAP_NOTED", most)
    net = Forgets()
    recorder = run(Recorder(net), net)
    assert ("values" in vars(recorder)) is (most < 1 << 20) and net.gone[0]() is None


def test_no_cycle_keeps_its_arrays() -> None:
    net = dense()
    run(Recorder(net), net)
    gc.collect()
    gc.disable()
    try:
        run(Recorder(net), net)
        assert run(Recorder(net), net).ops
        assert gc.collect() == 0
    finally:
        gc.enable()
