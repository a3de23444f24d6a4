"""W8: the MLP step of W2 (batch 64) plain, with user hooks on every layer, and under the lens' recorder, as it runs and
with all statistics made.

A hook keeps mean and standard deviation of what a layer returns, and of the gradient that arrives at it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..libraries import Teachcell, TorchTraining, teachcell_training, turned
from ..workload import Arrays, Workload
from . import mlp

BATCH = 64


Hook = Callable[[Any, Any, Any], None]


def hooks_into(notes: list[tuple[float, float]]) -> tuple[Hook, Hook]:
    """What a user of either library would register: a forward and a backward hook."""

    def forward(layer: Any, inputs: Any, output: Any) -> None:
        notes.append((output.mean().item(), output.std().item()))

    def backward(layer: Any, leaving: Any, arriving: Any) -> None:
        notes.append((arriving[0].mean().item(), arriving[0].std().item()))

    return forward, backward


def plain() -> Teachcell:
    return mlp.with_teachcell(BATCH)


class Noting:
    """A contender with a list that its hooks fill and that each step begins anew."""

    def __init__(self, contender: Any, notes: list[tuple[float, float]]) -> None:
        self.contender, self.notes, self.gradients = contender, notes, contender.gradients

    def step(self) -> Any:
        self.notes.clear()
        return self.contender.step()


def hooked() -> Noting:
    notes: list[tuple[float, float]] = []

    forward, backward = hooks_into(notes)
    net = mlp.teachcell_net()
    for layer in net:
        layer.register_forward_hook(forward)
        layer.register_backward_hook(backward)
    return Noting(teachcell_training(net, mlp.weights(), *mlp.samples(BATCH)), notes)


class Recorded:
    """The step as the lens watches it: every value, op, call and gradient noted."""

    def __init__(self) -> None:
        from teachcell import nn
        from teachcell.core.events import observing
        from teachcell.lens.watch.recorder import Recorder

        cross_entropy = nn.CrossEntropyLoss()

        def loss(logits: Any, labels: Any) -> Any:
            value = cross_entropy(logits, labels)
            self.recorder.forward = False  # what comes now is the backward pass
            return value

        net = mlp.teachcell_net()
        self.observing, self.make, self.parameters = observing, lambda: Recorder(net), net.trainable_params()
        self.contender = teachcell_training(net, mlp.weights(), *mlp.samples(BATCH), loss=loss)

    def step(self) -> Any:
        self.recorder = self.make()
        with self.observing(self.recorder):
            loss = self.contender.step()
        self.contender.found = ()  # as in the lens, where the gradients are the Recorder's alone
        self.recorder.finish()
        return loss

    def gradients(self) -> Arrays:
        """As the Recorder saw them."""
        seen = {v.name: v.gradient.array for v in self.recorder.values if v.kind == "parameter"}
        return turned(self.contender.names, [seen[p.name] for p in self.parameters])


class Summarised(Recorded):
    """The same, and the statistics of every array that was seen: least, greatest, mean, spread, zeros, not finite."""

    def step(self) -> Any:
        from teachcell.lens.watch.seen import Seen, summarise_together

        loss = super().step()
        seen = [part for value in self.recorder.values for part in (value.value, value.gradient)]
        seen += [part.part for sent in self.recorder.sent.values() for part in sent]
        summarise_together(part for part in seen if isinstance(part, Seen))
        return loss


def torch_plain() -> TorchTraining:
    return mlp.with_torch(BATCH)


def torch_hooked() -> Noting:
    notes: list[tuple[float, float]] = []

    forward, backward = hooks_into(notes)
    warnings.filterwarnings("ignore", "Full backward hook is firing")  # of the first layer, whose input is data
    net = mlp.torch_net()
    for layer in net:
        layer.register_forward_hook(forward)
        layer.register_full_backward_hook(backward)
    return Noting(TorchTraining(net, mlp.weights(), *mlp.samples(BATCH)), notes)


WORKLOAD = Workload(
    f"W8: the MLP step, batch {BATCH}, with hooks on five layers, and recorded",
    {
        "teachcell": plain, "teachcell+hooks": hooked, "teachcell+recorder": Recorded,
        "teachcell+recorder+statistics": Summarised, "torch": torch_plain, "torch+hooks": torch_hooked,
    },
    {("teachcell+hooks", "teachcell"): 1.3, ("teachcell+recorder", "teachcell"): 1.1},
)  # fmt: skip
