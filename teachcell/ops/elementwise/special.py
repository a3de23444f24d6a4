"""Special functions of one variable: error functions and the gamma family."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.op import POSITIVE
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import special as K
from ...texts import say

SLOPE = 2 / math.sqrt(math.pi)  # of erf at 0


def _bell(F: Any, x: Any) -> Any:
    """e^(−x²)."""
    return F.exp(F.negative(F.square(x)))


erf = define(
    "erf", K.erf, (lambda F, g, out, x: F.multiply(F.scale(g, SLOPE), _bell(F, x)),),
    floats=(0,), primitive="Erf", methods=("erf",), card=("y = erf x", "∂x = g · 2/√π · e^(−x²)"),
    source="DLMF §7.10",
)  # fmt: skip
erfc = define(
    "erfc", K.erfc, (lambda F, g, out, x: F.multiply(F.scale(g, -SLOPE), _bell(F, x)),),
    floats=(0,), primitive="Erfc", methods=("erfc",), card=("y = 1 − erf x", "∂x = −g · 2/√π · e^(−x²)"),
    source="DLMF §7.10",
)  # fmt: skip
erfinv = define(
    "erfinv", K.erfinv, (lambda F, g, out, x: F.multiply(F.scale(g, 1 / SLOPE), F.exp(F.square(out))),),
    keeps="output", floats=(0,), primitive="Erfinv", methods=("erfinv",), domain=(-0.9, 0.9),
    card=("y = erf⁻¹ x", "∂x = g · √π/2 · e^(y²)"), kinks=(Kink((1.0,), (np.inf,)),), source="{inverse_function}",
)  # fmt: skip
lgamma = define(
    "lgamma", K.lgamma, (lambda F, g, out, x: F.multiply(g, F.digamma(x)),),
    floats=(0,), primitive="Lgamma", methods=("lgamma",), domain=POSITIVE, card=("y = ln |Γ(x)|", "∂x = g · ψ(x)"),
    source="DLMF §5.2",
)  # fmt: skip
digamma = define(
    "digamma", K.digamma, (lambda F, g, out, x: F.multiply(g, F.polygamma(x, order=1)),),
    floats=(0,), primitive="Digamma", methods=("digamma",), domain=POSITIVE, card=("y = ψ(x)", "∂x = g · ψ′(x)"),
    source="DLMF §5.15",
)  # fmt: skip
polygamma_op = define(
    "polygamma", K.polygamma,
    (lambda F, g, out, x, order: F.multiply(g, F.polygamma(x, order=order + 1)),),
    floats=(0,), public=False, domain=POSITIVE, card=("y = ψ⁽ⁿ⁾(x)", "∂x = g · ψ⁽ⁿ⁺¹⁾(x)"), source="DLMF §5.15",
)  # fmt: skip


@public("polygamma", primitive="Polygamma")
def polygamma(n: Any, input: Any) -> Tensor:
    """The derivative of order ``n`` of the digamma function; ``n`` is an int ≥ 0 or a 0-d Tensor of one."""
    return polygamma_op(input, order=_order("polygamma", "n", n, 0))


@public("mvlgamma", methods=("mvlgamma",), primitive="Mvlgamma", init=("p",))
def mvlgamma(input: Any, p: int) -> Tensor:
    """The logarithm of the multivariate gamma function: p(p − 1)/4 · ln π + Σ lgamma(x − j/2), j = 0 … p − 1.

    Raises:
        ValueError: for a ``p`` below 1, or elements that are not above (p − 1) / 2.
    """
    p = _order("mvlgamma", "p", p, 1)
    x = operand(input)
    if not (x._array > (p - 1) / 2).all():
        raise ValueError(say("errors.interval", name="input", interval=f"({(p - 1) / 2}, ∞)", got=x._array.min()))
    terms = [T.lgamma(T.add(x, -j / 2)) for j in range(p)]
    return T.add(T.addn(terms), p * (p - 1) / 4 * math.log(math.pi))


def _order(op: str, name: str, value: Any, least: int) -> int:
    """A whole number that is given as an int or a 0-d Tensor; TypeError or ValueError for anything else."""
    value = value.item() if isinstance(value, Tensor) and value.ndim == 0 else value
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise TypeError(say("errors.order", op=op, name=name, least=least, got=repr(value)))
    if value < least:
        raise ValueError(say("errors.order", op=op, name=name, least=least, got=value))
    return int(value)
