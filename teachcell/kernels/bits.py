"""Whole numbers: bits, shifts, common divisors. Floats are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy import ndarray

from ..texts import say

# The number of ones in each byte (NumPy 1 has no bitwise_count).
_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1, dtype=np.uint8)


def check_whole(*arrays: ndarray, boolean: bool = True) -> None:
    """TypeError for floats, and for Bool unless ``boolean``."""
    kinds = "biu" if boolean else "iu"
    for array in arrays:
        if array.dtype.kind not in kinds:
            raise TypeError(say("errors.whole_numbers", dtype=array.dtype))


def _whole(ufunc: np.ufunc, says: str, boolean: bool = True) -> Callable[[ndarray, ndarray], ndarray]:
    def kernel(x: ndarray, y: ndarray) -> ndarray:
        check_whole(x, y, boolean=boolean)
        return ufunc(x, y)

    kernel.__doc__ = says
    return kernel


bitwise_and = _whole(np.bitwise_and, "The bits set in both; of Bool: both.")
bitwise_or = _whole(np.bitwise_or, "The bits set in one or both; of Bool: at least one.")
bitwise_xor = _whole(np.bitwise_xor, "The bits set in exactly one; of Bool: exactly one.")
left_shift = _whole(np.left_shift, "The bits of x moved y places up: x · 2^y.", boolean=False)
right_shift = _whole(np.right_shift, "The bits of x moved y places down: ⌊x / 2^y⌋.", boolean=False)
gcd = _whole(np.gcd, "The greatest common divisor; gcd(x, 0) = |x|.", boolean=False)
lcm = _whole(np.lcm, "The least common multiple; 0 where one of them is 0.", boolean=False)


def bitwise_not(x: ndarray) -> ndarray:
    """Every bit the other way, −x − 1 for signed integers; of Bool: not."""
    check_whole(x)
    return np.invert(x)


def population_count(x: ndarray) -> ndarray:
    """How many bits are 1, as uint8; of a negative number in two's complement."""
    check_whole(x, boolean=False)
    octets = np.ascontiguousarray(x).reshape(*x.shape, 1).view(np.uint8)
    return _ONES[octets].sum(-1, dtype=np.uint8)
