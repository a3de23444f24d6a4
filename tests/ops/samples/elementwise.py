"""Samples and references: activations; and what is tested elsewhere."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import References, each

UNARY: References = {
    "tanh": each(math.tanh),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.where(x > 0, x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
}
TESTED_ELSEWHERE = {"cast", "dropout", "dropout2d", "hook_backward"}
WRITES = {"assign", "assign_add", "assign_sub"}
