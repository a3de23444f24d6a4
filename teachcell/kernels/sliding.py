"""Windows that slide over the last axes of an array: the geometry of convolution, pooling and patches.

Everything here works for any number of axes. Per-axis quantities (``kernel``, ``stride``, ``dilation``) are tuples
with one int per axis; ``pad`` holds the padding before and after the first of them, then of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.lib.stride_tricks import as_strided

from ..texts import say

Sizes = tuple[int, ...]
Pad = tuple[int, ...]


def spans(kernel: Sizes, dilation: Sizes) -> Sizes:
    """How many elements a window reaches over, gaps included."""
    return tuple([(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)])


def enlarged(sizes: Sequence[int], pad: Pad) -> Sizes:
    """The lengths of axes with their padding."""
    return tuple([size + before + after for size, before, after in zip(sizes, pad[::2], pad[1::2], strict=True)])


def inside(sizes: Sequence[int], pad: Pad) -> Any:
    """Where the elements lie in an array whose last axes are padded."""
    return (..., *[slice(before, before + size) for size, before in zip(sizes, pad[::2], strict=True)])


def padded(x: ndarray, pad: Pad, value: float = 0.0) -> ndarray:
    """x with ``value`` around its last axes; x itself where there is no padding."""
    if not any(pad):
        return x
    sizes = x.shape[-len(pad) // 2 :]
    result = np.full(x.shape[: x.ndim - len(sizes)] + enlarged(sizes, pad), value, x.dtype)
    result[inside(sizes, pad)] = x
    return result


def counts_of(sizes: Sequence[int], kernel: Sizes, stride: Sizes, dilation: Sizes) -> Sizes:
    """How many windows fit along each axis; ValueError where not even one does."""
    reach = spans(kernel, dilation)
    if any(size < span for size, span in zip(sizes, reach, strict=True)):
        raise ValueError(say("errors.window", window=reach, sizes=tuple(sizes)))
    return tuple([(size - span) // step + 1 for size, span, step in zip(sizes, reach, stride, strict=True)])


def windows(x: ndarray, kernel: Sizes, stride: Sizes, dilation: Sizes) -> ndarray:
    """Every window as a view: (…, places in the window, windows), each with as many axes as ``kernel``."""
    n = len(kernel)
    counts = counts_of(x.shape[-n:], kernel, stride, dilation)
    steps = x.strides[-n:]
    within = [step * gap for step, gap in zip(steps, dilation, strict=True)]
    between = [step * hop for step, hop in zip(steps, stride, strict=True)]
    return as_strided(x, x.shape[:-n] + kernel + counts, (*x.strides[:-n], *within, *between), writeable=False)


def places(x: ndarray, axis: int, kernel: int, stride: int, dilation: int = 1) -> list[ndarray]:
    """Per place in the windows along ``axis`` (counted from the end) the elements that all of them have there."""
    (count,) = counts_of(x.shape[axis : axis + 1 or None], (kernel,), (stride,), (dilation,))
    reach = (count - 1) * stride + 1
    rest: Any = (slice(None),) * (-1 - axis)
    return [x[(..., slice(i, i + reach, stride), *rest)] for i in range(0, kernel * dilation, dilation)]
