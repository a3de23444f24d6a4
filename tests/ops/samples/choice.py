"""Samples and references: comparison, logic, bits, selection."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Calls, References, call

MASK = np.array([[True, False, True], [False, False, True]])
SIX, THREE = np.array([6, 5, 0]), np.array([3, 1, 4])
SPECIAL = np.array([math.nan, math.inf, -math.inf, 0.0, 1.5])
UNARY: References = {
    "identity": lambda x: x,
    "stop_gradient": lambda x: x,
    "logical_not": lambda x: x == 0,
    "isnan": lambda x: x != x,
    "isinf": lambda x: np.abs(x) == math.inf,
    "isfinite": lambda x: np.abs(x) < math.inf,
    "isposinf": lambda x: x > 1e300,
    "isneginf": lambda x: x < -1e300,
}
BINARY: References = {
    "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: (x < y) | (x > y),
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: ~(x < y),
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: ~(x > y),
    "logical_and": lambda x, y: (x != 0) & (y != 0),
    "logical_or": lambda x, y: (x != 0) | (y != 0),
    "logical_xor": lambda x, y: (x != 0) != (y != 0),
}
CALLS: Calls = {
    **{name: [call(SPECIAL), call(np.array([1, 0]))] for name in UNARY if name.startswith("is")},
    "logical_xor": [call(MASK, ~MASK), call(MASK, MASK[:1])],
    "isclose": [
        call((2, 3), (3,)), call(np.array([1.0, 2.0]), np.array([1.1, 2.0]), atol=0.2),
        call(SPECIAL, SPECIAL), call(SPECIAL, SPECIAL, equal_nan=True), call(np.array([1, 2]), np.array([1, 3])),
        call(np.array([100.0]), np.array([101.0]), rtol=0.1),
    ],
    "approximate_equal": [
        call((2, 3), (3,)), call(np.array([1.0, 2.0]), np.array([1.1, 2.5]), tolerance=0.2),
        call(np.array([1, 2]), np.array([1, 3])),
    ],
    "bitwise_and": [call(SIX, THREE), call(MASK, ~MASK)],
    "bitwise_or": [call(SIX, THREE), call(MASK, ~MASK)],
    "bitwise_xor": [call(SIX, THREE[:, None]), call(MASK, ~MASK)],
    "bitwise_not": [call(np.array([6, -5])), call(MASK), call(np.array([6, 0], np.uint8))],
    "left_shift": [call(SIX, THREE), call(np.array([1, 2], np.int32), np.array(3, np.int32))],
    "right_shift": [call(SIX, THREE), call(np.array([-12, 9], np.int32), np.array(1, np.int32))],
    "population_count": [
        call(np.array([0, 1, 7, -1])), call(np.array([[255, 3]], np.uint8)), call(np.array(-1, np.int16)),
        call(np.zeros((0, 3), np.int32)),
    ],
    "gcd": [call(np.array([12, -12, 0]), np.array([18, 5, 0])), call(SIX, np.array([[4], [9]]))],
    "lcm": [call(np.array([12, -12, 0]), np.array([18, 5, 7])), call(SIX, np.array([[4], [9]]))],
    "masked_fill": [call((2, 3), MASK, value=0.5), call((3,), MASK[0], value=-1.0)],
    "select": [
        call(MASK, (2, 3), (2, 3)), call(MASK, (), (3,)), call(np.array([[True], [False]]), (3,), (2, 1)),
        call(np.array(True), (2,), (2,)),
    ],
}  # fmt: skip
REFERENCES: References = {
    "isclose": lambda x, y, rtol=1e-5, atol=1e-8, equal_nan=False: np.isclose(x, y, rtol, atol, equal_nan),
    "approximate_equal": lambda x, y, tolerance=1e-5: (x - y < tolerance) & (y - x < tolerance),
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "bitwise_not": lambda x: ~x,
    "left_shift": lambda x, y: x * 2**y,
    "right_shift": lambda x, y: x // 2**y,
    "population_count": lambda x: np.vectorize(
        lambda number: bin(int(number) % 256**x.itemsize).count("1"), otypes=[np.uint8]
    )(x),
    "gcd": np.vectorize(math.gcd, otypes=[int]),
    "lcm": np.vectorize(math.lcm, otypes=[int]),
    "masked_fill": lambda x, mask, value: np.where(mask, value, x),
    "select": lambda c, x, y: c * x + (1 - c) * y,
}
TESTED_ELSEWHERE = {"eps", "is_floating_point", "is_nonzero"}
NOT_DIFFERENTIABLE = {*CALLS, *UNARY, *BINARY} - {"identity", "masked_fill", "select"}
