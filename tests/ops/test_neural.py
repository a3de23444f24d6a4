"""Convolution, cross entropy and the other functions made of several ops, in all their forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.neural import convolution, cross_entropy, softmax

from teachcell import Tensor, grad, gradcheck, ops

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


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_of_labels_and_of_probabilities_agree(reduction: str) -> None:
    logits, labels = drawn(5, 3), np.array([0, 2, 1, 1, 0])
    want = cross_entropy(logits.asnumpy(), labels, reduction)
    for target in (Tensor(labels), Tensor(labels.astype(np.int32)), Tensor(np.eye(3)[labels])):
        got = ops.cross_entropy(logits, target, reduction=reduction)
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10)
        assert gradcheck(lambda z, t=target: ops.cross_entropy(z, t, reduction=reduction), logits, order=2)


def test_the_gradient_of_cross_entropy_is_softmax_minus_one_hot_over_the_rows_used() -> None:
    logits, labels = drawn(3, 4), np.array([1, -100, 3])
    got = grad(lambda z: ops.cross_entropy(z, Tensor(labels)))(logits).asnumpy()
    want = (softmax(logits.asnumpy()) - np.eye(4)[np.where(labels < 0, 0, labels)]) / 2
    want[1] = 0
    np.testing.assert_allclose(got, want, atol=1e-12)


def test_cross_entropy_of_rows_that_are_all_ignored_is_zero() -> None:
    logits = drawn(2, 3)
    value = ops.cross_entropy(logits, Tensor([-100, -100]))
    assert value.item() == 0 and not grad(lambda z: ops.cross_entropy(z, Tensor([-100, -100])))(logits).asnumpy().any()


@pytest.mark.parametrize(
    ("logits", "labels", "text"),
    [
        (drawn(2, 3), Tensor([0, 3]), r"labels must lie in 0 … 2, the number of classes being 3"),
        (drawn(2, 3), Tensor([0, -1]), r"labels must lie in 0 … 2"),
        (drawn(3), Tensor([0]), r"logits must be \(N, C\)"),
        (drawn(2, 3), Tensor([0]), r"CrossEntropy failed on \(2, 3\) float64 × \(1,\) int64"),
    ],
)
def test_cross_entropy_says_what_does_not_fit(logits: Tensor, labels: Tensor, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ops.cross_entropy(logits, labels)
    with pytest.raises(ValueError, match="reduction must be"):
        ops.cross_entropy(logits, labels, reduction="average")


def test_integer_logits_are_floats() -> None:
    assert ops.cross_entropy(Tensor([[0, 0]]), Tensor([1])).item() == pytest.approx(np.log(2))
