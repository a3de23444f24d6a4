"""Properties over random shapes and dtypes: broadcasting, promotion, reductions, orders, joins, indices."""

from __future__ import annotations

import math
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as hnp

from teachcell import Tensor, grad, ops
from teachcell.core import dtypes

DTYPES = ["bool", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
FLOATS = ["float16", "float32", "float64"]
few = settings(max_examples=40, deadline=None)


def filled(shape: tuple[int, ...], dtype: str, start: int = 1) -> np.ndarray:
    """Small whole numbers: exact in every dtype."""
    return ((np.arange(math.prod(shape)) + start) % 5).reshape(shape).astype(dtype)


shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)
pairs = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=3, min_side=0)


@pytest.mark.parametrize("name", ["add", "mul", "maximum", "minimum", "equal", "less", "logical_and"])
@given(pairs, st.sampled_from(DTYPES), st.sampled_from(DTYPES))
@few
def test_binary_ops_broadcast_and_promote(name: str, both: Any, a: str, b: str) -> None:
    first, second = both.input_shapes
    x, y = filled(first, a), filled(second, b, 2)
    found = getattr(ops, name)(Tensor(x), Tensor(y))
    common = dtypes.promote(x.dtype, y.dtype)
    wanted = {"mul": np.multiply}.get(name, getattr(np, name, None))(x.astype(common), y.astype(common))
    assert found.shape == both.result_shape
    assert found.asnumpy().dtype == (wanted.dtype if wanted.dtype == bool else common)
    np.testing.assert_array_equal(found.asnumpy(), wanted.astype(found.asnumpy().dtype))


@given(pairs, st.sampled_from(FLOATS), st.sampled_from(FLOATS))
@few
def test_gradients_come_back_in_each_operand_s_shape_and_dtype(both: Any, a: str, b: str) -> None:
    first, second = both.input_shapes
    x, y = Tensor(filled(first, a)), Tensor(filled(second, b, 2))
    gx, gy = grad(ops.mul, (0, 1))(x, y)
    assert (gx.shape, gx.dtype, gy.shape, gy.dtype) == (x.shape, x.dtype, y.shape, y.dtype)
    ones = np.ones(both.result_shape)
    for got, other, own in ((gx, y, first), (gy, x, second)):
        spread = ones * other.asnumpy()
        lead = spread.ndim - len(own)
        axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(own) if n != spread.shape[i + lead])
        np.testing.assert_array_equal(got.asnumpy(), spread.sum(axes).reshape(own))


@pytest.mark.parametrize("name", ["sum", "mean", "amax", "prod", "any", "all", "var", "logsumexp"])
@given(st.data(), st.sampled_from(FLOATS))
@few
def test_reductions_over_any_axes(name: str, data: Any, dtype: str) -> None:
    x = filled(data.draw(hnp.array_shapes(min_dims=1, max_dims=4, max_side=3)), dtype)
    axes = data.draw(st.one_of(st.none(), hnp.valid_tuple_axes(x.ndim, min_size=1)))
    if name == "logsumexp" and axes is None:
        axes = tuple(range(x.ndim))
    wide = x.astype(np.float64)
    numpy_of: dict[str, Any] = {"amax": np.max, "logsumexp": lambda v, axis: np.log(np.exp(v).sum(axis))}
    wanted = numpy_of.get(name, getattr(np, name, None))(wide, axis=axes)
    found = getattr(ops, name)(Tensor(x), axes)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=2e-3 if dtype == "float16" else 1e-6)


@given(st.data(), st.sampled_from(DTYPES))
@few
def test_orders_are_undone_by_their_inverse(data: Any, dtype: str) -> None:
    x = filled(data.draw(shapes), dtype)
    order = data.draw(st.permutations(range(x.ndim)))
    turned = ops.transpose(Tensor(x), tuple(order))
    np.testing.assert_array_equal(turned.asnumpy(), x.transpose(order))
    back = ops.transpose(turned, tuple(np.argsort(order).tolist()))
    np.testing.assert_array_equal(back.asnumpy(), x)
    assert back.asnumpy().dtype == x.dtype
    np.testing.assert_array_equal(ops.reshape(turned, (x.size,)).asnumpy(), x.transpose(order).ravel())


@given(st.data(), st.sampled_from(DTYPES))
@few
def test_what_is_split_can_be_joined(data: Any, dtype: str) -> None:
    x = filled(data.draw(hnp.array_shapes(min_dims=1, max_dims=3, max_side=5)), dtype)
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    size = data.draw(st.integers(1, x.shape[axis]))
    parts = ops.split(Tensor(x), size, axis)
    np.testing.assert_array_equal(ops.concat(parts, axis).asnumpy(), x)
    np.testing.assert_array_equal(ops.stack(ops.unstack(Tensor(x), axis), axis).asnumpy(), x)


@given(st.data(), st.sampled_from(FLOATS))
@few
def test_basic_indices_read_and_send_gradients_where_numpy_writes(data: Any, dtype: str) -> None:
    x = filled(data.draw(hnp.array_shapes(min_dims=1, max_dims=3, max_side=4)), dtype)
    index = data.draw(hnp.basic_indices(x.shape))
    np.testing.assert_array_equal(Tensor(x)[index].asnumpy(), x[index])
    wanted = np.zeros_like(x)
    wanted[index] = 1
    np.testing.assert_array_equal(grad(lambda t: t[index])(Tensor(x)).asnumpy(), wanted)
