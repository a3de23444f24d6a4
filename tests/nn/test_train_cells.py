"""Cells of training beside steps by hand: losses, gradients, seeds, one step of SGD, loss scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, nn

X, Y = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[1.0], [2.0]])
LOSS = 14.5
BY_WEIGHT, BY_BIAS = [[17.0, 24.0]], [7.0]
BY_X = [[2.0, 2.0], [5.0, 5.0]]


@pytest.fixture
def net() -> nn.Dense:
    """1 · a + 1 · b: outputs 3 and 7 for X."""
    return nn.Dense(2, 1, "ones", "zeros")


def listed(gradients: Any) -> list[Any]:
    return [g.tolist() for g in gradients]


# Networks with their loss -------------------------------------------------------------------------------------------


def test_loss_and_evaluation(net: nn.Dense) -> None:
    with_loss = nn.WithLossCell(net, nn.MSELoss())
    assert with_loss(X, Y).item() == LOSS and with_loss.backbone_network is net
    assert [p.name for p in with_loss.get_parameters()] == ["weight", "bias"]
    loss, output, label = nn.WithEvalCell(net, nn.MSELoss())(X, Y)
    assert loss.item() == LOSS and output.tolist() == [[3.0], [7.0]] and label is Y
    double = nn.WithEvalCell(net, lambda a, b: (a - b).sum(), add_cast_fp32=True)(X.astype(tc.float64), Y)
    assert double[1].dtype is tc.float32 and double[0].item() == 7.0


def test_functions_are_losses_too(net: nn.Dense) -> None:
    assert nn.WithLossCell(net, lambda output, label: (output * label).sum())(X, Y).item() == 17.0


# Gradients ----------------------------------------------------------------------------------------------------------


def test_forward_value_and_grad(net: nn.Dense) -> None:
    with_loss, weights = nn.WithLossCell(net, nn.MSELoss()), net.trainable_params()
    value, gradient = nn.ForwardValueAndGrad(with_loss)(X, Y)
    assert value.item() == LOSS and gradient.tolist() == BY_X
    _, by_all = nn.ForwardValueAndGrad(with_loss, get_all=True)(X, Y)
    assert listed(by_all) == [BY_X, [[-2.0], [-5.0]]]
    _, by_weights = nn.ForwardValueAndGrad(with_loss, weights, get_by_list=True)(X, Y)
    assert listed(by_weights) == [BY_WEIGHT, BY_BIAS]
    _, by_one = nn.ForwardValueAndGrad(with_loss, net.bias, get_by_list=True)(X, Y)
    assert by_one.tolist() == BY_BIAS
    for seed in (2.0, 2, Tensor(2.0), Tensor([2.0])):
        both = nn.ForwardValueAndGrad(with_loss, weights, True, True, True)
        value, (by_all, by_weights) = both(X, Y, seed)
        assert value.item() == LOSS and by_all[0].tolist() == [[4.0, 4.0], [10.0, 10.0]]
        assert listed(by_weights) == [[[34.0, 48.0]], [14.0]]


def test_with_grad_cell(net: nn.Dense) -> None:
    assert listed(nn.WithGradCell(net, nn.MSELoss())(X, Y)) == [BY_WEIGHT, BY_BIAS]
    assert listed(nn.WithGradCell(net)(X)) == [[[4.0, 6.0]], [2.0]]
    assert listed(nn.WithGradCell(net, nn.MSELoss(), Tensor(2.0))(X, Y)) == [[[34.0, 48.0]], [14.0]]
    by_row = nn.WithGradCell(net, sens=Tensor([[1.0], [0.0]]))
    assert listed(by_row(X)) == [[[1.0, 2.0]], [1.0]]


def test_gradients_of_gradients(net: nn.Dense) -> None:
    cell = nn.WithGradCell(net, nn.MSELoss(), 3.0)
    # the bias's gradient is 3 · mean 2 (w · x + b − y), so by x it is 3 · w
    assert grad(lambda x: cell(x, Y)[1].sum())(X).tolist() == [[3.0, 3.0], [3.0, 3.0]]


def test_parameter_update(net: nn.Dense) -> None:
    update = nn.ParameterUpdate(net.weight)
    assert update(Tensor([[5.0, 6.0]])).tolist() == [[5.0, 6.0]] and net.weight.tolist() == [[5.0, 6.0]]
    assert net.weight.name == "weight"
    with pytest.raises(TypeError, match="a Parameter is needed, got int"):
        nn.ParameterUpdate(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shapes must be equal"):
        update(Tensor([1.0]))


def test_accumulation_adds_up_the_parts(net: nn.Dense) -> None:
    parts = nn.GradAccumulationCell(nn.WithLossCell(net, nn.MSELoss()), 2)
    assert parts(X, Y).item() == 29.0
    assert listed(grad(parts, None, net.trainable_params())(X, Y)) == [[[34.0, 48.0]], [14.0]]


# One step -----------------------------------------------------------------------------------------------------------


def test_one_step_of_training(net: nn.Dense) -> None:
    opt = nn.SGD(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt)
    assert step(X, Y).item() == LOSS and not step.training
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.83, 0.76]], rtol=1e-6)
    np.testing.assert_allclose(net.bias.asnumpy(), [-0.07], rtol=1e-6)
    assert step.set_train().network.backbone_network.training
    loss, gradients = nn.TrainOneStepCell(step.network, opt, return_grad=True)(X, Y)
    assert loss.item() == pytest.approx(6.805) and list(gradients) == ["weight", "bias"]
    np.testing.assert_allclose(gradients["bias"].asnumpy(), [4.74], rtol=1e-6)


@pytest.mark.parametrize("sens", [10.0, Tensor(10.0), Tensor([10.0])])
def test_the_seed_of_a_step(net: nn.Dense, sens: Any) -> None:
    opt = nn.SGD(net.trainable_params(), 0.001)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt, sens)
    assert step(X, Y).item() == LOSS
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.83, 0.76]], rtol=1e-6)


def test_networks_that_return_more_than_a_loss(net: nn.Dense) -> None:
    step = nn.TrainOneStepCell(lambda x: (net(x).sum(), net(x)), nn.SGD(net.trainable_params(), 1.0))
    loss, output = step(X)
    assert loss.item() == 10.0 and output.tolist() == [[3.0], [7.0]] and net.bias.tolist() == [-4.0]


def test_a_step_of_ones_own(net: nn.Dense) -> None:
    class Halved(nn.TrainOneStepCell):
        def construct(self, *inputs: Any) -> Any:
            loss = self.network(*inputs)
            gradients = self.grad(self.network, self.weights)(*inputs, Tensor(self.sens))
            self.optimizer(tuple(g / 2 for g in self.grad_reducer(gradients)))
            return loss

    step = Halved(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.02))
    assert step(X, Y).item() == LOSS
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.83, 0.76]], rtol=1e-6)


# Loss scales --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [Tensor(8.0), Tensor([8.0]), nn.FixedLossScaleUpdateCell(8.0)], ids=str)
def test_a_scaled_step_is_the_same_step(net: nn.Dense, scale: Any) -> None:
    opt = nn.SGD(net.trainable_params(), 0.01)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), opt, scale)
    loss, overflow, used = step(X, Y)
    assert loss.item() == LOSS and not overflow and used.item() == 8.0
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.83, 0.76]], rtol=1e-6)
    assert "scale_sense" not in [p.name for p in step.trainable_params()]
    step.set_sense_scale(Tensor([2.0]))
    assert step(X, Y)[2].item() == 2.0


def test_an_overflow_leaves_the_step_out(net: nn.Dense) -> None:
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, lambda output, label: (output * label).sum()), nn.SGD(net.trainable_params(), 0.01),
        nn.DynamicLossScaleUpdateCell(16, 2, 2),
    )  # fmt: skip
    before = net.weight.tolist()
    _, overflow, scale = step(X, Tensor([[np.inf], [0.0]]))
    assert overflow and scale.item() == 16 and net.weight.tolist() == before and step.scale_sense.item() == 8
    _, overflow, scale = step(X, Y)
    assert not overflow and scale.item() == 8 and net.weight.tolist() != before


def test_small_gradients_survive_in_float16() -> None:
    net = nn.Dense(1, 1, 0.0, has_bias=False).to_float(tc.float16)
    factor = Tensor(np.float16(6e-8))  # times 0.25 it is 0 in float16

    def loss(output: Tensor, label: Tensor) -> Tensor:
        return (output * label * factor).sum()

    inputs = Tensor([[0.5]]), Tensor(np.array([[0.5]], np.float16))
    opt = nn.SGD(net.trainable_params(), 1.0)
    nn.TrainOneStepCell(nn.WithLossCell(net, loss), opt)(*inputs)
    assert net.weight.item() == 0.0
    nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, loss), opt, Tensor(1024.0))(*inputs)
    assert net.weight.item() == pytest.approx(-0.25 * float(np.float16(6e-8)))


def test_when_the_scale_moves() -> None:
    cell, scale = nn.DynamicLossScaleUpdateCell(8, 2, 2), Parameter(Tensor(8.0), "scale", requires_grad=False)
    seen = []
    for overflow in (False, False, False, True, True, True, True, False):
        assert bool(cell(scale, Tensor(overflow))) is overflow
        seen.append(scale.item())
    assert seen == [8, 16, 16, 8, 4, 2, 1, 1] and cell.get_loss_scale() == 8
    fixed = nn.FixedLossScaleUpdateCell(8)
    assert fixed(scale, Tensor(True)) and scale.item() == 1 and fixed.get_loss_scale() == 8


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda n, o: nn.WithLossCell(n, None), TypeError, "WithLossCell takes a function or Cell, got NoneType"),
        (lambda n, o: nn.WithEvalCell(3, n), TypeError, "WithEvalCell takes a function or Cell, got int"),
        (lambda n, o: nn.ForwardValueAndGrad(n, get_by_list=True), TypeError, "get_by_list needs the Parameters"),
        (lambda n, o: nn.ForwardValueAndGrad(n, get_all=1), TypeError, "get_all must be True or False"),
        (lambda n, o: nn.ForwardValueAndGrad(n, sens_param=True)(), TypeError, "sens_param: the last argument"),
        (lambda n, o: nn.ForwardValueAndGrad(n, [X], get_by_list=True), TypeError, "weights must be Parameters"),
        (lambda n, o: nn.WithGradCell(n, sens=X)(X), ValueError, "the given output gradients have shapes"),
        (lambda n, o: nn.GradAccumulationCell(n, 0), ValueError, "micro_size must be a positive int, got 0"),
        (lambda n, o: nn.GradAccumulationCell(n, 3)(X), ValueError, r"\(2, 2\) cannot be cut into micro_size = 3"),
        (lambda n, o: nn.GradAccumulationCell(n, 2)([1]), TypeError, "input 0 must be a Tensor, got list"),
        (lambda n, o: nn.TrainOneStepCell(3, o), TypeError, "TrainOneStepCell takes a function or Cell"),
        (lambda n, o: nn.TrainOneStepCell(n, 0.1), TypeError, "the optimizer must have the Parameters"),
        (lambda n, o: nn.TrainOneStepWithLossScaleCell(n, o, 8.0), TypeError, "a loss scale is a Tensor .* got float"),
        (lambda n, o: nn.TrainOneStepWithLossScaleCell(n, o, Tensor([1.0, 2.0])), ValueError, r"\(2,\)"),
        (lambda n, o: nn.TrainOneStepWithLossScaleCell(n, o, X[0, 0]).set_sense_scale(8.0), TypeError, "a loss scale"),
        (lambda n, o: nn.FixedLossScaleUpdateCell(0), ValueError, "loss_scale_value must"),
        (lambda n, o: nn.DynamicLossScaleUpdateCell(8, 0, 2), ValueError, "scale_factor must"),
        (lambda n, o: nn.DynamicLossScaleUpdateCell(8, 2, 0), ValueError, "scale_window must be a positive int"),
    ],
)
def test_cells_of_training_refuse(net: nn.Dense, make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make(net, nn.SGD(net.trainable_params(), 0.1))
