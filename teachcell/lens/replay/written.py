"""One op of a run with its numbers: any element of its result or of a gradient written out by the card's formula.

What is written has been compared with the number of the run; where it does not agree, or the formula cannot be read,
only the number is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from inspect import signature
from types import FunctionType
from typing import Any

import numpy as np

from ...core.gradients import added_axes
from ...core.op import Op
from ...kernels.arguments import axes_of, kept_shape
from ...texts import say
from ...texts.numbers import number
from ..watch.seen import OpSeen, Sent, ValueSeen
from . import elements, sums
from .elements import Index, equals
from .notation import Formula, Quantity, Unreadable

#: What formulas call the other arguments of some ops.
_ARGUMENTS = {
    "scale": {"c": "factor"}, "shift": {"c": "amount"}, "clamp": {"low": "min", "high": "max"},
    "select": {"c": "condition"}, "lerp": {"w": "weight"}, "prelu": {"w": "weight"},
    "batch_norm_inference": {"w": "weight", "b": "bias"},
}  # fmt: skip
_CHANNELS = ("bias_add", "batch_norm", "batch_norm_inference", "group_norm", "instance_norm")  # b runs along axis 1
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MOST_TERMS = 3


class OpNumbers:
    """An op that ran, and the arrays that it met.

    Args:
        seen: the op.
        values: all values of the run; an array that was not kept is not written out.
    """

    def __init__(self, seen: OpSeen, values: Sequence[ValueSeen]):
        self.seen, self.op, self.attrs = seen, seen.op, dict(seen.attrs or {})
        self.inputs = [None if v is None else values[v].value.array for v in seen.slots]
        self.outputs = [values[v].value.array for v in seen.outputs]
        self.gradients = [values[v].gradient for v in seen.outputs]
        self.lines = _templates(self.op, self.attrs)
        self._sent: np.ndarray | None = None  # what the rule gave for the input that is written

    # Names ------------------------------------------------------------------------------------------------

    def letter(self, slot: int) -> str:
        """What the formulas call an input: x, W."""
        if self.op.arity is None and len(self.inputs) > 1:
            return f"x{str(slot + 1).translate(_SUBSCRIPT)}"
        line = self._gradient_line(slot)
        found = re.match(r"∂([^\W\dᵢ]+)", line) if line else None
        if found:
            return found[1]
        return self.op.inputs[slot] if slot < len(self.op.inputs) else "x"

    def result_letter(self) -> str:
        """What they call the result: y, z."""
        found = re.match(r"(\w+) = ", self.lines[0]) if self.lines else None
        return found[1] if found else "y"

    def named(self) -> set[str]:
        """The letters that the formulas of the gradients name."""
        right = [re.sub(r"\{\w+\}", "", line.partition(" = ")[2]) for line in self.lines[1:]]
        return {letter for text in right for letter in [*re.findall("[A-Za-z]+", text), *map(_lowered, text)]}

    def _gradient_line(self, slot: int) -> str | None:
        """The formula of one input's gradient; inputs without a rule have none."""
        rules = self.op.rules
        if self.op.arity is None:
            return self.lines[1] if len(self.lines) > 1 else None
        if isinstance(rules, tuple):
            if slot >= len(rules) or rules[slot] is None:
                return None
            slot = sum(rule is not None for rule in rules[:slot])
        return self.lines[slot + 1] if slot + 1 < len(self.lines) else None

    # Writing ----------------------------------------------------------------------------------------------

    def result(self, output: int, index: Index) -> str:
        """``y[2] = max(0.5, 0) = 0.5``: one element of a result."""
        out = self.outputs[output]
        assert out is not None
        head = self.result_letter() + elements.label(index, out.shape)
        value = float(out[index])
        text = None
        if output == 0 and self._are_inputs_kept():
            text = self._linear_result(out, index) if self._is_linear() else self._by_card(0, out, index)
        return f"{head} = {text}" if text else f"{head} {equals(value, value)} {number(value)}"

    def gradient(self, sent: Sent, total: np.ndarray, index: Index) -> str:
        """``∂x[2] = 0.5 · [1.2 > 0] = 0.5``: one element of what an input gets.

        Args:
            sent: what the rule gave.
            total: the same with a broadcast undone.
            index: of the element, in ``total``.
        """
        head = f"∂{self.letter(sent.slot)}{elements.label(index, total.shape)}"
        text, value, self._sent = None, float(total[index]), sent.array
        g = self._only_gradient()
        if g is not None and sent.array is not None and self._are_inputs_kept():
            if self._is_linear():
                text = self._linear_gradient(sent.slot, g, total, index)
            else:
                text = self._gradient_by_card(sent, total, index) or self._channel_sum(sent.slot, g, total, index)
        return f"{head} = {text}" if text else f"{head} {equals(value, value)} {number(value)}"

    def _only_gradient(self) -> np.ndarray | None:
        """The gradient of the first result, if none came to the others."""
        first, *rest = self.gradients
        return first.array if first is not None and not any(rest) else None

    def _are_inputs_kept(self) -> bool:
        return all(array is not None for array in self.inputs)

    def _is_linear(self) -> bool:
        return self.op.name in sums.MULTILINEAR | sums.JOINTLY | sums.CHOOSING

    def _linear_result(self, out: np.ndarray, index: Index) -> str | None:
        if self.op.name in ("bias_add", "addn"):
            return self._by_card(0, out, index)
        letters = [self.letter(slot) for slot in range(len(self.inputs))]
        terms = sums.terms_of_result(self.op, self._arrays(), letters, out, index, self.attrs)
        return terms.written() if elements.agree(terms.value(), float(out[index]), out.dtype, terms.size()) else None

    def _linear_gradient(self, slot: int, g: np.ndarray, total: np.ndarray, index: Index) -> str | None:
        terms = sums.terms_of_gradient(self.op, self._arrays(), slot, index, g, self.attrs)
        right = elements.agree(terms.value(), float(total[index]), total.dtype, terms.size())
        return terms.written() if right else None

    def _channel_sum(self, slot: int, g: np.ndarray, total: np.ndarray, index: Index) -> str | None:
        """``Σ g`` over all axes but the channels'."""
        line = self._gradient_line(slot)
        if self.op.name not in _CHANNELS or line is None or not re.fullmatch(r"∂\w = Σ g", line) or g.ndim < 2:
            return None
        terms = [float(v) for v in np.moveaxis(g, 1, 0)[index[0]].ravel()]
        return _added([number(t) for t in terms], terms, float(total[index]), total.dtype)

    def _gradient_by_card(self, sent: Sent, total: np.ndarray, index: Index) -> str | None:
        """By the formula; where the input was broadcast, the sum of it over all places that used the element."""
        line, array = self._gradient_line(sent.slot), sent.array
        formula = self._formula(line) if line else None
        if formula is None or array is None:
            return None
        axes = added_axes(array.shape, total.shape) or ()
        if not axes or all(array.shape[a] == 1 for a in axes):
            place = (0,) * (array.ndim - total.ndim) + index
            return self._filled(formula, array.shape, place, float(array[place]), array.dtype)
        fixed = (0,) * (array.ndim - total.ndim) + index
        where = np.ix_(*[range(n) if a in axes else (fixed[a],) for a, n in enumerate(array.shape)])
        values = array[where].astype(np.float64)
        grid = np.array(np.meshgrid(*[w.ravel() for w in where], indexing="ij")).reshape(array.ndim, -1).T
        texts = []
        for spot in _few(values.ravel()):
            there = tuple(int(i) for i in grid[spot])
            known = self._quantities(formula, array.shape, there)
            text = self._filled(formula, array.shape, there, float(array[there]), array.dtype)
            if text is None or known is None:
                return None
            texts.append(formula.written(known))
        return _added(texts, values.ravel().tolist(), float(total[index]), array.dtype)

    def _by_card(self, line: int, out: np.ndarray, index: Index) -> str | None:
        if self.op.name == "addn":
            values = [float(elements.at(a, index)[0]) for a in self._arrays()]
            return _added([number(v) for v in values], values, float(out[index]), out.dtype)
        if self.op.name in ("cross_entropy", "nll_loss"):
            return self._loss(out, index)
        formula = self._formula(self.lines[line]) if self.lines else None
        if formula is None:
            return None
        value, size = float(out[index]), out.shape
        first = self.inputs[0]
        if self._axis_name() and first is not None and out.ndim < first.ndim:  # the reduced axes kept as 1
            size = kept_shape(first.shape, self._argument(self._axis_name(), None))
            rest = iter(index)
            index = tuple(0 if a in self._axes(first.ndim) else next(rest) for a in range(first.ndim))
        return self._filled(formula, size, index, value, out.dtype)

    def _loss(self, out: np.ndarray, index: Index) -> str | None:
        """The mean over all labels of −ln of what the label's class has."""
        known = self._of_classes(self._arrays()[0])
        if not known or out.shape or known["n"] != self._arrays()[1].size:
            return None
        chosen = known["{one_hot}"] == 1
        values = known["p"][chosen] if self.op.name == "cross_entropy" else self._arrays()[0][chosen]
        terms = [float(v) for v in (-np.log(values) if self.op.name == "cross_entropy" else -values)]
        if not elements.agree(sum(terms) / len(terms), float(out), out.dtype, max(terms, key=abs)):
            return None
        few = _few(np.array(terms))
        logs = self.op.name == "cross_entropy"
        text = _joined([f"−ln {number(float(values[i]))}" if logs else number(terms[i]) for i in few])
        if len(few) < len(terms):
            text = say("replay.largest_terms", terms=text, count=len(terms))
        text = f"({text}) / {len(terms)}" if len(terms) > 1 else text
        return f"{text} ≈ {number(float(out))}"

    def _formula(self, line: str) -> Formula | None:
        """The right side of a formula; remarks at its end are left out."""
        text = re.sub(r",?\s*\{\w+\}$", "", line.partition(" = ")[2])
        try:
            return Formula(text, self._variables())
        except Unreadable:
            return None

    def _filled(
        self, formula: Formula, shape: tuple[int, ...], index: Index, value: float, dtype: np.dtype
    ) -> str | None:  # fmt: skip
        known = self._quantities(formula, shape, index)
        if known is None or not elements.agree(formula.value(known), value, dtype, _scale(known)):
            return None
        text = formula.written(known)
        if text == number(value):  # a single number: say which
            names = list(formula.names)
            if len(names) != 1:
                return text
            array = self._variables().get(names[0])
            same = isinstance(array, np.ndarray) and array.shape == shape
            text = formula.source.replace(names[0], names[0] + (elements.label(index, shape) if same else ""))
        return f"{text} {equals(formula.value(_as_shown(known)), value)} {number(value)}"

    # Variables --------------------------------------------------------------------------------------------

    def _quantities(self, formula: Formula, shape: tuple[int, ...], index: Index) -> dict[str, Quantity] | None:
        """The numbers of the formula's variables at one element; None where the shapes do not fit."""
        variables, axes = self._variables(), self._axes(len(shape))
        found = {}
        for name in formula.names:
            value = variables[name]
            if not isinstance(value, np.ndarray):
                found[name] = Quantity(float(value))
                continue
            array = self._aligned(value, shape)
            try:
                fits = np.broadcast_shapes(array.shape, shape) == shape or bool(axes)
                found[name] = Quantity(*elements.at(array, index, axes)) if fits else Quantity(np.nan)
            except (ValueError, IndexError):  # an op of arrays of other sizes
                return None
            if not fits:
                return None
        return found

    def _aligned(self, array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        """With reduced axes kept as 1, and channels along their axis."""
        first = self.inputs[0]
        if self.op.name in _CHANNELS and array.ndim == 1 and len(shape) > 1:
            axis = self._argument("axis", 1)
            axis = axis % len(shape) if isinstance(axis, int) else 1
            return array.reshape([-1 if i == axis else 1 for i in range(len(shape))])
        if first is not None and array.ndim < len(shape) and self._axis_name() and array is not first:
            return array.reshape(kept_shape(first.shape, self._argument(self._axis_name(), None)))
        return array

    def _axes(self, ndim: int) -> tuple[int, ...]:
        """The axes along which Σ adds."""
        first = self.inputs[0]
        if not self._axis_name() or first is None or first.ndim != ndim or self.op.name in _CHANNELS:
            return ()
        return axes_of(self._argument(self._axis_name(), None), ndim)

    def _axis_name(self) -> str:
        return next((name for name in ("axis", "dim") if name in self.op.attrs), "")

    def _argument(self, name: str, otherwise: Any) -> Any:
        return self.attrs.get(name, _defaults(self.op).get(name, otherwise))

    def _variables(self) -> Mapping[str, Any]:
        """All that the formulas may name: arrays and numbers."""
        found: dict[str, Any] = {}
        letters = {name: letter for letter, name in _ARGUMENTS.get(self.op.name, {}).items()}
        for name in self.op.attrs:
            value = self._argument(name, None)
            if isinstance(value, (int, float)):
                found[letters.get(name, name)] = value
        for slot, array in enumerate(self.inputs):
            if array is not None and self.op.arity is not None:
                found[self.letter(slot)] = found[self.op.inputs[slot]] = array
        for letter, name in _ARGUMENTS.get(self.op.name, {}).items():
            if name in found:
                found[letter] = found[name]
        out, first = self.outputs[0] if self.outputs else None, self.inputs[0] if self.inputs else None
        if out is not None:
            found[self.result_letter()] = out
        if self.gradients and self.gradients[0] is not None and self.gradients[0].array is not None:
            found["g"] = self.gradients[0].array
        if out is not None and first is not None:
            found |= self._derived(first, out)
        return found

    def _derived(self, x: np.ndarray, out: np.ndarray) -> dict[str, Any]:
        """What the formulas name and no argument is: counts, means, masks, probabilities."""
        if self.op.name in ("mean", "var", "std"):
            axis = self._argument("axis", None)
            mean = np.mean(x, axes_of(axis, x.ndim), keepdims=True, dtype=np.float64)
            return {"n": x.size / max(out.size, 1), "x\u0304": mean}
        if self.op.name.startswith("dropout"):
            kept = out != 0 if self._sent is None else (out != 0) | (self._sent != 0)
            return {"mask": kept.astype(np.float64)}
        if self.op.name == "rrelu":
            return {"s": np.divide(out, x, out=np.ones_like(x), where=x != 0)}
        if self.op.name in ("cross_entropy", "nll_loss"):
            return self._of_classes(x)
        return {}

    def _of_classes(self, scores: np.ndarray) -> dict[str, Any]:
        labels = self.inputs[1]
        if labels is None or self.attrs.get("weight") is not None:
            return {}
        shifted = np.exp(scores.astype(np.float64) - scores.max(1, keepdims=True))
        classes = np.arange(scores.shape[1]).reshape(-1, *(1,) * (scores.ndim - 2))
        count = labels.size if self.attrs.get("reduction", "mean") == "mean" else 1
        return {
            "p": shifted / shifted.sum(1, keepdims=True),
            "{one_hot}": (classes == labels[:, None]).astype(np.float64),
            "n": count,
        }

    def _arrays(self) -> list[np.ndarray]:
        return [a for a in self.inputs if a is not None]


def _lowered(character: str) -> str:
    """The letter that is raised: x of eˣ."""
    return {"ˣ": "x", "ʸ": "y", "ᶻ": "z"}.get(character, "")


def _templates(op: Op, attrs: Mapping[str, Any]) -> list[str]:
    """The formulas of the card, remarks not yet in words."""
    try:
        lines = list(op.card(**attrs) if callable(op.card) else op.card)
    except TypeError:  # a failed op may hold attributes that it does not know
        return []
    return [line.replace("softmax(z)", "p") for line in lines]


@lru_cache(512)
def _defaults(op: Op) -> dict[str, Any]:
    if not isinstance(op.kernel, FunctionType):
        return {}
    return {n: p.default for n, p in signature(op.kernel).parameters.items() if p.default is not p.empty}


def _scale(known: Mapping[str, Quantity]) -> float:
    sizes = [abs(q.at) for q in known.values() if np.isfinite(q.at)]
    return 1e-2 * max(sizes, default=0.0)


def _as_shown(known: Mapping[str, Quantity]) -> dict[str, Quantity]:
    return {name: Quantity(elements.shown(q.at), q.fibre) for name, q in known.items()}


def _few(values: np.ndarray) -> Sequence[int]:
    """Which terms to write: all of few, else the largest."""
    if values.size <= MOST_TERMS + 1:
        return range(values.size)
    return [int(i) for i in np.argsort(-np.abs(np.nan_to_num(values, nan=np.inf)), kind="stable")[:MOST_TERMS]]


def _added(texts: list[str], values: list[float], total: float, dtype: np.dtype) -> str | None:
    """``a + b = c``; of many terms the largest."""
    size = float(np.abs(values).sum())
    if not elements.agree(float(np.sum(values)), total, dtype, size):
        return None
    if len(texts) == len(values) and len(values) > MOST_TERMS + 1:
        chosen = _few(np.array(values))
        texts = [texts[i] for i in chosen]
    joined = _joined(texts)
    if joined == number(total):
        return joined
    if len(texts) < len(values):
        return f"{say('replay.largest_terms', terms=joined, count=len(values))} ≈ {number(total)}"
    return f"{joined} {equals(sum(map(elements.shown, values)), total)} {number(total)}"


def _joined(texts: Sequence[str]) -> str:
    """Terms with + between them; a negative one in brackets."""
    return " + ".join(f"({text})" if i and text.startswith("−") else text for i, text in enumerate(texts))
