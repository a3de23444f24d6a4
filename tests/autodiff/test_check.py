"""gradcheck: finds wrong rules, passes right ones, and computes in float64 whatever it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, gradcheck, nn, ops
from teachcell.autodiff.check import numeric_gradient

X = Tensor([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]])


class Ruled(nn.Cell):
    """tanh with a rule to be checked."""

    def __init__(self, rule: Any):
        super().__init__()
        self.bprop = rule

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(x)


@pytest.mark.parametrize(
    "rule",
    [
        lambda x, out, dout: (1 - out * out,),  # forgets what arrives
        lambda x, out, dout: (dout * (1 - out),),
        lambda x, out, dout: ((dout * (1 - out * out))[::-1],),  # to the wrong element
        lambda x, out, dout: (dout * (1 - out * out) * 1.001,),
        lambda x, out, dout: (dout * float("nan"),),
        lambda x, out, dout: (None,),
    ],
)
def test_wrong_rules_are_found(rule: Any) -> None:
    with pytest.raises(AssertionError, match=r"input 0: the gradient at \(\d, \d\) is .*, central differences give"):
        gradcheck(Ruled(rule), X)


def test_a_right_rule_passes_to_second_order() -> None:
    assert gradcheck(Ruled(lambda x, out, dout: (dout * (1 - out * out),)), X, order=2)


def test_a_rule_right_in_first_order_only() -> None:
    stopped = Ruled(lambda x, out, dout: (dout * ops.stop_gradient(1 - out * out),))
    assert gradcheck(stopped, X)
    with pytest.raises(AssertionError):
        gradcheck(stopped, X, order=2)


def test_float32_layers_pass() -> None:
    for cell in (nn.Dense(3, 2), nn.SequentialCell(nn.Dense(3, 4, activation="tanh"), nn.Dense(4, 1)), nn.Softmax()):
        assert gradcheck(cell, X, order=2)
    assert X.dtype.name == "float32"


def test_random_ops_are_repeated_with_the_same_draws() -> None:
    assert gradcheck(nn.Dropout(0.5).set_train(), X, order=2)


def test_several_inputs_outputs_and_integers() -> None:
    assert gradcheck(lambda x, i, y: (x * y, {"a": [x[0], i]}, "text"), X, Tensor(3), Tensor(2.0), order=2)


def test_numeric_gradient_at_chosen_places() -> None:
    slopes = numeric_gradient(lambda a: float((a**2).sum()), np.array([1.0, 2.0, 300.0]), places=[(0,), (2,)])
    np.testing.assert_allclose(slopes, [2.0, 0.0, 600.0], rtol=1e-6)


def test_the_cell_is_left_as_it_was() -> None:
    p = Parameter(Tensor([1.0]), name="p")
    assert gradcheck(lambda x: x * p, X)
    assert p._node is not None and p._node.grad is None
