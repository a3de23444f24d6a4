"""Connectionist temporal classification beside the sum over all paths, written out."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, gradcheck, ops

DRAWS = np.random.default_rng(5)
LOGP = np.log(DRAWS.dirichlet(np.ones(3), (4, 2)))  # (T, N, C)
TARGETS, TIMES, LENGTHS = np.array([[1, 2], [2, 2]]), np.array([4, 3]), np.array([2, 2])


def read(path: tuple[int, ...], blank: int) -> list[int]:
    return [k for k, _ in itertools.groupby(path) if k != blank]


def by_paths(logp: np.ndarray, labels: list[int], times: int, blank: int) -> float:
    paths = itertools.product(range(logp.shape[1]), repeat=times)
    total = sum(np.exp(sum(logp[t, k] for t, k in enumerate(p))) for p in paths if read(p, blank) == labels)
    return -np.log(total) if total else np.inf


def of(values: np.ndarray = LOGP, targets: Any = TARGETS, times: Any = TIMES, lengths: Any = LENGTHS, **k: Any) -> Any:
    return ops.ctc_loss(Tensor(values), *(Tensor(np.asarray(a)) for a in (targets, times, lengths)), **k)


@pytest.mark.parametrize("blank", [0, 2])
@pytest.mark.parametrize("lengths", [(2, 2), (1, 2), (0, 1)])
def test_the_sum_over_all_paths(blank: int, lengths: tuple[int, int]) -> None:
    targets = TARGETS if blank == 0 else TARGETS - 1
    rows = [by_paths(LOGP[:, n], list(targets[n][: lengths[n]]), TIMES[n], blank) for n in range(2)]
    np.testing.assert_allclose(of(targets=targets, lengths=lengths, blank=blank, reduction="none")[0].asnumpy(), rows)
    np.testing.assert_allclose(of(targets=targets, lengths=lengths, blank=blank, reduction="sum")[0].item(), sum(rows))
    per_label = np.mean(np.array(rows) / np.maximum(lengths, 1))
    np.testing.assert_allclose(of(targets=targets, lengths=lengths, blank=blank)[0].item(), per_label)


def test_gradients_to_second_order() -> None:
    given = [Tensor(a) for a in (TARGETS, TIMES, LENGTHS)]
    logits = Tensor(DRAWS.normal(size=(4, 2, 3)))
    assert gradcheck(lambda z: ops.ctc_loss(ops.log_softmax(z), *given)[0], logits, order=2)
    assert gradcheck(lambda z: ops.ctc_loss(z, *given, reduction="none")[0], Tensor(LOGP), order=2)


def test_sequences_too_long_for_their_times() -> None:
    for zero, row in ((False, np.inf), (True, 0.0)):
        losses, read_so_far = of(times=[4, 2], reduction="none", zero_infinity=zero)
        assert losses[0].item() > 0 and losses[1].item() == row and read_so_far.shape == (2, 4, 5)
    slopes = tc.grad(lambda z: ops.ctc_loss(z, *map(Tensor, (TARGETS, np.array([4, 2]), LENGTHS)))[0])(Tensor(LOGP))
    assert np.isfinite(slopes.asnumpy()).all() and not slopes.asnumpy()[:, 1].any() and slopes.asnumpy()[:, 0].any()


def test_what_was_read_so_far_and_the_class_form() -> None:
    loss, alpha = ops.CTCLossV2()(Tensor(LOGP), *map(Tensor, (TARGETS, TIMES, LENGTHS)))
    np.testing.assert_allclose(alpha.asnumpy()[0, 0], [LOGP[0, 0, 0], LOGP[0, 0, 1], -np.inf, -np.inf, -np.inf])
    np.testing.assert_allclose(loss[0].item(), -np.logaddexp(*alpha.asnumpy()[0, 3, -2:]))
    half = ops.ctc_loss(Tensor(LOGP, tc.float16), *map(Tensor, (TARGETS, TIMES, LENGTHS)))[0]
    assert half.dtype is tc.float16 and half.item() == pytest.approx(of()[0].item(), rel=1e-2)


def test_greedy_decoding() -> None:
    best = np.array([[0, 0, 3, 0, 1], [3, 2, 2, 3, 3]])
    scores = Tensor(np.eye(4)[best.T] * 2.0)
    places, labels, shape, cost = ops.ctc_greedy_decoder(scores, Tensor([5, 3]))
    assert (labels.tolist(), shape.tolist()) == ([0, 0, 1, 2], [2, 3])
    assert places.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0]] and cost.tolist() == [[-10], [-6]]
    every = ops.CTCGreedyDecoder(merge_repeated=False)(scores, Tensor([5, 3]))
    assert (every[1].tolist(), every[2].tolist()) == ([0, 0, 0, 1, 2, 2], [2, 4])
    nothing = ops.ctc_greedy_decoder(Tensor(np.eye(2)[[[1], [1]]]), Tensor([2]))
    assert (nothing[0].shape, nothing[1].shape, nothing[2].tolist()) == ((0, 2), (0,), [1, 0])


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"values": LOGP[0]}, r"log_probs must be \(T, N, C\) .* got \(2, 3\), \(2, 2\), \(2,\), \(2,\)"),
        ({"targets": TARGETS * 1.0}, "targets integers"),
        ({"times": [4]}, r"lengths integers \(N,\)"),
        ({"times": [5, 4]}, r"input_lengths must lie in \[1, 4\], got 5"),
        ({"lengths": [2, 3]}, r"target_lengths must lie in \[0, 2\], got 3"),
        ({"targets": TARGETS + 1}, r"targets must lie in \[0, 2\], got 3"),
        ({"blank": 3}, r"blank must lie in \[0, 2\], got 3"),
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        of(**wrong)
