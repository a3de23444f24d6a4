"""The hook timeline: order, what was seen, silent hooks and namings, by hand-worked examples (E2 to E6)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from lens.looking import Look
from lens.test_examples import ONE, AddRelu, doubled, fresh_ones, listen, watch

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens.hooks.timeline import MOST_LANES, MOST_PARTS, Timeline


class Seen:
    """The timeline of a run, and questions that tests ask of it."""

    def __init__(self, look: Look):
        self.timeline = Timeline(look.document, look.outcome.recorder, look.experiment.program)
        self.facts, self.silent = self.timeline.listed(), self.timeline.silent
        self.data = self.timeline.data(lambda events: events)
        self.drawn = self.data["entries"]
        json.dumps(self.data, allow_nan=False)
        check_places(self.data)

    def order(self, cell: str | None = None) -> list[str]:
        """The events of one Cell in order; of all, with their Cells."""
        if cell is not None:
            return [f["event"] for f in self.facts if f["cell"] == cell]
        return [f"{f['event']} {f['cell']}".strip() for f in self.facts]

    def saw(self, event: str, cell: str, nth: int = 0) -> dict[str, Any]:
        """What the nth such event saw, as lists."""
        fact = [f for f in self.facts if (f["event"], f["cell"]) == (event, cell)][nth]
        return {role: [None if a is None else a.tolist() for a in shown] for role, shown in fact["saw"].items()}

    def entry(self, event: str, nth: int = 0) -> dict[str, Any]:
        return [e for e in self.drawn if e["event"] == event][nth]

    def words(self, event: str, nth: int = 0) -> str:
        return " ".join(text for _, text in self.entry(event, nth)["words"])

    def reasons(self) -> list[tuple[str, str, str]]:
        return [(s.glyph, s.cell, s.why) for s in self.silent]


def check_places(data: dict[str, Any]) -> None:
    """Time goes to the right: columns by position, forward before backward, marks in order."""
    columns, entries = data["columns"], data["entries"]
    assert [c["position"] for c in columns] == sorted(c["position"] for c in columns)
    assert [c["forward"] for c in columns] == sorted((c["forward"] for c in columns), reverse=True)
    places = [(e["first"], e["lane"]) for e in entries if not e["bar"]]
    assert len(places) == len(set(places)) and [p for p, _ in places] == sorted(p for p, _ in places)
    for entry in entries:
        assert 0 <= entry["first"] <= entry["last"] < len(columns)
        assert entry["bar"] or entry["first"] == entry["last"]
        assert columns[entry["first"]]["forward"] == columns[entry["last"]]["forward"] == entry["forward"]


def seen(net: Any, *inputs: Any, **options: Any) -> Seen:
    return Seen(Look(net, *inputs, **options).passed())


def test_e2_a_hook_that_looks_and_is_then_removed() -> None:
    net = AddRelu()
    handle = net.relu.register_forward_pre_hook(watch)
    told = seen(net, ONE, ONE)
    assert told.order() == ["construct", "forward_pre_hook relu", "construct relu", "bprop", "bprop relu"]
    assert told.saw("forward_pre_hook", "relu") == {"inputs": [[2.0]]}
    assert told.saw("construct", "relu") == {"inputs": [[2.0]], "output": [[2.0]]}
    assert told.saw("bprop", "") == {"incoming": [[1.0]], "outgoing": [[1.0], [1.0]]}
    entry = told.entry("forward_pre_hook")
    assert (entry["icon"], entry["replaced"], entry["position"]) == ("▷", False, 2) and "only looked" in told.words(
        "forward_pre_hook"
    )
    assert told.silent == []
    handle.remove()
    assert seen(net, ONE, ONE).order() == ["construct", "construct relu", "bprop", "bprop relu"]


def test_e3_new_data_cuts_the_path_and_the_backward_hook_is_silent() -> None:
    net = AddRelu()
    net.relu.register_forward_pre_hook(fresh_ones)
    net.relu.register_backward_hook(listen)
    told = seen(net, ONE, ONE)
    assert told.saw("forward_pre_hook", "relu") == {"inputs": [[2.0]], "result": [[1.0]]}
    assert told.entry("forward_pre_hook")["replaced"]
    assert "no gradient goes back past it" in told.words("forward_pre_hook")
    assert told.saw("construct", "relu")["inputs"] == [[1.0]]
    (quiet,) = told.silent
    assert (quiet.glyph, quiet.name, quiet.cell, quiet.times) == ("◀", "listen", "relu", 1)
    assert quiet.why.startswith("no gradient came here: ") and quiet.calls == (1,)
    assert "backward_hook relu" not in told.order()


def test_e4_what_a_forward_hook_adds() -> None:
    net = AddRelu()
    net.relu.register_forward_hook(doubled)
    told = seen(net, ONE, ONE)
    assert told.saw("forward_hook", "relu") == {"inputs": [[2.0]], "output": [[2.0]], "result": [[4.0]]}
    assert told.saw("construct", "relu")["output"] == [[2.0]] and told.saw("construct", "")["output"] == [[4.0]]
    assert told.saw("bprop", "relu") == {"incoming": [[2.0]], "outgoing": [[2.0]]}  # the doubling lies outside
    assert "joins the graph" in told.words("forward_hook")
    added = [c for c in told.data["columns"] if c["ops"] == "hook"]
    assert [c["forward"] for c in added] == [True, False] and {c["lane"] for c in added} == {1}


class ConvNorm(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 2, weight_init="ones", pad_mode="valid")
        self.bn = nn.BatchNorm2d(2, eps=1e-5, momentum=0.99)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.bn(self.conv(x)))


def test_e5_batch_norm_in_prediction() -> None:
    net = ConvNorm()
    net.bn.register_backward_hook(listen)
    told = seen(net, Tensor(np.ones((1, 1, 2, 2), np.float32)))
    saw = told.saw("backward_hook", "bn")
    assert np.array(saw["incoming"][0]).shape == (1, 2, 1, 1) and np.all(np.array(saw["incoming"]) == 1)
    assert np.allclose(np.ravel(saw["outgoing"]), 1 / np.sqrt(1 + 1e-5), rtol=1e-7)
    texts = [row["text"] for row in told.entry("backward_hook")["rows"]]
    assert texts == ["[1, 1]", "[0.999995, 0.999995]"]
    assert np.allclose(np.ravel(told.saw("bprop", "")["outgoing"]), 2 / np.sqrt(1 + 1e-5), rtol=1e-6)
    # The Parameters of bn: their part has come, their sum is complete only in the end.
    assert "At this moment bn.gamma has 1 of 1 gradients." in told.words("backward_hook")
    assert "complete only when the whole backward pass is over" in told.words("backward_hook")
    order = told.order("bn")
    assert order.index("backward_hook") < len(order) - 2 and order[-2:] == ["accumulate", "accumulate"]
    assert [f["part"] for f in told.facts if f["event"] == "accumulate" and f["cell"] == "bn"] == [1, 1, None, None]


@pytest.mark.parametrize("older", [True, False])
def test_e6_joint_hooks_and_the_two_namings(older: bool) -> None:
    def hook_older(cell_id, grad_input, grad_output):
        pass

    net = AddRelu()
    net.relu.register_forward_pre_hook(watch)
    net.relu.register_forward_hook(doubled)
    net.relu.register_backward_hook(hook_older if older else listen)
    told = seen(net, ONE, ONE)
    assert told.order("relu") == ["forward_pre_hook", "construct", "forward_hook", "bprop", "backward_hook"]
    assert told.saw("backward_hook", "relu") == {"incoming": [[2.0]], "outgoing": [[2.0]]}
    assert told.saw("bprop", "") == {"incoming": [[1.0]], "outgoing": [[2.0], [2.0]]}
    words = told.words("backward_hook")
    assert "What the forward hook doubled added lies outside." in words
    assert "At the result of that hook the gradient is [1]." in words
    naming = told.entry("backward_hook")["naming"]
    assert naming["used"] == (1 if older else 2)
    assert [row["names"] for row in naming["rows"]] == [
        ["", "cell_id", "cell"], ["incoming", "grad_input", "grad_output"], ["outgoing", "grad_output", "grad_input"]
    ]  # fmt: skip
    held = [row["held"] for row in naming["rows"]]
    assert held[1:] == ["([2],)", "([2],)"]
    assert held[0] == (repr(net.relu.cell_id()) if older else "ReLU")


def test_the_incoming_and_the_outgoing_gradient_are_told_apart() -> None:
    square = AddRelu()
    square.relu.construct = lambda x: x * x
    square.relu.register_backward_hook(listen)
    square.relu.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 10,))
    told = seen(square, ONE, ONE)
    assert told.order("relu") == ["construct", "backward_pre_hook", "bprop", "backward_hook"]
    assert told.saw("backward_pre_hook", "relu") == {"incoming": [[1.0]], "result": [[10.0]]}
    assert told.saw("backward_hook", "relu") == {"incoming": [[10.0]], "outgoing": [[40.0]]}
    rows = told.entry("backward_hook")["naming"]["rows"]
    assert [row["held"] for row in rows] == ["ReLU", "([10],)", "([40],)"]
    before = told.entry("backward_pre_hook")["naming"]
    assert [row["names"] for row in before["rows"]] == [["", "", "cell"], ["incoming", "", "grad_output"]]


def test_chained_pre_hooks_and_backward_hooks_each_see_what_the_one_before_gave() -> None:
    net = AddRelu()
    net.relu.register_forward_pre_hook(lambda cell, inputs: inputs[0] + inputs[0])
    net.relu.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * inputs[0],))
    for factor in (2.0, 3.0, 5.0):
        net.relu.register_backward_hook(lambda cell, left, arrived, factor=factor: (left[0] * factor,))
    told = seen(net, ONE, Tensor([2.0]))  # x = 3: (2x)² = 36
    assert [told.saw("forward_pre_hook", "relu", i) for i in range(2)] == [
        {"inputs": [[3.0]], "result": [[6.0]]}, {"inputs": [[6.0]], "result": [[36.0]]}
    ]  # fmt: skip
    assert [told.saw("backward_hook", "relu", i) for i in range(3)] == [
        {"incoming": [[1.0]], "outgoing": [[1.0]], "result": [[2.0]]},
        {"incoming": [[1.0]], "outgoing": [[2.0]], "result": [[6.0]]},
        {"incoming": [[1.0]], "outgoing": [[6.0]], "result": [[30.0]]},
    ]
    assert told.saw("bprop", "")["outgoing"] == [[30.0 * 8 * 3], [30.0 * 8 * 3]]  # d(2x)² = 8x
    assert told.order("relu") == [*["forward_pre_hook"] * 2, "construct", "bprop", *["backward_hook"] * 3]


def test_a_cell_called_twice_has_two_lanes_and_its_parameter_two_parts() -> None:
    class Twice(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = Scale()

        def construct(self, x):
            return self.scale(self.scale(x))

    net = Twice()
    net.scale.register_backward_hook(listen)
    told = seen(net, Tensor([1.0]))  # 3 · (3 · 1)
    assert [lane["nth"] for lane in told.data["lanes"]] == ["", "1/2", "2/2"]
    facts = [(f["event"], f["call"], f.get("part")) for f in told.facts if f["cell"] == "scale"]
    assert facts == [
        ("construct", 1, None), ("construct", 2, None),
        ("bprop", 2, None), ("accumulate", 2, 1), ("backward_hook", 2, None),
        ("bprop", 1, None), ("accumulate", 1, 2), ("backward_hook", 1, None),
        ("accumulate", 1, None),
    ]  # fmt: skip
    sums = [told.saw("accumulate", "scale", i)["gradient"] for i in range(3)]
    assert sums == [[[3.0]], [[3.0]], [[6.0]]]  # w·x twice: 2wx
    assert [told.saw("backward_hook", "scale", i)["outgoing"] for i in range(2)] == [[[3.0]], [[9.0]]]
    assert "scale.w has 1 of 2 gradients" in told.words("backward_hook", 0)
    assert "scale.w has 2 of 2 gradients" in told.words("backward_hook", 1)
    assert told.entry("accumulate", 2)["position"] == len(told.timeline.recorder.events)


class Scale(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")

    def construct(self, x):
        return x * self.w


def test_a_hook_on_the_parameter_acts_on_the_sum() -> None:
    net = Scale()
    net.w.register_hook(lambda grad: grad * 10)
    told = seen(net, Tensor([2.0]))
    assert [told.saw("accumulate", "", i)["gradient"] for i in range(2)] == [[[2.0]], [[20.0]]]
    assert "changed the sum" in told.words("accumulate", 1) and "changed" not in told.words("accumulate", 0)


class OwnRule(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 7,)


def test_an_own_bprop_stands_between_the_backward_hooks() -> None:
    net = AddRelu()
    net.relu = OwnRule()
    net.relu.register_backward_pre_hook(lambda cell, grad_output: None)
    net.relu.register_backward_hook(listen)
    told = seen(net, ONE, ONE)
    assert told.order("relu") == ["construct", "backward_pre_hook", "bprop", "backward_hook"]
    entry = told.entry("bprop", 1)
    assert (entry["own"], entry["bar"], entry["title"]) == (True, False, "bprop: own bprop")
    assert told.saw("bprop", "relu") == {"incoming": [[1.0]], "outgoing": [[7.0]]}


def test_hooks_under_jit_and_in_graph_mode_are_silent() -> None:
    net = AddRelu()
    for kind in ("forward_pre", "forward", "backward_pre", "backward"):
        getattr(net.relu, f"register_{kind}_hook")(lambda *args: None)
    inner = tc.jit(lambda x, y: net(x, y))
    with pytest.warns(UserWarning, match="jit"):
        told = seen(lambda x, y: inner(x, y) + net(x, y), ONE, ONE)
    assert told.reasons() == [(glyph, told.silent[0].cell, "hooks do not act inside jit") for glyph in "▷▶◁◀"]
    lanes = [lane["silent"] for lane in told.data["lanes"] if lane["cls"] == "ReLU"]
    assert lanes == ["▷▶◁◀", ""]  # of two calls the second is outside
    assert [f["event"] for f in told.facts if f["hook"]] == [
        "forward_pre_hook", "forward_hook", "backward_pre_hook", "backward_hook"
    ]  # fmt: skip
    tc.set_context(mode=tc.GRAPH_MODE)
    try:
        with pytest.warns(UserWarning):
            told = seen(net, ONE, ONE)
    finally:
        tc.set_context(mode=tc.PYNATIVE_MODE)
    assert {s.why for s in told.silent} == {"hooks do not act in graph mode"} and len(told.silent) == 4


class Passes(nn.Cell):
    def __init__(self, how: str) -> None:
        super().__init__()
        self.relu, self.unused = nn.ReLU(), nn.Tanh()
        self.how = how

    def construct(self, x):
        if self.how == "direct":
            return self.relu.construct(x) + self.relu.construct(x)
        out = self.relu(x)
        return ops.stop_gradient(out) + x if self.how == "stopped" else x * 1


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("direct", "construct was called directly (2 ×), past the hooks: call the Cell itself"),
        ("stopped", "no gradient came here: StopGradient passes no gradient on"),
        ("unused", "no gradient came here: no op uses it"),
    ],
)
@pytest.mark.filterwarnings("ignore::teachcell.nn.hooks.HookNote")
def test_why_a_backward_hook_is_silent(how: str, why: str) -> None:
    net = Passes(how)
    net.relu.register_backward_hook(listen)
    net.unused.register_forward_hook(doubled)
    told = seen(net, Tensor([1.0, 2.0]))
    assert ("◀", "relu", why) in told.reasons()
    assert ("▶", "unused", "the Cell was not called in this run") in told.reasons() and len(told.silent) == 2


def test_a_hook_that_raises_is_marked_and_those_behind_it_are_silent() -> None:
    def broken(cell, inputs):
        raise ZeroDivisionError("in the hook")

    net = AddRelu()
    net.relu.register_forward_pre_hook(broken)
    net.relu.register_forward_hook(doubled)
    net.relu.register_backward_hook(listen)
    look = Look(net, ONE, ONE)
    assert isinstance(look.error, ZeroDivisionError)
    told = Seen(look)
    entry = told.entry("forward_pre_hook")
    assert entry["raised"] and told.saw("forward_pre_hook", "relu") == {"inputs": [[2.0]]}
    assert "raised an exception" in told.words("forward_pre_hook")
    assert told.reasons() == [("▶", "relu", "the run failed before"), ("◀", "relu", "the run failed before")]


def test_a_backward_hook_that_raises() -> None:
    def broken(cell, grad_input, grad_output):
        raise ZeroDivisionError("in the hook")

    net = AddRelu()
    net.relu.register_backward_hook(broken)
    told = Seen(Look(net, ONE, ONE))
    assert told.entry("backward_hook")["raised"] and told.silent == []
    assert told.saw("backward_hook", "relu") == {"incoming": [[1.0]], "outgoing": [[1.0]]}


def test_what_a_hook_writes_in_place_counts_as_replaced() -> None:
    def write(cell, left, arrived):
        left[0][0] = 9.0

    net = AddRelu()
    net.relu.register_backward_hook(write)
    told = seen(net, ONE, ONE)
    entry = told.entry("backward_hook")
    assert entry["replaced"] and "wrote new numbers" in told.words("backward_hook")
    assert told.saw("backward_hook", "relu")["outgoing"] == [[1.0]]  # as it was shown
    assert told.saw("bprop", "")["outgoing"] == [[9.0], [9.0]]


def test_capturing_hooks_are_not_the_learners() -> None:
    net = AddRelu()
    net.relu.register_forward_hook(doubled)
    look = Look(net, ONE, ONE).passed()
    bare = Seen(look).order()
    look.experiment.set_capture("relu")
    told = Seen(look.run())
    look.experiment.close()
    assert told.order() == bare and told.silent == []


def test_nested_inputs_pass_unseen_and_several_outputs_have_their_entries() -> None:
    class Pair(nn.Cell):
        def construct(self, pair, z):
            return pair[0] * pair[1] * z, z * 1

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.pair = Pair()

        def construct(self, x, y, z):
            return self.pair((x, y), z)[0]

    net = Net()
    net.pair.register_backward_hook(listen)
    told = seen(net, Tensor([2.0]), Tensor([3.0]), Tensor([4.0]))
    assert told.saw("backward_hook", "pair") == {"incoming": [[1.0], None], "outgoing": [[6.0]]}
    assert "1 of 3 Tensors have an entry" in told.words("backward_hook")
    assert [row["text"] for row in told.entry("backward_hook")["rows"]] == ["[1]", "None", "[6]"]
    assert told.saw("bprop", "pair")["outgoing"] == [[12.0], [8.0], [6.0]]


def test_parents_stand_around_their_children() -> None:
    net = nn.SequentialCell(nn.SequentialCell(nn.ReLU()), nn.Identity())
    for _, cell in net.cells_and_names():
        cell.register_forward_pre_hook(watch)
        cell.register_forward_hook(lambda *args: None)
        cell.register_backward_pre_hook(lambda *args: None)
        cell.register_backward_hook(listen)
    told = seen(net, Tensor([1.0]))
    hooks = [f"{f['event'].removesuffix('_hook')} {f['cell']}".strip() for f in told.facts if f["hook"]]
    assert hooks == [
        "forward_pre", "forward_pre 0", "forward_pre 0.0", "forward 0.0", "forward 0", "forward_pre 1", "forward 1",
        "forward", "backward_pre", "backward_pre 1", "backward 1", "backward_pre 0", "backward_pre 0.0",
        "backward 0.0", "backward 0", "backward",
    ]  # fmt: skip
    outer, inner = (told.entry("construct", i) for i in range(2))
    assert outer["first"] < inner["first"] <= inner["last"] < outer["last"]


def test_a_function_with_a_loss_and_no_hooks() -> None:
    relu = nn.ReLU()
    told = seen(lambda x: relu(x) * 2, Tensor([1.0]), loss=nn.MSELoss(), targets=Tensor([0.0]))
    assert told.data["hooks"] == 0 and told.silent == []
    assert told.order("MSELoss")[:1] == ["construct"] or told.order("loss")[:1] == ["construct"]


def test_very_many_calls_are_said_to_be_fewer() -> None:
    class Long(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = Scale()
            self.last = nn.ReLU()

        def construct(self, x):
            for _ in range(MOST_LANES + 20):
                x = self.scale(x) * 0.5
            return self.last(x)

    net = Long()
    net.last.register_forward_hook(doubled)
    told = seen(net, Tensor([1.0]))
    assert len(told.data["lanes"]) == MOST_LANES and told.data["lanes"][-1]["name"] == "last"
    assert told.data["notes"][0].startswith(f"{MOST_LANES} of {MOST_LANES + 22} calls have a lane")
    assert sum(f["event"] == "accumulate" and f["part"] is not None for f in told.facts) <= MOST_PARTS
    assert told.order("last") == ["construct", "forward_hook", "bprop"]
