"""Steps written out for single ops: they say what the rules say, in first and in second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples import NOT_DIFFERENTIABLE, SAMPLES
from ops.test_gradients import smooth

from teachcell import Tensor, grad
from teachcell.core import modes
from teachcell.core.events import Observer, observing
from teachcell.core.op import OPS, Op
from teachcell.core.steps import source, write


class Listener(Observer):
    """Keeps what rules were given and gave."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def op_backward(self, node: Any, incoming: Any, outgoing: Any) -> None:
        self.heard.append((node.op, incoming, *outgoing))


@pytest.mark.parametrize("op", [name for name in SAMPLES if name not in NOT_DIFFERENTIABLE])
def test_steps_and_the_general_way_agree(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for sample in SAMPLES[op]:
        function, tensors = smooth(sample)
        slopes = grad(function, tuple(range(len(tensors))))
        for since in (None, 1):
            with modes.pause() if since is None else modes.Recording(since):
                quick = slopes(*tensors)
                with observing(told := Listener()):
                    steps = slopes(*tensors)
                with monkeypatch.context() as patch, observing(general := Listener()):
                    for ran in {heard[0] for heard in told.heard}:
                        patch.setattr(ran, "observed_step", None)
                    slow = slopes(*tensors)
            _assert_same([_tuple(quick), _tuple(steps), _tuple(slow)], sample)
            for a, b in zip(told.heard, general.heard, strict=True):
                assert a[0] is b[0]
                _assert_same([a[1:], b[1:]], sample)


def _assert_same(ways: list[Any], sample: Any) -> None:
    for first, *others in zip(*ways, strict=True):
        for other in others:
            assert (first is None) == (other is None), sample
            if first is not None and not isinstance(first, list):
                assert first.shape == other.shape and first.dtype == other.dtype, sample
                a, b = (v.asnumpy() if isinstance(v, Tensor) else v for v in (first, other))
                np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12, err_msg=str(sample))


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def test_a_rule_without_branches_becomes_lines() -> None:
    assert "v0 = F_multiply(g, x1)" in source(OPS["multiply"])
    assert "v0 = F_multiply(g, wrap(x1, p1))" in source(OPS["multiply"], second=True)
    assert "rule" not in source(OPS["divide"])
    assert 'F_scale(g, attrs["factor"])' in source(OPS["scale"])


@pytest.mark.parametrize(
    "rule",
    [
        lambda F, g, out, x, k=None: F.multiply(g, x) if k is None else g,
        lambda F, g, out, x, k=None: F.multiply(g, x.T),
        lambda F, g, out, x, k=None: F.multiply(g, F.cumsum(x, not k)),
        lambda F, g, out, x, k=None: F.multiply(g, 2 * x),
        lambda F, g, out, x, **attrs: F.multiply(g, x, **attrs),
        lambda F, g, out, x, k=0.0: F.multiply(g, F.scale(x, k == 0)),
        lambda F, g, out, x, k=None: F.multiply(g, out),  # which Nodes do not keep
        lambda F, g, out, x, k=None: F.unheard_of(g, x),
    ],
)  # fmt: skip
def test_any_other_rule_is_called(rule: Any) -> None:
    op = Op("own", "Own", np.negative, (rule,), keeps_inputs=True, arity=1, attrs=("k",))
    assert "value = rule0(F, g, out, x0, **attrs)" in source(op)
    assert "value = rule0(F, g, wrap(x0, p0)" not in source(op) and "rule0" in source(op, second=True)
    assert callable(write(op))


def test_a_step_is_written_once_and_rules_are_looked_up_when_the_sweep_runs() -> None:
    square = OPS["square"]
    assert grad(lambda x: x.square())(Tensor(3.0)).item() == 6.0
    step = square.step
    with square.override((lambda F, g, out, x: F.scale(g, 10.0),)):
        assert grad(lambda x: x.square())(Tensor(3.0)).item() == 10.0
        assert grad(grad(lambda x: x.square() * x))(Tensor(3.0)).item() == 20.0
    assert square.step is step and grad(lambda x: x.square())(Tensor(3.0)).item() == 6.0


def test_the_lines_of_a_step_stand_in_tracebacks() -> None:
    import linecache

    step = write(OPS["tanh"])
    assert linecache.getline(step.__code__.co_filename, 1) == "def step(node, g, live, own):\n"  # type: ignore[attr-defined]
