"""Losses of regions, of sequences and of very many classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.activation import softmax

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn, ops

DRAWS = np.random.default_rng(6)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


def dice(x: np.ndarray, t: np.ndarray, smooth: float = 1e-5) -> float:
    return 1 - 2 * (x * t).sum() / ((x * x).sum() + (t * t).sum() + smooth)


def test_dice() -> None:
    x, t = drawn(2, 3), drawn(2, 3)
    assert nn.DiceLoss(smooth=0.5)(x, t).item() == pytest.approx(dice(x.asnumpy(), t.asnumpy(), 0.5))
    assert nn.DiceLoss()(t, t).item() == pytest.approx(0, abs=1e-5)
    assert gradcheck(nn.DiceLoss(), x, t, order=2)


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 2, 2)])
def test_dice_of_classes(shape: tuple[int, ...]) -> None:
    z, labels = drawn(*shape), DRAWS.integers(0, 3, (shape[0], *shape[2:]))
    onehot = np.moveaxis(np.eye(3)[labels], -1, 1)
    x = z.asnumpy()
    for activation, scores in (("softmax", softmax(x, 1)), ("Tanh", np.tanh(x)), (None, x)):
        each = np.array([dice(scores[:, k], onehot[:, k]) for k in range(3)])
        of = nn.MultiClassDiceLoss(activation=activation)
        assert of(z, Tensor(onehot)).item() == pytest.approx(each.mean())
        some = nn.MultiClassDiceLoss([1.0, 2.0, 3.0], 1, activation)
        assert some(z, Tensor(onehot)).item() == pytest.approx((each * [1, 0, 3]).sum() / 3)
    assert gradcheck(nn.MultiClassDiceLoss(), z[:1], Tensor(onehot[:1]), order=2)


@pytest.mark.parametrize("shape", [(4, 3), (4, 3, 5), (4, 3, 2, 3)])
def test_focal(shape: tuple[int, ...]) -> None:
    z, labels = drawn(*shape), DRAWS.integers(0, 3, (4, 1, *shape[2:]))
    logp = np.take_along_axis(np.log(softmax(z.asnumpy(), 1)), labels, 1)
    weight = np.array([1.0, 2.0, 0.5])
    each = (-((1 - np.exp(logp)) ** 1.5) * logp * weight[labels]).reshape(4, -1).mean(1)
    loss = nn.FocalLoss(Tensor(weight), 1.5, "none")
    np.testing.assert_allclose(loss(z, Tensor(labels)).asnumpy(), each)
    assert nn.FocalLoss(weight, 1.5)(z, Tensor(labels)).item() == pytest.approx(each.mean())
    onehot = np.moveaxis(np.eye(3)[labels[:, 0]], -1, 1)
    of_classes = loss(z, Tensor(onehot.astype(np.int32)))
    assert of_classes.shape == (4, 3)
    np.testing.assert_allclose(of_classes.asnumpy().sum(1), each)
    assert gradcheck(lambda a: loss(a, Tensor(labels)), z, order=2)


def test_focal_with_gamma_zero_is_cross_entropy() -> None:
    z, labels = drawn(4, 3), Tensor([[2], [0], [1], [1]])
    assert nn.FocalLoss(gamma=0)(z, labels).item() == pytest.approx(ops.cross_entropy(z, labels[:, 0]).item())


def test_ctc_is_its_function() -> None:
    logp = Tensor(np.log(DRAWS.dirichlet(np.ones(4), (5, 2))))
    given = logp, Tensor([[1, 2], [3, 3]]), Tensor([5, 4]), Tensor([2, 1])
    for reduction in ("mean", "sum", "none"):
        want = ops.ctc_loss(*given, 0, reduction)[0]
        np.testing.assert_array_equal(nn.CTCLoss(reduction=reduction)(*given).asnumpy(), want.asnumpy())
    assert nn.CTCLoss(blank=3)(*given[:1], Tensor([[1, 2], [0, 0]]), *given[2:]).shape == ()


def test_sampled_softmax_of_all_classes_is_cross_entropy() -> None:
    weights, biases, x, labels = drawn(5, 3), drawn(5), drawn(4, 3), Tensor([[0], [3], [1], [4]])
    logits = ops.matmul(x, weights, transpose_b=True) + biases
    want = ops.cross_entropy(logits, labels[:, 0], reduction="none").asnumpy()
    loss = nn.SampledSoftmaxLoss(num_sampled=5, num_classes=5)
    np.testing.assert_allclose(loss(weights, biases, labels, x).asnumpy(), want)
    assert gradcheck(lambda w, b, a: loss(w, b, labels, a), weights, biases, x, order=2)


def test_sampled_softmax_with_samples_given() -> None:
    weights, biases, x = drawn(5, 3), drawn(5), drawn(2, 3)
    labels, sampled = np.array([[0, 4], [1, 2]]), np.array([1, 2, 3])
    often, often_sampled = np.array([[0.5, 0.5], [0.4, 0.1]]), np.array([0.3, 0.2, 0.1])
    scores = x.asnumpy() @ weights.asnumpy().T + biases.asnumpy()
    true = np.take_along_axis(scores, labels, 1) - np.log(often)
    others = scores[:, sampled] - np.log(often_sampled)
    for remove in (False, True):
        if remove:
            others[1, :2] = -np.inf  # labels of the second row
        logits = np.concatenate((true, others), 1)
        want = np.log(np.exp(logits).sum(1)) - true.mean(1)
        values = Tensor(sampled), Tensor(often), Tensor(often_sampled)
        loss = nn.SampledSoftmaxLoss(3, 5, 2, values, remove, reduction="sum")
        assert loss(weights, biases, Tensor(labels), x).item() == pytest.approx(want.sum())


def test_samples_come_from_the_seed() -> None:
    given = drawn(50, 3), drawn(50), Tensor([[7]]), drawn(1, 3)
    loss, seeded = nn.SampledSoftmaxLoss(4, 50), nn.SampledSoftmaxLoss(4, 50, seed=2)
    runs = []
    for _ in range(2):
        tc.set_seed(1)
        runs.append([f(*given).item() for f in (loss, loss, seeded, seeded)])
    assert runs[0] == runs[1] and len(set(runs[0])) == 4
    assert grad(seeded, 0)(*given).shape == (50, 3)


V, ONES = Tensor(np.ones((2, 3))), Tensor(np.ones((2, 3, 1), np.int32))


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: nn.DiceLoss(0), r"DiceLoss.smooth must lie in \(0, ∞\), got 0"),
        (lambda: nn.DiceLoss()(V, V[0]), r"DiceLoss: .* one shape, got \(2, 3\) and \(3,\)"),
        (lambda: nn.MultiClassDiceLoss()(V, V[0]), r"MultiClassDiceLoss: .* got \(2, 3\) and \(3,\)"),
        (lambda: nn.MultiClassDiceLoss([1.0, 2.0])(V, V), r"the 3 classes, got shape \(2,\)"),
        (lambda: nn.FocalLoss(gamma=-1.0), r"FocalLoss.gamma must lie in \[0, ∞\), got -1.0"),
        (lambda: nn.FocalLoss()(V, Tensor([1, 2])), r"for logits \(2, 3\), .* got \(2,\)"),
        (lambda: nn.SampledSoftmaxLoss(6, 5), r"num_sampled must lie in \[1, 5\], got 6"),
        (lambda: nn.SampledSoftmaxLoss(2, 5, 0), r"num_true must lie in \[1, 5\], got 0"),
        (lambda: nn.SampledSoftmaxLoss(2, 3)(V, V, Tensor([1]), V), r"labels must have shape \(2, 1\): .* got \(1,\)"),
    ],
)
def test_what_does_not_fit_is_refused(use: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        use()
