"""Activation layers: each is its function, with the layer's defaults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, gradcheck, nn, ops

X = Tensor(np.random.default_rng(2).normal(size=(2, 4, 3, 3)) * 2)
LAYERS = [
    (nn.ReLU(), ops.relu), (nn.ReLU6(), ops.relu6), (nn.Sigmoid(), ops.sigmoid), (nn.Tanh(), ops.tanh),
    (nn.LogSigmoid(), ops.logsigmoid), (nn.SiLU(), ops.silu), (nn.Mish(), ops.mish), (nn.SeLU(), ops.selu),
    (nn.Softsign(), ops.softsign), (nn.Tanhshrink(), ops.tanhshrink), (nn.FastGelu(), ops.fast_gelu),
    (nn.HSigmoid(), ops.hardsigmoid), (nn.HSwish(), ops.hardswish),
    (nn.LeakyReLU(), lambda x: ops.leaky_relu(x, 0.2)), (nn.LeakyReLU(0.01), lambda x: ops.leaky_relu(x, 0.01)),
    (nn.ELU(), lambda x: ops.elu(x, 1.0)), (nn.ELU(0.5), lambda x: ops.elu(x, 0.5)),
    (nn.CELU(), lambda x: ops.celu(x, 1.0)), (nn.CELU(2.0), lambda x: ops.celu(x, 2.0)),
    (nn.GELU(), lambda x: ops.gelu(x, "tanh")), (nn.GELU(approximate=False), ops.gelu),
    (nn.GLU(1), lambda x: ops.glu(x, 1)), (nn.Hardtanh(), lambda x: ops.hardtanh(x, -1, 1)),
    (nn.Hardtanh(-2.0, 0.5), lambda x: ops.hardtanh(x, -2.0, 0.5)), (nn.HShrink(), lambda x: ops.hardshrink(x, 0.5)),
    (nn.SoftShrink(1.0), lambda x: ops.softshrink(x, 1.0)),
    (nn.Threshold(0.1, 20.0), lambda x: ops.threshold(x, 0.1, 20)),
    (nn.Softmax(), lambda x: ops.softmax(x, -1)), (nn.Softmax(1), lambda x: ops.softmax(x, 1)),
    (nn.Softmin(), lambda x: ops.softmax(-x, -1)), (nn.LogSoftmax(), lambda x: ops.log_softmax(x, -1)),
    (nn.LogSoftmax(axis=0), lambda x: ops.log_softmax(x, 0)), (nn.Softmax2d(), lambda x: ops.softmax(x, 1)),
    (nn.PReLU(), lambda x: ops.leaky_relu(x, 0.25)),
]  # fmt: skip


@pytest.mark.parametrize(("layer", "function"), LAYERS, ids=lambda v: getattr(v, "cls_name", ""))
def test_a_layer_is_its_function(layer: Any, function: Any) -> None:
    np.testing.assert_allclose(layer(X).asnumpy(), function(X).asnumpy(), rtol=1e-12)
    assert isinstance(layer, nn.PReLU) or layer(X.astype(tc.float16)).dtype is tc.float16
    assert gradcheck(layer, X[:1, :2, :1], order=2) if not isinstance(layer, nn.GLU) else gradcheck(layer, X[:1])


def test_prelu_learns_a_slope_per_channel() -> None:
    layer = nn.PReLU(4, 0.1)
    (slopes,) = layer.trainable_params()
    assert (slopes.name, slopes.shape, slopes.dtype) == ("a", (4,), tc.float32)
    np.testing.assert_allclose(layer(X).asnumpy(), ops.leaky_relu(X, np.float32(0.1)).asnumpy())
    assert tc.grad(layer, None, slopes)(X).shape == (4,)
    for given in ([0.1, 0.2], np.array([0.1, 0.2], np.float32), Tensor([0.1, 0.2])):
        assert nn.PReLU(2, given).a.asnumpy().tolist() == pytest.approx([0.1, 0.2])
    with pytest.raises(ValueError, match="PReLU: channel must be a positive int, got 0"):
        nn.PReLU(0)


def test_rrelu_draws_anew() -> None:
    layer, x = nn.RReLU(0.2, 0.4), -ops.ones((100,))
    first, second = layer(x).asnumpy(), layer(x).asnumpy()
    assert (first != second).any() and first.min() >= -0.4 and first.max() <= -0.2


def test_softmax2d_needs_channels() -> None:
    assert nn.Softmax2d()(X[0]).asnumpy().sum(0) == pytest.approx(np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"Softmax2d: the input must be \(N, C, H, W\) or \(C, H, W\), got \(3, 3\)"):
        nn.Softmax2d()(X[0, 0])


@pytest.mark.parametrize("name", ["leakyrelu", "gelu", "hswish", "logsoftmax", "softshrink", "prelu", "fast_gelu"])
def test_by_name(name: str) -> None:
    layer = nn.get_activation(name)
    assert layer is not None and layer.cls_name.lower() == name.replace("_", "")
    assert nn.get_activation(name) is not layer
    assert nn.Dense(3, 2, activation=name)(X[0, 0]).shape == (3, 2)


def test_names_that_are_none() -> None:
    assert nn.get_activation(None) is None
    with pytest.raises(KeyError, match="unknown activation 'threshold'; known: relu, relu6"):
        nn.get_activation("threshold")


def test_channel_dropout_acts_in_training_only() -> None:
    for layer, x in ((nn.Dropout1d(), X[0, 0]), (nn.Dropout2d(0.25), X), (nn.Dropout3d(p=1.0), X[..., None])):
        assert layer(x).tolist() == x.tolist() and layer.depends_on_mode
        kept = layer.set_train()(x).asnumpy()
        assert set(np.unique(np.round(kept[kept != 0] / x.asnumpy()[kept != 0], 6))) <= {2.0, round(4 / 3, 6)}
        assert str(layer) == f"{layer.cls_name}(p={layer.p})"
    for p in (-0.1, 1.5):
        with pytest.raises(ValueError, match=r"Dropout2d.p must lie in \[0, 1\]"):
            nn.Dropout2d(p)
