"""Connectionist temporal classification (Graves et al. 2006): sequences of labels without an alignment."""

from __future__ import annotations

import numpy as np

from ....core.dtypes import float32
from ....core.op import TENSORS as T
from ....core.public import public
from ....core.record import operand
from ....core.tensor import Tensor, wrap
from ....texts import say
from .reduction import check_reduction, reduced

_NEVER = -1e30  # the log-probability of what cannot be; finite, so that differences of two of them are


@public("ctc_loss")
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Minus the log-probability that the labels are read off, repeats merged and blanks left out.

    Args:
        log_probs: (T, N, C), log-probabilities of the classes at each time.
        targets: (N, S), the labels.
        input_lengths: (N,), how many times of each sequence count.
        target_lengths: (N,), how many labels of each row count.
        blank: the class that stands for no label.
        reduction: ``"mean"`` of the losses per label, ``"sum"`` or ``"none"``.
        zero_infinity: count a row that is too long for its times as 0 instead of infinite.

    Returns:
        The loss; and (N, T, 2S + 1), the log-probabilities of having read so far, a constant.
    """
    check_reduction(reduction)
    log_probs = operand(log_probs)
    labels, times, lengths = (operand(t)._array for t in (targets, input_lengths, target_lengths))
    _check(log_probs, labels, times, lengths, blank)
    narrow = log_probs.dtype if log_probs._array.dtype.itemsize < 4 else None
    alphas = _forward(log_probs if narrow is None else log_probs.astype(float32), labels, times, blank)
    ends = T.getitem(alphas[-1], (np.arange(len(lengths))[:, None], 2 * lengths[:, None] + [1, 2]))
    each = T.negative(T.logaddexp(T.getitem(ends, (slice(None), 0)), T.getitem(ends, (slice(None), 1))))
    instead = np.full_like(each._array, 0 if zero_infinity else np.inf)
    each = T.select(wrap(each._array < -_NEVER / 2), each, wrap(instead))
    if reduction == "mean":
        each = T.divide(each, wrap(np.maximum(lengths, 1).astype(each._array.dtype)))
    read = np.stack([alpha._array[:, 2:] for alpha in alphas], 1)
    loss = reduced(each, reduction)
    return loss if narrow is None else loss.astype(narrow), wrap(np.where(read < _NEVER / 2, -np.inf, read))


def _forward(log_probs: Tensor, labels: np.ndarray, times: np.ndarray, blank: int) -> list[Tensor]:
    """For each time the log-probabilities of standing at each place of blank, label, blank, … , label, blank.

    Two places that are never reached stand before the first, so that one can look back by two.
    """
    rows, places = len(labels), 2 * labels.shape[1] + 1
    symbols = np.full((rows, places), blank)
    symbols[:, 1::2] = labels
    jumps = np.zeros((rows, places), bool)  # from a label to another one, past the blank between them
    jumps[:, 3::2] = labels[:, 1:] != labels[:, :-1]
    emitted = T.getitem(log_probs, (slice(None), np.arange(rows)[:, None], symbols))
    never = np.full((rows, places), _NEVER, log_probs._array.dtype)
    penalty, before = wrap(np.where(jumps, never * 0, never)), wrap(never[:, [0, 0]])
    start = T.select(wrap(np.arange(places) < 2), T.getitem(emitted, 0), wrap(never))
    alphas = [T.concat((before, start), axis=1)]
    for time in range(1, log_probs.shape[0]):
        stay, step, jump = (T.getitem(alphas[-1], (slice(None), slice(2 - k, 2 - k + places))) for k in range(3))
        reached = T.add(T.logaddexp(T.logaddexp(stay, step), T.add(jump, penalty)), T.getitem(emitted, time))
        alphas.append(T.concat((before, T.select(wrap(time < times[:, None]), reached, stay)), axis=1))
    return alphas


def _check(log_probs: Tensor, labels: np.ndarray, times: np.ndarray, lengths: np.ndarray, blank: int) -> None:
    shapes = [t.shape for t in (labels, times, lengths)]
    fits = log_probs.ndim == 3 and labels.ndim == 2 and times.shape == lengths.shape == log_probs.shape[1:2]
    whole = all(t.dtype.kind in "iu" for t in (labels, times, lengths))
    if not (fits and whole and len(labels) == log_probs.shape[1] and log_probs.shape[0]):
        raise ValueError(say("errors.ctc_shapes", log_probs=log_probs.shape, others=", ".join(map(str, shapes))))
    classes = log_probs.shape[2]
    read = labels[np.arange(labels.shape[1]) < lengths[:, None]]
    for name, values, first, last in (
        ("blank", np.asarray(blank), 0, classes - 1), ("input_lengths", times, 1, log_probs.shape[0]),
        ("target_lengths", lengths, 0, labels.shape[1]), ("targets", read, 0, classes - 1),
    ):  # fmt: skip
        outside = values[(values < first) | (values > last)]
        if outside.size:
            raise ValueError(say("errors.interval", name=name, interval=f"[{first}, {last}]", got=outside.ravel()[0]))


@public(primitive="CTCLossV2", init=("blank", "reduction", "zero_infinity"))
def _ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
    reduction: str = "none", zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """``ops.ctc_loss`` as an object; not reduced by default."""
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@public("ctc_greedy_decoder", primitive="CTCGreedyDecoder", init=("merge_repeated",))
def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The likeliest class at each time, blanks (the last class) left out.

    Args:
        inputs: scores (T, N, C).
        sequence_length: (N,), how many times of each sequence count.
        merge_repeated: read a class that repeats without a blank between as one.

    Returns:
        The places (n, 2) of what was read, row and position; the labels (n,); the shape (2,) that holds them; and
        (N, 1), minus the sum of the largest scores.
    """
    scores, times = operand(inputs), operand(sequence_length)._array
    if scores.ndim != 3 or times.shape != scores.shape[1:2] or times.dtype.kind not in "iu":
        raise ValueError(say("errors.ctc_shapes", log_probs=scores.shape, others=str(times.shape)))
    best = scores._array.argmax(2).T
    counts = np.arange(scores.shape[0]) < times[:, None]
    read = counts & (best != scores.shape[2] - 1)
    if merge_repeated:
        read[:, 1:] &= best[:, 1:] != best[:, :-1]
    rows, _ = np.nonzero(read)
    positions = (np.cumsum(read, 1) - 1)[read]
    longest = positions.max() + 1 if positions.size else 0
    largest = T.multiply(T.amax(scores, 2), wrap(counts.T.astype(scores._array.dtype)))
    return (
        wrap(np.stack((rows, positions), 1)), wrap(best[read]), wrap(np.array([scores.shape[1], longest])),
        T.reshape(T.negative(T.sum(largest, 0)), (-1, 1)),
    )  # fmt: skip
