"""The examples E1 to E8 of the founding lessons, with their numbers, as the lens sees them."""

from __future__ import annotations

import numpy as np
import pytest
from lens.looking import Look

from teachcell import Parameter, Tensor, nn, ops


class AddRelu(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x, y):
        return self.relu(x + y)


def watch(cell, inputs):
    pass


def fresh_ones(cell, inputs):
    return ops.ones_like(inputs[0])


def doubled(cell, inputs, output):
    return output + output


def listen(cell, grad_input, grad_output):
    pass


class Stubborn(nn.Cell):
    def construct(self, x, y):
        return x * y * y

    def bprop(self, x, y, out, dout):
        return x + y, x * y


class NetWithParam(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.internal_params = [self.w]

    def construct(self, x):
        return self.w * x

    def bprop(self, *args):
        x, dout = args[0], args[-1]
        return (self.w * dout,), {self.w: x * dout}


ONE = Tensor([1.0])


def test_e1_hook_backward_sees_and_passes_on() -> None:
    seen = []
    tap = ops.HookBackward(lambda grad: seen.append(float(grad[0])))
    look = Look(lambda x, y: tap(x * y) * y, Tensor(1.0), Tensor(2.0)).passed()
    assert look.order() == ["multiply", "hook_backward", "multiply", "∂multiply", "∂hook_backward", "∂multiply"]
    assert (look.gradient("x"), look.gradient("y"), seen) == ([4], [4], [2])
    assert look.made_by("hook_backward")["grad"]["first"] == 2


def test_e1_hook_backward_that_doubles() -> None:
    tap = ops.HookBackward(lambda grad: (grad[0] * 2,))
    look = Look(lambda x, y: tap(x * y) * y, Tensor(1.0), Tensor(2.0)).passed()
    assert (look.gradient("x"), look.gradient("y")) == ([8], [6])
    assert look.made_by("hook_backward")["grad"]["first"] == 2  # what arrived
    assert look.made_by("multiply")["grad"]["first"] == 4  # what it passed on


def test_e2_a_hook_that_only_looks() -> None:
    net = AddRelu()
    handle = net.relu.register_forward_pre_hook(watch)
    look = Look(net, ONE, ONE).passed()
    assert look.order() == ["add", "forward_pre watch", "relu", "∂relu", "∂add"]
    assert look.made_by("add")["value"]["first"] == 2
    assert (look.gradient("x"), look.gradient("y")) == ([1], [1])
    assert not look.events[1]["replaced"]
    assert (
        look.calls[1]["hooks"][0]["glyph"] == "▷"
        and look.calls[1]["hooks"][0]["kind"] == "forward_pre"
        and "def watch" in look.calls[1]["hooks"][0]["code"]
    )
    handle.remove()
    assert look.run().order() == ["add", "relu", "∂relu", "∂add"]
    assert look.gradient("x") == [1] and look.calls[1]["hooks"] == []


def test_e3_new_data_from_a_hook_cuts_the_path() -> None:
    net = AddRelu()
    net.relu.register_forward_pre_hook(fresh_ones)
    look = Look(net, ONE, ONE).passed()
    assert look.states() == {"x": "cut", "y": "cut"}
    added, new, result = look.made_by("add"), look.values[look.ops[1]["inputs"][0]], look.made_by("relu")
    assert added["grad_state"] == "cut" and new["replaces"] == added["id"] and new["kind"] == "constant"
    assert new["grad_state"] == result["grad_state"] == "not needed"
    for cut in (look.value("x"), look.value("y"), added):
        assert cut["why"] == "relu's pre-hook fresh_ones returned new data, not computed from its input"
    assert look.order() == ["add", "forward_pre fresh_ones", "relu", "cut at relu"]
    assert look.events[-1]["value"] == added["id"]


def test_e4_what_a_forward_hook_computes_joins_the_graph() -> None:
    net = AddRelu()
    handle = net.relu.register_forward_hook(doubled)
    look = Look(net, ONE, ONE).passed()
    assert look.order() == ["add", "relu", "add", "forward doubled", "∂add", "∂relu", "∂add"]
    assert look.events[3]["replaced"]
    assert (look.gradient("x"), look.gradient("y")) == ([2], [2])
    assert look.calls[1]["outputs"] == look.ops[2]["outputs"]  # what left the Cell is what the hook made
    handle.remove()
    assert look.run().gradient("x") == [1]


def test_e5_backward_hook_on_a_batch_norm_that_predicts() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(1, 2, 2, pad_mode="valid", weight_init="ones")
            self.bn = nn.BatchNorm2d(2, eps=1e-5, momentum=0.99)
            self.relu = nn.ReLU()

        def construct(self, x):
            return self.relu(self.bn(self.conv(x)))

    net = Net()
    net.bn.register_backward_hook(listen)
    look = Look(net, Tensor(np.ones((1, 1, 2, 2), np.float32))).passed()
    slope = 1 / np.sqrt(1 + 1e-5)
    assert look.made_by("batch_norm_inference")["grad"]["strip"] == [1, 1]
    assert look.made_by("convolution")["grad"]["mean"] == pytest.approx(slope, rel=1e-6)
    assert look.value("x")["grad"]["min"] == look.value("x")["grad"]["max"] == pytest.approx(2 * slope, rel=1e-6)
    assert "backward listen" in look.order()
    net.set_train()  # one value per channel: the variance is 0, and so is the gradient
    with pytest.warns(UserWarning, match="one value per channel"):
        assert look.run().value("x")["grad_state"] == "zero"


def test_e6_joint_hooks_in_order_and_the_doubling_outside() -> None:
    seen = []
    net = AddRelu()
    net.relu.register_forward_pre_hook(watch)
    net.relu.register_forward_hook(doubled)
    net.relu.register_backward_hook(lambda cell, left, arrived: seen.append((float(left[0]), float(arrived[0]))))
    look = Look(net, ONE, ONE).passed()
    assert look.order() == [
        "add", "forward_pre watch", "relu", "add", "forward doubled", "∂add", "∂relu", "backward <lambda>", "∂add"
    ]  # fmt: skip
    assert seen == [(2, 2)]
    assert look.made_by("relu")["grad"]["first"] == 2 and look.made_by("add", 1)["grad"]["first"] == 1
    assert (look.gradient("x"), look.gradient("y")) == ([2], [2])


def test_e7_an_own_rule_replaces_the_derivative() -> None:
    look = Look(Stubborn(), Tensor(1.0), Tensor(2.0)).passed()
    assert look.order() == ["multiply", "multiply", "bprop "]
    assert (look.gradient("x"), look.gradient("y")) == ([3], [2])
    assert look.calls[0]["rule"] == "own bprop"
    inner = look.made_by("multiply")
    assert inner["grad_state"] == "not needed" and inner["why"] == "Stubborn ran a bprop instead of this"
    assert look.events[-1]["incoming"] == look.document["outputs"] and look.events[-1]["outgoing"] == [0, 1]


def test_e8_a_rule_that_answers_for_a_parameter() -> None:
    look = Look(NetWithParam(), Tensor([3.0])).passed()
    assert (look.gradient("x"), look.gradient("w")) == ([2], [3])
    assert look.events[-1]["outgoing"] == [look.value("x")["id"], look.value("w")["id"]]
