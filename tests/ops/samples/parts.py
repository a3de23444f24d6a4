"""Samples and references: parts, frames, diagonals and triangles."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, call


def frame(x: Array, widths: Any, mode: str = "constant", value: float = 0.0) -> Array:
    """Element by element: where in x the place (row − before, …) lies."""
    shape = [n + a + b for n, (a, b) in zip(x.shape, widths, strict=True)]
    out = np.full(shape, float(value))
    for place in itertools.product(*map(range, shape)):
        source = []
        for i, n, (before, _) in zip(place, x.shape, widths, strict=True):
            at = i - before
            if not 0 <= at < n:
                if mode == "constant":
                    break
                at = {
                    "edge": min(max(at, 0), n - 1), "replicate": min(max(at, 0), n - 1), "circular": at % n,
                    "reflect": abs(at) if at < n else 2 * (n - 1) - at,
                    "symmetric": -at - 1 if at < 0 else 2 * n - 1 - at,
                }[mode]  # fmt: skip
            source.append(at)
        else:
            out[place] = x[tuple(source)]
    return out


def pad(x: Array, padding: Any, mode: str = "constant", value: float | None = None) -> Array:
    pairs = list(zip(padding[::2], padding[1::2], strict=True))[::-1]
    return frame(x, [(0, 0)] * (x.ndim - len(pairs)) + pairs, mode, value or 0.0)


def parts(x: Array, ends: list[int], axis: int) -> tuple[Array, ...]:
    return tuple(np.array(p) for p in np.split(x, ends, axis))


def strided_slice(x: Array, begin: Any, end: Any, strides: Any, **masks: int) -> Array:
    index: list[Any] = []
    for i, (a, b, s) in enumerate(zip(begin, end, strides, strict=True)):
        on = {name for name, bits in masks.items() if bits & 2**i}
        a, b = None if "begin_mask" in on else a, None if "end_mask" in on else b
        part: Any = a if "shrink_axis_mask" in on else slice(a, b, s)
        index.append(... if "ellipsis_mask" in on else None if "new_axis_mask" in on else part)
    return x[tuple(index)]


def band(x: Array, keep: Any) -> Array:
    rows, columns = np.indices(x.shape[-2:])
    return np.where(keep(columns - rows), x, 0)


def diag_embed(x: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    side = x.shape[-1] + abs(offset)
    out = np.zeros((*x.shape[:-1], side, side))
    for i in range(x.shape[-1]):
        out[..., i - min(offset, 0), i + max(offset, 0)] = x[..., i]
    return np.moveaxis(out, (-2, -1), (dim1, dim2))


def diagonal_scatter(x: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    out = np.moveaxis(x, (dim1, dim2), (-2, -1)).copy()
    for i in range(src.shape[-1]):
        out[..., i - min(offset, 0), i + max(offset, 0)] = src[..., i]
    return np.moveaxis(out, (-2, -1), (dim1, dim2))


def matrix_diag_part(x: Array, k: Any = 0, padding_value: float = 0.0, align: str = "RIGHT_LEFT") -> Array:
    low, high = (k, k) if isinstance(k, int) else k
    found = [np.diagonal(x, d, -2, -1) for d in range(high, low - 1, -1)]
    most = max(d.shape[-1] for d in found)
    rows = []
    for d, row in zip(range(high, low - 1, -1), found, strict=True):
        to_right = align.split("_")[d < 0] == "RIGHT"
        blank = np.full((*row.shape[:-1], most - row.shape[-1]), padding_value)
        rows.append(np.concatenate([blank, row] if to_right else [row, blank], -1))
    return rows[0] if len(rows) == 1 else np.stack(rows, -2)


def matrix_set_diag(x: Array, diagonal: Array, k: Any = 0, align: str = "RIGHT_LEFT") -> Array:
    low, high = (k, k) if isinstance(k, int) else k
    rows = diagonal[..., None, :] if low == high else diagonal
    out = x.copy()
    for i, d in enumerate(range(high, low - 1, -1)):
        n = np.diagonal(x, d, -2, -1).shape[-1]
        start = rows.shape[-1] - n if align.split("_")[d < 0] == "RIGHT" else 0
        for j in range(n):
            out[..., j - min(d, 0), j + max(d, 0)] = rows[..., i, start + j]
    return out


def matrix_diag(x: Array, shape: Any, k: Any = 0, padding_value: float = 0.0, **attrs: Any) -> Array:
    return matrix_set_diag(np.full(shape, padding_value), x, k, attrs.get("align", "RIGHT_LEFT"))


_sides = ((1, 1), (2, 2))
CALLS: Calls = {
    "split": [
        call((5,), split_size_or_sections=2), call((2, 4), split_size_or_sections=[1, 3], axis=1),
        call((4, 2), split_size_or_sections=4), call((3,), split_size_or_sections=[3, 0]),
    ],
    "parts": [
        call((2, 4), indices=((slice(None), slice(0, 1)), (slice(None), slice(1, 4)))), call((3,), indices=(2, 0)),
    ],
    "chunk": [call((5,), chunks=3), call((2, 4), chunks=2, axis=-1), call((2,), chunks=5)],
    "tensor_split": [
        call((7,), indices_or_sections=3), call((2, 5), indices_or_sections=[1, 3], axis=1),
        call((4,), indices_or_sections=(3, 3)),
    ],
    "hsplit": [call((2, 4), indices_or_sections=2), call((4,), indices_or_sections=[1])],
    "vsplit": [call((4, 2), indices_or_sections=3)],
    "dsplit": [call((1, 2, 4), indices_or_sections=2)],
    "unbind": [call((2, 3), dim=1), call((3,))],
    "unstack": [call((2, 3)), call((2, 3), axis=-1, num=3)],
    "narrow": [call((2, 5), axis=1, start=1, length=2), call((3,), axis=0, start=-2, length=2)],
    "slice": [call((2, 3), begin=(0, 1), size=(2, 2)), call((3, 4), begin=(1, 0), size=(-1, 2))],
    "strided_slice": [
        call((4, 4), begin=(0, 1), end=(4, 4), strides=(2, 2)), call((4, 4), begin=(3, 1), end=(0, 4), strides=(-1, 2)),
        call((4, 4), begin=(1, 1), end=(4, 4), strides=(2, 2), begin_mask=2, end_mask=1),
        call((4, 4), begin=(1, 1), end=(4, 4), strides=(2, 2), shrink_axis_mask=2),
        call((4, 4), begin=(0, 1), end=(4, 4), strides=(1, 1), new_axis_mask=1),
        call((2, 2, 4), begin=(0, 1), end=(4, 4), strides=(1, 1), ellipsis_mask=1),
    ],
    "pad_frame": [
        call((2, 3), widths=_sides), call((2, 3), widths=((1, 0), (-1, 2)), value=0.5), call((), widths=()),
        call((3,), widths=((-1, -1),)), call((0, 3), widths=_sides), call((4,), widths=((2, 3),), mode="reflect"),
        call((2, 3), widths=((2, 1), (3, 0)), mode="symmetric"), call((2, 3), widths=((2, 1), (0, 4)), mode="edge"),
        call((2, 3), widths=((2, 1), (3, 1)), mode="circular"), call((4,), widths=((1, -1),), mode="replicate"),
    ],
    "pad": [
        call((2, 3), padding=(1, 2)), call((2, 3), padding=[1, 0, 0, 1], value=0.5), call((3,), padding=(-1, 2)),
        call((1, 4), padding=(3, 3), mode="reflect"), call((1, 4), padding=(2, 1), mode="replicate"),
        call((2, 4), padding=(2, 1, 1, 1), mode="circular"), call((4,), padding=np.array([1, 1]), mode="edge"),
    ],
    "mirror_pad": [
        call((2, 3), paddings=[[1, 1], [2, 2]]), call((2, 3), paddings=np.array(_sides), mode="SYMMETRIC"),
    ],
    "padding": [call((2, 1)), call((1,), pad_dim_size=2)],
    "tril": [call((3, 3)), call((2, 2, 3), diagonal=1), call((3, 2), diagonal=-1)],
    "triu": [call((3, 3)), call((2, 2, 3), diagonal=1), call((3, 2), diagonal=-1)],
    "matrix_band_part": [
        call((3, 4), lower=1, upper=0), call((2, 3, 3), lower=-1, upper=1), call((4, 3), lower=0, upper=-1),
    ],
    "diagonal": [
        call((2, 3)), call((3, 2), offset=1), call((2, 3), offset=-1), call((2, 3, 4), offset=1, dim1=2, dim2=0),
        call((2, 3), offset=5), call((2, 3, 3), dim1=-2, dim2=-1),
    ],
    "diag_embed": [
        call((2,)), call((2, 3), offset=1), call((2,), offset=-2), call((2, 2), offset=1, dim1=0, dim2=2),
        call((2, 2), dim1=2, dim2=0),
    ],
    "diag": [call((3,)), call((2, 2))],
    "diagflat": [call((2, 2)), call((2,), offset=-1)],
    "diagonal_scatter": [
        call((2, 3), (2,), offset=1), call((3, 2, 2), (2, 2), dim1=2, dim2=0), call((2, 2), (2,)),
    ],
    "matrix_diag_part": [
        call((3, 4)), call((2, 3, 3), k=-1), call((3, 4), k=(-1, 1), padding_value=0.5),
        call((3, 4), k=(-2, 2), align="LEFT_RIGHT"), call((4, 2), k=(-3, 0), align="LEFT_LEFT"),
    ],
    "matrix_set_diag": [
        call((3, 3), (3,)), call((2, 3, 3), (2, 2), k=1), call((3, 3), (3, 3), k=(-1, 1)),
        call((3, 4), (4, 3), k=(-2, 1), align="LEFT_RIGHT"),
    ],
}  # fmt: skip
REFERENCES: References = {
    "split": lambda x, split_size_or_sections, axis=0: parts(
        x,
        [*range(split_size_or_sections, x.shape[axis], split_size_or_sections)]
        if isinstance(split_size_or_sections, int)
        else np.cumsum(split_size_or_sections)[:-1].tolist(),
        axis,
    ),
    "chunk": lambda x, chunks, axis=0: parts(
        x, [*range(-(-x.shape[axis] // chunks), x.shape[axis], -(-x.shape[axis] // chunks))], axis
    ),
    "parts": lambda x, indices: tuple(x[index] for index in indices),
    "tensor_split": lambda x, indices_or_sections, axis=0: tuple(np.array_split(x, indices_or_sections, axis)),
    "hsplit": lambda x, indices_or_sections: tuple(np.array_split(x, indices_or_sections, min(x.ndim - 1, 1))),
    "vsplit": lambda x, indices_or_sections: tuple(np.array_split(x, indices_or_sections, 0)),
    "dsplit": lambda x, indices_or_sections: tuple(np.array_split(x, indices_or_sections, 2)),
    "unbind": lambda x, dim=0: tuple(np.take(x, i, dim) for i in range(x.shape[dim])),
    "unstack": lambda x, axis=0, num=None: tuple(np.take(x, i, axis) for i in range(x.shape[axis])),
    "narrow": lambda x, axis, start, length: x.take(range(start % x.shape[axis], start % x.shape[axis] + length), axis),
    "slice": lambda x, begin, size: x[
        tuple(slice(a, None if n < 0 else a + n) for a, n in zip(begin, size, strict=True))
    ],
    "strided_slice": strided_slice,
    "pad_frame": frame,
    "pad": pad,
    "mirror_pad": lambda x, paddings, mode="REFLECT": frame(x, paddings, mode.lower()),
    "padding": lambda x, pad_dim_size=8: np.concatenate([x, np.zeros((*x.shape[:-1], pad_dim_size - 1))], -1),
    "tril": lambda x, diagonal=0: band(x, lambda d: d <= diagonal),
    "triu": lambda x, diagonal=0: band(x, lambda d: d >= diagonal),
    "matrix_band_part": lambda x, lower, upper: band(
        x, lambda d: ((lower < 0) | (-d <= lower)) & ((upper < 0) | (d <= upper))
    ),
    "diagonal": lambda x, offset=0, dim1=0, dim2=1: np.diagonal(x, offset, dim1, dim2),
    "diag_embed": diag_embed,
    "diag": lambda x: np.diag(x.ravel()).reshape(x.shape * 2),
    "diagflat": lambda x, offset=0: np.diag(x.ravel(), offset),
    "diagonal_scatter": diagonal_scatter,
    "matrix_diag_part": matrix_diag_part,
    "matrix_set_diag": matrix_set_diag,
}
NEW_VALUES = {"tril_indices", "triu_indices"}
TESTED_ELSEWHERE = {"matrix_diag"}
