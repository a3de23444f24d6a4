"""What can be put under the lens, and how its parts are called."""

from __future__ import annotations

import functools

import pytest
from lens.looking import Look

from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.program import Program

X = Tensor([[1.0, 2.0]])
net_of_module = nn.Dense(2, 2)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.loss = nn.ReLU()
        self.blocks = nn.CellList([nn.Dense(2, 2), nn.SequentialCell(nn.Tanh())])

    def construct(self, x):
        return self.blocks[1](self.blocks[0](self.loss(x)))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((nn.Dense, X), {}, TypeError, "Dense cannot be run; give a Cell (an instance"),
        ((X, X), {}, TypeError, "Tensor cannot be run"),
        ((None,), {}, TypeError, "NoneType cannot be run"),
        ((nn.Dense(2, 2),), {}, TypeError, "missing a required argument: 'x'"),
        ((nn.Dense(2, 2), X, X), {}, TypeError, "too many positional arguments"),
        ((lambda x, y: x, X), {}, TypeError, "missing a required argument: 'y'"),
        ((nn.Dense(2, 2), X), {"targets": X}, ValueError, "targets are passed to the loss, and there is none"),
        ((nn.Dense(2, 2), X), {"loss": nn.MSELoss}, TypeError, "loss=MSELoss cannot be called"),
        ((nn.Dense(2, 2), X), {"loss": "mse"}, TypeError, "loss=str cannot be called"),
        ((nn.Dense(2, 2), X), {"loss": nn.MSELoss()}, TypeError, "missing a required argument: 'labels'"),
        ((nn.Dense(2, 2), X), {"loss": nn.MSELoss(), "targets": (X, X)}, TypeError, "counts as 2 targets"),
        (
            (nn.Dense(2, 2), X),
            {"loss": nn.CrossEntropyLoss(), "targets": [0, 2]},
            TypeError,
            "loss CrossEntropyLoss takes one target after the output, and a list or tuple of 2 counts as 2 targets; "
            "labels are one Tensor, such as targets=Tensor([0, 2])",
        ),
        ((nn.Dense(2, 2), X), {"bprops": {"fc": {"r": print}}}, KeyError, "there is no Cell at 'fc'"),
        ((nn.Dense(2, 2), X), {"bprops": {"": {"r": 3}}}, TypeError, "bprops['']['r'] must be a function"),
        ((nn.Dense(2, 2), X), {"bprops": {"": {"own": print}}}, TypeError, "other than 'engine' and 'own'"),
        (
            (nn.Dense(2, 2), X),
            {"bprops": {"": print}},
            TypeError,
            "dict of dicts of functions, such as {'relu': {'zero': my_bprop}}; there is a print",
        ),
        ((nn.Dense(2, 2), X), {"bprops": [print]}, TypeError, "there is a list"),
        ((nn.Dense(2, 2), X), {"seed": "a"}, TypeError, "seed must be a whole number, not 'a'"),
        ((nn.Dense(2, 2), X), {"seed": None}, TypeError, "seed must be a whole number, not None"),
        ((nn.Dense(2, 2), X), {"seed": True}, TypeError, "seed must be a whole number, not True"),
        ((nn.Dense(2, 2), X), {"seed": -1}, ValueError, "seed must be from 0 to 2**32"),
    ],
)
def test_what_cannot_be_run_is_said_at_once(arguments, options, error, words: str) -> None:
    with pytest.raises(error) as raised:
        Experiment(arguments[0], arguments[1:], **options)
    assert words in str(raised.value)


def test_paths_and_spellings() -> None:
    program = Program(Net(), [X], nn.MSELoss(), X)
    assert {path: program.spelling(path) for path in program.cells} == {
        "": "net", "loss": "net.loss", "blocks": "net.blocks", "blocks.0": "net.blocks[0]",
        "blocks.1": "net.blocks[1]", "blocks.1.0": "net.blocks[1][0]", "loss_fn": "loss",
    }  # fmt: skip
    with pytest.raises(KeyError, match="blocks.1.0"):
        program.cell("blocks.2")
    assert program.path_of(nn.ReLU()) == "ReLU" and program.path_of(program.net) == ""


def test_cells_that_functions_reach() -> None:
    inner, unused = nn.ReLU(), nn.Tanh()

    def helper(x):
        return (lambda y: inner(y))(x)

    def program(x):
        return [net_of_module(helper(x)) for _ in range(2)][0]

    found = Program(program, [X])
    assert sorted(found.cells) == ["inner", "net_of_module"] and unused not in found.cells.values()
    assert found.spelling("inner") == "inner" and found.title == "program"


def test_names_that_only_look_like_cells() -> None:
    def program(x):
        return ops.relu(x)  # the global `relu` below is another thing

    assert Program(program, [X]).cells == {}


relu = nn.ReLU()


def test_methods_partials_and_decorated_functions() -> None:
    net = Net()
    method = Program(net.construct, [X])
    assert sorted(method.cells)[:2] == ["self", "self.blocks"] and method.spelling("self.blocks.0") == "self.blocks[0]"
    assert Look(net.construct, X).passed().calls[1]["path"] == "self.loss"
    look = Look(functools.partial(lambda x, y: x * y, y=Tensor([3.0])), X).passed()
    assert look.document["title"] == "partial" and look.states()["x"] == "computed"

    @functools.wraps(net.construct)
    def wrapped(x):
        return net(x)

    assert Look(wrapped, X).passed().document["title"] == "construct"


def test_input_and_target_names() -> None:
    program = Program(lambda x, *rest: x, [X, X, X], lambda y, a, *more: y, [X, X])
    assert program.input_names() == ["x", "rest1", "rest2"] and program.target_names() == ["a", "more2"]
    assert Program(Net(), [X], nn.CrossEntropyLoss(), Tensor([0])).target_names() == ["labels"]
    assert Program(ops.add, [X, X]).input_names()[0]


def test_parameters_shared_between_cells_have_one_name() -> None:
    first, second = nn.Dense(2, 2), nn.Dense(2, 2)
    second.weight = first.weight

    class Tied(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = first, second

        def construct(self, x):
            return self.b(self.a(x))

    look = Look(Tied(), X).passed()
    names = [v["name"] for v in look.values if v["kind"] == "parameter"]
    assert names == ["a.weight", "a.bias", "b.bias"]


def test_one_tensor_as_targets() -> None:
    assert len(Program(Net(), [X], lambda y, t: y * t, X).targets) == 1
    assert (
        Look(Net(), X, loss=lambda y, t: (y * t).sum(), targets=Tensor([1.0, 2.0])).passed().document["loss"]
        is not None
    )


def test_parameters_by_name() -> None:
    mine, theirs = Parameter([1.0, 1.0]), Parameter([2.0, 2.0], name="theirs")
    names = dict((name, p) for p, name in Program(lambda x: x * mine * theirs, [X]).parameter_names())
    assert names == {"mine": mine, "theirs": theirs}


class Plain(nn.Cell):
    """Keeps Cells where the registry does not look."""

    def __init__(self) -> None:
        super().__init__()
        self.ls = [nn.Tanh(), (nn.SequentialCell(nn.ReLU()),)]
        self.table = {"gate": nn.Sigmoid(), "own": self.ls}
        self.table["itself"] = self.table
        self.named = nn.Flatten()
        self.also = [self.named]

    def construct(self, x):
        return self.table["gate"](self.ls[1][0](self.ls[0](x)))


class Called:
    def __init__(self, net: nn.Cell) -> None:
        self.net, self.more = net, [nn.Sigmoid()]

    def __call__(self, x):
        return self.more[0](net_of_module(self.net(x)))

    def step(self, x):
        return self(x)


called_of_module = Called(nn.ReLU())


def spellings(program: Program) -> dict[str, str]:
    return {path: program.spelling(path) for path in program.cells}


def test_cells_in_plain_containers_have_paths() -> None:
    look = Look(Plain(), X).passed()
    assert spellings(look.experiment.program) == {
        "": "net", "named": "net.named", "ls.0": "net.ls[0]", "ls.1.0": "net.ls[1][0]", "ls.1.0.0": "net.ls[1][0][0]",
        "table.gate": "net.table['gate']",
    }  # fmt: skip
    assert [call["path"] for call in look.calls] == ["", "ls.0", "ls.1.0", "ls.1.0.0", "table.gate"]
    assert look.experiment.set_train(True, "ls.0") == "net.ls[0].set_train()"


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (Called(nn.Tanh()), {"net": "net.net", "more.0": "net.more[0]", "net_of_module": "net_of_module"}),
        (Called(nn.Tanh()).step, {"self.net": "self.net", "self.more.0": "self.more[0]"}),
        (functools.partial(nn.Tanh()), {"func": "net.func"}),
        (functools.partial(lambda f, x: f(x), nn.Tanh()), {"args.0": "net.args[0]"}),
        (functools.partial(lambda x, f: f(x), f=nn.Tanh()), {"keywords.f": "net.keywords['f']"}),
        (functools.partial(functools.partial(lambda x: net_of_module(x))), {"net_of_module": "net_of_module"}),
        (lambda x: called_of_module(x), {"called_of_module.net": "called_of_module.net"}),
        (nn.Tanh().construct, {"self": "self"}),
    ],
)
def test_cells_that_callables_hold_are_found(program, found: dict[str, str]) -> None:
    look = Look(program, X).passed()
    assert found.items() <= spellings(look.experiment.program).items()
    calls = [call["path"] for call in look.calls[1:]]
    assert set(calls) <= set(look.experiment.program.cells) and (calls or "self" in found)


def test_two_cells_of_one_name_are_both_known() -> None:
    def program(net):
        return lambda x: net(x)

    known = Program(program(nn.Tanh()), [X], program(nn.ReLU())).cells
    assert sorted(cell.cls_name for cell in known.values()) == ["ReLU", "Tanh"]


def test_paths_follow_what_is_exchanged() -> None:
    net = nn.SequentialCell(nn.ReLU(), nn.Tanh())
    removed, new = net[1], nn.Sigmoid()
    experiment = Experiment(net, [X], bprops={"1": {"rule": lambda x, out, dout: (dout,)}})
    experiment.use_rule("1", "rule")
    experiment.set_capture("1")
    net[1] = new
    experiment.set_train(True, "1")
    assert new.training and not removed.training
    assert experiment.run().document["calls"][2]["cls"] == "Sigmoid"
    assert experiment.capture is not None and experiment.capture.cell is new and removed._hooks.empty()
    experiment.close()
    assert removed.bprop is None and new.bprop is None and new._hooks.empty()
    net = Net()
    experiment = Experiment(net, [X], bprops={"loss": {"rule": lambda x, out, dout: (dout,)}})
    experiment.set_capture("loss")
    net.loss = None
    assert experiment.run().error is not None and experiment.capture is None


class Two(nn.Cell):
    def construct(self, x):
        return x * 2, x + 1


def test_a_loss_of_one_tensor_for_a_net_with_several_is_told_in_a_sentence() -> None:
    labels = Tensor([[1.0, 0.0]])
    experiment = Experiment(Two(), [Tensor([[1.0, 2.0]])], nn.MSELoss(), labels)
    assert str(experiment.run().error) == (
        "Two returns 2 outputs, and the loss gets them as one tuple, which MSELoss does not take; "
        "choose one: loss=lambda out, labels: loss(out[0], labels)"
    )
    with pytest.raises(TypeError, match=r"what a net with several outputs returns is one tuple: loss=lambda out: "):
        Experiment(Two(), [Tensor([1.0])], lambda a, b: a.sum() + b.sum())
    assert Experiment(Two(), [Tensor([1.0])], lambda out: out[0].sum()).run().error is None
