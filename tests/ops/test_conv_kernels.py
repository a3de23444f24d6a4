"""Convolution's kernels against sums written out, on windows of any kind, and in any order of axes in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teachcell.kernels import conv, patches
from teachcell.kernels.sliding import padded, windows


@st.composite
def geometries(draw: Any) -> dict[str, Any]:
    """Sizes, windows and weights that fit together, most of them odd ones."""
    axes = draw(st.integers(1, 3))
    each = {"min_size": axes, "max_size": axes}
    few = 8 if axes < 3 else 5
    kernel, stride, dilation = (tuple(draw(st.lists(st.integers(1, 4), **each))) for _ in range(3))
    pad = tuple(draw(st.lists(st.integers(0, 5), min_size=2 * axes, max_size=2 * axes)))
    sizes = []
    for i in range(axes):
        least = max(1, (kernel[i] - 1) * dilation[i] + 1 - pad[2 * i] - pad[2 * i + 1])
        sizes.append(draw(st.integers(least, max(least, few))))
    groups = draw(st.sampled_from([1, 1, 2, 3]))
    channels, out = (groups * draw(st.sampled_from([1, 2, 5, 17 if axes < 3 else 6])) for _ in range(2))
    return {
        "shape": (draw(st.integers(0, 3)), channels, *sizes), "weight": (out, channels // groups, *kernel),
        "window": {"stride": stride, "pad": pad, "dilation": dilation, "groups": groups},
        "last": draw(st.booleans()),
        "cache": draw(st.sampled_from([1, 500, 5000, 1 << 19])), "kept": draw(st.sampled_from([0, 1 << 22])),
        "unpacked": draw(st.sampled_from([50, 10**6])), "high": draw(st.sampled_from([1, 4])),
    }  # fmt: skip


def filled(shape: tuple[int, ...], last: bool) -> np.ndarray:
    """Small whole numbers, of which float64 sums are exact."""
    values = np.random.default_rng(sum(shape)).integers(-4, 5, shape).astype(np.float64)
    if not last:
        return values
    order = (0, *range(2, len(shape)), 1)
    return np.ascontiguousarray(values.transpose(order)).transpose(np.argsort(order))


def written_out(x: np.ndarray, w: np.ndarray, window: dict[str, Any]) -> np.ndarray:
    """Convolution, one group and one place of the kernel after the other."""
    groups, n = window["groups"], w.ndim - 2
    seen = windows(padded(x, window["pad"]), w.shape[2:], window["stride"], window["dilation"])
    y = np.zeros((len(x), len(w), *seen.shape[2 + n :]))
    c, o = w.shape[1], len(w) // groups
    for group in range(groups):
        into = y[:, group * o : (group + 1) * o]
        for place in np.ndindex(*w.shape[2:]):
            part = seen[(slice(None), slice(group * c, (group + 1) * c), *place)]
            into += np.einsum("nc...,oc->no...", part, w[(slice(group * o, (group + 1) * o), slice(None), *place)])
    return y


@settings(deadline=None, max_examples=300)
@given(geometries())
def test_convolution_and_its_derivatives(geometry: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patches, "CACHE", geometry["cache"])
        patch.setattr(patches, "KEPT", geometry["kept"])
        patch.setattr(patches, "UNPACKED", geometry["unpacked"])
        patch.setattr(patches, "TALL", 1)
        patch.setattr(conv, "HIGH", geometry["high"])
        window, last = geometry["window"], geometry["last"]
        x, w = filled(geometry["shape"], last), filled(geometry["weight"], False)
        y, saved = conv.convolution(x, w, **window)
        np.testing.assert_array_equal(y, written_out(x, w, window))
        g = filled(y.shape, not last)
        dx = conv.transposed_convolution(g, w, x.shape[2:], **window)
        dw = conv.convolution_weight_grad(g, x, w.shape[2:], **window)
        assert dx.shape == x.shape and dw.shape == w.shape
        if saved["patches"] is not None:
            np.testing.assert_array_equal(conv.kept_weight_grad(g, x, w.shape[2:], **saved, **window), dw)
        # ⟨g, x ∗ w⟩ is linear in x and in w: basis by basis for x, at once for w
        other_x, other_w = filled(x.shape, last)[::-1] + 1, filled(w.shape, False)[::-1] - 1
        assert (dx * other_x).sum() == (g * written_out(other_x, w, window)).sum()
        assert (dw * other_w).sum() == (g * written_out(x, other_w, window)).sum()


@settings(deadline=None, max_examples=150)
@given(geometries())
def test_the_input_s_gradient_element_by_element(geometry: dict[str, Any]) -> None:
    """By phases and by shares are two ways to one result."""
    window, sizes = geometry["window"], geometry["shape"][2:]
    w = filled(geometry["weight"], False)
    y, _ = conv.convolution(filled(geometry["shape"], False), w, **window)
    g = filled(y.shape, geometry["last"])
    arguments = g, w, sizes, window["stride"], window["pad"], window["dilation"], window["groups"]
    np.testing.assert_array_equal(conv._by_phases(*arguments), conv._by_shares(*arguments))


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.integers(1, 6), min_size=3, max_size=5),
    st.lists(st.integers(-2, 3), min_size=6, max_size=6),
    st.sampled_from([None, True, False]),
    st.booleans(),
)
def test_padding_adds_and_cuts_in_any_order_of_memory(
    shape: list[int], pads: list[int], last: bool | None, turned: bool
) -> None:
    x = filled(tuple(shape), turned)
    sizes = shape[2:]
    pad = [
        p if p >= 0 or size > 4 else 0
        for size, pair in zip(sizes, zip(*[iter(pads)] * 2, strict=True), strict=False)
        for p in pair
    ]
    want = np.pad(
        x, [(0, 0)] * 2 + [(max(a, 0), max(b, 0)) for a, b in zip(*[iter(pad)] * 2, strict=True)], constant_values=7
    )
    for i, (a, b) in enumerate(zip(*[iter(pad)] * 2, strict=True)):
        want = np.take(want, range(max(-a, 0), want.shape[2 + i] - max(-b, 0)), 2 + i)
    got = padded(x, tuple(pad), 7, last)
    np.testing.assert_array_equal(got, want)
    if last is not None and got.shape[1] > 1:
        assert got.strides[1 if last else -1] == 8 or got.shape[-1] == 1
