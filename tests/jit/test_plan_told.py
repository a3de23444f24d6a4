"""Plans: what they print and say, and how they are drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from jit.plans import plans_of

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops, value_and_grad
from teachcell.kernels import random

X = Tensor(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))


def test_a_plan_prints_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    w = Parameter(np.ones(4, np.float32), name="w")

    @tc.jit
    def step(x: Tensor) -> Tensor:
        y = ops.tanh(x * w + 0.5)
        if y.sum() > 0:
            ops.assign(w, y[0])
        return y

    step.plan()
    step(X)
    step.plan()
    none, table = capsys.readouterr().out.split("\n", 1)
    assert none == "no plan yet: the function has not been called"
    assert [line.split() for line in table.splitlines()][:-1] == [
        ["step", "1/1"],
        ["step", "op", "inputs", "output"],
        ["%0", "multiply", "x,", "w", "(3,", "4)", "float32"],
        ["%1", "add", "%0,", "0.5", "(3,", "4)", "float32"],
        ["%2", "tanh", "%1", "(3,", "4)", "float32"],
        ["%3", "sum:", "reshape", "%2,", "-1", "(12,)", "float32"],
        ["%4", "sum:", "dot", "%3,", "const(12,)", "float32", "()", "float32"],
        ["%5", "asarray", "%4", "()", "float32"],
        ["%6", "greater", "%5,", "0", "()", "bool"],
        ["%7", "asarray", "%6", "()", "bool"],
        ["item?", "%7", "=", "True"],
        ["%8", "getitem", "%2,", "index=0", "(4,)", "float32"],
        ["%9", "astype", "%8,", "dtype('float32'),", "copy=True", "(4,)", "float32"],
        ["assign", "w", "←", "%9", "(4,)", "float32"],
        ["returns:", "%2"],
        ["holds", "for:", "x:", "(3,", "4)", "float32,", "w:", "(4,)", "float32,", "item(%7)", "=", "True"],
    ]  # fmt: skip


def test_a_plan_names_what_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    @tc.jit
    def f(batch: Any, options: Any, *more: Tensor, scale: Any = None) -> Any:
        return batch[0] * options["m"] + more[0] * scale, batch[0]

    f((X, X + 1), {"m": X + 2}, X + 3, scale=X + 4)
    f.plan()
    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert table[2][:4] == ["%0", "multiply", "batch[0],", "options['m']"]
    assert table[3][:4] == ["%1", "multiply", "x3,", "scale"]
    assert table[5] == ["returns:", "(%2,", "batch[0])"]
    assert table[-1][3] == str(plans_of(f)[-1].world.values.size)


def step_of(net: nn.Cell, opt: nn.Optimizer) -> Callable[[Tensor], Tensor]:
    """A step of training."""
    slopes = value_and_grad(lambda x: net(x).sum(), None, opt.parameters)

    def step(x: Tensor) -> Tensor:
        value, gradients = slopes(x)
        opt(gradients)
        return value

    return step


def test_a_plan_says_what_an_optimizer_updates(capsys: pytest.CaptureFixture[str]) -> None:
    net = nn.Dense(4, 3)
    opt = nn.Adam(net.trainable_params(), 0.1)
    step = tc.jit(step_of(net, opt))
    step(X)
    step.plan()
    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    start = next(i for i, line in enumerate(table) if "Adam" in line)
    assert table[start][:4] == ["Adam", "updates", "weight", "with"] and table[start][4].startswith("%")
    assert table[start + 1][:4] == ["updates", "bias", "with", "const(3,)"]  # of a sum: all ones, summed
    assert table[start + 2] == ["returns:", *table[start + 2][1:]]


def test_plans_say_how_many_they_are() -> None:
    f = tc.jit(lambda x: x * 2)
    assert repr(f.plan()) == "no plan of <lambda> yet"
    f(X)
    assert repr(f.plan()) == "1 plan of <lambda>"
    f(X[0])
    assert repr(f.plan()) == "2 plans of <lambda>"


def test_where_there_is_no_plan_it_says_why() -> None:
    f = tc.jit(lambda x: x * float(x.asnumpy().sum()))
    with pytest.warns(tc.JitNote):
        f(X)
    words = "no plan of <lambda>, it runs eagerly: a Tensor's values leave the engine"
    assert repr(f.plan()).startswith(words)
    with pytest.raises(ValueError, match=words):
        tc.draw(f.plan, X)


def test_a_plan_is_drawn_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    net = nn.SequentialCell(nn.Dense(4, 3), nn.Dropout(p=0.5))
    net.set_train()
    opt = nn.SGD(net.trainable_params(), 0.1)
    move = step_of(net, opt)

    @tc.jit
    def step(x: Tensor) -> Tensor:
        value = move(x)
        x[0] = 1.0
        return value

    x = X.copy()
    with pytest.raises(ValueError, match="step has no plan for such a call"):
        tc.draw(step.plan, x)
    step(x)
    state, x = random.state(), X.copy()
    before = [p.asnumpy().copy() for p in (*opt.get_parameters(), x)]
    capsys.readouterr()
    picture = tc.draw(step.plan, x)
    assert capsys.readouterr().out == "" and tc.draw(step.plan(), x).svg == picture.svg
    labels = [op["label"] for op in picture.document["ops"]]
    assert {"matmul: dot", "dropout", "bias_grad: dot", "SGD: updates 2 parameters", "setitem"} <= set(labels)
    assert [v["name"] for v in picture.document["values"] if v["kind"] == "input"] == ["x"]
    assert "SGD" in picture.svg and "matmul\\ndot (3, 3)" in picture.to_dot()
    pairs = re.findall(r">([^<>]+)</t(?:ext|span|itle)>|<desc[^>]*>([^<]*)", picture.svg)
    shown = [(word or described).lower() for word, described in pairs]
    assert {"matmul", "dot (3, 3)", "bias_grad", "updates 2 parameters"} <= {*shown}
    told = " ".join(shown)
    assert not any(word in told for word in ("gradient", "cut", "not needed", "not asked", "not yet"))
    assert not any(word.endswith("…") for word in shown)
    assert not any(event["kind"] == "cut" for event in picture.document["events"])
    assert random.state() == state
    assert all((p.asnumpy() == a).all() for p, a in zip((*opt.get_parameters(), x), before, strict=True))
