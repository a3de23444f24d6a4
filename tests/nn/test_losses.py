"""Loss Cells: each is its function with the Cell's defaults; losses of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.losses import SIGNS

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn, ops

DRAWS = np.random.default_rng(4)
X, Y, P, Q = (Tensor(DRAWS.uniform(0.1, 0.9, (2, 3))) for _ in range(4))
VAR, WEIGHT, T = Tensor(DRAWS.uniform(0.5, 1.5, (2, 3))), Tensor([1.0, 2.0, 0.5]), Tensor(SIGNS)
LABELS, LISTS, SIGN = Tensor([2, 0]), Tensor([[2, -1, 0], [0, 1, -1]]), Tensor([1, -1])
ALIKE = [  # class, its arguments, the inputs, the function on them
    (nn.MSELoss, {}, (X, Y), lambda *a, **k: ops.mse_loss(*a, **k)),
    (nn.L1Loss, {}, (X, Y), ops.l1_loss),
    (nn.MAELoss, {}, (X, Y), ops.l1_loss),
    (nn.SmoothL1Loss, {"beta": 0.3}, (X, Y), lambda *a, **k: ops.smooth_l1_loss(*a, beta=0.3, **k)),
    (nn.HuberLoss, {"delta": 0.2}, (X, Y), lambda *a, **k: ops.huber_loss(*a, delta=0.2, **k)),
    (nn.GaussianNLLLoss, {"full": True}, (X, Y, VAR), lambda *a, **k: ops.gaussian_nll_loss(*a, full=True, **k)),
    (nn.PoissonNLLLoss, {}, (X, Y), ops.poisson_nll_loss),
    (nn.PoissonNLLLoss, {"log_input": False, "eps": 0.1}, (X, Y),
     lambda *a, **k: ops.poisson_nll_loss(*a, log_input=False, eps=0.1, **k)),
    (nn.CrossEntropyLoss, {"weight": WEIGHT, "label_smoothing": 0.1, "ignore_index": 0}, (X, LABELS),
     lambda *a, **k: ops.cross_entropy(*a, WEIGHT, 0, label_smoothing=0.1, **k)),
    (nn.NLLLoss, {"weight": WEIGHT}, (X, LABELS), lambda *a, **k: ops.nll_loss(*a, WEIGHT, **k)),
    (nn.BCELoss, {"weight": WEIGHT}, (P, Q), lambda *a, **k: ops.binary_cross_entropy(*a, WEIGHT, **k)),
    (nn.BCEWithLogitsLoss, {"weight": WEIGHT, "pos_weight": VAR}, (X, Q),
     lambda *a, **k: ops.binary_cross_entropy_with_logits(*a, WEIGHT, VAR, **k)),
    (nn.KLDivLoss, {}, (X, Q), ops.kl_div),
    (nn.SoftMarginLoss, {}, (X, T), ops.soft_margin_loss),
    (nn.MultiLabelSoftMarginLoss, {"weight": WEIGHT}, (X, Q),
     lambda *a, **k: ops.multilabel_soft_margin_loss(*a, WEIGHT, **k)),
    (nn.MultiMarginLoss, {"p": 2, "margin": 0.5, "weight": WEIGHT}, (X, LABELS),
     lambda *a, **k: ops.multi_margin_loss(*a, 2, 0.5, WEIGHT, **k)),
    (nn.MultilabelMarginLoss, {}, (X, LISTS), ops.multilabel_margin_loss),
    (nn.MarginRankingLoss, {"margin": 0.2}, (X, Y, T), lambda *a, **k: ops.margin_ranking_loss(*a, 0.2, **k)),
    (nn.HingeEmbeddingLoss, {"margin": 0.7}, (X, T), lambda *a, **k: ops.hinge_embedding_loss(*a, 0.7, **k)),
    (nn.CosineEmbeddingLoss, {"margin": 0.2}, (X, Y, SIGN), lambda *a, **k: ops.cosine_embedding_loss(*a, 0.2, **k)),
    (nn.TripletMarginLoss, {"p": 3, "swap": True, "margin": 0.4}, (X, Y, P),
     lambda *a, **k: ops.triplet_margin_loss(*a, 0.4, 3, swap=True, **k)),
    (nn.TripletMarginWithDistanceLoss, {}, (X, Y, P), ops.triplet_margin_loss),
]  # fmt: skip


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(("cls", "how", "inputs", "function"), ALIKE, ids=lambda v: getattr(v, "__name__", ""))
def test_a_loss_is_its_function(cls: Any, how: Any, inputs: Any, function: Any, reduction: str) -> None:
    loss = cls(**how, reduction=reduction)
    assert isinstance(loss, nn.LossBase) and loss.reduction == reduction
    np.testing.assert_array_equal(loss(*inputs).asnumpy(), function(*inputs, reduction=reduction).asnumpy())
    assert gradcheck(lambda x: loss(x, *inputs[1:]), inputs[0], order=2)


@pytest.mark.parametrize("cls", [*{row[0]: 0 for row in ALIKE}, nn.SoftmaxCrossEntropyWithLogits])
def test_defaults_and_unknown_reductions(cls: Any) -> None:
    rows = {nn.SmoothL1Loss, nn.SoftmaxCrossEntropyWithLogits}
    assert cls().reduction == ("none" if cls in rows else "mean")
    with pytest.raises(ValueError, match="reduction must be one of 'mean', 'sum', 'none'.*, got 'avg'"):
        cls(reduction="avg")


def test_softmax_cross_entropy_of_either_kind_of_labels() -> None:
    onehot, labels = Tensor(np.eye(3)[[2, 0]]), Tensor(np.array([2, 0], np.int32))
    rows = ops.cross_entropy(X, labels, reduction="none").asnumpy()
    np.testing.assert_allclose(nn.SoftmaxCrossEntropyWithLogits()(X, onehot).asnumpy(), rows)
    np.testing.assert_allclose(nn.SoftmaxCrossEntropyWithLogits(sparse=True)(X, labels).asnumpy(), rows)
    assert nn.SoftmaxCrossEntropyWithLogits(True, "mean")(X, labels).item() == pytest.approx(rows.mean())
    for sparse, target, of in ((True, onehot, "Float64"), (False, labels, "Int32")):
        with pytest.raises(TypeError, match=rf"\(sparse={sparse}\) got labels of {of}"):
            nn.SoftmaxCrossEntropyWithLogits(sparse)(X, target)


def test_root_mean_square_and_batchmean() -> None:
    assert nn.RMSELoss()(X, Y).item() == pytest.approx(nn.MSELoss()(X, Y).item() ** 0.5)
    assert gradcheck(nn.RMSELoss(), X, Y, order=2)
    assert nn.KLDivLoss("batchmean")(X, Q).item() == pytest.approx(nn.KLDivLoss("sum")(X, Q).item() / 2)


def test_margins_and_weights_given_at_the_call_count() -> None:
    assert nn.TripletMarginLoss()(X, Y, P, 0.3).item() == ops.triplet_margin_loss(X, Y, P, 0.3).item()
    assert nn.MultiMarginLoss()(X, LABELS, WEIGHT).item() == ops.multi_margin_loss(X, LABELS, weight=WEIGHT).item()


def test_any_distance() -> None:
    city = nn.TripletMarginWithDistanceLoss(lambda x, y: (x - y).abs().sum(-1), margin=0.5, reduction="none")
    x, y, p = (t.asnumpy() for t in (X, Y, P))
    want = np.maximum(0, abs(x - y).sum(1) - abs(x - p).sum(1) + 0.5)
    np.testing.assert_allclose(city(X, Y, P).asnumpy(), want)
    swapped = nn.TripletMarginWithDistanceLoss(swap=True)(X, Y, P).item()
    assert swapped == pytest.approx(ops.triplet_margin_loss(X, Y, P, swap=True).item())


class Cubes(nn.LossBase):
    def construct(self, logits: Tensor, labels: Tensor, weights: Any = 1.0) -> Tensor:
        return self.get_loss((logits - labels).abs() ** 3, weights)


def test_a_loss_of_one_s_own() -> None:
    cubes = abs(X.asnumpy() - Y.asnumpy()) ** 3
    assert Cubes()(X, Y).item() == pytest.approx(cubes.mean())
    assert Cubes("sum")(X, Y).item() == pytest.approx(cubes.sum())
    for reduction in ("none", None):
        np.testing.assert_allclose(Cubes(reduction)(X, Y).asnumpy(), cubes)
    weights = np.array([1.0, 0.0, 2.0])
    assert Cubes()(X, Y, Tensor(weights)).item() == pytest.approx((cubes * weights).mean())
    assert (Cubes().get_axis(X), Cubes().reduce, Cubes().average, Cubes("sum").average) == ((0, 1), True, True, False)
    assert Cubes()(X.astype(tc.float16), Y.astype(tc.float16)).dtype is tc.float16
    assert grad(Cubes())(X, Y).shape == X.shape
