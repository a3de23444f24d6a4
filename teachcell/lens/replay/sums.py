"""Linear ops: one element of a result, or of a gradient, as the sum of its terms, whatever the op.

An op that is linear in an input has slopes that do not depend on it. Those of one output element are what the op's
rule gives for a gradient that is 1 there and 0 elsewhere; those to one input element are what its kernel gives for an
input that is 1 there and 0 elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.op import ARRAYS, Op
from ...texts import say
from ...texts.numbers import number
from .elements import Index, bracketed, equals, index_of, label, shown, unbroadcast

#: Linear in each input while the others are held.
MULTILINEAR = frozenset((
    "matmul", "outer", "einsum", "convolution", "transposed_convolution", "convolution_weight_grad", "sum", "mean",
    "trace", "cumsum", "avg_pool", "avg_pool_grad", "adaptive_avg_pool", "patches", "added_patches", "resize",
    "resize_grad", "neighbour_sum", "tile", "broadcast_to", "reshape", "expand_dims", "squeeze", "flatten_axes",
    "transpose", "swapaxes", "flip", "roll", "getitem", "put", "tril", "triu", "matrix_band_part", "diagonal",
    "diag_embed", "pad_frame", "gather", "gather_along",
))  # fmt: skip
#: Each element of the result is one of the input's; which one depends on the numbers.
CHOOSING = frozenset(("amax", "amin", "max_pool", "adaptive_max_pool"))
#: Linear in all inputs together: the slopes for one are found with zeros for the others.
JOINTLY = frozenset(("bias_add", "concat", "stack", "setitem", "additem", "addn"))
MOST_TERMS = 4
MOST_WRITTEN = 3  # of more terms than that


@dataclass(frozen=True)
class Terms:
    """A sum of numbers times slopes.

    Attributes:
        what: the letter of the numbers: x, g.
        numbers, slopes: of each term; those with slope 0 are left out.
        places: the index of each number.
        shapes: the shape of the array that each number is in.
        products: the slopes are numbers of another input, and are written even where they are 1.
    """

    what: list[str]
    numbers: list[float]
    slopes: list[float]
    places: list[Index]
    shapes: list[tuple[int, ...]]
    products: bool = False

    def value(self) -> float:
        """The sum."""
        return float(np.dot(self.numbers, self.slopes)) if self.numbers else 0.0

    def size(self) -> float:
        """The sum of the terms' magnitudes: what rounding is measured by."""
        return float(np.abs(np.multiply(self.numbers, self.slopes)).sum())

    def written(self) -> str:
        """``1 · 2 + 3 · 4``, of many terms the largest ones; ``g[1] = 0.5`` for a number that only moved."""
        if not self.numbers:
            return say("replay.nothing_leads_here")
        if len(self.numbers) == 1 and self.slopes[0] == 1 and not self.products:
            name, value = f"{self.what[0]}{label(self.places[0], self.shapes[0])}", self.numbers[0]
            return f"{name} {equals(value, value)} {number(value)}"
        share = self._share()
        terms = self._terms(plain=share != 0)
        count = len(self.numbers)
        text = " + ".join(terms)
        if count > len(terms):
            text = say("replay.largest_terms", terms=text, count=count)
        if share not in (0, 1):
            text = f"({text}) / {share}" if count > 1 else f"{text} / {share}"
        return text if text == number(self.value()) else f"{text} {self._equals(share)} {number(self.value())}"

    def _share(self) -> int:
        """n where every slope is 1 / n, else 0."""
        slope = self.slopes[0]
        if self.products or slope <= 0 or any(abs(s - slope) > 1e-6 * slope for s in self.slopes):
            return 0
        return round(1 / slope) if abs(round(1 / slope) * slope - 1) < 1e-6 else 0

    def _terms(self, plain: bool) -> list[str]:
        order: Any = range(len(self.numbers))
        if len(self.numbers) > MOST_TERMS:
            sizes = np.nan_to_num(np.abs(np.multiply(self.numbers, self.slopes)), nan=np.inf)
            order = np.argsort(-sizes, kind="stable")[:MOST_WRITTEN]
        texts: list[str] = []
        for i in order:
            first = number(self.numbers[i]) if not texts else bracketed(self.numbers[i])
            texts.append(first if plain else f"{first} · {bracketed(self.slopes[i])}")
        return texts

    def _equals(self, share: int) -> str:
        if len(self.numbers) > MOST_TERMS:
            return "≈"
        slopes = self.slopes if share else list(map(shown, self.slopes))
        return equals(float(np.dot(list(map(shown, self.numbers)), slopes)), self.value())


def terms_of_result(
    op: Op, inputs: Sequence[np.ndarray], letters: Sequence[str], out: np.ndarray, index: Index, attrs: Any
) -> Terms:
    """One element of the result of a linear op."""
    exact = [_exact(a) for a in inputs]
    g = np.zeros(out.shape)
    g[index] = 1.0
    slots = range(len(inputs)) if op.name in JOINTLY else (0,)
    wanted = [a.dtype.kind == "f" for a in inputs]
    attrs = {**attrs, **_run(op, exact, attrs)[1]}
    if callable(op.rules):
        slopes = op.rules(ARRAYS, g, out, wanted, *exact, **attrs)
    else:
        rules = op.rules or ()
        slopes = [rule(ARRAYS, g, out, *exact, **attrs) if rule else None for rule in rules]
    parts = [(letters[i], exact[i], np.asarray(slopes[i])) for i in slots if slopes[i] is not None]
    return _terms(parts, _is_product(op, inputs))


def terms_of_gradient(
    op: Op, inputs: Sequence[np.ndarray], slot: int, index: Index, g: np.ndarray, attrs: Any
) -> Terms:
    """One element of the gradient that a linear op sends to an input."""
    if op.name in CHOOSING:
        return _terms([("g", _exact(g), _chosen_by(op, inputs[0], index, g, attrs))])
    arrays = [_exact(a) for a in inputs]
    if op.name in JOINTLY:
        arrays = [np.zeros(a.shape) if inputs[i].dtype.kind == "f" else a for i, a in enumerate(arrays)]
    arrays[slot] = np.zeros(arrays[slot].shape)
    arrays[slot][index] = 1.0
    return _terms([("g", _exact(g), _run(op, arrays, attrs)[0])], _is_product(op, inputs))


def _chosen_by(op: Op, x: np.ndarray, index: Index, g: np.ndarray, attrs: Any) -> np.ndarray:
    """The slopes of all results to one element that is their choice: found by two gradients, of ones and of numbers
    that tell the places apart. All 0 where several results chose it: they cannot be told apart then."""
    x = _exact(x)
    out = np.asarray(op.kernel(x, **attrs))
    rule: Any = op.rules[0] if isinstance(op.rules, tuple) else op.rules
    ones, numbered = np.ones(g.shape), np.arange(1.0, g.size + 1).reshape(g.shape)
    share, place = (float(np.asarray(rule(ARRAYS, v, out, x, **attrs))[index]) for v in (ones, numbered))
    slopes = np.zeros(g.shape)
    if 0 < share <= 1:
        slopes.reshape(-1)[min(round(place / share), g.size) - 1] = share
    return slopes


def _is_product(op: Op, inputs: Sequence[np.ndarray]) -> bool:
    return op.name in MULTILINEAR and sum(a.dtype.kind == "f" for a in inputs) > 1


def _run(op: Op, arrays: Sequence[np.ndarray], attrs: Any) -> tuple[np.ndarray, dict[str, Any]]:
    """The op's result, and what its kernel saves for the rules."""
    out = op.kernel(*arrays, **attrs)
    if not op.saves:
        return np.asarray(out), {}
    return np.asarray(out[0]), out[1]


def _exact(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def _terms(parts: Sequence[tuple[str, np.ndarray, np.ndarray]], products: bool = False) -> Terms:
    terms = Terms([], [], [], [], [], products)
    for what, numbers, slopes in parts:
        slopes = unbroadcast(slopes, numbers.shape)  # a value may have been broadcast to its place
        for flat in np.flatnonzero(slopes):
            place = index_of(flat, numbers.shape)
            terms.what.append(what)
            terms.numbers.append(float(numbers[place]))
            terms.slopes.append(float(slopes[place]))
            terms.places.append(place)
            terms.shapes.append(numbers.shape)
    return terms
