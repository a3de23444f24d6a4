"""What tests of gradcheck have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from teachcell import Tensor, gradcheck, nn
from teachcell.autodiff.check import GradCheckReport

RNG = np.random.default_rng(5)
X = Tensor([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]])


def normal(*shape: int) -> Tensor:
    return Tensor(RNG.normal(size=shape).astype(np.float32))


class By(nn.Cell):
    """A function with a rule of its own."""

    def __init__(self, function: Any, rule: Any, **attributes: Any):
        super().__init__()
        self.function, self.bprop = function, rule
        for name, value in attributes.items():
            setattr(self, name, value)

    def construct(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def look(function: Any, *inputs: Any, **options: Any) -> GradCheckReport:
    return gradcheck(function, *inputs, raise_exception=False, **options)
