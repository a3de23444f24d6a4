"""What tests of "check rule" have in common."""

from __future__ import annotations

import json

import numpy as np

from teachcell import Tensor, nn
from teachcell.lens import Experiment
from teachcell.lens.check.rule_check import check_rule

RNG = np.random.default_rng(3)


def normal(*shape, dtype=np.float32) -> Tensor:
    return Tensor(RNG.normal(size=shape).astype(dtype))


def check(net, *inputs, path="", rule=None, call=1, bprops=None, **options):
    experiment = Experiment(net, inputs, bprops=bprops, **options)
    if rule is not None:
        experiment.rules.use(path, rule)
    outcome = experiment.run()
    found = check_rule(experiment, path, outcome.recorder, call)
    experiment.close()
    json.dumps(found, allow_nan=False)
    return found


class Then(nn.Cell):
    """A Cell, then a loss in which every element counts differently."""

    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, *inputs):
        y = self.cell(*inputs)
        return (y * Tensor(np.cos(np.arange(y.size)).reshape(y.shape).astype(np.float32))).sum()
