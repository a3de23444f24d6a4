"""2-d convolution on NCHW arrays by patches and one matrix product, and its two derivatives.

Convolution is linear in the input and in the weight, so each of the three kernels is the derivative of the
others. ``pad`` is (top, bottom, left, right).
"""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say

Pair = tuple[int, int]
Pad = tuple[int, int, int, int]


def _patches(x: ndarray, kernel: Pair, stride: Pair, pad: Pad, dilation: Pair) -> ndarray:
    """Windows of the padded input, (N, C, H', W', kh, kw), as a view."""
    t, b, left, right = pad
    if any(pad):
        x = np.pad(x, ((0, 0), (0, 0), (t, b), (left, right)))
    extent = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True))
    windows = np.lib.stride_tricks.sliding_window_view(x, extent, (2, 3))
    return windows[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]


def _columns(patches: ndarray) -> ndarray:
    """One row per output pixel, one column per weight: (N·H'·W', C·kh·kw)."""
    n, c, h, w, kh, kw = patches.shape
    return patches.transpose(0, 2, 3, 1, 4, 5).reshape(n * h * w, c * kh * kw)


def _rows(g: ndarray) -> ndarray:
    """An NCHW array as (N·H·W, C)."""
    return g.transpose(0, 2, 3, 1).reshape(-1, g.shape[1])


def convolution(
    x: ndarray, w: ndarray, stride: Pair = (1, 1), pad: Pad = (0, 0, 0, 0), dilation: Pair = (1, 1), groups: int = 1
) -> ndarray:
    """Cross-correlation of (N, C, H, W) with (O, C / groups, kh, kw)."""
    if x.ndim != 4 or w.ndim != 4:
        raise ValueError(say("errors.conv_axes"))
    if x.shape[1] != w.shape[1] * groups or w.shape[0] % groups:
        raise ValueError(say("errors.conv_channels", got=x.shape[1], wanted=w.shape[1] * groups, groups=groups))
    patches = _patches(x, w.shape[2:], stride, pad, dilation)
    n, _, h, wide = patches.shape[:4]
    parts = [
        np.dot(_columns(p), k.reshape(len(k), -1).T)
        for p, k in zip(np.split(patches, groups, 1), np.split(w, groups), strict=True)
    ]
    out = parts[0] if groups == 1 else np.concatenate(parts, 1)
    return np.ascontiguousarray(out.reshape(n, h, wide, -1).transpose(0, 3, 1, 2))


def convolution_input_grad(
    g: ndarray, w: ndarray, shape: tuple[int, ...], stride: Pair = (1, 1), pad: Pad = (0, 0, 0, 0),
    dilation: Pair = (1, 1), groups: int = 1,
) -> ndarray:  # fmt: skip
    """Gradient with respect to the input of ``shape``: each output pixel's share, added where its window lay."""
    n, c, height, width = shape
    t, b, left, right = pad
    kh, kw = w.shape[2:]
    h, wide = g.shape[2:]
    padded = np.zeros((n, c, height + t + b, width + left + right), g.dtype)
    per_group = c // groups
    for i, (part, k) in enumerate(zip(np.split(g, groups, 1), np.split(w, groups), strict=True)):
        shares = np.dot(_rows(part), k.reshape(len(k), -1)).reshape(n, h, wide, per_group, kh, kw)
        target = padded[:, i * per_group : (i + 1) * per_group]
        for y in range(kh):
            for x in range(kw):
                top, side = y * dilation[0], x * dilation[1]
                rows = slice(top, top + stride[0] * (h - 1) + 1, stride[0])
                columns = slice(side, side + stride[1] * (wide - 1) + 1, stride[1])
                target[:, :, rows, columns] += shares[..., y, x].transpose(0, 3, 1, 2)
    return padded[:, :, t : t + height, left : left + width]


def convolution_weight_grad(
    g: ndarray, x: ndarray, kernel: Pair, stride: Pair = (1, 1), pad: Pad = (0, 0, 0, 0),
    dilation: Pair = (1, 1), groups: int = 1,
) -> ndarray:  # fmt: skip
    """Gradient with respect to a weight of kernel size ``kernel``: output gradients times the patches."""
    patches = _patches(x, kernel, stride, pad, dilation)[:, :, : g.shape[2], : g.shape[3]]
    parts = [
        np.dot(_rows(q).T, _columns(p)).reshape(q.shape[1], -1, *kernel)
        for p, q in zip(np.split(patches, groups, 1), np.split(g, groups, 1), strict=True)
    ]
    return parts[0] if groups == 1 else np.concatenate(parts)
