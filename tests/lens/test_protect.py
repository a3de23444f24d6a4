"""A run leaves no trace: Parameters, buffers, plain attributes, inputs and random states are bit for bit as before."""

from __future__ import annotations

import gc
import random
import threading
import weakref

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.protect import Protection
from teachcell.kernels import random as engine_random
from teachcell.lens import Experiment
from teachcell.lens.check.rule_check import check_rule
from teachcell.nn.registry import Registry


def states():
    kind, keys, *rest = np.random.get_state()
    return engine_random.state(), (kind, keys.tolist(), *rest), random.getstate()


class Messy(nn.Cell):
    """Writes to everything that it can reach."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__()
        self.fails = fails
        self.w = Parameter([1.0, 2.0], name="w")
        self.v = Parameter([3.0, 4.0], name="v")
        self.register_buffer("buffer", Tensor([5.0, 6.0]))
        self.plain = Tensor([7.0, 8.0])
        self.count, self.seen, self.table, self.nothing = 0, [Tensor([9.0])], {"a": 1}, None
        self.drop = nn.Dropout(p=0.5)
        self.bn = nn.BatchNorm1d(2)

    def construct(self, x):
        self.w[0] = 100.0
        ops.assign(self.v, Tensor([200.0, 200.0]))
        ops.assign_add(self.w, Tensor([1.0, 1.0]))
        self.v.set_data(Tensor([0.0, 0.0]))
        self.v.asnumpy()[:] = 17  # past the engine
        self.w.requires_grad = False
        self.buffer[1] = 300.0
        self.buffer = self.buffer * 2
        self.plain[0] = x.sum()  # functional while recording: the handle is rebound
        self.seen[0] = self.seen[0] * 2
        self.seen.append(Tensor([1.0]))
        self.table["b"] = 2
        self.count += 1
        self.nothing = x * 2
        self.new = x * 3
        self.set_train(False)
        x[0] = 0.0
        np.random.rand()
        random.random()
        y = self.bn(self.drop(x))
        if self.fails:
            raise RuntimeError
        return y * self.v


def contents(net: Messy):
    return [
        (name, id(t), id(t._array), t._array.tobytes(), t._node, getattr(t, "requires_grad", None))
        for name, t in [
            *net.parameters_and_names(), ("buffer", net.buffer), ("plain", net.plain), ("seen", net.seen[0])
        ]
    ]  # fmt: skip


@pytest.mark.parametrize("fails", [False, True])
def test_a_run_leaves_everything_as_it_was(fails: bool) -> None:
    net = Messy(fails).set_train()
    x = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
    before, drawn, attributes = contents(net), states(), sorted(net.__dict__)
    buffers, seen, array = dict(net._buffers), net.seen, x._array
    experiment = Experiment(net, [x], seed=3)
    for _ in range(2):
        assert (experiment.run().error is not None) == fails
        assert contents(net) == before and states() == drawn and sorted(net.__dict__) == attributes
        assert net._buffers == buffers and net.seen is seen and len(seen) == 1
        assert (net.count, net.table, net.nothing, net.training) == (0, {"a": 1}, None, True)
        assert x._array is array and x.asnumpy().tolist() == [[0, 1], [2, 3], [4, 5]] and x._node is None


def test_moving_statistics_stay() -> None:
    net = nn.BatchNorm2d(2).set_train()
    before = net.moving_mean.asnumpy().copy(), net.moving_variance.asnumpy().copy()
    assert Experiment(net, [Tensor(np.random.rand(2, 2, 3, 3).astype(np.float32))]).run().error is None
    assert (net.moving_mean.asnumpy() == before[0]).all() and (net.moving_variance.asnumpy() == before[1]).all()


def test_a_spiking_neuron_forgets_the_run() -> None:
    class Neuron(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.v = Tensor(0.0)

        def construct(self, x):
            self.v = self.v + x
            return self.v * 2

    net = Neuron()
    start = net.v
    outcome = Experiment(lambda x: net(net(x)), [Tensor(1.0)]).run()
    assert outcome.error is None and net.v is start and start._node is None and float(start) == 0
    assert outcome.document["values"][0]["grad"]["first"] == 6  # 2 (x + 2x)


def test_tensors_and_parameters_of_nobody_are_put_back_too() -> None:
    loose, weight = Tensor([1.0, 2.0]), Parameter([3.0])

    def program(x):
        loose[0] = 50.0
        weight[0] = 60.0
        return x * weight + loose

    Experiment(program, [Tensor([1.0, 1.0])]).run()
    assert loose.asnumpy().tolist() == [1, 2] and weight.asnumpy().tolist() == [3] and loose._node is None


def test_targets_and_nested_inputs_are_put_back() -> None:
    target, inner = Tensor([1.0]), Tensor([2.0])

    def loss(y, t):
        t.asnumpy()[0] = 9.0
        return (y - t) ** 2

    def program(x, pair):
        pair[0].asnumpy()[0] = 8.0
        return x * pair[0]

    assert Experiment(program, [Tensor([1.0]), (inner,)], loss, target).run().error is None
    assert target.item() == 1 and inner.item() == 2


def test_cells_made_or_exchanged_on_the_way_go_again() -> None:
    class Lazy(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.act = nn.ReLU()

        def construct(self, x):
            if not hasattr(self, "inner"):
                self.inner, self.act = nn.Dense(2, 2), nn.Tanh()
            return self.act(self.inner(x))

    net = Lazy()
    act, experiment = net.act, Experiment(net, [Tensor([[1.0, 2.0]])])
    for _ in range(2):
        run = experiment.run()
        assert run.error is None and [call["cls"] for call in run.document["calls"]] == ["Lazy", "Dense", "Tanh"]
        assert [name for name, _ in net.cells_and_names()] == ["", "act"] and not hasattr(net, "inner")
        assert net.act is act and list(net.get_parameters()) == []
    net(Tensor([[1.0, 2.0]]))  # the learner's own first call
    inner = net.inner
    assert experiment.run().document["calls"][1]["path"] == "inner" and net.inner is inner


def test_one_seed_one_run_and_another_draw_another() -> None:
    class Draws(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(p=0.5)

        def construct(self, x):
            return self.drop(x) * float(np.random.rand()) * random.random()

    experiment = Experiment(Draws().set_train(), [Tensor(np.ones(200, np.float32))], seed=4)
    first, again = experiment.run().document, experiment.run().document
    assert first == again
    np.random.rand(5), tc.set_seed(99)
    assert experiment.run().document == first
    assert experiment.new_draw() == "tc.set_seed(5)"
    other = experiment.run().document
    assert other != first and other["calls"] == first["calls"]
    assert Experiment(experiment.program.net, experiment.program.inputs, seed=5).run().document == other


def test_the_seed_of_the_engine_is_what_it_was() -> None:
    tc.set_seed(21)
    expected = ops.dropout(Tensor(np.ones(20, np.float32)), 0.5, True).asnumpy().tolist()
    tc.set_seed(21)
    Experiment(nn.Dropout(p=0.5).set_train(), [Tensor(np.ones(20, np.float32))]).run()
    assert tc.get_seed() == 21
    assert ops.dropout(Tensor(np.ones(20, np.float32)), 0.5, True).asnumpy().tolist() == expected


def test_nothing_keeps_the_net_the_inputs_or_the_graph() -> None:
    net, x, inner = Messy(), Tensor(np.ones((3, 2), np.float32)), []
    net.bn.register_forward_hook(lambda cell, inputs, output: inner.append(weakref.ref(output)))
    experiment = Experiment(net, [x])
    outcome = experiment.run()
    gc.collect()
    assert len(inner) == 1 and inner[0]() is None  # the graph is gone already
    watched = [weakref.ref(net), weakref.ref(x)]
    experiment.close()
    del net, x, experiment, outcome
    gc.collect()
    assert [ref() for ref in watched] == [None, None]


def test_what_the_engine_keeps_in_a_cell_is_known_by_name() -> None:
    cell = nn.Cell(flags={"a": 1})
    cell.cell_id()
    cell.register_state_dict_pre_hook(print)
    assert {name for name in cell.__dict__ if name.startswith("_")} == Registry.OWN | {"_hooks"}


def test_protection_undoes_nested_protection_in_order() -> None:
    weight = Parameter([1.0])
    with Protection([]):
        weight[0] = 2.0
        with Protection([]):
            weight[0] = 3.0
        assert weight.item() == 2
    assert weight.item() == 1


class Keeps(nn.Cell):
    """Writes inside what hangs on it."""

    def __init__(self) -> None:
        super().__init__()
        self.array, self.table = np.zeros(2), {"inner": [1, {"deep": np.ones(2)}], "self": None}
        self.table["self"] = self.table
        self.generators = np.random.default_rng(1), np.random.RandomState(2), random.Random(3)

    def construct(self, x):
        self.array += 1
        self.table["inner"].append(2)
        self.table["inner"][1]["deep"][0] = 9
        new, old, plain = self.generators
        return x * float(new.random()) * float(old.rand()) * plain.random() * self.array[0]


def kept(net: Keeps) -> str:
    new, old, plain = net.generators
    inner = repr(net.table["inner"])
    return repr((net.array, inner, new.bit_generator.state, old.get_state()[1].tolist(), plain.getstate()))


def test_what_is_written_inside_attributes_is_put_back() -> None:
    net = Keeps()
    before, experiment = kept(net), Experiment(net, [Tensor([1.0, 2.0])])
    first, second = experiment.run(), experiment.run()
    assert first.error is None and first.document == second.document and kept(net) == before


def test_a_cell_without_a_name_is_kept_when_it_is_called() -> None:
    net, inner = Keeps(), nn.BatchNorm1d(2).set_train()
    hidden = {id(c): c for c in (net, inner)}
    before, mean = kept(net), inner.moving_mean.asnumpy().copy()
    experiment = Experiment(lambda x: hidden[second](hidden[first](x)), [Tensor(np.ones((3, 2), np.float32))])
    first, second = list(hidden)
    experiment.program.cells.clear()
    experiment.program.find_parts = lambda: None  # as if no name led there
    assert experiment.run().error is None
    assert kept(net) == before and (inner.moving_mean.asnumpy() == mean).all()


@pytest.mark.parametrize("had", [False, True])
def test_hooks_that_a_run_adds_or_removes_are_put_back(had: bool) -> None:
    class Hooking(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w, self.handle = Parameter([1.0]), None

        def construct(self, x):
            if self.handle is not None:
                self.handle.remove()
            self.register_forward_hook(lambda cell, inputs, output: None)
            self.register_backward_hook(lambda cell, leaving, arriving: None)
            self.w.register_hook(lambda gradient: None)
            return x * self.w

    net = Hooking()
    if had:
        net.handle = net.register_forward_hook(lambda cell, inputs, output: None)
        net.w.register_hook(lambda gradient: None)
    before = net._hooks, list(net._hooks.forward) if had else None, list(net.w._own_hooks())
    experiment = Experiment(net, [Tensor([1.0])])
    for _ in range(2):
        assert experiment.run().error is None
        assert (net._hooks, list(net._hooks.forward) if had else None, net.w._own_hooks()) == before
        assert not had or not net._hooks.backward


def test_another_thread_is_left_alone() -> None:
    weight, made = Parameter([1.0]), []

    def elsewhere() -> None:
        weight[0] = 5.0
        made.append(nn.BatchNorm1d(1).set_train())
        made[0](Tensor([[1.0], [3.0]]))

    def program(x):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return x * 2

    assert Experiment(program, [Tensor([1.0])]).run().error is None
    assert weight.item() == 5 and made[0].moving_mean.item() != 0


@pytest.mark.parametrize("rule", ["engine", "own"])
def test_a_check_draws_from_a_cells_own_generator_the_same_each_time(rule: str) -> None:
    class Noisy(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.generator, self.scale = np.random.default_rng(5), None

        def construct(self, x):
            self.scale = Tensor(self.generator.random(3).astype(np.float32))
            return x * self.scale

    net = Noisy()
    if rule == "own":
        net.bprop = lambda x, out, dout: (dout * net.scale,)
    experiment = Experiment(net, [Tensor([1.0, 2.0, 3.0])])
    check = check_rule(experiment, "", experiment.run().recorder)
    assert check["ok"], check["text"]


class Counts(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.count, self.seen = 0, []

    def construct(self, x):
        self.count += 1
        self.seen.append(self.count)
        return x + self.count


def test_what_several_runs_do_is_undone_after_each() -> None:
    net, other, buffer = Counts(), Counts(), Parameter(Tensor([1.0]), name="b")
    with Protection([net]) as protection:
        for _ in range(3):
            drawn = np.random.rand()
            for cell in (net, other):  # one that is known from the start, one that is met on the way
                cell(Tensor([1.0]))
            buffer.set_data(Tensor([5.0]))
            assert (net.count, other.count, float(buffer)) == (1, 1, 5)
            protection.put_back()
            assert (net.count, other.count, float(buffer)) == (0, 0, 1) and net.seen == []
            again = np.random.rand()
            assert again == drawn
            protection.put_back()
    assert (net.count, other.count, float(buffer)) == (0, 0, 1)
