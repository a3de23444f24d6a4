"""What fails leaves everything as it was, and what passes through keeps its type."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor, nn


def test_a_state_dict_with_one_wrong_value_loads_nothing() -> None:
    net = nn.Dense(2, 1, weight_init="ones", bias_init="ones")
    with pytest.raises(TypeError, match="'bias' is a ndarray"):
        net.load_state_dict({"weight": tc.ops.zeros((1, 2)), "bias": np.zeros(1)})  # type: ignore[dict-item]
    assert net.weight.tolist() == [[1, 1]]


def test_a_step_with_one_wrong_gradient_moves_nothing() -> None:
    net = nn.Dense(2, 1, weight_init="ones", bias_init="ones")
    step = nn.SGD(net.trainable_params(), 0.1)
    with pytest.raises(ValueError, match=r"'bias' has shape \(1,\)"):
        step((tc.ops.ones((1, 2)), tc.ops.ones(3)))
    assert net.weight.tolist() == [[1, 1]]


def test_a_failing_always_called_hook_does_not_hide_the_first_failure() -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            raise LookupError("first")

    net = Net()
    net.register_forward_hook(lambda *_: 1 / 0, always_call=True)
    with pytest.warns(UserWarning, match="ZeroDivisionError"), pytest.raises(LookupError, match="first"):
        net(Tensor(1.0))


Pair = namedtuple("Pair", "a b")


def test_a_value_comes_back_in_the_type_that_the_function_returned() -> None:
    w = Parameter(Tensor(2.0), name="w")
    counted: defaultdict[str, list[object]] = defaultdict(list)

    def returned(make: object) -> object:
        value, _ = tc.value_and_grad(lambda x: make(x * 2))(Tensor(1.0))  # type: ignore[operator]
        return value

    ordered = returned(lambda y: OrderedDict(y=y))
    assert isinstance(ordered, OrderedDict) and ordered["y"].item() == 2
    named = returned(lambda y: Pair(y, 3))
    assert isinstance(named, Pair) and named.b == 3
    kept = returned(lambda y: (y, ParameterTuple([w])))
    assert isinstance(kept[1], ParameterTuple) and kept[1][0] is w  # type: ignore[index]
    grouped = returned(lambda y: counted | {"y": [y]})
    assert isinstance(grouped, defaultdict) and grouped.default_factory is list
