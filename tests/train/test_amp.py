"""Mixed precision: which Cells compute in Float16, and scales of a loss."""

from __future__ import annotations

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, amp, nn, ops


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.hidden, self.norm, self.relu, self.out = nn.Dense(2, 4), nn.LayerNorm((4,)), nn.ReLU(), nn.Dense(4, 1)
        self.seen: dict[str, tc.dtype.DType] = {}

    def construct(self, x: Tensor) -> Tensor:
        hidden = self.hidden(x)
        normed = self.norm(hidden)
        y = self.out(self.relu(normed))
        self.seen = {"hidden": hidden.dtype, "norm": normed.dtype, "out": y.dtype}
        return y


@pytest.mark.parametrize("level, hidden, norm, out", [
    ("O0", "Float32", "Float32", "Float32"),
    ("O1", "Float16", "Float32", "Float16"),
    ("O2", "Float16", "Float32", "Float16"),
    ("O3", "Float16", "Float16", "Float16"),
])  # fmt: skip
def test_levels_say_what_computes_in_float16(level: str, hidden: str, norm: str, out: str) -> None:
    net = Net()
    mixed = amp.auto_mixed_precision(net, level)
    x = Tensor([[1.0, 2.0]])
    assert mixed(x).dtype is tc.float32 and tc.grad(mixed)(x).dtype is tc.float32
    assert {name: str(kind) for name, kind in net.seen.items()} == {"hidden": hidden, "norm": norm, "out": out}
    gradients = tc.grad(mixed, None, mixed.trainable_params())(x)
    assert all(p.dtype is g.dtype is tc.float32 for p, g in zip(mixed.trainable_params(), gradients, strict=True))
    assert [p.name for p in mixed.get_parameters()] == [p.name for p in net.get_parameters()]
    assert (mixed is net) == (level in ("O0", "O1"))


def test_a_cell_that_was_told_a_type_keeps_it() -> None:
    net = Net()
    net.hidden.to_float(tc.float32)
    amp.auto_mixed_precision(net, "O3")(Tensor([[1.0, 2.0]]))
    assert net.seen["hidden"] is tc.float32 and net.seen["out"] is tc.float16


def test_lists_of_ones_own() -> None:
    net = Net()
    amp.custom_mixed_precision(net, white_list=[nn.LayerNorm])(Tensor([[1.0, 2.0]]))
    assert (net.seen["hidden"], net.seen["norm"]) == (tc.float32, tc.float16)
    net = Net()
    amp.custom_mixed_precision(net, black_list=[nn.Dense])(Tensor([[1.0, 2.0]]))
    assert (net.seen["hidden"], net.seen["norm"]) == (tc.float32, tc.float16)
    assert nn.Dense in amp.get_white_list() and nn.LayerNorm in amp.get_black_list()


@pytest.mark.parametrize("level, dtype, said", [
    ("O5", tc.float16, "amp_level must be one of 'O0'"), ("O1", tc.bfloat16, "bfloat16"), ("O1", tc.float32, "dtype"),
])  # fmt: skip
def test_levels_and_types_that_do_not_exist(level: str, dtype: tc.dtype.DType, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        amp.auto_mixed_precision(Net(), level, dtype)


def test_scale_and_unscale_keep_containers_and_types() -> None:
    scaler = amp.StaticLossScaler(16)
    scaled = scaler.scale((Tensor([1.0]), [Tensor([2.0], tc.float16)]))
    assert type(scaled) is tuple and type(scaled[1]) is list and scaled[1][0].dtype is tc.float16
    assert scaled[0].tolist() == [16.0] and scaler.unscale(scaled)[1][0].tolist() == [2.0]
    assert scaler.scale(2.0).item() == 32.0 and scaler.unscale(32.0).item() == 2.0
    assert scaler.adjust(False) is False and scaler.scale_value.item() == 16.0
    assert tc.grad(lambda x: scaler.scale(x * x))(Tensor(3.0)).item() == 96.0


def test_a_dynamic_scale_falls_and_grows() -> None:
    scaler = amp.DynamicLossScaler(scale_value=4, scale_factor=2, scale_window=2)
    seen = []
    for finite in (True, True, False, Tensor(True), Tensor(False), True, False, False, False):
        assert scaler.adjust(finite) is True
        seen.append(scaler.scale_value.item())
    assert seen == [4, 8, 4, 4, 2, 2, 1, 1, 1] and scaler.counter.item() == 0
    largest = amp.DynamicLossScaler(3e38, 2, 1)
    largest.adjust(True)
    assert largest.scale_value.item() == np.float32(3e38)


@pytest.mark.parametrize("given, said", [
    ((0, 2, 1), "scale_value"), ((1, 0.5, 1), "scale_factor"), ((1, 2, 0), "scale_window"),
])  # fmt: skip
def test_scales_out_of_range(given: tuple[float, float, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        amp.DynamicLossScaler(*given)


def test_all_finite() -> None:
    good, bad = Tensor([1.0, 2.0]), Tensor([1.0, np.inf])
    assert amp.all_finite((good, good)).item() is True and amp.all_finite([good, bad]).item() is False
    assert amp.all_finite(bad).item() is False and amp.all_finite(()).item() is True
    assert amp.all_finite((Tensor([np.nan]),)).item() is False


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
@pytest.mark.parametrize("jit", [False, True])
def test_a_step_of_training_leaves_out_what_overflows(jit: bool) -> None:
    net = nn.Dense(2, 1, Tensor([[1.0, 2.0]]), "zeros")
    optimizer, loss_fn = nn.SGD(net.trainable_params(), 0.1), nn.MSELoss()
    scaler = amp.DynamicLossScaler(2**10, 2, 2)
    gradient = tc.value_and_grad(lambda x, y: scaler.scale(loss_fn(net(x), y)), None, optimizer.parameters)

    def step(x: Tensor, y: Tensor) -> Tensor:
        scaled, gradients = gradient(x, y)
        loss, finite = scaler.unscale(scaled), amp.all_finite(gradients)
        if finite:
            optimizer(scaler.unscale(gradients))
        scaler.adjust(finite)
        return loss

    step = tc.jit(step) if jit else step
    x, y = Tensor([[1.0, 2.0]]), Tensor([[0.0]])
    assert [step(x, y).item() for _ in range(2)] == pytest.approx([25.0, 1.0])
    assert scaler.scale_value.item() == 2**11
    before = net.weight.asnumpy().copy()
    step(Tensor([[1e38, 2.0]]), y)
    assert scaler.scale_value.item() == 2**10 and np.array_equal(net.weight.asnumpy(), before)
    assert step(x, y).item() == pytest.approx(0.04)


def test_a_scaler_of_ones_own() -> None:
    class Twice(amp.LossScaler):
        def scale(self, inputs: Tensor) -> Tensor:
            return inputs * 2

        def unscale(self, inputs: Tensor) -> Tensor:
            return inputs / 2

        def adjust(self, grads_finite: Tensor) -> None:
            """Nothing."""

    assert Twice().unscale(Twice().scale(ops.ones(2))).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError):
        amp.LossScaler()  # type: ignore[abstract]
