"""Long and large programs: what is written of them, and what is kept."""

from __future__ import annotations

import numpy as np
import pytest
from lens.looking import Look

from teachcell import Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.watch import kept
from teachcell.lens.watch.seen import Seen


def run(net, *inputs):
    outcome = Experiment(net, inputs).run()
    assert outcome.error is None
    return outcome.document


def test_a_chain_of_300_ops() -> None:
    def chain(x):
        for _ in range(300):
            x = x + 1
        return x

    look = Look(chain, Tensor([1.0])).passed()
    assert len(look.ops) == 300 and len(look.events) == 600 and look.gradient("x") == [1]
    assert [e["op"] for e in look.events[300:]] == list(range(299, -1, -1))


def test_a_loop_of_5000_ops() -> None:
    def loop(x):
        for _ in range(5000):
            x = x * 0.999
        return x

    document = run(loop, Tensor(np.ones(4, np.float32)))
    assert len(document["ops"]) == 5000 and len(document["events"]) == 10_000
    assert document["values"][0]["grad"]["mean"] == pytest.approx(0.999**5000, rel=1e-3)
    assert document["values"][0]["value"]["map"] is None  # no pictures of ten thousand arrays


def test_a_cut_at_the_end_of_a_long_chain() -> None:
    def loop(x):
        for _ in range(3000):
            x = x * 0.999
        return ops.stop_gradient(x)

    document = run(loop, Tensor([1.0]))
    assert document["values"][0]["grad_state"] == "cut"
    assert [e["kind"] for e in document["events"]].count("cut") == 1


class Step(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Dense(4, 4)

    def construct(self, x, h):
        return ops.tanh(self.w(x) + h)


def test_one_cell_called_500_times() -> None:
    class Recurrent(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.step = Step()

        def construct(self, x):
            h = x
            for _ in range(500):
                h = self.step(x, h)
            return h

    net = Recurrent()
    net.step.register_forward_hook(lambda cell, inputs, output: None)
    document = run(net, Tensor(np.ones((2, 4), np.float32)))
    last = document["calls"][-1]
    assert (last["path"], last["call"], last["of"]) == ("step.w", 500, 500)
    assert sum(e["kind"] == "hook" for e in document["events"]) == 500


def test_large_arrays_are_summarised_and_not_kept() -> None:
    big = np.arange(1 << 21, dtype=np.float32).reshape(1024, 2048)  # 8 MB
    look = Look(lambda x: (x * 2).sum(), Tensor(big)).passed()
    assert [v.value.array is None for v in look.outcome.recorder.values] == [True, False, True, False]
    value = look.value("x")["value"]
    assert (value["size"], value["min"], value["max"]) == (1 << 21, 0, (1 << 21) - 1)
    assert value["map"]["rows"] == value["map"]["cols"] == 32 and value["map"]["index"][-1] == [1023, 2047]
    assert look.made_by("multiply")["grad"]["mean"] == 1


def kept_arrays(look: Look) -> list[np.ndarray]:
    """All arrays that the Recorder holds, each once."""
    seen = look.outcome.recorder
    held = [s for v in seen.values for s in (v.value, v.gradient)] + [part for _, part in seen._gradients]
    arrays = [s.array for s in held if isinstance(s, Seen) and s.array is not None]
    return list({id(array): array for array in arrays}.values())


@pytest.mark.parametrize("cap", [0, 100, 300])
def test_all_arrays_together_have_a_cap_too(monkeypatch, cap: int) -> None:
    monkeypatch.setattr(kept, "CAP_ALL", cap)
    look = Look(lambda x: x * 2 + x + 1, Tensor(np.ones(10, np.float32))).passed()  # 40 bytes each
    assert sum(array.nbytes for array in kept_arrays(look)) <= cap and look.gradient("x") == [3] * 10


def test_nobody_else_can_write_into_what_is_kept() -> None:
    shared: list[np.ndarray] = []

    def program(x: Tensor, w: Tensor) -> Tensor:
        h = x * w
        y = h + 1
        h.asnumpy()[:] = 0  # after it was used
        y.asnumpy()[:] = 5
        shared.extend([x.asnumpy(), w.asnumpy(), h.asnumpy(), y.asnumpy()])
        return y * 1

    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return program(x, Tensor([3.0, 4.0]))

    net = Net()
    net.register_backward_hook(lambda cell, leaving, arriving: shared.extend([leaving[0]._array, arriving[0]._array]))
    look = Look(net, Tensor([1.0, 2.0])).passed()
    for array in shared:
        array[...] = 7
    assert not any(np.shares_memory(array, kept) for array in shared for kept in kept_arrays(look))
    assert look.made_by("multiply")["value"]["strip"] == [3, 8] and look.made_by("add")["value"]["strip"] == [4, 9]
    assert look.gradient("x") == [3, 4]
