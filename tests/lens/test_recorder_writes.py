"""A Recorder whose arrays others write into: what was noted stays as it was, and no more is copied than must be."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from lens.test_recorder import X, dense, run, told

from teachcell import Parameter, Tensor, jit, nn, ops, train
from teachcell.core.events import KEEPERS
from teachcell.core.op import OPS
from teachcell.lens.watch.recorder import Recorder
from teachcell.lens.watch.watched import Watched


def fill(array: Any) -> None:
    array[...] = 7


class Keeps(nn.Cell):
    """Its parts are in everybody's hands."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Dense(4, 4)
        self.kept: list[Tensor] = []

    def construct(self, x: Tensor) -> Tensor:
        h = self.layer(x)
        y = ops.relu(h)
        z = y.reshape(4, 3)
        self.kept += [x, h, z, z * 2]
        return z * y.reshape(4, 3)


@pytest.mark.parametrize("when", ["after the gradient", "after the run"])
def test_nobody_changes_what_was_seen(when: str) -> None:
    net = Keeps()
    before = told(run(Watched(net), net))
    weight = net.layer.weight.asnumpy()
    held: list[Any] = []

    def write() -> None:
        for tensor in (*net.kept, *held):
            tensor[...] = 7
        weight[...] = 7
        net.layer.bias.set_data(ops.ones(4) * 7)

    def after(found: Any) -> None:
        held.extend([found[0], found[1][0], *found[1][1]])
        if when == "after the gradient":
            write()

    net.kept.clear()
    recorder = run(Recorder(net), net, after)
    assert "values" not in vars(recorder) or when == "after the gradient"
    if when == "after the run":
        write()
    assert told(recorder) == before


class Shows(nn.Cell):
    """It hands out an array and goes on with a Tensor that has the same one."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(np.ones((3, 4), np.float32))
        self.shown: list[np.ndarray] = []

    def construct(self, x: Tensor) -> Tensor:
        h = x * self.weight
        self.shown.append(h.asnumpy())
        y = ops.identity(h)
        z = y * h * self.weight
        fill(self.shown[0])
        return z


def test_an_array_that_was_handed_out_is_copied_wherever_it_comes_again() -> None:
    net = Shows()
    before = told(run(Watched(net), net))
    net.shown.clear()
    assert told(run(Recorder(net), net)) == before


class HookedTensor(nn.Cell):
    """The gradient of a Tensor inside is one of somebody else's array."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(np.ones((3, 4), np.float32))
        self.theirs: list[np.ndarray] = []

    def construct(self, x: Tensor) -> Tensor:
        h = x * self.weight
        self.theirs[:] = [np.full((3, 4), 2, np.float32), np.full((3, 4), 3, np.float32)]
        h.register_hook(lambda gradient: Tensor.from_numpy(self.theirs[0]))
        x.register_hook(lambda gradient: Tensor.from_numpy(self.theirs[1]))
        return h.square()


def test_nobody_changes_the_gradient_that_a_hook_gave() -> None:
    net = HookedTensor()
    before = told(run(Watched(net), net))
    recorder = run(Recorder(net), net)
    for array in net.theirs:
        fill(array)
    assert told(recorder) == before


def test_nobody_changes_the_gradient_that_a_rule_of_his_own_gave() -> None:
    net, theirs = nn.SequentialCell(nn.Dense(4, 3), nn.ReLU()), []
    keeping = lambda F, g, out, x: theirs.append(g * 2) or theirs[0]  # noqa: E731
    with OPS["relu"].override((keeping,)):
        before = told(run(Watched(net), net))
        theirs.clear()
        recorder = run(Recorder(net), net)
    fill(theirs[0])
    assert told(recorder) == before


def test_what_lies_in_the_same_memory_is_copied_as_well() -> None:
    """The gradient of a Tensor and that of its other shape."""
    net = nn.SequentialCell(nn.Dense(4, 4), nn.Flatten())
    before = told(run(Watched(net), net))
    recorder = run(Recorder(net), net)
    arrays = [array for array in recorder._arrays if array is not None and array.size == 12]
    parts = [array for array in arrays if any(other.base is array or array.base is other for other in arrays)]
    assert parts
    for array in parts:
        recorder.own(array)
        fill(array)
    assert told(recorder) == before


class Images(nn.Cell):
    """Its results are views: images lie in memory with their channels last."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 3, weight_init="ones")
        self.kept: list[Tensor] = []

    def construct(self, x: Tensor) -> Tensor:
        y = self.conv(x.reshape(1, 1, 3, 4))
        self.kept.append(y)
        return ops.relu(y)


@pytest.mark.parametrize("when", ["nobody", "in the run", "after the run"])
def test_views_of_memory_of_their_own_are_copied_only_where_somebody_holds_them(when: str) -> None:
    net = Images()
    before = told(run(Watched(net), net))
    net.kept.clear()
    views: list[Any] = []

    def hold() -> None:
        views.extend(y.asnumpy().T[0] for y in net.kept)
        net.kept.clear()

    def after(found: Any) -> None:
        if when == "in the run":
            hold()
        elif when == "nobody":
            net.kept.clear()

    recorder = run(Recorder(net), net, after)
    hold()
    image = next(array for array in recorder._arrays if array.shape == (1, 6, 3, 4))
    assert (image.base is not None) is (when == "nobody")
    for view in views:
        fill(view)
    assert told(recorder) == before


def read(weight: Any) -> None:
    weight.asnumpy()[...] = 7


def write(weight: Any) -> None:
    weight[0] = 7


def move(weight: Any) -> None:
    nn.Momentum([weight], 0.5, 0.9)([ops.ones(weight.shape)])


@pytest.mark.parametrize("change", [read, write, move, lambda weight: weight.set_data(ops.ones((5, 4)))])
@pytest.mark.parametrize("held", [False, True])
def test_a_parameter_that_nobody_else_holds_is_seen_as_it_was(change: Callable[[Any], None], held: bool) -> None:
    net = dense()
    before = told(run(Watched(net), net))
    weight = net[0].weight
    mine = weight.asnumpy() if held else None
    recorder = run(Recorder(net), net, lambda found: change(weight))
    assert not np.array_equal(weight.asnumpy(), before[1][1][0][1])
    if mine is not None:
        mine[...] = 7
    change(weight)
    assert told(recorder) == before


def pickled(x: Tensor) -> None:
    buffers: list[pickle.PickleBuffer] = []
    pickle.dumps(x, 5, buffer_callback=buffers.append)  # which hands out memory
    fill(np.frombuffer(buffers[0].raw(), np.float32))


def filled(x: Tensor) -> Tensor:
    x[0] = 7
    return x * 2


def planned(x: Tensor) -> None:
    f = jit(filled)
    for tensor in (Tensor(X), Tensor(X), x):
        f(tensor)
    assert "1 plan" in repr(f.plan())


WRITES: dict[str, Callable[[Tensor], Any]] = {
    "asnumpy": lambda x: fill(x.asnumpy()),
    "NumPy": lambda x: fill(np.asarray(x)),
    "item": fill,
    "a view": lambda x: fill(x.reshape(-1).asnumpy()),
    "a row": lambda x: fill(x[0]),
    "a metric": lambda x: fill(train.Accuracy()._convert_data(x)),
    "pickle": pickled,
    "a plan of jit": planned,
    "the run that makes a plan": lambda x: [jit(filled)(x) for _ in range(2)],
    "a run that makes none": lambda x: jit(lambda x: fill(x.asnumpy()) or x * 2)(x),
}


@pytest.mark.filterwarnings("ignore::teachcell.JitNote")
@pytest.mark.parametrize("how", WRITES)
@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("times", [1, 2])
def test_an_input_is_seen_as_it_was_and_copied_only_where_somebody_writes(how: str, held: bool, times: int) -> None:
    net, x = dense(), Tensor(X)
    before = told(run(Watched(net), net, x=x))
    mine = x.asnumpy() if held else None
    recorders = [run(Recorder(net), net, x=x) for _ in range(times)]
    known = [any(given[0] is x._array for given in recorder._given.values()) for recorder in recorders]
    assert known == [not held, False][:times]
    if mine is not None:
        fill(mine)
    WRITES[how](x)
    assert (x.asnumpy() == 7).any()
    assert [told(recorder) for recorder in recorders] == [before] * times


def test_who_writes_waits_until_another_thread_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    net, x, reading = dense(), Tensor(X), threading.Event()
    before = told(run(Watched(net), net, x=x))
    recorder, tell = run(Recorder(net), net, x=x), Recorder._tell

    def slow(self: Recorder, notes: list[Any]) -> None:
        tell(self, notes)
        reading.set()
        time.sleep(0.1)

    monkeypatch.setattr(Recorder, "_tell", slow)
    reader = threading.Thread(target=lambda: recorder.values)
    reader.start()
    assert reading.wait(10)
    fill(x)
    reader.join()
    assert told(recorder) == before


def test_who_was_forgotten_is_told_of_nothing() -> None:
    net, x = dense(), Tensor(X)
    recorder = run(Recorder(net), net, x=x)
    assert id(recorder) in KEEPERS
    assert recorder.values and id(recorder) not in KEEPERS, "it has read its notes"
    recorder = run(Recorder(net), net, x=x)
    known = id(recorder)
    assert known in KEEPERS
    del recorder
    assert known not in KEEPERS
