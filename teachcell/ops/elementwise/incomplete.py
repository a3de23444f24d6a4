"""Incomplete gamma and beta functions and the Hurwitz zeta function, differentiable in every argument.

By the upper limit the derivative is the integrand. By a shape it is an integral with one more logarithm in it,
which is an op of its own (``igamma_moment``, ``betainc_moment``): it differentiates in the same way again.
"""

from __future__ import annotations

from typing import Any

from ...core.define import define
from ...core.op import POSITIVE
from ...kernels import incomplete as K


def _log_powers(F: Any, value: Any, *logs: tuple[Any, int]) -> Any:
    """value · lnⁿ x for every pair of an x and an n."""
    for x, order in logs:
        for _ in range(order):
            value = F.multiply(value, F.log(x))
    return value


# Gamma -------------------------------------------------------------------------------------------------------------


def _gamma_density(F: Any, a: Any, x: Any) -> Any:
    """xᵃ⁻¹ e⁻ˣ / Γ(a)."""
    return F.exp(F.subtract(F.subtract(F.xlogy(F.shift(a, -1.0), x), x), F.lgamma(a)))


def _gamma_slope(F: Any, a: Any, x: Any, order: int) -> Any:
    """Of the moment of this order by a: the next moment − ψ(a) · this one."""
    moment = F.igamma_moment(a, x, order=order) if order else F.igamma(a, x)
    return F.subtract(F.igamma_moment(a, x, order=order + 1), F.multiply(F.digamma(a), moment))


igamma = define(
    "igamma", K.igamma,
    (
        lambda F, g, out, a, x: F.multiply(g, _gamma_slope(F, a, x, 0)),
        lambda F, g, out, a, x: F.multiply(g, _gamma_density(F, a, x)),
    ),
    called=("input", "other"), primitive="Igamma", methods=("igamma",), domain=POSITIVE,
    card=(
        "z = P(a, x)", "∂a = g · (∫₀ˣ ln t · tᵃ⁻¹ · e⁻ᵗ dt / Γ(a) − ψ(a) · z)",
        "∂x = g · xᵃ⁻¹ · e⁻ˣ / Γ(a)",
    ),
    source="{integral_rule}",
)  # fmt: skip
igammac = define(
    "igammac", K.igammac,
    (
        lambda F, g, out, a, x: F.negative(F.multiply(g, _gamma_slope(F, a, x, 0))),
        lambda F, g, out, a, x: F.negative(F.multiply(g, _gamma_density(F, a, x))),
    ),
    called=("input", "other"), primitive="Igammac", methods=("igammac",), domain=POSITIVE,
    card=(
        "z = 1 − P(a, x)", "∂a = −g · (∫₀ˣ ln t · tᵃ⁻¹ · e⁻ᵗ dt / Γ(a) − ψ(a) · P(a, x))",
        "∂x = −g · xᵃ⁻¹ · e⁻ˣ / Γ(a)",
    ),
    source="{integral_rule}",
)  # fmt: skip
igamma_moment = define(
    "igamma_moment", K.igamma_moment,
    (
        lambda F, g, out, a, x, order: F.multiply(g, _gamma_slope(F, a, x, order)),
        lambda F, g, out, a, x, order: F.multiply(g, _log_powers(F, _gamma_density(F, a, x), (x, order))),
    ),
    public=False, domain=POSITIVE,
    card=("Mₙ = ∫₀ˣ lnⁿ t · tᵃ⁻¹ · e⁻ᵗ dt / Γ(a)", "∂a = g · (Mₙ₊₁ − ψ(a) · Mₙ)", "∂x = g · lnⁿ x · xᵃ⁻¹ · e⁻ˣ / Γ(a)"),
    source="{integral_rule}",
)  # fmt: skip

# Beta --------------------------------------------------------------------------------------------------------------


def _beta_density(F: Any, a: Any, b: Any, x: Any) -> Any:
    """xᵃ⁻¹ (1 − x)ᵇ⁻¹ / B(a, b)."""
    powers = F.add(F.xlogy(F.shift(a, -1.0), x), F.xlogy(F.shift(b, -1.0), F.one_minus(x)))
    return F.exp(F.subtract(powers, F.subtract(F.add(F.lgamma(a), F.lgamma(b)), F.lgamma(F.add(a, b)))))


def _beta_slope(F: Any, a: Any, b: Any, x: Any, orders: tuple[int, int], by_a: bool) -> Any:
    """Of the moment of these orders, by a or by b: the next moment − (ψ(a or b) − ψ(a + b)) · this one."""
    order, rest = orders
    moment = F.betainc_moment(a, b, x, order=order, rest_order=rest) if order or rest else F.betainc(a, b, x)
    following = F.betainc_moment(a, b, x, order=order + by_a, rest_order=rest + (not by_a))
    mean = F.subtract(F.digamma(a if by_a else b), F.digamma(F.add(a, b)))
    return F.subtract(following, F.multiply(mean, moment))


betainc = define(
    "betainc", K.betainc,
    (
        lambda F, g, out, a, b, x: F.multiply(g, _beta_slope(F, a, b, x, (0, 0), True)),
        lambda F, g, out, a, b, x: F.multiply(g, _beta_slope(F, a, b, x, (0, 0), False)),
        lambda F, g, out, a, b, x: F.multiply(g, _beta_density(F, a, b, x)),
    ),
    primitive="Betainc", domain=(0.2, 0.9),
    card=(
        "z = Iₓ(a, b)", "∂a = g · (∫₀ˣ ln t · tᵃ⁻¹ · (1 − t)ᵇ⁻¹ dt / B(a, b) − (ψ(a) − ψ(a + b)) · z)",
        "∂b = g · (∫₀ˣ ln(1 − t) · tᵃ⁻¹ · (1 − t)ᵇ⁻¹ dt / B(a, b) − (ψ(b) − ψ(a + b)) · z)",
        "∂x = g · xᵃ⁻¹ · (1 − x)ᵇ⁻¹ / B(a, b)",
    ),
    source="{integral_rule}",
)  # fmt: skip
betainc_moment = define(
    "betainc_moment", K.betainc_moment,
    (
        lambda F, g, out, a, b, x, order, rest_order: F.multiply(
            g, _beta_slope(F, a, b, x, (order, rest_order), True)
        ),
        lambda F, g, out, a, b, x, order, rest_order: F.multiply(
            g, _beta_slope(F, a, b, x, (order, rest_order), False)
        ),
        lambda F, g, out, a, b, x, order, rest_order: F.multiply(
            g, _log_powers(F, _beta_density(F, a, b, x), (x, order), (F.one_minus(x), rest_order))
        ),
    ),
    public=False, domain=(0.2, 0.9),
    card=(
        "Mₘₙ = ∫₀ˣ lnᵐ t · lnⁿ(1 − t) · tᵃ⁻¹ · (1 − t)ᵇ⁻¹ dt / B(a, b)",
        "∂a = g · (Mₘ₊₁,ₙ − (ψ(a) − ψ(a + b)) · Mₘₙ)", "∂b = g · (Mₘ,ₙ₊₁ − (ψ(b) − ψ(a + b)) · Mₘₙ)",
        "∂x = g · lnᵐ x · lnⁿ(1 − x) · xᵃ⁻¹ · (1 − x)ᵇ⁻¹ / B(a, b)",
    ),
    source="{integral_rule}",
)  # fmt: skip

# Zeta --------------------------------------------------------------------------------------------------------------


def _zeta_by_q(F: Any, g: Any, out: Any, x: Any, y: Any, order: int = 0) -> Any:
    """−x · ζ⁽ⁿ⁾(x + 1, y) − n · ζ⁽ⁿ⁻¹⁾(x + 1, y), derivatives by x."""
    above = F.shift(x, 1.0)
    slope = F.multiply(x, F.zeta_slope(above, y, order=order) if order else F.zeta(above, y))
    if order:
        lower = F.zeta_slope(above, y, order=order - 1) if order > 1 else F.zeta(above, y)
        slope = F.add(slope, F.scale(lower, order))
    return F.negative(F.multiply(g, slope))


zeta = define(
    "zeta", K.zeta, (lambda F, g, out, x, y: F.multiply(g, F.zeta_slope(x, y, order=1)), _zeta_by_q),
    primitive="Zeta", domain=(1.5, 4.0),
    card=("z = Σ (y + k)⁻ˣ", "∂x = −g · Σ ln(y + k) · (y + k)⁻ˣ", "∂y = −g · x · ζ(x + 1, y)"), source="DLMF §25.11",
)  # fmt: skip
zeta_slope = define(
    "zeta_slope", K.zeta_slope,
    (lambda F, g, out, x, y, order: F.multiply(g, F.zeta_slope(x, y, order=order + 1)), _zeta_by_q),
    public=False, domain=(1.5, 4.0),
    card=(
        "ζ⁽ⁿ⁾ = Σ (−ln(y + k))ⁿ · (y + k)⁻ˣ", "∂x = g · ζ⁽ⁿ⁺¹⁾",
        "∂y = −g · (x · ζ⁽ⁿ⁾(x + 1, y) + n · ζ⁽ⁿ⁻¹⁾(x + 1, y))",
    ),
    source="DLMF §25.11",
)  # fmt: skip
