"""Layers: values, Parameters, gradients to second order, modes, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn, ops
from teachcell.common.initializer import initializer

DRAWS = np.random.default_rng(11)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape).astype(np.float32))


def listed(cell: nn.Cell) -> list[tuple[str, tuple[int, ...], bool]]:
    return [(q.name, q.shape, q.requires_grad) for q in cell.get_parameters()]


# Dense --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 5, 3), (0, 3)])
def test_dense_on_any_leading_axes(shape: tuple[int, ...]) -> None:
    layer, x = nn.Dense(3, 4), drawn(*shape)
    want = x.asnumpy() @ layer.weight.asnumpy().T + layer.bias.asnumpy()
    np.testing.assert_allclose(layer(x).asnumpy(), want, rtol=1e-5, atol=1e-6)
    assert gradcheck(layer, x, order=2)


def test_dense_parameters_and_initial_values() -> None:
    layer = nn.Dense(100, 50)
    assert listed(layer) == [("weight", (50, 100), True), ("bias", (50,), True)]
    for q in layer.get_parameters():
        assert np.abs(q.asnumpy()).max() <= 0.1 and np.abs(q.asnumpy()).max() > 0.08
    given = nn.Dense(2, 1, Tensor([[1.0, 2.0]]), "ones", activation=nn.Tanh())
    assert given(Tensor([1.0, -1.0])).item() == pytest.approx(0.0)
    bare = nn.Dense(2, 1, 0.5, has_bias=False, activation="relu")
    assert bare.bias is None and listed(bare) == [("weight", (1, 2), True)] and bare(Tensor([1.0, 2.0])).item() == 1.5


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: nn.Dense(0, 1), ValueError, "Dense: in_channels must be a positive int, got 0"),
        (lambda: nn.Dense(1, 2.0), TypeError, "Dense: out_channels must be a positive int, got 2.0"),
        (lambda: nn.Dense(2, 1, Tensor([[1.0]])), ValueError, r"the Tensor has shape \(1, 1\), asked for \(1, 2\)"),
        (lambda: nn.Dense(2, 1, activation="rleu"), KeyError, "unknown activation 'rleu'; known: relu"),
        (lambda: nn.Dense(3, 1)(Tensor([1.0, 2.0])), ValueError, r"shape \(2,\) must be in_channels = 3"),
        (lambda: nn.Dense(3, 1)(Tensor(1.0)), ValueError, r"shape \(\) must be in_channels = 3"),
    ],
)
def test_dense_refuses(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make()


# Dropout, activations, Flatten --------------------------------------------------------------------------------------


def test_dropout_acts_in_training_only() -> None:
    x = Tensor(np.ones((100, 100), np.float32))
    layer = nn.Dropout(p=0.2)
    assert layer(x).tolist() == x.tolist()
    y = layer.set_train()(x).asnumpy()
    assert set(np.unique(y)) == {0.0, np.float32(1.25)} and abs((y == 0).mean() - 0.2) < 0.02
    assert nn.Dropout(p=0.0).set_train()(x).tolist() == x.tolist()
    assert (nn.Dropout().p, nn.Dropout(keep_prob=0.8).p) == (0.5, pytest.approx(0.2))
    assert nn.Dropout(p=0.25).keep_prob == 0.75
    assert nn.Dropout(0.75).p == 0.25  # MindSpore keeps the older argument first
    tc.set_seed(1)
    first = layer(x).tolist()
    tc.set_seed(1)
    assert layer(x).tolist() == first


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"p": 1.0}, r"Dropout.p must lie in \[0, 1\), got 1.0"), ({"p": -0.1}, "got -0.1"),
        ({"keep_prob": 0.0}, r"Dropout.keep_prob must lie in \(0, 1\]"),
        ({"p": 0.5, "keep_prob": 0.5}, "give p or keep_prob, not both"),
    ],
)  # fmt: skip
def test_dropout_refuses(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        nn.Dropout(**arguments)


@pytest.mark.parametrize("p", [True, "half"])
def test_a_probability_of_dropout_is_a_number(p: Any) -> None:
    for layer in (nn.Dropout, nn.Dropout2d):
        with pytest.raises(TypeError, match=f"{layer.__name__}.p must be a number, got {p!r}"):
            layer(p=p)


@pytest.mark.parametrize(
    ("layer", "op"),
    [
        (nn.ReLU, ops.relu), (nn.ReLU6, ops.relu6), (nn.Sigmoid, ops.sigmoid), (nn.Tanh, ops.tanh),
        (nn.Softmax, ops.softmax),
    ],
)  # fmt: skip
def test_activations(layer: Any, op: Any) -> None:
    x = drawn(3, 4)
    assert layer()(x).tolist() == op(x).tolist() and repr(layer()).startswith(layer.__name__)
    assert type(nn.get_activation(layer.__name__.lower())) is layer
    assert gradcheck(layer(), x, order=2)


def test_softmax_axis_and_flatten() -> None:
    x = drawn(2, 3, 4)
    np.testing.assert_allclose(nn.Softmax(axis=1)(x).asnumpy().sum(1), 1, rtol=1e-5)
    assert nn.Flatten()(x).shape == (2, 12) and nn.Flatten(0)(x).shape == (24,)


# Modes --------------------------------------------------------------------------------------------------------------


def test_modes() -> None:
    net = nn.SequentialCell(nn.Dropout(), nn.SequentialCell(nn.Dropout()))
    assert (net.training, net.phase) == (False, "train")
    assert net.set_train() is net and (net.phase, net.training, net[1][0].training) == ("train", True, True)
    net.append(nn.Dropout())
    assert not net[2].training
    net.set_train(False)
    assert (net.phase, net.training, net[1][0].training, net[1].phase) == ("predict", False, False, "train")
    net.training = True
    assert net.phase == "predict" and not net[0].training
    with pytest.raises(TypeError, match="mode must be True or False, got 'no'"):
        net.set_train("no")  # type: ignore[arg-type]


def test_set_grad_and_to_float() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2, "ones", "zeros"), nn.ReLU())
    assert net.requires_grad is False and net.set_grad() is net and net.requires_grad is True
    assert all(p.requires_grad for p in net.get_parameters())
    assert net.to_float(tc.float16) is net
    x = Tensor([[1.0, 2.0]])
    y = net(x)
    assert (y.dtype, y.tolist(), net[0].weight.dtype) == (tc.float16, [[3.0, 3.0]], tc.float32)
    gx, gw = grad(net, 0, net[0].weight)(x)
    assert (gx.dtype, gw.dtype, gx.tolist()) == (tc.float32, tc.float32, [[2.0, 2.0]])
    pairs = nn.SequentialCell(net, net)
    assert pairs.to_float(tc.float32)(x.astype(tc.float64)).dtype is tc.float32
    with pytest.raises(ValueError, match="to_float takes float16 or float32"):
        net.to_float(tc.int32)


def test_calls_pass_anything_through() -> None:
    class Free(nn.Cell):
        def construct(self, *args: Any, key: Any = None, **rest: Any) -> Any:
            return args, key, rest

    class Fixed(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x

    assert Free()(1, "a", key=[2], other=None) == ((1, "a"), [2], {"other": None})
    for wrong in (lambda: Fixed()(), lambda: Fixed()(1, 2), lambda: Fixed()(y=1)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AttributeError, match=r"Cell has no construct method; define construct\(self, ...\)"):
        nn.Cell()(1)


def test_a_dtype_given_counts_and_otherwise_a_tensor_keeps_its_own() -> None:
    weight = Tensor(np.ones((3, 2)))
    assert nn.Dense(2, 3, weight).weight.dtype is tc.float64
    half = nn.Dense(2, 3, weight, dtype=tc.float16)
    assert half.weight.dtype is half.bias.dtype is tc.float16  # type: ignore[union-attr]
    assert nn.Conv2d(1, 1, 1, dtype=tc.float16).weight.dtype is tc.float16
    assert initializer(weight, (3, 2), tc.float16).dtype is tc.float16
    kept = initializer(weight)
    assert kept.dtype is tc.float64 and not np.shares_memory(kept.asnumpy(), weight.asnumpy())
    assert initializer("ones", 2).dtype is initializer(3, 2).dtype is tc.float32


def test_dropout_prints_what_it_was_told() -> None:
    assert [str(nn.Dropout(p=0.25)), str(nn.Dropout(keep_prob=0.8))] == ["Dropout(p=0.25)", "Dropout(keep_prob=0.8)"]
