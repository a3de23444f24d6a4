"""Losses, SGD, whole steps of training, buffers and saved state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, nn, value_and_grad


def test_losses() -> None:
    logits, labels = Tensor([[2.0, 0.0], [0.0, 1.0]]), Tensor([0, 0])
    rows = np.log1p(np.exp([-2.0, 1.0]))
    assert nn.CrossEntropyLoss()(logits, labels).item() == pytest.approx(rows.mean())
    assert nn.CrossEntropyLoss(reduction="sum")(logits, labels).item() == pytest.approx(rows.sum())
    np.testing.assert_allclose(nn.CrossEntropyLoss(reduction="none")(logits, labels).asnumpy(), rows, rtol=1e-6)
    assert nn.CrossEntropyLoss(ignore_index=0)(logits, Tensor([0, 1])).item() == pytest.approx(np.log1p(np.exp(-1.0)))
    squares = nn.MSELoss(reduction="none")(logits, logits * 0)
    assert squares.tolist() == [[4.0, 0.0], [0.0, 1.0]] and nn.MSELoss()(logits, logits * 0).item() == 1.25
    assert nn.MSELoss("sum")(logits, logits * 0).item() == 5.0
    for loss in (nn.CrossEntropyLoss, nn.MSELoss):
        with pytest.raises(ValueError, match="reduction must be one of 'mean', 'sum', 'none', got 'avg'"):
            loss(reduction="avg")


# SGD ----------------------------------------------------------------------------------------------------------------


def stepped(steps: list[list[float]], name: str = "w", **options: Any) -> list[float]:
    """Where SGD takes (1, 2) with these gradients."""
    w = Parameter(Tensor([1.0, 2.0]), name=name)
    opt = nn.SGD([w], **options)
    for g in steps:
        assert opt((Tensor(g),)) is True
    return w.tolist()


def test_sgd_beside_the_formulas() -> None:
    g = [1.0, -0.5]
    np.testing.assert_allclose(stepped([g], learning_rate=0.1), [0.9, 2.05])
    v2 = 0.9 * np.array(g) + np.array(g)
    want = np.array([1.0, 2.0]) - 0.1 * np.array(g) - 0.1 * v2
    np.testing.assert_allclose(stepped([g, g], learning_rate=0.1, momentum=0.9), want, rtol=1e-6)
    damped = np.array([1.0, 2.0]) - 0.1 * np.array(g) - 0.1 * (0.9 * np.array(g) + 0.5 * np.array(g))
    np.testing.assert_allclose(stepped([g, g], learning_rate=0.1, momentum=0.9, dampening=0.5), damped, rtol=1e-6)
    nesterov = np.array([1.0, 2.0]) - 0.1 * (np.array(g) + 0.9 * np.array(g))
    np.testing.assert_allclose(stepped([g], learning_rate=0.1, momentum=0.9, nesterov=True), nesterov, rtol=1e-6)
    np.testing.assert_allclose(stepped([g], learning_rate=0.1, loss_scale=10.0), [0.99, 2.005], rtol=1e-6)
    np.testing.assert_allclose(stepped([g], learning_rate=0.1, weight_decay=0.5), [0.85, 1.95], rtol=1e-6)
    np.testing.assert_allclose(stepped([g], learning_rate=0.1, weight_decay=0.5, name="norm.gamma"), [0.9, 2.05])


def test_sgd_writes_in_place_and_shares_nothing() -> None:
    w = Parameter(Tensor([1.0]), name="w")
    opt = nn.SGD([w], 0.5, momentum=0.9)
    g = Tensor([2.0])
    opt((g,))
    g[0] = 100.0
    opt((Tensor([0.0]),))
    assert w.item() == pytest.approx(1 - 0.5 * 2 - 0.5 * 0.9 * 2) and opt.parameters[0] is w


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda w: nn.SGD([]), ValueError, "the optimizer got no Parameters"),
        (lambda w: nn.SGD([w, w]), ValueError, "given to the optimizer twice"),
        (lambda w: nn.SGD([w, Parameter(2.0, "w")]), ValueError, "two different Parameters are named 'w'"),
        (lambda w: nn.SGD([Tensor([1.0])]), TypeError, "holds Parameters only"),
        (lambda w: nn.SGD([w], -0.1), ValueError, "learning_rate must be a number >= 0, got -0.1"),
        (lambda w: nn.SGD([w], weight_decay="a"), TypeError, "weight_decay must be a number"),
        (lambda w: nn.SGD([w], nesterov=True), ValueError, "nesterov needs momentum > 0 and dampening = 0"),
        (lambda w: nn.SGD([w])(()), ValueError, r"the optimizer got 0 gradient\(s\) for 1 Parameter\(s\)"),
        (lambda w: nn.SGD([w])(Tensor([1.0])), TypeError, "a tuple of gradients"),
        (lambda w: nn.SGD([w])((Tensor([1.0, 2.0]),)), ValueError, r"'w' has shape \(\), the new value \(2,\)"),
    ],
)
def test_sgd_refuses(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make(Parameter(1.0, "w"))


# A whole step -------------------------------------------------------------------------------------------------------


def test_a_small_net_learns_and_the_engine_agrees_with_a_step_by_hand() -> None:
    tc.set_seed(0)
    draws = np.random.default_rng(0)
    x = draws.normal(size=(64, 4)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(np.int64)
    net = nn.SequentialCell(nn.Dense(4, 16), nn.Tanh(), nn.BatchNorm1d(16), nn.Dense(16, 2)).set_train()
    loss_fn, opt = nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.3, momentum=0.9)

    def forward(data: Tensor, labels: Tensor) -> Any:
        logits = net(data)
        return loss_fn(logits, labels), logits

    step = value_and_grad(forward, None, opt.parameters, has_aux=True)
    losses = []
    for _ in range(80):
        (loss, logits), gradients = step(Tensor(x), Tensor(y))
        opt(gradients)
        losses.append(loss.item())
    assert losses[0] > 0.6 and losses[-1] < 0.05
    assert (logits.asnumpy().argmax(1) == y).mean() > 0.98


def test_frozen_layers_stay() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    for p in net[0].get_parameters():
        p.requires_grad = False
    before = net[0].weight.tolist()
    opt = nn.SGD(net.trainable_params(), 0.1)
    assert len(opt.parameters) == 2
    opt(grad(lambda x: net(x).sum(), None, opt.parameters)(Tensor([[1.0, 2.0]])))
    assert net[0].weight.tolist() == before


# State --------------------------------------------------------------------------------------------------------------


class Counting(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([1.0]), name="anything")
        self.register_buffer("steps", Tensor([0]))
        self.register_buffer("scratch", Tensor([0.0]), persistent=False)
        self.norm = nn.BatchNorm1d(1)

    def construct(self, x: Tensor) -> Tensor:
        self.steps = self.steps + 1
        return x * self.w


def test_buffers() -> None:
    net = Counting()
    net(Tensor([1.0]))
    assert net.steps.item() == 1 and [n for n, _ in net.named_buffers()] == ["steps", "scratch"]
    assert net.get_buffer("steps") is net.steps and len(list(net.buffers())) == 2
    assert [p.name for p in net.get_parameters(expand=False)] == ["anything"]
    outer = nn.SequentialCell(net)
    assert outer.get_buffer("0.steps").item() == 1
    net.steps = None
    assert [n for n, _ in net.named_buffers()] == ["scratch"]
    with pytest.raises(TypeError, match="scratch"):
        net.scratch = 5.0  # type: ignore[assignment]
    assert net.load_state_dict({}, strict=False).missing_keys == list(net.state_dict())
    x = Tensor([1.0])
    for name, value, kind in (("a.b", x, KeyError), ("w", x, KeyError), ("new", 1.0, TypeError)):
        with pytest.raises(kind):
            net.register_buffer(name, value)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        net.get_buffer("nothing")


def test_state_dict_round_trip() -> None:
    net, other = Counting(), Counting()
    state = net.state_dict()
    assert list(state) == ["w", "steps", "norm.moving_mean", "norm.moving_variance", "norm.gamma", "norm.beta"]
    net.w.set_data(Tensor([5.0]))
    assert other.load_state_dict(net.state_dict()) == ([], [])
    assert other.w.item() == 5.0
    net.w[0] = 6.0
    assert other.w.item() == 5.0
    partial = {"w": Tensor([7]), "unknown": Tensor([1.0])}
    with pytest.raises(RuntimeError, match=r"missing keys \['steps'.*unexpected keys \['unknown'\]"):
        other.load_state_dict(partial)
    assert other.w.item() == 5.0
    missing, unexpected = other.load_state_dict(partial, strict=False)
    assert other.w.item() == 7.0 and other.w.dtype is tc.float32 and unexpected == ["unknown"] and len(missing) == 5
    with pytest.raises(RuntimeError, match=r"'w': shape \(2,\) does not fit \(1,\)"):
        other.load_state_dict({"w": Tensor([1.0, 2.0])}, strict=False)
