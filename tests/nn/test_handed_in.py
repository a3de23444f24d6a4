"""What a Cell, a rule and a checkpoint take in and give out at the edges: handles, numbers, names, flags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, nn, ops


class Writes(nn.Cell):
    """Writes to its input; has a rule of its own."""

    def construct(self, a: Tensor) -> Tensor:
        a[0] = 5.0
        return a * 1

    def bprop(self, a: Tensor, out: Tensor, dout: Tensor) -> Any:
        return (dout,)


class WritesInForward(tc._Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor) -> Tensor:
        a[0] = 5.0
        return a * 1

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return gradients[0]


@pytest.mark.parametrize("writes", [Writes(), WritesInForward.apply])
def test_a_write_inside_a_rule_s_forward_stays_there(writes: Any) -> None:
    def f(x: Tensor) -> Tensor:
        h = x * 1
        return writes(h).sum() * 0 + (h * h).sum()

    value, slope = tc.value_and_grad(f)(Tensor([2.0, 2.0]))
    assert (value.item(), slope.tolist()) == (8.0, [4.0, 4.0])


def test_a_family_of_views_kept_from_a_call_stays_a_family() -> None:
    kept: list[Tensor] = []

    def f(x: Tensor) -> Tensor:
        base = x * 2
        kept[:] = [base, base[0:1]]
        return base

    grad(f)(Tensor([1.0, 2.0]))
    base, view = kept
    base[0] = 9.0
    assert view.tolist() == [9.0]
    view[0] = 7.0
    assert base.tolist() == [7.0, 4.0]
    base[0] = 1.0
    assert (view.tolist(), base.tolist()) == ([1.0], [1.0, 4.0])


class Mixed(tc._Function):
    """Returns a Tensor, a number and an unused Tensor."""

    seen: list[Any] = []

    @staticmethod
    def forward(ctx: Any, a: Tensor) -> Any:
        return [a * 2, 3, a + 1]

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        Mixed.seen[:] = gradients
        return gradients[0] * 10


def test_a_function_may_return_numbers_and_lists() -> None:
    assert Mixed.apply(Tensor([1.0]))[1] == 3
    assert grad(lambda a: Mixed.apply(a)[0])(Tensor([1.0])).tolist() == [10.0]
    assert Mixed.seen[1] is None and Mixed.seen[2].tolist() == [0.0]

    class Number(tc._Function):
        @staticmethod
        def forward(ctx: Any, a: Tensor) -> Any:
            return 4

    assert Number.apply(Tensor([1.0])) == 4


def test_differentiated_arguments_may_come_by_keyword() -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor, y: Tensor) -> Tensor:
            return x * y * y

    x, y = Tensor([2.0]), Tensor([3.0])
    for fn in (Net(), lambda x, y: x * y * y):
        assert [g.item() for g in grad(fn, (0, 1))(y=y, x=x)] == [9.0, 12.0]
        assert grad(fn, 1)(x, y=y).item() == 12.0
    assert tc.GradOperation(sens_param=True)(ops.square)(x, sens=Tensor([10.0])).item() == 40.0
    with pytest.raises(RuntimeError, match="got 0 argument"):
        grad(lambda x: x)(z=x)


def test_to_float_casts_inside_of_the_hooks() -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor, *, scale: Tensor) -> Tensor:
            seen.append((x.dtype, scale.dtype))
            return x * scale

    seen: list[Any] = []
    net = Net().to_float(tc.float16)
    net.register_forward_pre_hook(lambda cell, inputs: seen.append(inputs[0].dtype))
    net.register_backward_hook(lambda cell, grad_input, grad_output: seen.append(grad_input[0].dtype))
    slope = grad(lambda x: net(x, scale=Tensor([2.0])))(Tensor([1.0]))
    assert seen == [tc.float32, (tc.float16, tc.float16), tc.float32] and slope.dtype is tc.float32
    assert net(Tensor([1.0]), scale=Tensor([2.0])).dtype is tc.float16


def test_flags() -> None:
    net = nn.SequentialCell(nn.ReLU()).add_flags_recursive(fast=True).add_flags(level=2)
    assert net.get_flags() == {"fast": True, "level": 2} and net[0].get_flags() == {"fast": True}
    assert net.level == 2 and nn.Cell(flags={"a": 1}).get_flags() == {"a": 1} and nn.ReLU().get_flags() == {}


def test_a_parameter_s_value_is_a_tensor_through_which_gradients_flow() -> None:
    w = Parameter(Tensor([2.0, 3.0]), name="w")
    value = w.value()
    value[0] = 9.0
    assert type(value) is Tensor and w.tolist() == [2.0, 3.0]
    assert grad(lambda: w.value() * w, None, w)().tolist() == [4.0, 6.0]


def test_choosing_names_of_a_checkpoint(tmp_path: Path) -> None:
    net = nn.SequentialCell(nn.Dense(2, 1))
    file = tmp_path / "net.ckpt"
    tc.save_checkpoint(net, file, choice_func=lambda name: "weight" in name)
    assert list(tc.load_checkpoint(file)) == ["0.weight"]
    tc.save_checkpoint(net, file)
    assert list(tc.load_checkpoint(file, choice_func=lambda name: name.endswith("bias"))) == ["0.bias"]
    for nothing in ({"choice_func": lambda name: False}, {"filter_prefix": "0"}):
        with pytest.raises(ValueError, match="none of the names.*0.weight, 0.bias"):
            tc.load_checkpoint(file, net, **nothing)  # type: ignore[arg-type]


def test_a_beginning_that_all_names_share_is_left_out_when_loading() -> None:
    net = nn.SequentialCell(nn.Dense(2, 1))
    given = {f"net.{n}": Parameter(Tensor(np.full(p.shape, 7.0, np.float32))) for n, p in net.parameters_dict().items()}
    assert tc.load_param_into_net(net, given) == ([], [])
    assert net[0].weight.tolist() == [[7.0, 7.0]]
    partly = {"net.0.weight": given["net.0.weight"]}
    assert tc.load_param_into_net(net, partly) == (["0.weight", "0.bias"], ["net.0.weight"])


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: nn.Dense(3, 2), (4, 3)),
        (lambda: nn.LayerNorm((3,)), (4, 3)),
        (lambda: nn.GroupNorm(1, 3), (4, 3)),
        (lambda: nn.BatchNorm1d(3), (4, 3)),
        (lambda: nn.BatchNorm3d(3), (2, 3, 2, 2, 2)),
        (lambda: nn.InstanceNorm1d(3), (2, 3, 4)),
        (lambda: nn.Softmax2d(), (2, 3, 4, 4)),
        (lambda: nn.Conv2dTranspose(3, 2, 3), (2, 3, 4, 4)),
        (lambda: nn.CentralCrop(0.5), (3, 4, 4)),
        (lambda: nn.ImageGradients(), (2, 3, 4, 4)),
        (lambda: nn.Unflatten(0, (2, 2)), (4, 3)),
        (lambda: nn.TimeDistributed(nn.Identity(), 1), (4, 3)),
    ],
)
def test_lists_go_into_a_layer_as_a_tensor_does(make: Any, shape: tuple[int, ...]) -> None:
    layer, values = make(), Tensor(np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape))
    wanted, got = layer(values), layer(values.asnumpy().tolist())
    for w, g in zip(*((r if isinstance(r, tuple) else (r,)) for r in (wanted, got)), strict=True):
        np.testing.assert_allclose(g.asnumpy(), w.asnumpy(), rtol=1e-6)
    with pytest.raises(TypeError, match="NoneType|None"):
        layer(None)


@pytest.mark.parametrize("shape", [(), (3, 4, 4), (1, 2, 3, 4, 4)])
def test_a_transposed_convolution_names_the_axes_that_it_needs(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="4"):
        nn.Conv2dTranspose(3, 2, 3)(Tensor(np.zeros(shape, np.float32)))
