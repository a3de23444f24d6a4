"""Bessel functions of order 0 and 1. One op per kind computes any order, which the derivatives need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.card import Kink
from ...core.define import define
from ...core.op import POSITIVE
from ...core.public import public
from ...core.tensor import Tensor
from ...kernels import special as K

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _rule(name: str, below: float, above: float, factor: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """C′ₙ = ½ (below · Cₙ₋₁ + above · Cₙ₊₁), and above · C₁ at order 0.

    ``factor(F, out, x)`` is what the slope of a factor such as eˣ adds.
    """

    def rule(F: Any, g: Any, out: Any, x: Any, order: int = 0) -> Any:
        function = getattr(F, name)
        if order:
            lower, upper = function(x, order=order - 1), function(x, order=order + 1)
            slope = F.add(F.scale(lower, below / 2), F.scale(upper, above / 2))
        else:
            slope = F.scale(function(x, order=1), above)
        return F.multiply(g, slope if factor is None else F.add(slope, factor(F, out, x)))

    return rule


def _card(letter: str, below: str, above: str, times: str = "", extra: str = "") -> Callable[..., tuple[str, str]]:
    """The formulas for an order: ``below`` and ``above`` are signs, ``times`` is a factor, ``extra`` its slope."""

    def card(order: int = 0) -> tuple[str, str]:
        lower, own, upper = [f"{letter}{str(n).translate(SUBSCRIPTS)}(x){times}" for n in range(order - 1, order + 2)]
        slope = f"½ · ({below}{lower} {above or '+'} {upper})" if order else f"{above}{upper}"
        bare = slope.startswith("−") or extra
        return f"y = {own}", f"∂x = g · ({slope}{extra})" if bare else f"∂x = g · {slope}"

    return card


bessel_i = define(
    "bessel_i", K.bessel_i, (_rule("bessel_i", 1, 1),),
    floats=(0,), public=False, card=_card("I", "", ""), source="DLMF §10.29",
)  # fmt: skip
bessel_ie = define(
    "bessel_ie", K.bessel_ie,
    (_rule("bessel_ie", 1, 1, lambda F, out, x: F.negative(F.multiply(out, F.sign(x)))),),
    keeps="inputs output", floats=(0,), public=False, domain=POSITIVE,
    card=_card("I", "", "", " · e^(−|x|)", " − y · sign x"), kinks=(Kink((0.0,), (0.0,)),), source="DLMF §10.29",
)  # fmt: skip
bessel_j = define(
    "bessel_j", K.bessel_j, (_rule("bessel_j", 1, -1),),
    floats=(0,), public=False, card=_card("J", "", "−"), source="DLMF §10.6",
)  # fmt: skip
bessel_k = define(
    "bessel_k", K.bessel_k, (_rule("bessel_k", -1, -1),),
    floats=(0,), public=False, domain=POSITIVE, card=_card("K", "−", "−"), source="DLMF §10.29",
)  # fmt: skip
bessel_ke = define(
    "bessel_ke", K.bessel_ke, (_rule("bessel_ke", -1, -1, lambda F, out, x: out),),
    keeps="inputs output", floats=(0,), public=False, domain=POSITIVE, card=_card("K", "−", "−", " · eˣ", " + y"),
    source="DLMF §10.29",
)  # fmt: skip
bessel_y = define(
    "bessel_y", K.bessel_y, (_rule("bessel_y", 1, -1),),
    floats=(0,), public=False, domain=POSITIVE, card=_card("Y", "", "−"), source="DLMF §10.6",
)  # fmt: skip


@public("bessel_i0", primitive="BesselI0")
def bessel_i0(x: Any) -> Tensor:
    """The modified Bessel function of the first kind, order 0."""
    return bessel_i(x, order=0)


@public("bessel_i0e", primitive="BesselI0e")
def bessel_i0e(x: Any) -> Tensor:
    """The modified Bessel function of the first kind, order 0, times e^−|x|."""
    return bessel_ie(x, order=0)


@public("bessel_i1", primitive="BesselI1")
def bessel_i1(x: Any) -> Tensor:
    """The modified Bessel function of the first kind, order 1."""
    return bessel_i(x, order=1)


@public("bessel_i1e", primitive="BesselI1e")
def bessel_i1e(x: Any) -> Tensor:
    """The modified Bessel function of the first kind, order 1, times e^−|x|."""
    return bessel_ie(x, order=1)


@public("bessel_j0", primitive="BesselJ0")
def bessel_j0(x: Any) -> Tensor:
    """The Bessel function of the first kind, order 0."""
    return bessel_j(x, order=0)


@public("bessel_j1", primitive="BesselJ1")
def bessel_j1(x: Any) -> Tensor:
    """The Bessel function of the first kind, order 1."""
    return bessel_j(x, order=1)


@public("bessel_k0", primitive="BesselK0")
def bessel_k0(x: Any) -> Tensor:
    """The modified Bessel function of the second kind, order 0."""
    return bessel_k(x, order=0)


@public("bessel_k0e", primitive="BesselK0e")
def bessel_k0e(x: Any) -> Tensor:
    """The modified Bessel function of the second kind, order 0, times eˣ."""
    return bessel_ke(x, order=0)


@public("bessel_k1", primitive="BesselK1")
def bessel_k1(x: Any) -> Tensor:
    """The modified Bessel function of the second kind, order 1."""
    return bessel_k(x, order=1)


@public("bessel_k1e", primitive="BesselK1e")
def bessel_k1e(x: Any) -> Tensor:
    """The modified Bessel function of the second kind, order 1, times eˣ."""
    return bessel_ke(x, order=1)


@public("bessel_y0", primitive="BesselY0")
def bessel_y0(x: Any) -> Tensor:
    """The Bessel function of the second kind, order 0."""
    return bessel_y(x, order=0)


@public("bessel_y1", primitive="BesselY1")
def bessel_y1(x: Any) -> Tensor:
    """The Bessel function of the second kind, order 1."""
    return bessel_y(x, order=1)
