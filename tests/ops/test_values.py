"""Generated from the declarations: what every op computes, beside NumPy, for every sample."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from ops.samples import SAMPLES, TESTED_ELSEWHERE
from ops.samples.sample import Sample

import teachcell as tc
from teachcell.core.op import OPS
from teachcell.core.public import FUNCTIONS, PRIMITIVES
from teachcell.core.tensor import Tensor, wrap

each_op = pytest.mark.parametrize("op", SAMPLES)


def run(sample: Sample, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """The op's results on Tensors around these very arrays."""
    result = sample.run([wrap(a) for a in inputs])
    results = result if isinstance(result, tuple) else (result,)
    assert all(type(r) is Tensor for r in results)
    return [r.asnumpy() for r in results]


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def check(sample: Sample, inputs: list[np.ndarray], rtol: float = 1e-12, atol: float = 1e-12) -> None:
    """Value, shape and dtype of the op's results on ``inputs`` beside the reference in float64."""
    wide = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in inputs]
    width = next((a.dtype for a in inputs if a.dtype.kind == "f"), np.dtype(np.float64))
    results = run(sample, inputs)
    for got, want in zip(results, sample.reference(wide), strict=True):
        assert isinstance(got, np.ndarray)
        assert got.shape == want.shape, sample
        assert got.dtype == (width if want.dtype.kind == "f" else want.dtype), sample
        np.testing.assert_allclose(got, want, rtol, atol, err_msg=str(sample))
        if sample.name in OPS and OPS[sample.name].undo is None and sample.name != "parts":  # each one a view
            assert not any(np.shares_memory(got, a) for a in inputs), sample


def test_every_op_has_a_sample() -> None:
    assert set(OPS) <= set(SAMPLES) | TESTED_ELSEWHERE
    assert not set(SAMPLES) & TESTED_ELSEWHERE


@each_op
def test_value_dtype_and_untouched_inputs(op: str) -> None:
    for sample in SAMPLES[op]:
        check(sample, [frozen(a) for a in sample.inputs])


@each_op
def test_inputs_that_are_not_contiguous(op: str) -> None:
    def scattered(a: np.ndarray) -> np.ndarray:
        holder = np.zeros((*a.shape[::-1], 2), a.dtype)[..., 0].T
        holder[...] = a
        return frozen(holder)

    for sample in SAMPLES[op]:
        check(sample, [scattered(a) for a in sample.inputs])


@pytest.mark.parametrize(("dtype", "rtol", "atol"), [(np.float32, 1e-4, 1e-5), (np.float16, 0.02, 4e-3)])
@each_op
def test_floats_keep_their_width(op: str, dtype: Any, rtol: float, atol: float) -> None:
    for sample in SAMPLES[op]:
        check(sample, [frozen(a.astype(dtype)) if a.dtype.kind == "f" else a for a in sample.inputs], rtol, atol)


# The other forms of the same op ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(n for n, p in PRIMITIVES.items() if hasattr(p, "op")))
def test_the_class_form_takes_its_attributes_at_construction_or_at_the_call(name: str) -> None:
    primitive = PRIMITIVES[name]
    op = primitive.op  # type: ignore[attr-defined]
    for sample in SAMPLES.get(op.name, []):
        wanted = run(sample, sample.inputs)
        tensors = [wrap(a) for a in sample.inputs]
        given = [tensors] if op.arity is None else tensors
        taken = {k: v for k, v in sample.attrs.items() if k in primitive.init}  # type: ignore[attr-defined]
        rest = {k: v for k, v in sample.attrs.items() if k not in taken}
        for result in (getattr(tc.ops, name)(**taken)(*given, **rest), getattr(tc.ops, name)()(*given, **sample.attrs)):
            results = result if isinstance(result, tuple) else (result,)
            for got, want in zip(results, wanted, strict=True):
                np.testing.assert_array_equal(got.asnumpy(), want)


def test_attributes_may_be_given_in_order() -> None:
    x = Tensor([[1.0, 2.0], [3.0, 5.0]])
    assert tc.ops.concat((x, x), 1).shape == (2, 4)
    assert tc.ops.Concat(1)((x, x)).shape == (2, 4)
    assert tc.ops.matmul(x, x, True).asnumpy().tolist() == [[10.0, 17.0], [17.0, 29.0]]
    np.testing.assert_allclose(tc.ops.Softmax(0)(x).asnumpy().sum(0), 1, rtol=1e-6)
    assert tc.ops.select(x > 2, other=x, input=-x).asnumpy().tolist() == [[1.0, 2.0], [-3.0, -5.0]]


def test_operators_are_ops() -> None:
    x, y = Tensor([7.0, -7.0]), Tensor([2.0, 3.0])
    pairs = [
        (x + y, [9, -4]), (x - y, [5, -10]), (x * y, [14, -21]), (x / y, [3.5, -7 / 3]), (x // y, [3, -3]),
        (x % y, [1, 2]), (y**2, [4, 9]), (2**y, [4, 8]), (2 - y, [0, -1]), (6 / y, [3, 2]), (7 // y, [3, 2]),
        (7 % y, [1, 1]), (-x, [-7, 7]), (+x, [7, -7]), (abs(x), [7, 7]), (x @ y, -7), (1 + x, [8, -6]),
        (3 * x, [21, -21]),
    ]  # fmt: skip
    for got, want in pairs:
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-6)
    bits = Tensor([6, 5])
    assert [(bits & 3).tolist(), (bits | 3).tolist(), (bits ^ 3).tolist()] == [[2, 1], [7, 7], [5, 6]]
    assert (~bits).tolist() == [-7, -6]
    assert (x < y).tolist() == [False, True] and (x >= y).tolist() == [True, False]
    assert (x == x).tolist() == [True, True] and (x != x).tolist() == [False, False]
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert operator.lt(2, y).tolist() == [False, True]


def test_arrays_and_lists_beside_a_tensor() -> None:
    x = Tensor([1.0, 2.0])
    array = np.array([3.0, 4.0], np.float32)
    for got in (x + array, array + x, x + [3.0, 4.0], [3.0, 4.0] + x):
        assert type(got) is Tensor and got.tolist() == [4.0, 6.0]
    assert (array @ x).item() == 11.0
    assert (np.float32(2.0) * x).tolist() == [2.0, 4.0]
    for bad in (None, "3", {"a": 1}):
        with pytest.raises(TypeError, match=r"Add"):
            _ = x + bad  # type: ignore[operator]


def test_public_names_lead_to_the_declared_ops() -> None:
    for name, function in FUNCTIONS.items():
        assert getattr(tc.ops, name) is function
        assert function.__doc__, name
    with pytest.raises(AttributeError, match="no_such_op"):
        _ = tc.ops.no_such_op
