"""The card of an op: what ``help(ops.relu6)``, the reference and the Explorer say about it.

Formulas come from the declaration, words from ``texts/cards/``; both follow the language in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..texts import say, table
from ..texts.numbers import number

if TYPE_CHECKING:
    from .op import Op


@dataclass(frozen=True)
class Kink:
    """A point where a gradient is agreed upon.

    Attributes:
        at: the inputs there: numbers or (nested) lists.
        slopes: the gradients of the sum of the outputs there, one per differentiable input.
        attrs: the op's other arguments.
    """

    at: tuple[Any, ...]
    slopes: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Card:
    """What is known about an op, in the language in use.

    Attributes:
        formulas: the value's, then one per differentiable input.
        words: the rule in words.
        conventions: one line per kink.
        source: where the formulas come from.
    """

    formulas: tuple[str, ...]
    words: str
    conventions: tuple[str, ...]
    source: str

    def __str__(self) -> str:
        lines = [*self.formulas, self.words, *self.conventions]
        return "\n\n".join([*lines, say("cards.source", source=self.source)] if self.source else lines)


def formulas(op: Op, attrs: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """The formulas for these attributes, remarks in the language in use."""
    lines = op.card(**(attrs or {})) if callable(op.card) else op.card
    return tuple([_filled(line) for line in lines])


def card(op: Op, attrs: Mapping[str, Any] | None = None) -> Card:
    """The whole card of ``op`` for these attributes."""
    words = f"cards.words.{op.name}"
    conventions = [_convention(op, kink) for kink in op.kinks]
    return Card(
        formulas(op, attrs), say(words) if words in table("cards") else "", tuple(conventions), _filled(op.source)
    )


def _convention(op: Op, kink: Kink) -> str:
    inputs = [name for name, rule in zip(op.inputs, _rules(op), strict=False) if rule is not None]
    at = [*zip(op.inputs, kink.at, strict=False), *kink.attrs.items()]
    slopes = [(f"∂{name}", slope) for name, slope in zip(inputs, kink.slopes, strict=False)]
    return say("cards.convention", at=_pairs(at), slopes=_pairs(slopes))


def _rules(op: Op) -> Sequence[Any]:
    return op.rules if isinstance(op.rules, tuple) else (op.rules,) * len(op.inputs)


def _pairs(pairs: Sequence[tuple[str, Any]]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in pairs)


def _value(value: Any) -> str:
    """A number or (nested) list of numbers as the formulas write them: 0, 1.5, −1."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


class _Remarks(dict[str, str]):
    """The words of the formulas, by name."""

    def __missing__(self, word: str) -> str:
        return say(f"cards.{word}")


def _filled(line: str) -> str:
    return line.format_map(_Remarks())
