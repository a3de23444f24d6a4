"""The class forms of optimizers' steps beside the optimizers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops

START, G = [1.0, -2.0], [0.5, -0.25]


def kept(value: Any) -> Parameter:
    return Parameter(Tensor(np.array(value, np.float32)), name="kept")


def zeros() -> Parameter:
    return kept([0.0, 0.0])


def after(make: Any, step: int = 1) -> list[float]:
    """Where an optimizer gets from START."""
    p = kept(START)
    optimizer = make([p])
    for _ in range(step):
        optimizer((Tensor(G),))
    return p.tolist()


B1, B2 = 0.9, 0.999


@pytest.mark.parametrize(
    ("run", "wanted"),
    [
        (lambda p: ops.ApplyMomentum()(p, zeros(), 0.1, Tensor(G), 0.9), lambda w: nn.Momentum(w, 0.1, 0.9)),
        (
            lambda p: ops.ApplyMomentum(True, gradient_scale=0.5)(p, zeros(), 0.1, Tensor([1.0, -0.5]), 0.9),
            lambda w: nn.Momentum(w, 0.1, 0.9, use_nesterov=True),
        ),
        (
            lambda p: ops.SGD(weight_decay=0.1)(p, Tensor(G), 0.1, zeros(), 0.9, kept([1.0, 1.0])),
            lambda w: nn.SGD(w, 0.1, 0.9, weight_decay=0.1),
        ),
        (lambda p: ops.Adam()(p, zeros(), zeros(), B1, B2, 0.1, B1, B2, 1e-8, Tensor(G)), lambda w: nn.Adam(w, 0.1)),
        (
            lambda p: p.set_data(
                p + ops.AdamNoUpdateParam()(zeros(), zeros(), B1, B2, 0.1, B1, B2, 1e-8, Tensor(G))
            ),
            lambda w: nn.Adam(w, 0.1),
        ),
        (
            lambda p: ops.AdamWeightDecay()(p, zeros(), zeros(), 0.1, B1, B2, 1e-6, 0.5, Tensor(G)),
            lambda w: nn.AdamWeightDecay(w, 0.1, weight_decay=0.5),
        ),
        (
            lambda p: ops.ApplyAdamWithAmsgradV2()(p, zeros(), zeros(), zeros(), B1, B2, 0.1, B1, B2, 1e-8, Tensor(G)),
            lambda w: nn.Adam(w, 0.1, use_amsgrad=True),
        ),
        (
            lambda p: ops.ApplyAdaMax()(p, zeros(), zeros(), B1, 0.1, B1, B2, 1e-8, Tensor(G)),
            lambda w: nn.AdaMax(w, 0.1),
        ),
        (
            lambda p: ops.ApplyAdadelta()(p, zeros(), zeros(), 1.0, 0.9, 1e-6, Tensor(G)),
            lambda w: nn.Adadelta(w),
        ),
        (lambda p: ops.ApplyAdagrad()(p, kept([0.1, 0.1]), 0.1, Tensor(G)), lambda w: nn.Adagrad(w, 0.1, 0.1)),
        (lambda p: ops.ApplyAdagradV2(0.0)(p, kept([0.1, 0.1]), 0.1, Tensor(G)), lambda w: nn.Adagrad(w, 0.1, 0.1)),
        (
            lambda p: ops.ApplyProximalAdagrad()(p, kept([0.1, 0.1]), 0.1, 0.2, 0.3, Tensor(G)),
            lambda w: nn.ProximalAdagrad(w, 0.1, 0.1, 0.2, 0.3),
        ),
        (
            lambda p: ops.ApplyRMSProp()(p, kept([1.0, 1.0]), zeros(), 0.1, Tensor(G), 0.9, 0.5, 1e-10),
            lambda w: nn.RMSProp(w, 0.1, momentum=0.5),
        ),
        (
            lambda p: ops.ApplyCenteredRMSProp()(
                p, zeros(), kept([1.0, 1.0]), zeros(), Tensor(G), 0.1, 0.9, 0.5, 1e-10
            ),
            lambda w: nn.RMSProp(w, 0.1, momentum=0.5, centered=True),
        ),
        (
            lambda p: ops.ApplyFtrl()(p, kept([0.1, 0.1]), zeros(), Tensor(G), 0.1, 0.2, 0.3, -0.5),
            lambda w: nn.FTRL(w, 0.1, 0.1, -0.5, 0.2, 0.3),
        ),
        (lambda p: ops.ApplyGradientDescent()(p, 0.1, Tensor(G)), lambda w: nn.SGD(w, 0.1)),
    ],
)  # fmt: skip
def test_steps(run: Any, wanted: Any) -> None:
    p = kept(START)
    run(p)
    np.testing.assert_allclose(p.asnumpy(), after(wanted), rtol=1e-6)


def test_steps_by_hand() -> None:
    p = kept([1.0, -0.01])
    ops.ApplyProximalGradientDescent()(p, 0.1, 0.2, 0.5, Tensor([0.5, 0.0]))
    np.testing.assert_allclose(p.asnumpy(), [(1 - 0.05 - 0.02) / 1.05, 0.0], rtol=1e-6)
    p, m = kept([1.0, 1.0]), kept([1.0, -1.0])
    ops.ApplyAddSign()(p, m, 0.1, 1.0, 0.5, 0.9, Tensor([1.0, 1.0]))
    np.testing.assert_allclose(p.asnumpy(), [1 - 0.1 * 1.5, 1 - 0.1 * 0.5], rtol=1e-6)
    np.testing.assert_allclose(m.asnumpy(), [1.0, -0.8], rtol=1e-6)
    p, m = kept([1.0, 1.0]), kept([1.0, -1.0])
    ops.ApplyPowerSign()(p, m, 0.1, 1.0, 0.5, 0.9, Tensor([1.0, 1.0]))
    np.testing.assert_allclose(p.asnumpy(), [1 - 0.1 * np.exp(0.5), 1 - 0.1 * np.exp(-0.5)], rtol=1e-6)


def test_what_is_kept_is_written_and_returned() -> None:
    p, m, v = kept(START), zeros(), zeros()
    found = ops.Adam()(p, m, v, B1, B2, Tensor(0.1), B1, B2, 1e-8, Tensor(G))
    assert [t.tolist() for t in found] == [p.tolist(), m.tolist(), v.tolist()] and m.tolist() != [0.0, 0.0]
    with pytest.raises(ValueError, match="'kept' has shape"):
        ops.ApplyGradientDescent()(p, 0.1, Tensor([1.0]))
    with pytest.raises(TypeError, match="list"):
        ops.ApplyGradientDescent()([1.0], 0.1, Tensor([1.0]))
    assert p.dtype is tc.float32
