"""Lesson programs with Parameters, modes and layers made of functions: what they print, layout included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor, nn, ops
from teachcell.common.initializer import initializer


class Linear(nn.Cell):
    """x · w + b, its Parameters made in ``__init__``."""

    def __init__(self) -> None:
        super().__init__()
        draws = np.random.default_rng(8)
        self.w = Parameter(Tensor(draws.standard_normal((4, 2)), tc.float32), name="w")
        self.b = Parameter(Tensor(draws.standard_normal(2), tc.float32), name="b")

    def construct(self, x: Tensor) -> Tensor:
        return ops.matmul(x, self.w) + self.b


@pytest.fixture
def net() -> Linear:
    return Linear()


def printed(capsys: pytest.CaptureFixture[str], *values: Any) -> str:
    for value in values:
        print(value)
    return capsys.readouterr().out


def test_parameters_are_attributes_lists_and_a_generator(net: Linear, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, net.trainable_params(), type(net.get_parameters())) == (
        "[Parameter (name=w, shape=(4, 2), dtype=Float32, requires_grad=True), "
        "Parameter (name=b, shape=(2,), dtype=Float32, requires_grad=True)]\n"
        "<class 'generator'>\n"
    )
    for name, parameter in net.parameters_and_names():
        print(f"{name}:\n{parameter.asnumpy()}")
    assert capsys.readouterr().out == f"w:\n{net.w.asnumpy()}\nb:\n{net.b.asnumpy()}\n"


def test_three_ways_to_change_one(net: Linear, capsys: pytest.CaptureFixture[str]) -> None:
    second = str(net.b.asnumpy()[1])
    net.b[0] = 1.0
    first_way = printed(capsys, net.b.asnumpy())
    assert first_way.replace(" ", "").startswith("[1.") and second in first_way
    net.b.set_data(Tensor([5, 6]))
    assert printed(capsys, net.b.asnumpy()) == "[5. 6.]\n"

    @tc.jit
    def overwrite() -> bool:
        ops.assign(net.b, Tensor([8, 9]))
        return True

    assert overwrite() is True
    assert printed(capsys, net.b.asnumpy()) == "[8. 9.]\n"


def test_a_tuple_of_parameters_and_its_clone(capsys: pytest.CaptureFixture[str]) -> None:
    a = Parameter(default_input=Tensor(np.arange(2 * 3).reshape((2, 3))), name="a")
    b = Parameter(default_input=initializer("ones", [1, 2, 3], tc.float32), name="b")
    c = Parameter(default_input=2.0, name="c")
    group = ParameterTuple((a, b, c))
    text = (
        "(Parameter (name={0}a, shape=(2, 3), dtype=Int64, requires_grad=True), "
        "Parameter (name={0}b, shape=(1, 2, 3), dtype=Float32, requires_grad=True), "
        "Parameter (name={0}c, shape=(), dtype=Float32, requires_grad=True))\n"
    )
    assert printed(capsys, group, group.clone("twin")) == text.format("") + text.format("twin.")


def test_modes_and_their_phase(net: Linear, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, net.set_train().phase, net.set_train(False).phase) == "train\npredict\n"


class Threshold(nn.Cell):
    """Keeps what is above a level and puts a value in the place of the rest."""

    def __init__(self, level: Any, value: Any):
        super().__init__()
        self.level, self.value = level, value

    def construct(self, x: Tensor) -> Tensor:
        above = ops.gt(x, self.level)
        return ops.select(above, x, ops.fill(x.dtype, x.shape, self.value))


@pytest.mark.parametrize("level", [0.1, np.float64(0.1)])
def test_a_value_at_the_threshold_is_replaced(level: Any) -> None:
    x = Tensor([0.1, 0.2, 0.3], tc.float32)
    assert repr(Threshold(level, 20)(x)) == (
        "Tensor(shape=[3], dtype=Float32, value= [ 2.00000000e+01,  2.00000003e-01,  3.00000012e-01])"
    )
    assert tc.grad(Threshold(level, 20))(x).tolist() == [0.0, 1.0, 1.0]


class ChannelDropout(nn.Cell):
    """Whole channels dropped, with a backward rule by the mask. The op's output is a pair, so dout is one too."""

    def __init__(self, keep_prob: float):
        super().__init__()
        self.keep_prob = keep_prob
        self.drop = ops.Dropout2D(keep_prob)

    def construct(self, x: Tensor) -> Any:
        return self.drop(x)

    def bprop(self, x: Tensor, out: Any, dout: Any) -> Any:
        _, mask = out
        slope, _ = dout
        if self.keep_prob != 0:
            slope = slope * (1 / self.keep_prob)
        slope = mask.astype(tc.float32) * slope
        return (slope.astype(x.dtype),)


def test_channel_dropout_sends_the_gradient_through_the_kept_channels() -> None:
    tc.set_seed(4)
    layer, x = ChannelDropout(0.8), Tensor(np.ones((3, 10, 2, 2)), tc.float32)
    layer.bprop_debug = True
    (y, mask), slope = tc.value_and_grad(layer)(x)
    kept = mask.asnumpy()[:, :, 0, 0]
    assert mask.dtype is tc.bool_ and 15 < kept.sum() < 30
    want = np.where(mask.asnumpy(), np.float32(1.25), np.float32(0))
    np.testing.assert_allclose(y.asnumpy(), want)
    np.testing.assert_allclose(slope.asnumpy(), want)
