"""Lesson programs with hooks, each as a learner writes it: what they print, layout included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn, ops

Out = pytest.CaptureFixture[str]

ONE = Tensor(np.ones([1]).astype(np.float32))


def shown(*numbers: float) -> str:
    """How a tuple of one-element Tensors prints."""
    texts = [f"Tensor(shape=[1], dtype=Float32, value= [{x: .8e}])" for x in numbers]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


class Rectified(nn.Cell):
    """relu(x + y)."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.relu(x + y)


def gradients(net: nn.Cell) -> str:
    return str(ops.grad(net, grad_position=(0, 1))(ONE, ONE))


def test_e1_a_gradient_seen_on_its_way(capsys: Out) -> None:
    tap = ops.HookBackward(lambda gradient: print(gradient))

    def product(x: Tensor, y: Tensor) -> Tensor:
        z = tap(x * y)
        return z * y

    print(ops.grad(product, (0, 1))(Tensor(1, tc.float32), Tensor(2, tc.float32)))
    assert capsys.readouterr().out == (
        "(Tensor(shape=[], dtype=Float32, value= 2),)\n"
        "(Tensor(shape=[], dtype=Float32, value= 4), Tensor(shape=[], dtype=Float32, value= 4))\n"
    )


def test_e1_doubled_by_a_tensor_hook() -> None:
    def product(x: Tensor, y: Tensor) -> Tensor:
        z = x * y
        z.register_hook(lambda gradient: gradient * 2)
        return z * y

    found = ops.grad(product, (0, 1))(Tensor(1, tc.float32), Tensor(2, tc.float32))
    assert str(found) == "(Tensor(shape=[], dtype=Float32, value= 8), Tensor(shape=[], dtype=Float32, value= 6))"


def test_e2_a_pre_hook_that_only_looks(capsys: Out) -> None:
    net = Rectified()
    handle = net.relu.register_forward_pre_hook(lambda cell, inputs: print("goes in:", inputs))
    print(net(ONE, ONE))
    print(gradients(net))
    handle.remove()
    print(gradients(net))
    look = f"goes in: {shown(2.0)}\n"
    assert capsys.readouterr().out == f"{look}[2.]\n{look}{shown(1.0, 1.0)}\n{shown(1.0, 1.0)}\n"


def test_e3_new_data_cut_the_gradient() -> None:
    net = Rectified()
    handle = net.relu.register_forward_pre_hook(lambda cell, inputs: Tensor(np.ones([1]).astype(np.float32)))
    assert gradients(net) == shown(0.0, 0.0)
    handle.remove()
    assert gradients(net) == shown(1.0, 1.0)


def test_e4_what_a_forward_hook_computes_joins_the_graph(capsys: Out) -> None:
    def twice(cell: nn.Cell, inputs: Any, output: Tensor) -> Tensor:
        print("in:", inputs)
        print("out:", output)
        return output + output

    net = Rectified()
    handle = net.relu.register_forward_hook(twice)
    print(gradients(net))
    handle.remove()
    print(gradients(net))
    assert capsys.readouterr().out == f"in: {shown(2.0)}\nout: [2.]\n{shown(2.0, 2.0)}\n{shown(1.0, 1.0)}\n"


class Normalised(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, kernel_size=2, stride=1, padding=0, weight_init="ones", pad_mode="valid")
        self.bn = nn.BatchNorm2d(2, momentum=0.99, eps=0.00001, gamma_init="ones")
        self.relu = nn.ReLU()

    def construct(self, x: Tensor) -> Tensor:
        return self.relu(self.bn(self.conv(x)))


def test_e5_arriving_and_leaving_gradients_of_a_batch_norm(capsys: Out) -> None:
    def show(cell_id: str, grad_input: Any, grad_output: Any) -> None:
        print(grad_input)
        print(grad_output)

    net, image = Normalised(), Tensor(np.ones([1, 1, 2, 2]).astype(np.float32))
    handle = net.bn.register_backward_hook(show)
    print(ops.grad(net)(image))
    handle.remove()
    print(ops.grad(net)(image))
    value = "(Tensor(shape=[1, 2, 1, 1], dtype=Float32, value=\n[[[[ {0}]],\n  [[ {0}]]]]),)\n"
    slope = "[[[[1.99999 1.99999]\n   [1.99999 1.99999]]]]\n"
    out = capsys.readouterr().out
    assert out == value.format("1.00000000e+00") + value.format("9.99994993e-01") + slope * 2


@pytest.mark.filterwarnings("ignore:BatchNorm2d in training got one value:UserWarning")
def test_e5_in_training_one_value_per_channel_has_no_gradient() -> None:
    net = Normalised().set_train()
    assert not ops.grad(net)(Tensor(np.ones([1, 1, 2, 2]).astype(np.float32))).asnumpy().any()


def test_e6_three_hooks_on_one_cell(capsys: Out) -> None:
    net = Rectified()
    net.relu.register_forward_pre_hook(lambda cell, inputs: print("pre-hook:", inputs))

    def twice(cell: nn.Cell, inputs: Any, output: Tensor) -> Tensor:
        print("forward hook:", inputs, output)
        return output + output

    def show(cell_id: str, grad_input: Any, grad_output: Any) -> None:
        print("backward hook:", grad_input, grad_output)

    net.relu.register_forward_hook(twice)
    net.relu.register_backward_hook(show)
    print(gradients(net))
    # The doubling's own gradient, 1 → 2, lies outside of what the backward hook sees: 2 arrives.
    assert capsys.readouterr().out == (
        f"pre-hook: {shown(2.0)}\nforward hook: {shown(2.0)} [2.]\n"
        f"backward hook: {shown(2.0)} {shown(2.0)}\n{shown(2.0, 2.0)}\n"
    )


def test_hooks_chain_in_order_of_registration() -> None:
    class Kept(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x

    net = Kept()
    net.register_forward_pre_hook(lambda cell, inputs: inputs[0] + inputs[0])
    net.register_forward_pre_hook(lambda cell, inputs: inputs[0] * inputs[0])
    assert net(Tensor([3.0])).item() == 36.0 and tc.grad(net)(Tensor([3.0])).item() == 24.0
    net.register_backward_hook(lambda cell, gi, go: gi[0] * 10)
    net.register_backward_hook(lambda cell, gi, go: gi[0] + 1)
    assert tc.grad(net)(Tensor([3.0])).item() == 24.0 * 11
