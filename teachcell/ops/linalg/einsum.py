"""Sums of products by index equations, and the contractions that are written by them."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import einsum as K
from ...kernels.arguments import axes_of
from ...texts import say

pair(
    "contract",
    lambda equation, operands: K.einsum(*operands, equation=equation),
    lambda equation, operands: T.einsum(operands, equation=equation),
)


def _einsum_rule(F: Any, g: Any, out: Any, wanted: list[bool], *xs: Any, equation: str) -> list[Any]:
    read = K.contraction(equation, tuple([x.shape for x in xs]))
    return [_operand_gradient(F, g, i, xs, read) if want else None for i, want in enumerate(wanted)]


def _operand_gradient(F: Any, g: Any, i: int, xs: Sequence[Any], read: K.Contraction) -> Any:
    """The same sum of products with g in the place of operand i, whose letters are the result's now.

    A letter that no other has in full length needs a vector of ones; one that stands for a diagonal an identity
    matrix; and one whose axis was repeated is summed over.
    """
    others = [j for j in range(len(xs)) if j != i]
    terms, operands = [*(read.terms[j] for j in others), read.output], [*(xs[j] for j in others), g]
    sizes = [item for term, x in zip(terms, operands, strict=True) for item in zip(term, x.shape, strict=True)]
    whole = {letter for letter, length in sizes if length == read.lengths[letter]}
    spare = iter([c for c in ascii_letters if c not in read.equation])
    own = ""
    for letter, length in zip(read.terms[i], xs[i].shape, strict=True):
        if letter in own:
            other = next(spare)
            terms.append(letter + other)
            operands.append(F.cast_like(F.constant(np.eye(length)), g))
            own += other
        elif length == read.lengths[letter]:
            if letter not in whole:
                terms.append(letter)
                operands.append(F.cast_like(F.constant(np.ones(length)), g))
            own += letter
    gradient = F.contract(f"{','.join(terms)}->{own}", operands)
    return gradient if gradient.shape == xs[i].shape else F.reshape(gradient, xs[i].shape)


einsum_op = define(
    "einsum", K.einsum, _einsum_rule, variadic=True, public=False, source="{product_of_others}",
    card=("y = Σ x₁ · x₂ · … {over_indices}", "∂xᵢ = Σ g · Π {of_others} {over_indices_of_i}"),
)  # fmt: skip


@public("einsum")
def einsum(equation: str, *operands: Any) -> Tensor:
    """Products of elements whose indices agree, summed over the indices that the result does not name.

    Args:
        equation: a letter per axis, ``"ij,jk->ik"``: a repeated letter takes the diagonal, ``...`` stands for axes
            without a name. Without ``->`` the result has the letters that occur once, in alphabetical order.
        operands: the Tensors, also as one list or tuple.
    """
    if not isinstance(equation, str):
        raise TypeError(say("errors.einsum_text", got=type(equation).__name__))
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    return einsum_op(operands, equation=equation)


@public(primitive="Einsum", init=("equation",))
def _einsum(x: Any, equation: str) -> Tensor:
    """``einsum`` of a tuple of Tensors."""
    return einsum(equation, *x)


Axes = int | Sequence[int]


@public("tensor_dot")
def tensor_dot(x1: Any, x2: Any, axes: int | Sequence[Axes]) -> Tensor:
    """Products of all elements of two Tensors, summed over pairs of axes.

    Args:
        axes: the axes of ``x1`` and those of ``x2``, paired in order; or a number n: the last n of ``x1`` with the
            first n of ``x2``.
    """
    x1, x2 = operand(x1), operand(x2)
    if isinstance(axes, int):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            raise ValueError(say("errors.contract", op="tensor_dot", axes=axes, shapes=(x1.shape, x2.shape)))
        axes = range(x1.ndim - axes, x1.ndim), range(axes)
    return _contracted("tensor_dot", x1, x2, axes)


@public("batch_dot")
def batch_dot(x1: Any, x2: Any, axes: int | Sequence[int] | None = None) -> Tensor:
    """``tensor_dot`` of each sample of ``x1`` with the same sample of ``x2``: axis 0 of both counts the samples.

    Args:
        axes: the axis of each to sum over, or one int for both; by default the last of ``x1`` and, where it has
            three axes or more, the last but one of ``x2``.
    """
    x1, x2 = operand(x1), operand(x2)
    if axes is None:
        axes = -1, (-1 if x2.ndim == 2 else -2)
    chosen = tuple(axes) if isinstance(axes, Sequence) else (axes, axes)
    shapes = x1.shape, x2.shape
    if min(x1.ndim, x2.ndim) < 2 or x1.shape[0] != x2.shape[0] or len(chosen) != 2:
        raise ValueError(say("errors.contract", op="batch_dot", axes=axes, shapes=shapes))
    if any(axis % x.ndim == 0 for axis, x in zip(chosen, (x1, x2), strict=True)):
        raise ValueError(say("errors.batch_axis", shapes=shapes))
    y = _contracted("batch_dot", x1, x2, chosen, batch=True)
    return T.expand_dims(y, -1) if y.ndim == 1 else y


def _contracted(op: str, x1: Tensor, x2: Tensor, axes: Sequence[Axes], batch: bool = False) -> Tensor:
    """The einsum that sums over pairs of axes, and keeps the first axis of both as one where there is a batch."""
    if len(axes) != 2:
        raise ValueError(say("errors.contract", op=op, axes=axes, shapes=(x1.shape, x2.shape)))
    first, second = (axes_of(a, x.ndim) if a != () else () for a, x in zip(map(_tuple, axes), (x1, x2), strict=True))
    if [x1.shape[a] for a in first] != [x2.shape[b] for b in second]:
        raise ValueError(say("errors.contract", op=op, axes=(first, second), shapes=(x1.shape, x2.shape)))
    left, right = ascii_letters[: x1.ndim], list(ascii_letters[x1.ndim : x1.ndim + x2.ndim])
    summed = {left[a] for a in first}
    for a, b in zip((0, *first) if batch else first, (0, *second) if batch else second, strict=True):
        right[b] = left[a]
    output = [c for c in (*left, *(c for c in right if c not in left)) if c not in summed]
    return T.einsum((x1, x2), equation=f"{left},{''.join(right)}->{''.join(output)}")


def _tuple(axes: Axes) -> tuple[int, ...]:
    return tuple(axes) if isinstance(axes, Sequence) else (axes,)
