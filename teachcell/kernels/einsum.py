"""Sums of products by index equations: ``"ij,jk->ik"`` is a matrix product."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_letters
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from ..texts import say

Shapes = tuple[tuple[int, ...], ...]


class Contraction(NamedTuple):
    """An equation read for operands of known shapes; letters stand for the axes that ``...`` meant.

    Attributes:
        terms: the letters of each operand, one per axis.
        output: the letters of the result.
        lengths: how long each letter's axis is; an operand's own may be 1, and is repeated then.
    """

    terms: tuple[str, ...]
    output: str
    lengths: dict[str, int]

    @property
    def equation(self) -> str:
        """The equation without ``...``."""
        return f"{','.join(self.terms)}->{self.output}"


@lru_cache(256)
def contraction(equation: str, shapes: Shapes) -> Contraction:
    """Read ``equation`` for operands of these shapes; ValueError where they do not fit."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    for term in (*terms, right):
        letters = term.replace("...", "", 1)
        if letters and not (letters.isalpha() and letters.isascii()):
            raise ValueError(say("errors.einsum_letters", term=term))
    if len(terms) != len(shapes):
        raise ValueError(say("errors.einsum_operands", named=len(terms), got=len(shapes)))
    counts = [len(shape) - len(term.replace("...", "")) for term, shape in zip(terms, shapes, strict=True)]
    for term, shape, count in zip(terms, shapes, counts, strict=True):
        if count < 0 or (count and "..." not in term):
            raise ValueError(say("errors.einsum_axes", term=term, shape=shape))
    dots = "".join(c for c in ascii_letters if c not in equation)[: max(counts)]
    terms = [term.replace("...", dots[len(dots) - n :]) for term, n in zip(terms, counts, strict=True)]
    if arrow:
        output = right.replace("...", dots)
    else:
        output = dots + "".join(sorted(c for c in set(left) - set(".,") if left.count(c) == 1))
    if len(set(output)) < len(output) or not set(output) <= set("".join(terms)):
        raise ValueError(say("errors.einsum_output", output=right))
    return Contraction(tuple(terms), output, _lengths(terms, shapes, dots))


def _lengths(terms: list[str], shapes: Shapes, dots: str) -> dict[str, int]:
    lengths: dict[str, int] = {}
    for term, shape in zip(terms, shapes, strict=True):
        own: dict[str, int] = {}
        for letter, n in zip(term, shape, strict=True):
            known = lengths.setdefault(letter, n)
            if n != own.setdefault(letter, n) or (n != known and 1 not in (n, known)):
                letter_or_dots = "..." if letter in dots else letter
                raise ValueError(say("errors.einsum_length", letter=letter_or_dots, lengths=f"{known}, {n}"))
            lengths[letter] = n if known == 1 else known
    return lengths


def einsum(*operands: ndarray, equation: str) -> ndarray:
    """The products of elements whose indices agree, summed over every index that the result does not name.

    Each operand has a letter per axis: ``"ij,jk->ik"``. A repeated letter takes the diagonal; ``...`` stands for
    axes without a name, which broadcast. Without ``->`` the result has the letters that occur once, in order.
    """
    read = contraction(equation, tuple([x.shape for x in operands]))
    result = np.einsum(read.equation, *operands, optimize=len(operands) > 1)
    return np.array(result) if len(operands) == 1 else result  # NumPy gives a view where it can
