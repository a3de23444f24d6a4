"""Pooling's kernels against windows looked at one by one, of any kind and in any order of axes in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from ops.test_conv_kernels import filled

from teachcell.kernels import pool
from teachcell.kernels.sliding import counts_of, enlarged


@st.composite
def geometries(draw: Any) -> dict[str, Any]:
    """Sizes and windows that fit together, half of the windows side by side."""
    axes = draw(st.integers(1, 3))
    each = {"min_size": axes, "max_size": axes}
    kernel = tuple(draw(st.lists(st.integers(1, 3), **each)))
    stride = kernel if draw(st.booleans()) else tuple(draw(st.lists(st.integers(1, 4), **each)))
    dilation = (1,) * axes if draw(st.booleans()) else tuple(draw(st.lists(st.integers(1, 3), **each)))
    pad = tuple([draw(st.integers(0, k // 2)) for k in kernel for _ in range(2)])
    sizes = []
    for i in range(axes):
        least = max(1, (kernel[i] - 1) * dilation[i] + 1 - pad[2 * i] - pad[2 * i + 1])
        sizes.append(draw(st.integers(least, max(least, 8 if axes < 3 else 5))))
    lead = draw(st.sampled_from([(1,), (3,), (2, 3), (2, 1)]))
    return {
        "shape": (*lead, *sizes), "last": draw(st.booleans()) and len(lead) == 2,
        "window": {"kernel": kernel, "stride": stride, "pad": pad, "dilation": dilation},
    }  # fmt: skip


def by_windows(x: np.ndarray, kernel: Any, stride: Any, pad: Any, dilation: Any) -> Any:
    """Per window the indices of its elements in x, in row-major order, without padding."""
    sizes = x.shape[-len(kernel) :]
    for window in np.ndindex(*counts_of(enlarged(sizes, pad), kernel, stride, dilation)):
        found = []
        for place in np.ndindex(*kernel):
            axes = zip(window, stride, place, dilation, pad[::2], strict=True)
            at = tuple([w * step + i * gap - before for w, step, i, gap, before in axes])
            if all(0 <= i < size for i, size in zip(at, sizes, strict=True)):
                found.append(at)
        yield window, found


@settings(deadline=None, max_examples=200)
@given(geometries())
def test_max_pooling_and_its_gradient_at_the_first_of_equals(geometry: dict[str, Any]) -> None:
    window = geometry["window"]
    x = np.clip(filled(geometry["shape"], geometry["last"]), -1, 2)  # many equals
    y = pool.max_pool(x, **window)
    g = filled(y.shape, not geometry["last"] and len(y.shape) - len(window["kernel"]) == 2)
    dx = np.zeros_like(x)
    for at, elements in by_windows(x, **window):
        if not elements:  # nothing but padding
            continue
        values = np.stack([x[(..., *i)] for i in elements])
        np.testing.assert_array_equal(y[(..., *at)], values.max(0))
        for number, i in enumerate(elements):
            dx[(..., *i)] += g[(..., *at)] * (values.argmax(0) == number)
    np.testing.assert_array_equal(pool.max_pool_grad(g, x, y, **window), dx)


@settings(deadline=None, max_examples=200)
@given(geometries(), st.sampled_from([None, 3.0]), st.booleans())
def test_average_pooling_and_its_gradient(geometry: dict[str, Any], divisor: float | None, counted: bool) -> None:
    window = {**geometry["window"], "dilation": (1,) * len(geometry["window"]["kernel"])}
    x = filled(geometry["shape"], geometry["last"])
    given = {name: size for name, size in window.items() if name != "dilation"}
    pad = given["pad"]
    given |= {"counted": pad if counted else (0,) * len(pad), "divisor": divisor}
    y = pool.avg_pool(x, **given)
    g = filled(y.shape, False)
    dx = np.zeros_like(x)
    for at, elements in by_windows(x, **window):
        count = divisor or (np.prod(window["kernel"]) if counted else len(elements))
        np.testing.assert_allclose(y[(..., *at)], sum(x[(..., *i)] for i in elements) / count, atol=1e-12)
        for i in elements:
            dx[(..., *i)] += g[(..., *at)] / count
    sizes = x.shape[-len(window["kernel"]) :]
    np.testing.assert_allclose(pool.avg_pool_grad(g, sizes, **given), dx, atol=1e-12)
