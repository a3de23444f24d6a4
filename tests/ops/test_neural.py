"""Convolution in all its forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.neural import convolution

from teachcell import Tensor, gradcheck, ops

DRAWS = np.random.default_rng(3)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


@pytest.mark.parametrize("size", [4, 5, 7])
@pytest.mark.parametrize("kernel", [1, 2, 3])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("dilation", [1, 2])
def test_same_padding_gives_ceil_of_size_over_stride(size: int, kernel: int, stride: int, dilation: int) -> None:
    x, w = drawn(1, 2, size, size + 1), drawn(3, 2, kernel, kernel)
    got = ops.conv2d(x, w, stride=stride, pad_mode="same", dilation=dilation)
    assert got.shape == (1, 3, -(-size // stride), -(-(size + 1) // stride))
    totals = [max((-(-d // stride) - 1) * stride + (kernel - 1) * dilation + 1 - d, 0) for d in (size, size + 1)]
    pad = [half for t in totals for half in (t // 2, t - t // 2)]
    want = convolution(x.asnumpy(), w.asnumpy(), (stride, stride), pad, (dilation, dilation))
    np.testing.assert_allclose(got.asnumpy(), want, atol=1e-12)


@pytest.mark.parametrize("padding", [1, (1, 2), (1, 0, 2, 1)])
def test_explicit_padding(padding: Any) -> None:
    x, w, b = drawn(2, 1, 4, 4), drawn(2, 1, 3, 3), drawn(2)
    four = (padding,) * 4 if isinstance(padding, int) else (1, 1, 2, 2) if len(padding) == 2 else padding
    got = ops.conv2d(x, w, b, pad_mode="pad", padding=padding)
    want = convolution(x.asnumpy(), w.asnumpy(), pad=four) + b.asnumpy()[:, None, None]
    np.testing.assert_allclose(got.asnumpy(), want, atol=1e-12)


def test_depthwise_convolution_with_everything_to_second_order() -> None:
    x, w, b = drawn(1, 4, 5, 5), drawn(4, 1, 2, 3), drawn(4)
    assert gradcheck(
        lambda *a: ops.conv2d(*a, stride=(2, 1), pad_mode="pad", padding=(1, 0, 0, 2), dilation=(1, 2), groups=4),
        x, w, b, order=2,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"stride": 0}, "stride must be a positive int"),
        ({"dilation": (1, 2, 3)}, "dilation must be a positive int or a pair"),
        ({"pad_mode": "full"}, "pad_mode must be 'same', 'valid' or 'pad'"),
        ({"groups": 2}, r"3 channels, the weight is made for 6 in 2 group"),
        ({"pad_mode": "pad", "padding": (1, 2, 3)}, "padding must be"),
        ({"pad_mode": "pad", "padding": -1}, "padding must be"),
    ],
)
def test_convolution_says_what_does_not_fit(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ops.conv2d(drawn(1, 3, 5, 5), drawn(2, 3, 2, 2), **arguments)


def test_a_kernel_larger_than_its_input_is_explained() -> None:
    with pytest.raises(ValueError, match=r"Conv2d failed on \(1, 3, 2, 2\) float64 × \(2, 3, 5, 5\) float64.*larger"):
        ops.conv2d(drawn(1, 3, 2, 2), drawn(2, 3, 5, 5))
