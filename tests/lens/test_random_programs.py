"""Random programs with hooks, rules, cuts and writes: the document is sound and its gradients are those of grad."""

from __future__ import annotations

import random

import numpy as np
import pytest
from lens.looking import Look

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.graph import draw_svg, fold, place

UNARY = [
    ops.relu,
    ops.tanh,
    ops.sigmoid,
    ops.sin,
    lambda x: x * 2,
    lambda x: 1 - x,
    lambda x: x.reshape((3, 2)).reshape((6,)),
]
BINARY = [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b * 0.5, ops.maximum]
CUTS = [ops.stop_gradient, ops.floor, lambda x: Tensor(x.asnumpy()), lambda x: (x > 0).astype(tc.float32)]


class Inner(nn.Cell):
    def __init__(self, choose: random.Random) -> None:
        super().__init__()
        self.w = Parameter(np.linspace(0.5, 1.5, 6).astype(np.float32))
        self.fc = nn.Dense(6, 6)
        self.steps = [choose.choice(UNARY) for _ in range(choose.randint(0, 3))]

    def construct(self, x):
        for step in self.steps:
            x = step(x)
        return self.fc(x) * self.w


def write(x):
    y = x * 1
    y[2] = 0.5
    return y


def halve(cell, left, came):
    return tuple(None if g is None else g * 0.5 for g in left)


HOOKS = {
    "forward_pre": [lambda cell, x: None, lambda cell, x: x[0] * 2, lambda cell, x: Tensor(x[0].asnumpy())],
    "forward": [lambda cell, x, y: None, lambda cell, x, y: y + y, lambda cell, x, y: y],
    "backward_pre": [lambda cell, g: None, lambda cell, g: (g[0] * 3,)],
    "backward": [lambda cell, left, came: None, halve],
}
RULES = [None, lambda x, out, dout: (dout * 2,), lambda x, out, dout: (dout * out,)]


def make_program(seed: int):
    choose = random.Random(seed)
    cells = [Inner(choose) for _ in range(2)]
    for cell in cells:
        for kind in choose.sample(list(HOOKS), choose.randint(0, 3)):
            getattr(cell, f"register_{kind}_hook")(choose.choice(HOOKS[kind]))
        rule = choose.choice(RULES)
        if rule is not None:
            cell.bprop = rule
    plan = [(choose.random(), choose.random(), choose.random(), choose.random()) for _ in range(choose.randint(2, 12))]

    def program(x, y):
        values = [x, y]
        for kind, first, second, which in plan:
            a, b = (values[int(r * len(values))] for r in (first, second))
            pick = lambda options, which=which: options[int(which * len(options))]  # noqa: E731
            if kind < 0.35:
                values.append(pick(UNARY)(a))
            elif kind < 0.6:
                values.append(pick(BINARY)(a, b))
            elif kind < 0.7:
                values.append(pick(CUTS)(a))
            elif kind < 0.8:
                values.append(write(a))
            else:
                values.append(pick(cells)(a))
        return values[-1], values[-2]

    return program, cells


@pytest.mark.parametrize("seed", range(40))
def test_a_random_program(seed: int) -> None:
    tc.set_seed(seed)
    program, cells = make_program(seed)
    rng = np.random.default_rng(seed)
    inputs = [Tensor(rng.normal(size=6).astype(np.float32)) for _ in range(2)]
    weights = [p for cell in cells for p in cell.get_parameters()]
    by_input, by_weight = tc.grad(program, (0, 1), weights)(*inputs)
    look = Look(program, *inputs).passed()
    names = [f"cells.{i}.{path}" for i, cell in enumerate(cells) for path, _ in cell.parameters_and_names()]
    wanted = dict(zip(["x", "y", *names], [*by_input, *by_weight], strict=True))
    for value in look.values:
        if value["kind"] in ("input", "parameter"):
            _same(value, wanted[value["name"]])
    opened = [call["id"] for call in look.calls]
    for scene in (fold(look.document), fold(look.document, opened)):
        assert "<svg" in draw_svg(place(scene, 600), look.document, live=True)
        assert all(scene.node_of(event) for event in look.events)


def _same(value, gradient: Tensor) -> None:
    array = gradient.asnumpy()
    if value["grad"] is None:
        assert not array.any(), value
    elif np.isfinite(array).all():
        assert value["grad"]["mean"] == pytest.approx(array.mean(), rel=1e-4, abs=1e-6)
        assert value["grad"]["max"] == pytest.approx(array.max(), rel=1e-4, abs=1e-6)
