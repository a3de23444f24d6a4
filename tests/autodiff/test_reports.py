"""What users of other systems reported as bugs, tried here."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, gradcheck, nn, ops, value_and_grad


def test_powers_at_zero_have_the_limits_where_there_are_any() -> None:
    zero = Tensor(0.0)
    assert grad(lambda b: zero**b)(Tensor(1.0)).item() == 0.0
    assert grad(lambda x: x**1.5)(zero).item() == 0.0
    assert grad(lambda x: x**0)(zero).item() == 0.0
    assert grad(lambda x: x**2)(zero).item() == 0.0
    assert grad(grad(lambda x: x**2))(zero).item() == 2.0
    value, slope = value_and_grad(lambda x: x * x**0.5)(zero)  # 0 · ∞ inside: no exception, no warning
    assert value.item() == 0.0 and not slope.item() > 0


def test_a_branch_that_where_did_not_take_needs_a_safe_input() -> None:
    unsafe = lambda x: ops.where(x >= 0, x, ops.sqrt(-x))  # noqa: E731
    assert np.isnan(grad(unsafe)(Tensor(1.0)).item())  # 0 · NaN of the other branch
    safe = lambda x: ops.where(x >= 0, x, ops.sqrt(ops.where(x >= 0, 1.0, -x)))  # noqa: E731
    assert grad(safe)(Tensor(1.0)).item() == 1.0 and grad(safe)(Tensor(-4.0)).item() == -0.25


def test_a_norm_made_of_a_square_root_is_not_a_number_at_zero_and_raises_nothing() -> None:
    norm = lambda x: ops.sqrt((x * x).sum())  # noqa: E731
    assert np.isnan(grad(norm)(Tensor(np.zeros(3))).asnumpy()).all()
    np.testing.assert_allclose(grad(norm)(Tensor([3.0, 4.0])).asnumpy(), [0.6, 0.8], rtol=1e-6)


def test_integer_parameters_can_be_made_printed_and_used() -> None:
    p = Parameter(Tensor(np.arange(6)), name="x")
    assert "Int64" in repr(p) and p.requires_grad
    assert grad(lambda x: (x * p).sum())(Tensor(np.ones(6))).tolist() == list(range(6))
    assert grad(lambda x: (x * p).sum(), None, p)(Tensor(np.ones(6))).tolist() == [0] * 6


def test_broadcast_to_sums_back_over_new_and_stretched_axes() -> None:
    assert grad(lambda x: ops.broadcast_to(x, (4, 3)))(Tensor([1.0, 2.0, 3.0])).tolist() == [4.0] * 3
    assert grad(lambda x: ops.broadcast_to(x, (2, 3)))(Tensor([[1.0], [2.0]])).tolist() == [[3.0], [3.0]]


def test_arrays_on_the_left_are_recorded() -> None:
    array, x = np.array([[1.0, 2.0]], np.float32), Tensor([[3.0], [4.0]])
    assert grad(lambda t: array @ t)(x).tolist() == [[1.0], [2.0]]
    assert grad(lambda t: array * t)(x).tolist() == [[3.0], [3.0]]
    assert grad(lambda t: array - t)(x).tolist() == [[-2.0], [-2.0]]
    assert grad(lambda t: np.float64(2.0) * t)(x).tolist() == [[2.0], [2.0]]
    assert np.allclose(grad(lambda t: np.sin(t))(x).asnumpy(), np.cos(x.asnumpy()))  # type: ignore[call-overload]


def test_a_parameter_s_gradient_is_not_ready_inside_a_backward_hook_but_right_afterwards() -> None:
    net, order = nn.Dense(1, 1, "ones", "zeros"), []  # type: ignore[var-annotated]
    net.register_backward_hook(lambda cell, gi, go: order.append("cell"))
    net.weight.register_hook(lambda g: order.append(("weight", g.item())))
    grad(lambda x: net(x) + net(x * 2), None, net.weight)(Tensor([[1.0]]))
    assert order == ["cell", "cell", ("weight", 3.0)]


def test_one_activation_object_in_two_places_fires_its_hook_once_per_call() -> None:
    relu, seen = nn.ReLU(), []  # type: ignore[var-annotated]
    net = nn.SequentialCell(nn.Dense(1, 1, 2.0, "zeros"), relu, nn.Dense(1, 1, 3.0, "zeros"), relu)
    relu.register_backward_hook(lambda cell, gi, go: seen.append(go[0].item()))
    grad(net)(Tensor([[1.0]]))
    assert seen == [1.0, 3.0]


def test_copies_of_nets_with_hooks_after_a_run() -> None:
    class Keeping(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(2, 2)
            self.dense.register_forward_hook(self.keep)

        def keep(self, cell: nn.Cell, inputs: Any, output: Tensor) -> None:
            self.kept, self.kept_by = output, cell

        def construct(self, x: Tensor) -> Tensor:
            return self.dense(x)

    net = Keeping()
    grad(net, 0, net.trainable_params())(Tensor([[1.0, 2.0]]))
    twin = copy.deepcopy(net)
    assert twin.kept._node is None and twin.kept.tolist() == net.kept.tolist()
    twin(Tensor([[1.0, 2.0]]))
    assert twin.kept_by is twin.dense and net.kept_by is net.dense
    again = pickle.loads(pickle.dumps(net.dense.weight))
    assert again._node.parents == () and again.name == net.dense.weight.name


def test_twenty_thousand_chained_ops_forward_backward_text_copies_and_deletion() -> None:
    kept: list[Tensor] = []

    def chain(x: Tensor) -> Tensor:
        y = x
        for _ in range(20_000):
            y = y + 1.0
        kept.append(y)
        assert repr(y) and str(y)
        kept.extend([copy.deepcopy(y), pickle.loads(pickle.dumps(y))])
        return y

    assert grad(chain)(Tensor(np.float64(1.0))).item() == 1.0
    assert kept[1].item() == kept[2].item() == 20_001.0
    kept.clear()
    gc.collect()


@pytest.mark.filterwarnings("ignore:BatchNorm.d in training got one value:UserWarning")
def test_dropout_scales_by_what_it_keeps_and_batch_norm_bears_a_batch_of_one() -> None:
    y = nn.Dropout(keep_prob=0.8).set_train()(Tensor(np.ones(1000, np.float32))).asnumpy()
    assert set(np.unique(y)) == {np.float32(0), np.float32(1.25)}
    for norm, shape in ((nn.BatchNorm1d(3), (1, 3)), (nn.BatchNorm2d(3), (1, 3, 1, 1))):
        assert not norm.set_train()(Tensor(np.random.default_rng(0).normal(size=shape))).asnumpy().any()
        assert np.isfinite(norm.moving_variance.asnumpy()).all()


def test_a_float32_layer_passes_the_check_and_a_surrogate_does_not_overflow() -> None:
    assert gradcheck(nn.Dense(4, 3), Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)), order=2)
    slope = lambda u: 5.0 * ops.sigmoid(5.0 * u) * (1 - ops.sigmoid(5.0 * u))  # noqa: E731
    assert slope(Tensor([200.0, -200.0], tc.float32)).tolist() == [0.0, 0.0]
