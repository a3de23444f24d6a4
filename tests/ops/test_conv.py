"""Convolution, pooling and other ops over space in all their forms, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.conv import convolution, same

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops

DRAWS = np.random.default_rng(3)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


# Convolution ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 5, 7])
@pytest.mark.parametrize("kernel", [1, 2, 3])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("dilation", [1, 2])
def test_same_padding_gives_ceil_of_size_over_stride(size: int, kernel: int, stride: int, dilation: int) -> None:
    x, w = drawn(1, 2, size, size + 1), drawn(3, 2, kernel, kernel)
    got = ops.conv2d(x, w, stride=stride, pad_mode="same", dilation=dilation)
    assert got.shape == (1, 3, -(-size // stride), -(-(size + 1) // stride))
    pad = same(x.shape[2:], (kernel,) * 2, (stride,) * 2, (dilation,) * 2)
    want = convolution(x.asnumpy(), w.asnumpy(), (stride, stride), pad, (dilation, dilation))
    np.testing.assert_allclose(got.asnumpy(), want, atol=1e-12)


@pytest.mark.parametrize("padding", [1, (1,), (1, 2), (1, 0, 2, 1)])
def test_explicit_padding(padding: Any) -> None:
    x, w, b = drawn(2, 1, 4, 4), drawn(2, 1, 3, 3), drawn(2)
    four = {1: (1,) * 4, (1,): (1,) * 4, (1, 2): (1, 1, 2, 2)}.get(padding, padding)
    got = ops.conv2d(x, w, b, pad_mode="pad", padding=padding)
    want = convolution(x.asnumpy(), w.asnumpy(), pad=four) + b.asnumpy()[:, None, None]
    np.testing.assert_allclose(got.asnumpy(), want, atol=1e-12)


def test_depthwise_convolution_with_everything_to_second_order() -> None:
    x, w, b = drawn(1, 4, 5, 5), drawn(4, 1, 2, 3), drawn(4)
    assert gradcheck(
        lambda *a: ops.conv2d(*a, stride=(2, 1), pad_mode="pad", padding=(1, 0, 0, 2), dilation=(1, 2), groups=4),
        x, w, b, order=2,
    )  # fmt: skip


def test_integers_are_convolved_as_floats_and_long_sums_of_float16_do_not_overflow() -> None:
    assert ops.conv2d(Tensor(np.ones((1, 1, 2, 2), int)), Tensor(np.ones((1, 1, 2, 2), int))).dtype is tc.float32
    x, w = Tensor(np.full((1, 1, 300, 300), 2, np.float16)), Tensor(np.full((1, 1, 300, 300), -1, np.float16))
    w[0, 0, :150] = 1.0
    assert ops.conv2d(x, w).item() == 0 and ops.conv2d(x, w).dtype is tc.float16
    assert ops.avg_pool2d(x, 300).item() == 2


def test_convolution_classes_are_told_the_weight_s_shape() -> None:
    x, w = drawn(1, 2, 4, 5), drawn(3, 2, 2, 3)
    got = ops.Conv2D(3, (2, 3), pad_mode="PAD", pad=(1, 0, 0, 1), stride=2)(x, w)
    want = ops.conv2d(x, w, stride=2, pad_mode="pad", padding=(1, 0, 0, 1))
    assert got.tolist() == want.tolist() and ops.Conv2D(3, (2, 3))(x, w).shape == (1, 3, 3, 3)
    with pytest.raises(ValueError, match=r"the weight must have shape \(3, C, 3, 3\), got \(3, 2, 2, 3\)"):
        ops.Conv2D(3, 3)(x, w)
    with pytest.raises(ValueError, match="mode must be one of 1, got 0"):
        ops.Conv2D(3, 3, 0)(x, w)
    with pytest.raises(ValueError, match="data_format must be one of 'NCHW', got 'NHWC'"):
        ops.Conv2D(3, (2, 3), data_format="NHWC")(x, w)
    y, v = drawn(1, 1, 3, 3, 3), drawn(2, 1, 2, 2, 2)
    assert ops.Conv3D(2, 2, pad_mode="same")(y, v).tolist() == ops.conv3d(y, v, pad_mode="same").tolist()


def test_the_way_back_of_a_convolution_as_a_class_is_its_gradient() -> None:
    x, w = drawn(1, 2, 4, 5), drawn(3, 2, 3, 3)
    for kwargs in ({"pad_mode": "same"}, {"pad_mode": "pad", "pad": 1, "stride": 2}, {"stride": (1, 2)}):
        convolve = ops.Conv2D(3, 3, **kwargs)
        g = drawn(*convolve(x, w).shape)
        want = grad(lambda t, c=convolve, g=g: (c(t, w) * g).sum())(x)
        back = ops.Conv2DTranspose(3, 3, **kwargs)
        np.testing.assert_allclose(back(g, w, x.shape).asnumpy(), want.asnumpy(), atol=1e-12)
    y, v = drawn(1, 2, 2, 2, 3), drawn(2, 4, 2, 2, 2)
    out = ops.Conv3DTranspose(2, 8, 2, stride=2, group=2)(y, v)
    assert out.shape == (1, 8, 4, 4, 6) and gradcheck(ops.Conv3DTranspose(2, 4, 2, stride=2), y, v, order=2)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"stride": 0}, ValueError, "stride must be an int >= 1 or 2 of them, got 0"),
        ({"stride": 1.5}, TypeError, "stride must be an int >= 1 or 2 of them, got 1.5"),
        ({"dilation": (1, 2, 3)}, ValueError, r"dilation must be an int >= 1 or 2 of them, got \(1, 2, 3\)"),
        ({"pad_mode": "full"}, ValueError, "pad_mode must be one of 'same', 'valid', 'pad', got 'full'"),
        ({"pad_mode": 1}, TypeError, "pad_mode must be one of"),
        ({"groups": 2}, ValueError, r"3 channels, the weight is made for 6 in 2 group"),
        ({"pad_mode": "pad", "padding": (1, 2, 3)}, ValueError, "padding must be an int >= 0 or 4 of them"),
        ({"pad_mode": "pad", "padding": -1}, ValueError, "padding must be an int >= 0 or 4 of them, got -1"),
        ({"padding": 1}, ValueError, "padding = 1 needs pad_mode='pad', not 'valid'"),
    ],
)
def test_convolution_says_what_does_not_fit(arguments: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        ops.conv2d(drawn(1, 3, 5, 5), drawn(2, 3, 2, 2), **arguments)


def test_a_kernel_larger_than_its_input_is_explained() -> None:
    with pytest.raises(ValueError, match=r"Conv failed on \(1, 3, 2, 2\) float64 × \(2, 3, 5, 5\) float64.*\(5, 5\)"):
        ops.conv2d(drawn(1, 3, 2, 2), drawn(2, 3, 5, 5))


# Pooling ----------------------------------------------------------------------------------------------------------


def test_the_first_of_equals_gets_the_gradient_in_every_order() -> None:
    x = Tensor(np.ones((1, 1, 3, 3)))
    for pool, want in (
        (lambda t: ops.max_pool2d(t, 2, 1), [[1, 1, 0], [1, 1, 0], [0, 0, 0]]),
        (lambda t: ops.max_pool2d(t, 3, 1, 1), [[4, 2, 0], [2, 1, 0], [0, 0, 0]]),
        (lambda t: ops.adaptive_max_pool2d(t, 2), [[1, 1, 0], [1, 1, 0], [0, 0, 0]]),
    ):
        assert grad(pool)(x).tolist() == [[want]]
        assert grad(lambda t, p=pool: (grad(p)(t) * t).sum())(x).tolist() == [[want]]


def test_max_pool_lets_nan_and_minus_infinity_through() -> None:
    x = Tensor([[[1.0, float("nan"), 2.0, 3.0, -np.inf, -np.inf]]])
    assert str(ops.max_pool1d(x, 2).tolist()) == "[[[nan, 3.0, -inf]]]"
    assert ops.max_pool1d(x, 2, return_indices=True)[1].tolist() == [[[1, 3, 4]]]


def test_pooling_classes() -> None:
    x, y = drawn(1, 2, 5, 6), drawn(1, 1, 4, 4, 3)
    assert ops.MaxPool(2, 2)(x).tolist() == ops.max_pool2d(x, 2).tolist()
    assert ops.AvgPool((2, 3), 1)(x).tolist() == ops.avg_pool2d(x, (2, 3)).tolist()
    assert ops.MaxPool3D(2, 2, "pad", 1)(y).tolist() == ops.max_pool3d(y, 2, padding=1).tolist()
    counted = ops.avg_pool3d(y, 2, 2, 1, False, False).tolist()
    assert ops.AvgPool3D(2, 2, "pad", 1, count_include_pad=False)(y).tolist() == counted
    values, where = ops.MaxPoolWithArgmaxV2(3, 2, 1, argmax_type=tc.int32)(x)
    wanted, places = ops.max_pool2d(x, 3, 2, 1, return_indices=True)
    assert (values.tolist(), where.tolist(), where.dtype) == (wanted.tolist(), places.tolist(), tc.int32)
    values, where = ops.MaxPool3DWithArgmax(2, 2, 0)(y)
    assert ops.MaxUnpool3D(2, output_shape=y.shape)(values, where).shape == y.shape
    values, where = ops.AdaptiveMaxPool2D((2, None))(x)
    assert values.shape == where.shape == (1, 2, 2, 6) and where.dtype is tc.int64
    assert ops.AdaptiveMaxPool3D()(y, Tensor([2, 2, 1]))[1].dtype is tc.int32
    assert ops.AdaptiveAvgPool3D(1)(y).item() == pytest.approx(y.asnumpy().mean())
    draws = Tensor([[[0.1, 0.7], [0.3, 0.9]]])
    values, where = ops.FractionalMaxPoolWithFixedKsize(2, (3, 3))(x, draws)
    assert values.tolist() == ops.fractional_max_pool2d(x, 2, 3, _random_samples=draws).tolist()
    with pytest.raises(ValueError, match="data_format must be one of 'NCHW', got 'NHWC'"):
        ops.MaxPool(2, 2, "same", "NHWC")(x)


def test_same_padding_counts_in_a_mean_over_three_axes_only() -> None:
    assert ops.AvgPool(2, 1, "same")(Tensor(np.ones((1, 1, 2, 2)))).tolist() == [[[[1, 1], [1, 1]]]]
    assert ops.AvgPool3D(2, 1, "same")(Tensor(np.ones((1, 1, 1, 1, 2)))).tolist() == [[[[[0.25, 0.125]]]]]


def test_fractional_pooling_draws_anew_and_follows_the_seed() -> None:
    x = drawn(2, 3, 9, 9)
    tc.set_seed(4)
    first, second = ops.fractional_max_pool2d(x, 2, 5), ops.fractional_max_pool2d(x, 2, 5)
    tc.set_seed(4)
    assert first.tolist() == ops.fractional_max_pool2d(x, 2, 5).tolist() != second.tolist()


def test_an_unpooled_pooling_has_each_maximum_where_it_was() -> None:
    x = drawn(2, 3, 6, 6)
    values, where = ops.max_pool2d(x, 2, return_indices=True)
    back = ops.max_unpool2d(values, where, 2).asnumpy()
    assert set(np.unique((back == x.asnumpy()) | (back == 0))) == {True}
    assert ops.max_pool2d(Tensor(back + 9.0 * (back != 0)), 2).shape == values.shape and (back != 0).sum() == 54


# Patches, sizes, places -------------------------------------------------------------------------------------------


def test_folding_what_was_unfolded_counts_the_windows_of_each_element() -> None:
    x = Tensor(np.ones((1, 1, 3, 3)))
    assert ops.fold(ops.unfold(x, 2), (3, 3), 2).tolist() == [[[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]]
    y = drawn(2, 3, 4, 6)
    columns = ops.Im2Col(2, 2)(y)
    assert columns.shape == (2, 3, 4, 6)
    np.testing.assert_array_equal(ops.Col2Im(2, stride=2)(columns, Tensor([4, 6])).asnumpy(), y.asnumpy())


def test_shuffles_and_blocks_come_in_pairs() -> None:
    x = drawn(4, 8, 4, 6)
    for there, back in (
        (lambda t: ops.pixel_shuffle(t, 2), lambda t: ops.pixel_unshuffle(t, 2)),
        (ops.DepthToSpace(2), ops.SpaceToDepth(2)),
        (ops.ChannelShuffle(2), ops.ChannelShuffle(4)),
        (ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]]), ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])),
    ):
        np.testing.assert_array_equal(back(there(x)).asnumpy(), x.asnumpy())
    padded = ops.space_to_batch_nd(x, 2, [[1, 1], [0, 2]])
    assert padded.shape == (16, 8, 3, 4)
    np.testing.assert_array_equal(ops.batch_to_space_nd(padded, 2, [[1, 1], [0, 2]]).asnumpy(), x.asnumpy())


def test_resizing_classes() -> None:
    x, y = drawn(1, 1, 3, 4), drawn(1, 1, 2, 2, 2)
    nearest = [ops.ResizeNearestNeighbor((5, 7), *flags)(x) for flags in ((), (True,), (False, True))]
    again = ops.ResizeNearestNeighborV2()(x, (5, 7))
    assert nearest[0].tolist() == ops.interpolate(x, (5, 7)).tolist() == again.tolist()
    assert nearest[1][0, 0, :, 0].tolist() == [x[0, 0, i, 0].item() for i in (0, 1, 1, 2, 2)]
    assert nearest[2].tolist() == ops.interpolate(x, (5, 7), mode="nearest-exact").tolist()
    for flag in (False, True):
        want = ops.interpolate(x, (5, 7), mode="bilinear", align_corners=flag)
        assert ops.ResizeBilinearV2(flag, not flag)(x, Tensor([5, 7])).tolist() == want.tolist()
        want = ops.interpolate(x, (5, 7), mode="bicubic", align_corners=flag)
        assert ops.ResizeBicubic(flag, not flag)(x, (5, 7)).tolist() == want.tolist()
    line = x[:, :, 0]
    want = ops.interpolate(line, 6, mode="linear", align_corners=True)
    assert ops.ResizeLinear1D()(line, 6).tolist() == want.tolist()
    assert ops.UpsampleNearest3D()(y, None, [2.0, 1.0, 1.5]).shape == (1, 1, 4, 2, 3)
    assert ops.UpsampleTrilinear3D(True)(y, [3, 3, 3])[0, 0, 1, 1, 1].item() == pytest.approx(y.asnumpy().mean())
    with pytest.raises(ValueError, match="give align_corners or half_pixel_centers: one of them, not both"):
        ops.ResizeBilinearV2(True, True)(x, (5, 7))


def test_an_infinite_pixel_spoils_its_neighbours_only() -> None:
    x = Tensor([[[0.0, 1.0, np.inf, 1.0, 0.0, 0.0]]])
    assert np.isfinite(ops.interpolate(x, 12).asnumpy()).sum() == 10
    assert np.isfinite(ops.interpolate(x, 12, mode="linear").asnumpy()).sum() == 8
    g = Tensor(np.array([0.0, 0, 0, np.inf, 0, 0, 0, 0, 0, 0, 0, 0]))
    slopes = grad(lambda t: (ops.interpolate(t, 12) * g).sum())(Tensor(np.ones((1, 1, 6))))
    assert np.isinf(slopes.asnumpy()).sum() == 1


def test_sampling_at_the_identity_is_the_identity() -> None:
    x = drawn(2, 3, 4, 5)
    identity = Tensor(np.tile(np.eye(2, 3), (2, 1, 1)))
    for corners in (False, True):
        grid = ops.AffineGrid(corners)(identity, x.shape)
        for mode in ("bilinear", "nearest"):
            sampled = ops.GridSampler2D(mode, "border", corners)(x, grid)
            np.testing.assert_allclose(sampled.asnumpy(), x.asnumpy(), atol=1e-12)
    y = drawn(1, 1, 2, 3, 4)
    solid = ops.affine_grid(Tensor(np.eye(3, 4)[None]), y.shape)
    np.testing.assert_allclose(ops.GridSampler3D()(y, solid).asnumpy(), y.asnumpy(), atol=1e-12)


def test_a_spatial_transformer_learns_its_map() -> None:
    """From the map itself to the pixels: gradients through affine_grid and grid_sample to second order."""
    x, theta = drawn(1, 1, 4, 4), Tensor([[[0.71, 0.13, 0.07], [-0.11, 0.83, 0.05]]], tc.float64)
    assert gradcheck(lambda t, m: ops.grid_sample(t, ops.affine_grid(m, (1, 1, 3, 3))), x, theta, order=2)
