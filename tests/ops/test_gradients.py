"""Generated from the declarations: the gradients of every op, to second order, for every sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.samples import NOT_DIFFERENTIABLE, SAMPLES
from ops.samples.sample import Sample

from teachcell import Tensor, grad, gradcheck, ops
from teachcell.core import modes
from teachcell.core.op import OPS, TENSORS
from teachcell.core.tensor import wrap

DIFFERENTIABLE = [name for name in SAMPLES if name not in NOT_DIFFERENTIABLE]
each_op = pytest.mark.parametrize("op", DIFFERENTIABLE)


def function_of(sample: Sample) -> tuple[Callable[..., Any], list[Tensor]]:
    """The call as a function of its float inputs, and these."""
    inputs = [wrap(a) for a in sample.inputs]
    floats = [i for i, t in enumerate(inputs) if t.asnumpy().dtype.kind == "f"]

    def call(*tensors: Tensor) -> Any:
        given = list(inputs)
        for i, t in zip(floats, tensors, strict=True):
            given[i] = t
        return sample.run(given)

    return call, [inputs[i] for i in floats]


def smooth(sample: Sample) -> tuple[Callable[..., Any], list[Tensor]]:
    """As ``function_of``, but without the outputs and inputs that are declared constant for the gradient."""
    call, tensors = function_of(sample)
    if sample.name == "batch_norm":
        return lambda *args: call(*args)[0], tensors
    if sample.name == "batch_norm_inference":
        return lambda *args: call(*args, *tensors[3:]), tensors[:3]
    return call, tensors


@each_op
def test_gradient_beside_central_differences_to_second_order(op: str) -> None:
    for sample in SAMPLES[op]:
        function, tensors = smooth(sample)
        try:
            assert gradcheck(function, *tensors, order=2)
        except AssertionError as error:
            raise AssertionError(str(sample)) from error


@each_op
def test_a_rule_says_the_same_on_arrays_and_on_tensors(op: str) -> None:
    for sample in SAMPLES[op]:
        function, tensors = smooth(sample)
        slopes = grad(function, tuple(range(len(tensors))))
        plain = slopes(*tensors)
        with modes.Recording(since=1):
            recorded = slopes(*tensors)
        for a, b, t in zip(_tuple(plain), _tuple(recorded), tensors, strict=True):
            assert a.shape == b.shape == t.shape and a.dtype == b.dtype == t.dtype, sample
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-12, atol=1e-12, err_msg=str(sample))


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@each_op
def test_gradients_own_their_memory(op: str) -> None:
    for sample in SAMPLES[op]:
        function, tensors = smooth(sample)
        gradients = _tuple(grad(function, tuple(range(len(tensors))))(*tensors))
        arrays = [t.asnumpy() for t in (*gradients, *tensors)]
        assert all(g.asnumpy().flags.owndata and g.asnumpy().flags.writeable for g in gradients)
        for i in range(len(gradients)):
            assert not any(np.shares_memory(arrays[i], a) for j, a in enumerate(arrays) if i != j), sample


@pytest.mark.parametrize("op", [name for name in DIFFERENTIABLE if name in OPS and OPS[name].saves])
def test_second_order_does_not_take_saved_values_for_constants(op: str) -> None:
    """With every saved float spoilt where a rule runs on Tensors, second derivatives are still right."""
    rules = OPS[op].rules
    saved = OPS[op].saves

    def spoiling(rule: Any) -> Any:
        if rule is None:
            return None

        def spoilt(F: Any, *args: Any, **attrs: Any) -> Any:
            if F is TENSORS:
                attrs = {k: np.full_like(v, np.nan) if k in saved else v for k, v in attrs.items()}
            return rule(F, *args, **attrs)

        return spoilt

    with OPS[op].override(tuple(map(spoiling, rules)) if isinstance(rules, tuple) else spoiling(rules)):
        for sample in SAMPLES[op]:
            function, tensors = smooth(sample)
            assert gradcheck(function, *tensors, order=2)


@pytest.mark.parametrize("op", [name for name in DIFFERENTIABLE if name in OPS])
def test_only_the_wanted_rules_run(op: str) -> None:
    """A rule whose input nobody asked for must not run: it may be most of the work."""
    for sample in SAMPLES[op]:
        function, tensors = function_of(sample)
        rules = OPS[op].rules
        for i in range(len(tensors)):
            if not isinstance(rules, tuple) or rules[i] is None or len(rules) != len(tensors):
                continue
            ran: list[int] = []

            def counted(j: int, rule: Any, ran: list[int] = ran) -> Any:
                return rule and (lambda *args, **attrs: (ran.append(j), rule(*args, **attrs))[1])

            others = [wrap(t.asnumpy()) for t in tensors]
            with OPS[op].override(tuple(counted(j, r) for j, r in enumerate(rules))):
                grad(lambda t, f=function, i=i, o=others: f(*o[:i], t, *o[i + 1 :]))(tensors[i])  # type: ignore[misc]
            assert ran == [i], sample


@pytest.mark.parametrize("op", [name for name, op in OPS.items() if op.kinks])
def test_kinks_and_ties_are_as_declared(op: str) -> None:
    rules = OPS[op].rules
    for kink in OPS[op].kinks:
        tensors = [Tensor(np.array(value, np.float64)) for value in kink.at]
        wanted = [i for i in range(len(tensors)) if not isinstance(rules, tuple) or rules[i] is not None]
        slopes = grad(lambda *xs, k=kink: getattr(TENSORS, op)(*xs, **k.attrs), tuple(wanted))(*tensors)
        for got, want in zip(_tuple(slopes), kink.slopes, strict=True):
            np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-12, err_msg=str(kink))


# Kinks and ties ------------------------------------------------------------------------------------------------

NAN = float("nan")
INF = float("inf")


@pytest.mark.parametrize(
    ("function", "at", "slopes"),
    [
        (ops.relu, [-1.0, 0.0, 1.0], [0, 0, 1]),
        (ops.relu6, [0.0, 6.0, 6.5], [0, 1, 0]),
        (ops.abs, [-1.0, 0.0, 1.0], [-1, 0, 1]),
        (lambda x: ops.maximum(x, 1.0), [0.0, 1.0, 2.0], [0, 0.5, 1]),
        (lambda x: ops.minimum(1.0, x), [0.0, 1.0, 2.0], [1, 0.5, 0]),
        (lambda x: ops.clamp(x, -1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0], [0, 1, 1, 1, 0]),
        (lambda x: ops.clip_by_value(x, -1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0], [0, 0.5, 1, 0.5, 0]),
        (lambda x: x.max(), [3.0, 1.0, 3.0], [0.5, 0, 0.5]),
        (lambda x: x.min(), [1.0, 1.0, 1.0], [1 / 3, 1 / 3, 1 / 3]),
        (ops.sqrt, [0.0, 4.0], [INF, 0.25]),
        (ops.log, [0.0, 2.0], [INF, 0.5]),
        (lambda x: 1 / x, [0.0], [-INF]),
        (lambda x: x**2, [0.0, 3.0], [0, 6]),
        (lambda x: x**0, [0.0, 3.0], [0, 0]),
        (lambda x: x**1, [0.0, -3.0], [1, 1]),
        (lambda x: x**1.5, [0.0, 4.0], [0, 3]),
        (lambda x: x**3, [-2.0], [12]),
        (lambda x: 0.0**x, [1.0], [0]),
        (lambda x: 2**x, [3.0], [8 * np.log(2)]),
        (lambda x: x % 3, [4.0, -1.0], [1, 1]),
        (lambda x: 7 % x, [2.0], [-3]),
        (lambda x: x // 3, [4.0], [0]),
        (lambda x: ops.where(x > 0, ops.sqrt(ops.where(x > 0, x, 1.0)), 0.0), [0.0, 4.0], [0, 0.25]),
        (lambda x: x.prod(), [0.0, 2.0, 3.0], [6, 0, 0]),
        (lambda x: x.prod(), [0.0, 0.0, 3.0], [0, 0, 0]),
        (lambda x: x.astype("int32").astype("float32") * x, [1.5, 2.5], [1, 2]),
        (lambda x: x.astype("float16").astype("float64"), [1.5, 2.5], [1, 1]),
        (lambda x: ops.floor(x) + ops.ceil(x) + ops.round(x) + ops.sign(x) + (x > 1) * x, [1.5, 0.5], [1, 0]),
        (lambda x: x.argmax() * x, [1.5, 2.5], [1, 1]),
        (lambda x: ops.stop_gradient(x) * x, [1.5, 2.5], [1.5, 2.5]),
        (lambda x: ops.masked_fill(x, x > 2, 0.0) * x, [1.5, 2.5], [3, 0]),
    ],
)
def test_conventions_at_kinks_and_ties(function: Any, at: list[float], slopes: list[float]) -> None:
    np.testing.assert_allclose(grad(function)(Tensor(at)).asnumpy(), slopes, rtol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_power_at_zero_in_higher_orders(order: int) -> None:
    f: Any = lambda x: ops.exp(-(x**2))  # noqa: E731
    for _ in range(order):
        f = grad(f)
    assert f(Tensor(0.0)).item() == [0, -2, 0, 12][order - 1]


def test_gradients_of_a_cast_come_back_in_the_input_s_dtype() -> None:
    x = Tensor(np.array([1.0, 2.0], np.float16))
    y = Tensor(np.array([3.0, 4.0]))
    gx, gy = grad(lambda a, b: a * b, (0, 1))(x, y)
    assert (gx.dtype.name, gx.tolist(), gy.dtype.name, gy.tolist()) == ("float16", [3, 4], "float64", [1, 2])


def test_a_broadcast_operand_gets_a_sum_of_its_own_shape_and_dtype() -> None:
    for a, b in (((), (2,)), ((1,), (5, 4)), ((4, 1), (1, 4)), ((3,), (7, 3)), ((2, 1, 3), (4, 1))):
        x, y = Tensor(np.ones(a, np.float32)), Tensor(np.full(b, 2, np.float32))
        gx, gy = grad(lambda p, q: p * q, (0, 1))(x, y)
        total = np.broadcast(np.ones(a), np.ones(b)).size
        assert (gx.shape, gy.shape, gx.dtype.name) == (a, b, "float32")
        assert (gx.asnumpy().sum(), gy.asnumpy().sum()) == (2 * total, total)
