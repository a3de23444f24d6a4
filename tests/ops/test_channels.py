"""What is done channel by channel gives the same whichever axis comes last in memory."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.test_conv_kernels import filled

from teachcell.kernels import channels, norm, products, reduce

SHAPES = st.lists(st.integers(1, 9), min_size=2, max_size=5).map(tuple)


@settings(deadline=None)
@given(SHAPES, st.booleans())
def test_there_and_back(shape: tuple[int, ...], last: bool) -> None:
    x = filled(shape, last)
    for seen in {last, channels.channels_are_last(x)}:
        m = channels.by_channel(x, seen)
        np.testing.assert_array_equal(channels.back_from_channels(m, shape, seen), x)
        axes = (0, *range(2, len(shape)))
        np.testing.assert_array_equal(channels.sums_by_channel(m, shape[1]), x.sum(axes))
        np.testing.assert_array_equal(reduce.sum(x, axes), x.sum(axes))


@settings(deadline=None, max_examples=20)
@given(st.sampled_from([(32, 3, 20, 20), (4, 64, 130), (9, 7, 5, 11, 13)]), st.booleans())
def test_a_large_bias(shape: tuple[int, ...], last: bool) -> None:
    x, b = filled(shape, last), filled(shape[1:2], False)
    want = x + b.reshape(-1, *(1,) * (len(shape) - 2))
    np.testing.assert_array_equal(products.bias_add(x, b), want)


@settings(deadline=None)
@given(SHAPES, st.booleans(), st.booleans())
def test_batch_norm_and_its_gradients(shape: tuple[int, ...], last: bool, g_last: bool) -> None:
    x, g = filled(shape, last) + 0.0, filled(shape, g_last)[::-1]
    w, b = 1 + filled(shape[1:2], False), filled(shape[1:2], False)
    axes, row = (0, *range(2, len(shape))), (-1, *(1,) * (len(shape) - 2))
    (y, mean, variance), saved = norm.batch_norm(x, w, b, 1e-3)
    rstd = 1 / np.sqrt(x.var(axes) + 1e-3)
    xhat = (x - x.mean(axes).reshape(row)) * rstd.reshape(row)
    np.testing.assert_allclose(y, xhat * w.reshape(row) + b.reshape(row), atol=1e-9)
    np.testing.assert_allclose((mean, variance), (x.mean(axes), x.var(axes)), atol=1e-9)
    np.testing.assert_allclose(norm.batch_norm_inference(x, w, b, mean, variance, 1e-3), y, atol=1e-9)
    dx, dw, db = norm.batch_norm_grads(g, x, w, b, 1e-3, (True,) * 3, **saved)
    inner = g - g.mean(axes, keepdims=True) - xhat * (g * xhat).mean(axes, keepdims=True)
    np.testing.assert_allclose(dx, inner * (w * rstd).reshape(row), atol=1e-9)
    np.testing.assert_allclose((dw, db), ((g * xhat).sum(axes), g.sum(axes)), atol=1e-9)
