"""Reads the formulas of the cards: what they give for one element, and how they look with the numbers in them.

A formula is element-wise, but for Σ, which adds up the fibre of the element along the op's axis. Whatever else is in
it (matrix products, remarks in words) makes it :class:`Unreadable`; what is read may still be meant otherwise, so
callers compare the value with the one that the run gave.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernels.activation import SELU_ALPHA, SELU_SCALE
from ...texts.numbers import number

Reader = Callable[[str], Any]  # name of a variable to its value: a number, or a fibre inside Σ
Part = Callable[[Reader], Any]
Span = tuple[int, int]

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ˣʸᶻ", "0123456789-+xyz", strict=True))
_TOKEN = re.compile(
    rf"\s*(?P<token>(?P<raised>[{''.join(_RAISED)}]+)|(?P<number>\d+(?:\.\d+)?|½)|(?P<word>\{{\w+\}}"
    r"|[A-Za-z][A-Za-z_]*[₀-₉]*[\u0302\u0304]?|[α-ωΦ])|(?P<sign>[·/+−()\[\]|,<≤>≥=≠√Σ¬^⌊⌋⌈⌉∞]))"
)
_CONSTANTS = {"π": math.pi, "e": math.e, "∞": math.inf, "½": 0.5, "λ": SELU_SCALE, "α": SELU_ALPHA}
_COMPARE = {
    "<": np.less, "≤": np.less_equal, ">": np.greater, "≥": np.greater_equal, "=": np.equal, "≠": np.not_equal
}  # fmt: skip
_erf = np.vectorize(math.erf, otypes=[float])
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "arcsin": np.arcsin, "arccos": np.arccos, "arctan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "arsinh": np.arcsinh, "arcosh": np.arccosh,
    "artanh": np.arctanh, "ln": np.log, "log₂": np.log2, "log₁₀": np.log10, "sign": np.sign, "trunc": np.trunc,
    "max": np.maximum, "min": np.minimum, "sigmoid": lambda x: 0.5 * (1 + np.tanh(x / 2)), "erf": _erf,
    "Φ": lambda x: 0.5 * (1 + _erf(x / math.sqrt(2))), "φ": lambda x: np.exp(-x * x / 2) / math.sqrt(2 * math.pi),
}  # fmt: skip
_OPENS = "([|,<≤>≥=≠⌊⌈"  # a negative number needs no brackets after these
_BINDS = 2  # what a number in brackets may stand before: a power


class Unreadable(ValueError):
    """Not a formula of this notation."""


@dataclass(frozen=True)
class Token:
    """A piece of the text; ``kind`` is "raised", "number", "word" or "sign"."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Quantity:
    """A variable of a formula: its number at the element, and along the fibre through it (None: it has none)."""

    at: float
    fibre: np.ndarray | None = None


class Formula:
    """A formula that was read.

    Args:
        text: of its right side.
        variables: the names that stand for numbers.

    Attributes:
        source: the text.
        names: the variables that it uses.

    Raises:
        Unreadable: it is none that can be computed.
    """

    def __init__(self, text: str, variables: Iterable[str]):
        self.source = text
        reader = _Parser(text, frozenset(variables))
        self._root = reader.whole()
        self._tokens, self._sums = reader.tokens, reader.sums
        self.names = reader.used

    def value(self, quantities: Mapping[str, Quantity]) -> float:
        """Its value at the element."""
        with np.errstate(all="ignore"):
            return float(self._root(_Element(quantities)))

    def written(self, quantities: Mapping[str, Quantity]) -> str:
        """The formula with numbers for the variables, and for each Σ with all that it adds."""
        element = _Element(quantities)
        places = [(span, float(part(element))) for span, part in self._sums]
        inside = [span for span, _ in places]
        for token in self._tokens:
            if any(start <= token.start < end for start, end in inside):
                continue
            if token.kind == "word" and token.text in self.names:
                places.append(((token.start, token.end), element(token.text)))
        places.sort()
        pieces, at = [], 0
        for (start, end), value in places:
            pieces += [self.source[at:start], _bracketed(self.source, start, end, value)]
            at = end
        return _raised_written("".join([*pieces, self.source[at:]]), element, self.names)


class _Element:
    """Reads the variables at the element; within Σ along the fibre."""

    def __init__(self, quantities: Mapping[str, Quantity], along: bool = False):
        self.quantities, self.along = quantities, along

    def __call__(self, name: str) -> Any:
        quantity = self.quantities[name]
        return quantity.fibre if self.along and quantity.fibre is not None else np.float64(quantity.at)

    def fibres(self) -> _Element:
        return _Element(self.quantities, along=True)


def _bracketed(source: str, start: int, end: int, value: float) -> str:
    """The number, in brackets where its sign would stand beside another one or under a power."""
    text = number(value)
    before, after = source[:start].rstrip()[-1:], source[end : end + 1]
    if text.startswith("−") and ((before and before not in _OPENS) or after in _RAISED or after == "^"):
        return f"({text})"
    return text


def _raised_written(text: str, element: Reader, names: set[str]) -> str:
    """Raised variables in their place: "eˣ" is "e^0.5"."""

    def put(found: re.Match[str]) -> str:
        plain = "".join(_RAISED[c] for c in found[0])
        if not any(c in names for c in plain):
            return found[0]
        numbers = [_in_power(plain, i, element(c)) if c in names else c for i, c in enumerate(plain)]
        joined = "".join(numbers).replace("-", " − " if len(plain) > _BINDS else "−").strip()
        return f"^{joined}" if joined.replace(".", "").isdigit() else f"^({joined})"

    return re.sub(f"[{''.join(_RAISED)}]+", put, text)


def _in_power(plain: str, at: int, value: float) -> str:
    text = number(float(value))
    return f"({text})" if at and text.startswith("−") else text


class _Parser:
    """Recursive descent over the tokens; each method returns a function that computes what it read."""

    def __init__(self, text: str, variables: frozenset[str]):
        self.variables, self.tokens = variables, list(_tokens(text))
        self.used: set[str] = set()
        self.sums: list[tuple[Span, Part]] = []
        self._at = 0

    # Tokens -----------------------------------------------------------------------------------------------

    def _peek(self) -> Token | None:
        return self.tokens[self._at] if self._at < len(self.tokens) else None

    def _sees(self, texts: Iterable[str]) -> bool:
        token = self._peek()
        return token is not None and token.text in texts

    def _take(self) -> Token:
        token = self._peek()
        if token is None:
            raise Unreadable("it ends too early")
        self._at += 1
        return token

    def _expect(self, text: str) -> None:
        if self._take().text != text:
            raise Unreadable(f"{text} is missing")

    # Grammar ----------------------------------------------------------------------------------------------

    def whole(self) -> Part:
        part = self._sum()
        if self._peek() is not None:
            raise Unreadable("something is left over")
        return part

    def _sum(self) -> Part:
        part = self._product()
        while self._sees("+−"):
            part = _apply(np.add if self._take().text == "+" else np.subtract, part, self._product())
        return part

    def _product(self) -> Part:
        part = self._factor()
        while True:
            if self._sees("·/"):
                part = _apply(np.multiply if self._take().text == "·" else np.divide, part, self._factor())
            elif self._sees("("):  # 2 (x − y)
                part = _apply(np.multiply, part, self._factor())
            else:
                return part

    def _factor(self) -> Part:
        if self._sees("−"):
            self._take()
            return _apply(np.negative, self._factor())
        if self._sees("+"):
            self._take()
            return self._factor()
        if self._sees("Σ"):
            return self._sigma()
        if self._sees("√"):
            self._take()
            return _apply(np.sqrt, self._factor())
        return self._power(self._atom())

    def _sigma(self) -> Part:
        start = self._take().start
        inner = self._factor()
        while self._sees("·"):
            self._take()
            inner = _apply(np.multiply, inner, self._factor())

        def total(read: Any) -> Any:
            return np.sum(inner(read.fibres()))

        self.sums.append(((start, self.tokens[self._at - 1].end), total))
        return total

    def _power(self, base: Part) -> Part:
        token = self._peek()
        if token is not None and token.kind == "raised":
            return _apply(np.power, base, self._raised())
        if self._sees("^"):
            self._take()
            return _apply(np.power, base, self._power(self._atom()))
        return base

    def _raised(self) -> Part:
        plain = "".join(_RAISED[c] for c in self._take().text)
        parts = re.findall(r"([+-]?)(\d+|[xyz])", plain)
        if "".join(sign + what for sign, what in parts) != plain:
            raise Unreadable(plain)
        signed = [(-1 if sign == "-" else 1, self._named(what) if what.isalpha() else _given(float(what)))
                  for sign, what in parts]  # fmt: skip
        return lambda read: sum(sign * part(read) for sign, part in signed)

    def _named(self, name: str) -> Part:
        if name not in self.variables:
            raise Unreadable(name)
        self.used.add(name)
        return lambda read: read(name)

    def _atom(self) -> Part:
        token = self._take()
        if token.text in self.variables:
            return self._named(token.text)
        if token.text in _CONSTANTS or token.kind == "number":
            return _given(_CONSTANTS[token.text] if token.text in _CONSTANTS else float(token.text))
        if token.text in _FUNCTIONS:
            return self._function(_FUNCTIONS[token.text])
        if token.text in _BRACKETS:
            return _BRACKETS[token.text](self)
        raise Unreadable(token.text)

    def _function(self, function: Callable[..., Any]) -> Part:
        """``sin x``, ``tanh² x``, ``max(x, 0)``: without brackets it takes one factor."""
        token = self._peek()
        power = self._raised() if token is not None and token.kind == "raised" else None
        if self._sees("("):
            self._take()
            arguments = [self._sum()]
            while self._sees(","):
                self._take()
                arguments.append(self._sum())
            self._expect(")")
        else:
            arguments = [self._factor()]
        if (function in (np.maximum, np.minimum)) != (len(arguments) == 2):
            raise Unreadable("a function of other arguments")
        part = _apply(function, *arguments)
        return part if power is None else _apply(np.power, part, power)

    def _round(self) -> Part:
        part = self._sum()
        self._expect(")")
        return part

    def _bars(self) -> Part:
        part = _apply(np.abs, self._sum())
        self._expect("|")
        return part

    def _floor(self) -> Part:
        part = _apply(np.floor, self._sum())
        self._expect("⌋")
        return part

    def _ceiling(self) -> Part:
        part = _apply(np.ceil, self._sum())
        self._expect("⌉")
        return part

    def _condition(self) -> Part:
        """``[0 < x ≤ 6]``: 1 where it holds, else 0; ``[c]`` and ``[¬c]`` of a condition."""
        if self._sees("¬"):
            self._take()
            part = _apply(np.logical_not, self._sum())
            self._expect("]")
            return _apply(np.multiply, part, _given(1.0))
        sides, signs = [self._sum()], []
        while self._sees(_COMPARE):
            signs.append(_COMPARE[self._take().text])
            sides.append(self._sum())
        self._expect("]")
        if not signs:
            return sides[0]
        held = [_apply(sign, a, b) for sign, a, b in zip(signs, sides, sides[1:], strict=False)]
        return lambda read: np.multiply.reduce([part(read) for part in held]) * 1.0


_BRACKETS: dict[str, Callable[[_Parser], Part]] = {
    "(": _Parser._round, "[": _Parser._condition, "|": _Parser._bars, "⌊": _Parser._floor, "⌈": _Parser._ceiling
}  # fmt: skip


def _apply(function: Callable[..., Any], *parts: Part) -> Part:
    return lambda read: function(*[part(read) for part in parts])


def _given(value: float) -> Part:
    return lambda read: np.float64(value)


def _tokens(text: str) -> Iterable[Token]:
    at, text = 0, text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise Unreadable(text[at:])
        kind = next(k for k in ("raised", "number", "word", "sign") if found[k] is not None)
        yield Token(kind, found["token"], found.start("token"), found.end())
        at = found.end()
