"""SciPy's special functions, imported when the first of them is needed: ``import teachcell`` does not wait for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy import ndarray


@cache
def special() -> Any:
    """The module ``scipy.special``."""
    import scipy.special

    return scipy.special


def _same_width(name: str, says: str) -> Callable[..., ndarray]:
    """SciPy's function of one float array, in that array's dtype (SciPy itself knows no float16)."""

    def kernel(x: ndarray) -> ndarray:
        return getattr(special(), name)(x).astype(x.dtype, copy=False)

    kernel.__doc__ = says
    return kernel


erf = _same_width("erf", "The error function, 2/√π ∫₀ˣ e^(−t²) dt.")
erfc = _same_width("erfc", "1 − erf x, with all digits for large x.")
erfinv = _same_width("erfinv", "The number whose error function is x; ±inf at ±1, NaN outside of [−1, 1].")
lgamma = _same_width("gammaln", "ln |Γ(x)|; inf at 0, −1, −2, …")
digamma = _same_width("digamma", "The derivative of ln |Γ(x)|.")


def polygamma(x: ndarray, order: int) -> ndarray:
    """The derivative of this order of the digamma function."""
    return np.asarray(special().polygamma(order, x)).astype(x.dtype, copy=False)


def bessel(name: str, says: str) -> Callable[..., ndarray]:
    """SciPy's Bessel function of this name, whose first argument is the order, in x's dtype."""

    def kernel(x: ndarray, order: int = 0) -> ndarray:
        return getattr(special(), name)(order, x).astype(x.dtype, copy=False)

    kernel.__doc__ = says
    return kernel


bessel_i = bessel("iv", "The modified Bessel function of the first kind.")
bessel_ie = bessel("ive", "The modified Bessel function of the first kind times e^−|x|.")
bessel_j = bessel("jv", "The Bessel function of the first kind.")
bessel_k = bessel("kn", "The modified Bessel function of the second kind; inf at 0, NaN below.")
bessel_ke = bessel("kve", "The modified Bessel function of the second kind times eˣ.")
bessel_y = bessel("yn", "The Bessel function of the second kind; −inf at 0, NaN below.")
