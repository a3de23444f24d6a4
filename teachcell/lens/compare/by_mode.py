"""What each Cell did differently in training and in prediction, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import number
from ..watch.seen import Seen
from ..watch.summary import array_map
from .differences import Differences
from .listed import listed
from .twin import Moved, Twins

DROPOUTS = ("dropout", "dropout_with_mask", "dropout1d", "dropout2d", "dropout3d")
MOST_LISTED = 4  # numbers that are written out


def told_by_mode(twins: Twins, differences: Differences) -> list[dict[str, Any]]:
    """One entry per call of a Cell that depends on the mode, or runs other ops in the other mode.

    Each is ``{"path", "cls", "call", "of", "words": […], "mask": {"map", "shape"} or None, "same": …}``; ``mask`` holds
    1 for what was kept, −1 for what was dropped and 0 where the input is 0, which cannot tell; ``same`` says whether
    the Cell's results were equal in both modes.
    """
    return [_Telling(twins, differences, call).told() for call in _calls(differences)]


def _calls(differences: Differences) -> list[int]:
    """The calls to tell of, by their numbers in the run in training."""
    a, b = differences.a.document, differences.b.document
    ops_a, ops_b = _ops_by_call(a), _ops_by_call(b)
    pairs = differences.alignment.calls.items()
    names = {x: ([op["op"] for op in ops_a.get(x, [])], [op["op"] for op in ops_b.get(y, [])]) for x, y in pairs}
    return [x for x, (one, other) in names.items() if a["calls"][x]["depends_on_mode"] or one != other]


def _ops_by_call(document: dict[str, Any]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for op in document["ops"]:
        found.setdefault(op["call"], []).append(op)
    return found


class _Telling:
    """One call in both modes."""

    def __init__(self, twins: Twins, differences: Differences, number: int):
        self.twins, self.differences = twins, differences
        self.train, self.predict = twins.train, twins.predict
        self.call = self.train.document["calls"][number]
        self.ops = [op for op in self.train.document["ops"] if op["call"] == number]
        partner = differences.alignment.calls[number]
        self.others = [op for op in self.predict.document["ops"] if op["call"] == partner]
        self.mask: dict[str, Any] | None = None

    def told(self) -> dict[str, Any]:
        words = [*self._by_ops(), *self._moved(self.twins.moved.get(self.call["path"], {}))]
        places = [self.differences.of_a[v] for v in self.call["outputs"] if v in self.differences.of_a]
        if not words:
            words = self._other_ops()
        if places and all(place.value.same for place in places):
            words.append(say("modes.same_result"))
        return {
            "path": self.call["path"],
            "cls": self.call["cls"],
            "call": self.call["call"],
            "of": self.call["of"],
            "words": words,
            "mask": self.mask,
            "same": all(place.value.same for place in places),
        }

    def _by_ops(self) -> Iterator[str]:
        for op in self.ops:
            if op["op"] in DROPOUTS and op["outputs"]:
                yield from self._dropout(op)
            partner = self.differences.alignment.ops.get(op["id"])
            other = self.predict.document["ops"][partner] if partner is not None else None
            if op["op"] == "batch_norm" and op["outputs"] and other and other["op"] == "batch_norm_inference":
                yield from self._batch_norm(op, other)

    # Dropout ----------------------------------------------------------------------------------------------

    def _dropout(self, op: dict[str, Any]) -> Iterator[str]:
        attrs = op["attrs"]
        keep = float(attrs["keep_prob"]) if "keep_prob" in attrs else 1 - float(attrs.get("p", 0.5))
        units = "modes.channels" if op["op"][-1:] == "d" else "modes.elements"
        scale = number(1 / keep) if keep else "0"
        yield say("modes.dropout_train", units=say(units), keep=number(keep), scale=scale)
        x, y = (self.train.values[v].value.array for v in (op["inputs"][0], op["outputs"][0]))
        if x is not None and y is not None and x.shape == y.shape and (seen := x != 0).any():
            kept = int(np.count_nonzero(seen & (y != 0)))
            share = number(100 * kept / int(seen.sum()))
            yield say("modes.dropout_kept", kept=kept, count=int(seen.sum()), share=share)
            mask = np.where(seen, np.where(y != 0, 1.0, -1.0), 0.0)
            self.mask = {"map": array_map(mask), "shape": list(mask.shape)}
        yield say("modes.dropout_predict")

    # Batch norm -------------------------------------------------------------------------------------------

    def _batch_norm(self, op: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
        batch = [self.train.values[v].value.array for v in op["outputs"][1:3]]
        moving = [self.predict.values[v].value.array for v in other["inputs"][3:5]]
        mean, variance, moving_mean, moving_variance = (_numbers(array) for array in (*batch, *moving))
        yield say("modes.batch_train", mean=mean, variance=variance)
        yield say("modes.batch_predict", mean=moving_mean, variance=moving_variance)
        if batch[1] is not None and (still := int(np.count_nonzero(batch[1] == 0))):
            per_channel = self.train.values[op["inputs"][0]].value.size // batch[1].size
            key = "modes.one_value" if per_channel == 1 else "modes.no_variance"
            yield say(key, count=still, of=batch[1].size)

    def _moved(self, moved: Moved) -> Iterator[str]:
        """Moving statistics before and after the run in training."""
        for name, (before, after) in moved.items():
            yield say("modes.moved", name=name, before=_numbers(before), after=_numbers(after))
        if moved:
            yield say("modes.put_back")

    # Others -----------------------------------------------------------------------------------------------

    def _other_ops(self) -> list[str]:
        one, other = ([op["op"] for op in ops] for ops in (self.ops, self.others))
        return [say("modes.other_ops", train=listed(one), predict=listed(other))] if one != other else []


def gradients_told(differences: Differences) -> list[str]:
    """Which gradients of inputs and Parameters the mode changed."""
    leaves = [p for p in differences.places if p.kind in ("input", "parameter") and p.gradient.state != "none"]
    changed = [p for p in leaves if not p.gradient.same]
    if not changed:
        return [say("modes.no_gradient_changed")] if leaves else []
    changed.sort(key=lambda place: -(place.gradient.largest or 0.0))
    names = [f"{p.name} ({number(p.gradient.largest)})" if p.gradient.largest is not None else p.name for p in changed]
    found = [say("modes.gradients", count=len(changed), of=len(leaves), names=listed(names))]
    for run, letter, key in ((differences.a, "a", "modes.zero_train"), (differences.b, "b", "modes.zero_predict")):
        zero = [p.name for p in changed if _is_zero(run.values[getattr(p, letter)].gradient if p.in_both else None)]
        if zero:
            found.append(say(key, names=listed(zero)))
    return found


def _is_zero(gradient: Seen | None) -> bool:
    return gradient is not None and gradient.zero


def _numbers(array: np.ndarray | None) -> str:
    """The numbers of a few channels, or from where to where they go."""
    if array is None:
        return "–"
    flat = array.reshape(-1).tolist()
    if len(flat) <= MOST_LISTED or min(flat) == max(flat):
        return ", ".join(map(number, flat)) if min(flat) != max(flat) else number(flat[0])
    return f"{number(min(flat))} … {number(max(flat))}"
