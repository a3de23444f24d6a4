"""Layers over space: convolution, pooling, padding, resizing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.conv import convolution

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn, ops, value_and_grad

DRAWS = np.random.default_rng(11)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape).astype(np.float32))


def listed(cell: nn.Cell) -> list[tuple[str, tuple[int, ...], bool]]:
    return [(q.name, q.shape, q.requires_grad) for q in cell.get_parameters()]


def agrees(got: Tensor, want: Tensor) -> bool:
    return got.shape == want.shape and np.allclose(got.asnumpy(), want.asnumpy(), rtol=1e-4, atol=1e-5)


# Convolution ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layer", "sizes", "weight", "back"),
    [
        (nn.Conv1d, (7,), (6, 2, 1, 3), False), (nn.Conv2d, (5, 7), (6, 2, 3, 3), False),
        (nn.Conv3d, (3, 4, 5), (6, 2, 3, 3, 3), False), (nn.Conv1dTranspose, (7,), (4, 3, 1, 3), True),
        (nn.Conv2dTranspose, (5, 7), (4, 3, 3, 3), True), (nn.Conv3dTranspose, (3, 4, 5), (4, 3, 3, 3, 3), True),
    ],
)  # fmt: skip
def test_defaults_names_and_initial_values(layer: Any, sizes: Any, weight: Any, back: bool) -> None:
    tc.set_seed(0)  # six numbers of a bias may all be small
    conv = layer(4, 6, 3, has_bias=True, group=2)
    assert listed(conv) == [("weight", weight, True), ("bias", (6,), True)]
    reach = 1 / np.sqrt(np.prod(weight[1:]))
    for q in conv.get_parameters():
        assert 0.6 * reach < np.abs(q.asnumpy()).max() <= reach
    assert conv(drawn(2, 4, *sizes)).shape == (2, 6, *sizes) and layer(1, 1, 3).bias is None
    assert conv(drawn(0, 4, *sizes)).shape == (0, 6, *sizes)
    assert layer(1, 1, 1, dtype=tc.float16).weight.dtype is tc.float16
    assert f"kernel_size={conv.kernel_size}, stride={conv.stride}, pad_mode=same" in str(conv)
    small = layer(2, 2, 2, 2, has_bias=True)
    x = drawn(1, 2, *sizes)
    assert gradcheck(small, Tensor(x.asnumpy().astype(np.float64)))
    slopes = grad(small, 0, small.trainable_params())(x)
    assert [s.shape for s in slopes[1]] == [q.shape for q in small.trainable_params()]


def test_conv2d_with_everything() -> None:
    layer = nn.Conv2d(2, 4, (3, 2), (2, 1), "pad", (1, 0, 1, 2), (1, 2), 2, True)
    x = drawn(2, 2, 6, 5)
    want = convolution(x.asnumpy(), layer.weight.asnumpy(), (2, 1), (1, 0, 1, 2), (1, 2), 2)
    want = want + layer.bias.asnumpy()[:, None, None]
    np.testing.assert_allclose(layer(x).asnumpy(), want, rtol=1e-4, atol=1e-5)
    small = Tensor(x.asnumpy()[:1])
    assert gradcheck(layer, small)
    by_weight = value_and_grad(lambda t: layer(t).sum(), None, layer.trainable_params())(small)[1]
    assert by_weight[1].tolist() == [18.0] * 4 and by_weight[0].shape == (4, 1, 3, 2)


def test_a_line_is_convolved_by_a_weight_of_height_1() -> None:
    x, w = drawn(2, 2, 7), drawn(3, 2, 3)
    given = nn.Conv1d(2, 3, 3, 2, "valid", weight_init=w, has_bias=True, bias_init="ones")
    assert given.weight.shape == (3, 2, 1, 3) and given.kernel_size == (1, 3)
    assert agrees(given(x), ops.conv1d(x, w, Tensor(np.ones(3, np.float32)), 2))
    same = nn.Conv1d(2, 3, 3, 2, "valid", weight_init=w.reshape(3, 2, 1, 3))
    assert agrees(same(x), ops.conv1d(x, w, stride=2))
    image = nn.Conv2d(2, 3, (1, 3), (1, 2), "valid", weight_init=given.weight)
    assert agrees(same(x), image(x.expand_dims(2)).squeeze(2))


@pytest.mark.parametrize("mode", ["same", "valid", "pad"])
@pytest.mark.parametrize(("kernel", "stride", "dilation"), [(3, 1, 1), (2, 3, 1), (3, 2, 2), (4, 2, 1)])
def test_the_way_back_undoes_the_sizes_and_is_the_gradient(mode: str, kernel: int, stride: int, dilation: int) -> None:
    padding = 1 if mode == "pad" else 0
    span = (kernel - 1) * dilation + 1
    grown = {"same": 4 * stride, "valid": 4 * stride + max(span - stride, 0), "pad": 3 * stride + span - 2}[mode]
    for layer, convolve, axes in (
        (nn.Conv1dTranspose, nn.Conv1d, 1), (nn.Conv2dTranspose, nn.Conv2d, 2), (nn.Conv3dTranspose, nn.Conv3d, 3),
    ):  # fmt: skip
        back = layer(2, 3, kernel, stride, mode, padding, dilation=dilation)
        x = drawn(1, 2, *(4,) * axes)
        y = back(x)
        assert y.shape == (1, 3, *(grown,) * axes)
        there = convolve(3, 2, kernel, stride, mode, padding, dilation, weight_init=back.weight)
        assert agrees(y, grad(lambda t, c=there, x=x: (c(t) * x).sum())(drawn(*y.shape)))


def test_output_padding() -> None:
    x = drawn(1, 1, 3, 3)
    flat = [nn.Conv2dTranspose(1, 1, 3, 2, "pad", 1, more, weight_init="ones")(x) for more in (0, (0, 1), 1)]
    assert [y.shape[2:] for y in flat] == [(5, 5), (5, 6), (6, 6)]
    assert agrees(flat[2][..., :5, :5], flat[0]) and not flat[2][..., 5, :].asnumpy().any()
    solid = nn.Conv3dTranspose(1, 1, 3, 2, "pad", 1, output_padding=1, weight_init="ones")(x.expand_dims(2))
    assert solid.shape == (1, 1, 2, 6, 6) and solid[..., 5, 5].asnumpy().any()


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"in_channels": 0}, ValueError, "Conv2d: in_channels must be a positive int, got 0"),
        ({"kernel_size": 0}, ValueError, "kernel_size must be an int >= 1 or 2 of them, got 0"),
        ({"kernel_size": (3, -1)}, ValueError, "kernel_size must be"),
        ({"stride": 1.5}, TypeError, "stride must be"),
        ({"group": 3}, ValueError, r"channels \(4, 4\) must be divisible by group = 3"),
        ({"pad_mode": "smae"}, ValueError, "pad_mode must be one of 'same', 'valid', 'pad', got 'smae'"),
        ({"pad_mode": "same", "padding": 1}, ValueError, "padding = 1 needs pad_mode='pad', not 'same'"),
        ({"data_format": "NHWC"}, ValueError, "data_format must be one of 'NCHW', got 'NHWC'"),
    ],
)
def test_conv2d_refuses(arguments: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        nn.Conv2d(**({"in_channels": 4, "out_channels": 4, "kernel_size": 3} | arguments))


def test_blocks() -> None:
    block = nn.Conv2dBnAct(2, 3, 3, has_bn=True, activation="relu")
    assert [name for name, *_ in listed(block)] == [
        "conv.weight", "batchnorm.moving_mean", "batchnorm.moving_variance", "batchnorm.gamma", "batchnorm.beta",
    ]  # fmt: skip
    x = drawn(2, 2, 5, 5)
    assert agrees(block(x), ops.relu(block.batchnorm(block.conv(x))))
    dense = nn.DenseBnAct(4, 2, activation="leakyrelu", alpha=0.5)
    y = drawn(3, 4)
    assert agrees(dense(y), ops.maximum(dense.dense(y), dense.dense(y) * 0.5))
    assert agrees(nn.Conv2dBnAct(2, 3, 1, weight_init="ones")(x), nn.Conv2d(2, 3, 1, weight_init="ones")(x))


# Pooling ----------------------------------------------------------------------------------------------------------


def test_pooling_layers_in_the_three_modes() -> None:
    x = Tensor([[[1.0, 3.0, 2.0, 5.0, 4.0]]])
    cases = [("valid", 0, [3, 5], [2, 11 / 3]), ("same", 0, [3, 5, 5], [2, 10 / 3, 4.5])]
    for mode, padding, largest, means in [*cases, ("pad", 1, [3, 5, 5], [4 / 3, 10 / 3, 3])]:
        window = 3 if mode != "valid" else (3,)
        assert nn.MaxPool1d(window, 2, mode, padding)(x)[0, 0].tolist() == (largest if mode != "valid" else [3, 5])
        np.testing.assert_allclose(nn.AvgPool1d(window, 2, mode, padding)(x)[0, 0].asnumpy(), means, rtol=1e-6)
    image = x.expand_dims(2)
    assert nn.MaxPool2d((1, 3), (1, 2), "same")(image).tolist() == [[[[3, 5, 5]]]]
    assert nn.MaxPool2d(2)(drawn(1, 1, 3, 3)).shape == (1, 1, 2, 2)  # the stride is 1 unless it is given
    assert nn.AvgPool2d((1, 3), (1, 2), "same")(image)[0, 0, 0].tolist() == [2, pytest.approx(10 / 3), 4.5]
    solid = image.expand_dims(2)
    assert nn.MaxPool3d((1, 1, 3), (1, 1, 2))(solid).tolist() == [[[[[3, 5]]]]]
    assert nn.AvgPool3d((1, 1, 3), (1, 1, 2), "same")(solid)[0, 0, 0, 0, 0].item() == pytest.approx(4 / 3)


def test_what_pooling_layers_say_and_return() -> None:
    assert str(nn.MaxPool2d(3, 2)) == "MaxPool2d(kernel_size=3, stride=2, pad_mode=VALID)"
    assert str(nn.AvgPool1d(3, 2)) == "AvgPool1d(kernel_size=(1, 3), stride=(1, 2), pad_mode=VALID)"
    x = drawn(2, 3, 5, 5)
    for got, want in zip(
        nn.MaxPool2d(2, 2, "pad", 1, return_indices=True, ceil_mode=True)(x),
        ops.max_pool2d(x, 2, 2, 1, return_indices=True, ceil_mode=True), strict=True,
    ):  # fmt: skip
        assert agrees(got, want)
    assert agrees(nn.AvgPool2d(2, 2, divisor_override=3)(x), ops.avg_pool2d(x, 2, 2) * (4 / 3))
    assert agrees(nn.AvgPool2d(3, 2, "pad", 1, count_include_pad=False)(x), ops.avg_pool2d(x, 3, 2, 1, False, False))
    for make in (lambda: nn.AvgPool2d(2, divisor_override=0), lambda: nn.MaxPool2d(2, 0), lambda: nn.MaxPool2d(0)):
        with pytest.raises(ValueError, match=r"divisor_override|stride|kernel_size"):
            make()


def test_layers_to_a_wanted_size() -> None:
    x, y, z = drawn(1, 2, 7), drawn(1, 2, 5, 6), drawn(1, 1, 3, 4, 5)
    assert agrees(nn.AdaptiveAvgPool1d(3)(x), ops.adaptive_avg_pool1d(x, 3))
    assert agrees(nn.AdaptiveAvgPool2d((2, None))(y), ops.adaptive_avg_pool2d(y, (2, 6)))
    assert agrees(nn.AdaptiveAvgPool3d(2)(z), ops.adaptive_avg_pool3d(z, 2))
    assert agrees(nn.AdaptiveMaxPool1d(3)(x), ops.adaptive_max_pool1d(x, 3))
    assert agrees(nn.AdaptiveMaxPool2d((2, 2), True)(y)[1], ops.adaptive_max_pool2d(y, 2, True)[1])
    assert agrees(nn.AdaptiveMaxPool3d((1, None, 2))(z), ops.adaptive_max_pool3d(z, (1, 4, 2)))
    draws = Tensor([[[0.5, 0.5], [0.1, 0.9]]])
    assert agrees(
        nn.FractionalMaxPool2d(2, (3, 3), _random_samples=draws)(y),
        ops.fractional_max_pool2d(y, 2, (3, 3), _random_samples=draws),
    )
    assert nn.FractionalMaxPool3d(2, output_ratio=0.5)(z).shape == (1, 1, 1, 2, 2)


def test_norm_pools_and_unpooling() -> None:
    x, y = drawn(1, 2, 6), drawn(1, 2, 4, 6)
    assert agrees(nn.LPPool1d(2, 3)(x), ops.lp_pool1d(x, 2, 3))
    assert agrees(nn.LPPool2d(1, 2, 1)(y), ops.avg_pool2d(y, 2) * 4)
    for pool, back, t in (
        (nn.MaxPool1d, nn.MaxUnpool1d, x), (nn.MaxPool2d, nn.MaxUnpool2d, y), (nn.MaxPool3d, nn.MaxUnpool3d, y[None]),
    ):  # fmt: skip
        values, where = pool(2, 2, return_indices=True)(t)
        again = back(2, 2)(values, where, output_size=t.shape)
        assert again.shape == t.shape and (again.asnumpy() != 0).sum() == values.size


# Padding, resizing, shuffles ---------------------------------------------------------------------------------------


def test_padding_layers() -> None:
    line, image = Tensor([[[1.0, 2.0, 3.0]]]), Tensor(np.arange(4.0).reshape(1, 1, 2, 2))
    assert nn.ConstantPad1d((1, 2), 7.0)(line).tolist() == [[[7, 1, 2, 3, 7, 7]]]
    assert nn.ConstantPad1d((-1, 1), 7.0)(line).tolist() == [[[2, 3, 7]]]
    assert nn.ConstantPad2d((1, 0, 0, 1), 5)(image).tolist() == [[[[5, 0, 1], [5, 2, 3], [5, 5, 5]]]]
    assert nn.ConstantPad3d(1, 0.5)(image)[0, 1].tolist() == [[0.5] * 4, [0.5, 0, 1, 0.5], [0.5, 2, 3, 0.5], [0.5] * 4]
    assert nn.ZeroPad2d(1)(image)[0, 0, 1].tolist() == [0, 0, 1, 0]
    assert nn.ReflectionPad1d(2)(line).tolist() == [[[3, 2, 1, 2, 3, 2, 1]]]
    assert nn.ReflectionPad2d((1, 0, 1, 0))(image).tolist() == [[[[3, 2, 3], [1, 0, 1], [3, 2, 3]]]]
    assert nn.ReflectionPad3d((0, 1, 0, 0, 0, 0))(image)[0].tolist() == [[[0, 1, 0], [2, 3, 2]]]
    assert nn.ReplicationPad1d((0, 2))(line[0]).tolist() == [[1, 2, 3, 3, 3]]
    assert nn.ReplicationPad2d(1)(image)[0, 0, 0].tolist() == [0, 0, 1, 1]
    assert nn.ReplicationPad3d(1)(image).shape == (1, 3, 4, 4)
    assert nn.Pad(((0, 1), (1, 0)))(Tensor([[3.0, 4.0]])).tolist() == [[0, 3, 4], [0, 0, 0]]
    assert nn.Pad(((0, 0), (0, 0), (2, 1)), "SYMMETRIC")(line).tolist() == [[[2, 1, 1, 2, 3, 3]]]
    assert gradcheck(nn.ReflectionPad2d(1), Tensor(np.arange(6.0).reshape(1, 2, 3)), order=2)


def test_resizing_and_shuffling_layers() -> None:
    x = drawn(1, 4, 2, 3)
    assert agrees(nn.Upsample(scale_factor=2.0)(x), ops.interpolate(x, (4, 6)))
    assert agrees(
        nn.Upsample((3, 3), mode="bilinear", align_corners=True)(x),
        ops.interpolate(x, (3, 3), mode="bilinear", align_corners=True),
    )
    assert agrees(nn.PixelUnshuffle(2)(nn.PixelShuffle(2)(x)), x)
    assert agrees(nn.ChannelShuffle(2)(x), x[:, [0, 2, 1, 3]])
    for layer in (nn.PixelShuffle, nn.PixelUnshuffle, nn.ChannelShuffle):
        with pytest.raises(ValueError, match="must be an int >= 1"):
            layer(0)


def test_patches_as_channels() -> None:
    x = Tensor(np.arange(24.0).reshape(1, 2, 3, 4))
    patches = nn.Unfold([1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 1, 1])(x)
    assert patches.shape == (1, 8, 2, 2)
    assert patches[0, :, 1, 0].tolist() == [4, 16, 5, 17, 8, 20, 9, 21]  # places first, then channels
    assert nn.Unfold([1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], "same")(x).shape == (1, 18, 2, 2)


def test_crops_and_differences() -> None:
    x = Tensor(np.arange(32.0).reshape(1, 2, 4, 4))
    assert nn.CentralCrop(0.5)(x)[0, 0].tolist() == [[5, 6], [9, 10]] and nn.CentralCrop(1.0)(x).shape == x.shape
    assert nn.CentralCrop(0.3)(drawn(2, 5, 5)).shape == (2, 3, 3)
    down, across = nn.ImageGradients()(x * x)
    assert down[0, 0, :, 1].tolist() == [24, 56, 88, 0] and across[0, 0, 0].tolist() == [1, 3, 5, 0]
    for bad, kind, text in ((0.0, ValueError, r"in \(0, 1\]"), (1.5, ValueError, "1.5"), ("a", TypeError, "'a'")):
        with pytest.raises(kind, match=f"central_fraction must .*{text}"):
            nn.CentralCrop(bad)
