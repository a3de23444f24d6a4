"""Calls that exercise each op, for the generated tests.

Element-wise ops are tried on generated shapes; the others have a list of calls here. A test fails when an op is
declared without a sample. Ops of chance and of hooks have tests of their own.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ops.references import BINARY, OTHERS, UNARY

from teachcell.core.op import OPS

TESTED_ELSEWHERE = {"cast", "dropout", "dropout2d", "hook_backward"}

SHAPES = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (2, 1, 3), (0, 3)]


def _fits(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Sample:
    """One call of an op.

    Attributes:
        op: its name.
        given: the inputs: shapes, or arrays where the values matter.
        attrs: the other arguments.
    """

    op: str
    given: tuple[Any, ...]
    attrs: dict[str, Any] = field(default_factory=dict)

    @property
    def inputs(self) -> list[np.ndarray]:
        """The inputs, float64 where drawn: in the op's domain, no two elements equal, away from whole numbers."""
        low, high = OPS[self.op].domain
        draws = np.random.default_rng(zlib.crc32(repr((self.op, self.given)).encode()))
        sizes = [int(np.prod(g)) if isinstance(g, tuple) else 0 for g in self.given]
        values = iter(draws.permutation(np.linspace(low + 0.01, high - 0.013, max(sum(sizes), 2))))
        return [
            np.array(list(itertools.islice(values, size))).reshape(g) if isinstance(g, tuple) else g.copy()
            for g, size in zip(self.given, sizes, strict=True)
        ]

    def reference(self, inputs: list[np.ndarray]) -> list[np.ndarray]:
        """What NumPy says, one array per output."""
        formula = REFERENCES[self.op]
        result = formula(*inputs, **self.attrs)
        return [np.asarray(r) for r in (result if isinstance(result, tuple) else (result,))]

    def __str__(self) -> str:
        given = " ".join(str(g).replace(" ", "") if isinstance(g, tuple) else "values" for g in self.given)
        attrs = "".join(f" {name}={value}".replace("\n", "") for name, value in self.attrs.items())
        return f"{self.op} {given}{attrs}"


def _call(*given: Any, **attrs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return given, attrs


LABELS = np.array([2, 0, 1, 2])
MASK = np.array([[True, False, True], [False, False, True]])
CONVOLUTIONS = [
    _call((2, 3, 5, 4), (4, 3, 2, 3)),
    _call((1, 4, 5, 6), (6, 2, 3, 3), stride=(2, 1), pad=(1, 2, 0, 1), groups=2),
    _call((1, 2, 7, 6), (2, 2, 2, 2), stride=(2, 2), dilation=(2, 3)),
]
ONCE: list[Any] = [  # indices into (2, 3) that name no place twice
    1, -1, slice(None, None, -1), (Ellipsis, 0), (slice(0, 1), None), (slice(None), slice(None, None, 2)),
    (np.array([[1, 0]]), slice(1, None)), MASK, (slice(None), np.array([True, False, True])), (slice(1, 1),),
]  # fmt: skip
TWICE: list[Any] = [(np.array([0, 1, 1]),), (np.array([0, 0]), np.array([2, 2]))]
_axes = [
    _call(()), _call((2, 3)), _call((2, 3), axis=0), _call((2, 3, 4), axis=(0, -1)), _call((2, 3), axis=1),
]  # fmt: skip

CALLS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "softmax": [_call((3,)), _call((2, 3), axis=0), _call((2, 3, 2), axis=1), _call((0, 3))],
    "log_softmax": [_call((3,)), _call((2, 3), axis=0), _call((0, 3))],
    "scale": [_call((), factor=3.0), _call((2, 3), factor=-0.5)],
    "shift": [_call((), amount=3.0), _call((2, 3), amount=-0.5)],
    "clamp": [_call((2, 3), min=-0.55), _call((2, 3), max=0.45), _call((3,), min=-0.75, max=0.75), _call((), min=5.0)],
    "bitwise_and": [_call(np.array([6, 5]), np.array([3, 1])), _call(MASK, ~MASK)],
    "bitwise_or": [_call(np.array([6, 5]), np.array([3, 1])), _call(MASK, ~MASK)],
    "bitwise_xor": [_call(np.array([6, 5]), np.array([[3], [1]])), _call(MASK, ~MASK)],
    "bitwise_not": [_call(np.array([6, -5])), _call(MASK)],
    "matmul": [
        _call((3,), (3,)), _call((3,), (3, 2)), _call((2, 3), (3,)), _call((2, 3), (3, 4)), _call((0, 3), (3, 2)),
        _call((3, 2), (3, 4), transpose_a=True), _call((2, 3), (4, 3), transpose_b=True),
        _call((3, 2), (4, 3), transpose_a=True, transpose_b=True), _call((4, 2, 3), (3, 2)),
        _call((4, 2, 3), (4, 3, 2)), _call((2, 1, 2, 3), (4, 3, 2)), _call((3,), (4, 3, 2)), _call((4, 2, 3), (3,)),
        _call((2, 3), (4, 3, 2)), _call((4, 3, 2), (3, 2), transpose_a=True), _call((3,), (3,), transpose_a=True),
        _call((4, 2, 3), (2, 3), transpose_b=True), _call((4, 2, 3), (1, 2, 3), transpose_b=True),
        _call((3,), (2, 3), transpose_b=True), _call((3, 2), (3,), transpose_a=True),
    ],
    "bias_add": [
        _call((2, 3), (3,)), _call((2, 3, 4), (3,)), _call((2, 3, 4), (4,), axis=-1), _call((2, 3), (2,), axis=0),
    ],
    "convolution": CONVOLUTIONS,
    "convolution_input_grad": [
        _call((1, 2, 4, 2), (2, 3, 2, 2), shape=(1, 3, 5, 3)),
        _call((1, 2, 3, 3), (2, 1, 3, 2), shape=(1, 2, 5, 6), stride=(2, 2), pad=(1, 1, 0, 1), groups=2),
    ],
    "convolution_weight_grad": [
        _call((1, 2, 4, 2), (1, 3, 5, 3), kernel=(2, 2)),
        _call((1, 2, 3, 3), (1, 2, 5, 6), kernel=(3, 2), stride=(2, 2), pad=(1, 1, 0, 1), groups=2),
    ],
    "batch_norm": [_call((4, 3), (3,), (3,)), _call((2, 3, 2, 2), (3,), (3,), eps=0.1)],
    "batch_norm_inference": [
        _call((4, 3), (3,), (3,), (3,), np.array([0.5, 1.0, 2.0])),
        _call((2, 2, 2, 2), (2,), (2,), (2,), np.array([0.5, 1.0]), eps=0.1),
    ],
    "cross_entropy": [
        _call((4, 3), LABELS), _call((4, 3), LABELS, reduction="sum"), _call((4, 3), LABELS, reduction="none"),
        _call((4, 3), np.array([2, -1, 1, -1]), ignore_index=-1),
        _call((4, 3), np.array([2, 7, 1, 7]), ignore_index=7, reduction="none"),
    ],
    "sum": [
        _call(()), _call((2, 3)), _call((2, 3), dim=0), _call((2, 3), dim=-1, keepdim=True), _call((0, 3)),
        _call((2, 3, 4), dim=(0, 2)), _call((2, 3, 4), dim=(2, -3), keepdim=True), _call((0, 3), dim=0),
    ],
    "mean": [*_axes, _call((2, 3, 4), axis=(0, -1), keep_dims=True)],
    "prod": [
        *_axes, _call((2, 3, 2), axis=(2, 0), keep_dims=True), _call((0, 3), axis=0), _call((1, 2), axis=0),
        _call(np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 3.0]]), axis=1), _call(np.array([0.0, 2.0, 3.0])),
    ],
    "amax": [*_axes, _call((2, 3), axis=0, keepdims=True)],
    "amin": [*_axes, _call((2, 3), axis=0, keepdims=True)],
    "all": [_call(MASK), _call(MASK, axis=0), _call(np.array([[0, 2], [3, 4]]), axis=-1, keep_dims=True)],
    "any": [_call(MASK), _call(MASK, axis=0), _call(np.array([[0, 0], [3, 4]]), axis=-1, keep_dims=True)],
    "argmax": [
        _call((2, 3)), _call((2, 3), dim=0), _call(np.array([1.0, 3.0, 3.0])), _call((2, 3), dim=-1, keepdim=True),
    ],
    "select": [
        _call(MASK, (2, 3), (2, 3)), _call(MASK, (), (3,)), _call(np.array([[True], [False]]), (3,), (2, 1)),
        _call(np.array(True), (2,), (2,)),
    ],
    "reshape": [
        _call((2, 3), shape=(3, 2)), _call((2, 3), shape=(-1,)), _call((), shape=(1, 1)), _call((0, 3), shape=(3, 0)),
    ],
    "expand_dims": [_call((2, 3), axis=0), _call((2, 3), axis=-1), _call((), axis=0), _call((2, 3), axis=-2)],
    "squeeze": [_call((1, 3, 1)), _call((1, 3, 1), axis=0), _call((1, 3, 1), axis=(0, -1)), _call(())],
    "flatten": [
        _call((2, 3, 2)), _call((2, 3, 2), start_dim=0), _call((2, 3, 2, 2), start_dim=1, end_dim=2), _call((3,)),
        _call(()), _call((0, 3, 2)),
    ],
    "transpose": [_call((2, 3)), _call((2, 3, 4), axes=(1, 2, 0)), _call((2, 3, 4), axes=(-1, 0, 1)), _call(())],
    "swapaxes": [_call((2, 3, 4), axis0=0, axis1=-1), _call((2, 3), axis0=1, axis1=0)],
    "broadcast_to": [
        _call((3,), shape=(4, 3)), _call((2, 1), shape=(2, 3)), _call((), shape=(2,)), _call((2, 1), shape=(4, -1, 3)),
        _call((2, 1), shape=(2, 1)), _call((), shape=()),
    ],
    "concat": [
        _call((2, 3), (1, 3)), _call((2, 3), (2, 1), (2, 2), axis=1), _call((2, 0), (2, 2), axis=-1), _call((2,)),
    ],
    "stack": [_call((2, 3), (2, 3)), _call((2,), (2,), (2,), axis=-1), _call(())],
    "getitem": [_call((2, 3), index=i) for i in [*ONCE, *TWICE]],
    "put": [_call(np.empty((2, 3))[i].shape, shape=(2, 3), index=i) for i in [*ONCE, *TWICE]],
    "setitem": [
        *[_call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in ONCE], _call((2, 3), (), index=0),
        *[_call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in TWICE],
        _call((2, 3), (1,), index=(slice(None), 1)), _call((2, 3), (1, 3), index=slice(None)), _call((), (), index=()),
    ],
}  # fmt: skip

REFERENCES: dict[str, Callable[..., Any]] = {**UNARY, **BINARY, **OTHERS}
SAMPLES: dict[str, list[Sample]] = {
    **{name: [Sample(name, (shape,)) for shape in SHAPES] for name in UNARY},
    **{name: [Sample(name, (a, b)) for a, b in itertools.product(SHAPES, SHAPES) if _fits(a, b)] for name in BINARY},
    **{name: [Sample(name, given, attrs) for given, attrs in calls] for name, calls in CALLS.items()},
}
