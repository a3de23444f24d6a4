"""Runs that raise: a partial document, a message that helps, and everything as before."""

from __future__ import annotations

import linecache
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from lens.looking import Look

from teachcell import Parameter, Tensor, nn, ops
from teachcell.core import events
from teachcell.lens.failure import failing_line, message_of

X = Tensor(np.ones((2, 3), np.float32))


class Net(nn.Cell):
    def __init__(self, second: nn.Cell) -> None:
        super().__init__()
        self.first = nn.Dense(3, 4)
        self.second = second

    def construct(self, x):
        return self.second(self.first(x))


class Raises(nn.Cell):
    def construct(self, x):
        raise ValueError("not today")


class BadRule(nn.Cell):
    def __init__(self, answer) -> None:
        super().__init__()
        self.answer = answer

    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return self.answer(x, dout)


def fails(net, *inputs, **options) -> Look:
    """A run that raised, and left nothing behind."""
    look = Look(net, *inputs, **options)
    assert look.error is not None and events.OBSERVERS == []
    return look


def test_a_failing_op_is_named_and_shown() -> None:
    look = fails(Net(nn.SequentialCell(nn.ReLU(), Net(nn.ReLU()))), X)
    error = look.document["error"]
    assert error["op"] is None and look.calls[error["call"]]["path"] == "second.1.first"  # Dense refuses before matmul
    look = fails(lambda x: (x * 2) @ (x + 1), X)
    error = look.document["error"]
    assert look.ops[error["op"]]["op"] == "matmul" and look.ops[error["op"]]["error"] and error["call"] == 0
    assert "(2, 3)" in error["message"] and look.order() == ["multiply", "add"]
    assert look.ops[-1]["outputs"] == [] and look.ops[-1]["inputs"] == [1 + 1, 3 + 1]
    assert look.value("x")["grad_state"] == "not asked" and look.value("x")["why"] == "no backward pass ran"


def test_construct_raises() -> None:
    look = fails(Net(Raises()), X)
    assert look.document["error"] == {"op": None, "call": 2, "message": "ValueError: not today"}
    assert look.order() == ["matmul", "bias_add"] and look.calls[2]["path"] == "second"
    assert look.calls[2]["outputs"] == look.calls[0]["outputs"] == [] and look.document["outputs"] == []


def test_an_error_that_the_program_catches_is_none() -> None:
    def program(x):
        try:
            return x @ x
        except ValueError:
            return x * 2

    look = Look(program, X).passed()
    assert look.document["error"] is None and look.gradient("x") == [2, 2, 2]
    assert [op["error"] is None for op in look.ops] == [False, True]

    class Careful(nn.Cell):
        def construct(self, x):
            try:
                x @ x
            except ValueError:
                raise KeyError("no such layer") from None

    look = fails(Careful(), X)
    assert look.document["error"]["message"] == "KeyError: no such layer"


def test_the_loss_raises() -> None:
    look = fails(Net(nn.ReLU()), X, loss=nn.CrossEntropyLoss(), targets=Tensor([0, 9]))
    assert look.calls[look.document["error"]["call"]]["path"] == "loss"
    assert "cross_entropy" in look.ops[look.document["error"]["op"]]["op"]


@pytest.mark.parametrize("kind", ["forward_pre", "forward"])
def test_a_forward_hook_raises(kind: str) -> None:
    net = Net(nn.ReLU())

    def hook(cell, *args):
        return args[0][0].no_such_method()

    getattr(net.second, f"register_{kind}_hook")(hook)
    look = fails(net, X)
    assert "no_such_method" in look.document["error"]["message"]
    assert look.calls[look.document["error"]["call"]]["path"] == "second"
    assert failing_line(look.error) == "hook: return args[0][0].no_such_method()"


@pytest.mark.parametrize("kind", ["backward_pre", "backward"])
def test_a_backward_hook_raises(kind: str) -> None:
    net = Net(nn.ReLU())

    def hook(cell, *args):
        raise ZeroDivisionError("in the hook")

    getattr(net.second, f"register_{kind}_hook")(hook)
    look = fails(net, X)
    error = look.document["error"]
    assert error["op"] is None and look.calls[error["call"]]["path"] == "second"
    assert (
        look.states()["x"] == "not asked" and look.value("x")["why"] == "the backward pass failed before it came here"
    )
    assert [e["kind"] for e in look.events][:3] == ["forward"] * 3 and not [
        e for e in look.events if e["kind"] == "cut"
    ]
    assert look.made_by("matmul")["grad_state"] == "not asked"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x, dout: dout.no_such_method(), "no_such_method"),
        (lambda x, dout: (dout, dout), "2"),
        (lambda x, dout: (dout.sum(),), "()"),
        (lambda x, dout: None, "NoneType"),
        (lambda x, dout: (3,), "int"),
    ],
)
def test_a_rule_raises_or_returns_nonsense(answer, words: str) -> None:
    look = fails(Net(BadRule(answer)), X)
    assert words in look.document["error"]["message"] and look.document["error"]["call"] == 2
    assert look.order() == ["matmul", "bias_add", "multiply"]


def test_nothing_to_differentiate() -> None:
    for program in (lambda x: None, lambda x: x > 0, lambda x: [1, "two"]):
        look = fails(program, X)
        assert "no float Tensor" in look.document["error"]["message"]


def test_everything_is_as_before_after_an_error() -> None:
    class Spoils(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter([1.0, 2.0])
            self.state = Tensor([1.0])

        def construct(self, x):
            np.random.rand(3)
            self.w[0] = 9.0
            ops.assign(self.w, Tensor([5.0, 5.0]))
            self.state = Tensor([2.0])
            raise RuntimeError

    net = Spoils()
    before, data, state = np.random.get_state()[1].copy(), net.w.asnumpy(), net.state
    fails(net, X)
    assert net.w.asnumpy() is data and data.tolist() == [1, 2] and net.state is state
    assert (np.random.get_state()[1] == before).all()


def test_interrupts_pass_through_and_restore() -> None:
    weight = Parameter([1.0])

    def program(x):
        weight[0] = 7.0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Look(program, X)
    assert weight.asnumpy().tolist() == [1] and events.OBSERVERS == []


def test_messages_and_lines() -> None:
    assert message_of(KeyError("plain words")) == "KeyError: plain words"
    assert message_of(ValueError("a", 1)) == "ValueError: ('a', 1)"
    assert failing_line(ValueError()) == ""
    try:
        np.ones(2) @ np.ones(3)
    except ValueError as error:
        assert failing_line(error) == "test_messages_and_lines: np.ones(2) @ np.ones(3)"


def test_lines_of_installed_packages_are_not_the_learners(tmp_path) -> None:
    folder = Path(sysconfig.get_path("purelib"))
    for file, name in ((folder / "somebody" / "code.py", "somebody.code"), (tmp_path / "x.py", "teachcell_widgets.x")):
        text = "def call(f, x):\n    return f(x)\n\n\ndef fails(x):\n    raise ValueError\n"
        linecache.cache[str(file)] = len(text), None, text.splitlines(True), str(file)
        scope = {"__name__": name}
        exec(compile(text, str(file), "exec"), scope)
        call, raises = scope["call"], scope["fails"]

        def program(x, call=call, raises=raises):
            return call(lambda x: raises(x), x)

        assert failing_line(fails(program, X).error) == "<lambda>: return call(lambda x: raises(x), x)"
        assert failing_line(fails(raises, X).error) == ""


def test_a_refusal_shows_no_line() -> None:
    assert failing_line(fails(lambda x: None, X).error) == ""
