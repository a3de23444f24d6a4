"""Source text of rules and hooks: the whole function, of a lambda only itself."""

from __future__ import annotations

import functools

import teachcell.ops  # noqa: F401  (declares the ops)
from teachcell import nn
from teachcell.core.op import OPS
from teachcell.lens.write.source import rule_source, source_of

# fmt: off
PAIR = (lambda g, x: g * x, lambda g, x: g + x)
LONG = [lambda a: (
    a
    + 1
)]
# fmt: on


def decorated(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


@decorated
def rule(x, dout):
    """Says x."""
    return dout * x


def test_functions_methods_and_decorated_ones() -> None:
    assert source_of(rule) == '@decorated\ndef rule(x, dout):\n    """Says x."""\n    return dout * x'
    assert source_of(nn.ReLU6.construct).startswith("def construct(self, x: Tensor)")
    assert source_of(nn.Dense(2, 2).construct).startswith("def construct")


def test_lambdas_alone() -> None:
    assert [source_of(f) for f in PAIR] == ["lambda g, x: g * x", "lambda g, x: g + x"]
    assert source_of(LONG[0]) == "lambda a: (\n    a\n    + 1\n)"
    factor = 3
    assert source_of(lambda a: a * factor) == "lambda a: a * factor"


def test_what_has_no_source() -> None:
    scope: dict = {}
    exec("def typed(x): return x\nalso = lambda x: x", scope)
    for thing in (print, 3, None, scope["typed"], scope["also"], nn.ReLU(), functools.partial(rule)):
        assert source_of(thing) is None


def test_the_rules_of_ops() -> None:
    assert rule_source(OPS["multiply"]).splitlines() == [
        "lambda F, g, out, x, y: F.multiply(g, y)",
        "lambda F, g, out, x, y: F.multiply(g, x)",
    ]
    assert rule_source(OPS["batch_norm"]).startswith("def _batch_norm_rule(")
    assert rule_source(OPS["floor"]) == ""
    with OPS["relu"].override((lambda F, g, out, x: g,)):
        assert rule_source(OPS["relu"]) == "lambda F, g, out, x: g"
    assert "relu_grad" in rule_source(OPS["relu"])
