"""W10: CPU time of a whole process that imports a library, or takes a first gradient with it.

A process before those that count leaves compiled modules behind, also where the environment forbids it
(``PYTHONDONTWRITEBYTECODE``): who works with a library compiles it once. This holds for all contenders.
"""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Mapping

from .timing import Measurement, Timer, measure
from .worker import ROOT, environment

IMPORT = {name: f"import {name}" for name in ("numpy", "teachcell", "torch", "autograd", "mygrad")}
FIRST_GRADIENT = {
    "numpy": "import numpy as np; 2 * np.ones((3, 3), np.float32)",
    "teachcell": "from teachcell import ops, grad; grad(lambda x: (x * x).sum())(ops.ones((3, 3))).asnumpy()",
    "torch": "import torch; x = torch.ones(3, 3, requires_grad=True); (x * x).sum().backward(); x.grad.numpy()",
    "autograd": "import autograd.numpy as np; from autograd import grad; "
    "grad(lambda x: np.sum(x * x))(np.ones((3, 3)))",
    "mygrad": "import mygrad, numpy; x = mygrad.tensor(numpy.ones((3, 3))); (x * x).sum().backward(); x.grad",
}
PARTS = {"import": IMPORT, "first gradient": FIRST_GRADIENT}
GOALS = {"import": 1.6, "first gradient": 1.5}  # teachcell, compared with numpy


def process(python: str, code: str) -> Timer:
    """CPU seconds of as many processes."""

    def seconds(repeats: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(repeats):
            subprocess.run([python, "-c", code], check=True, cwd=ROOT, env=environment())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    return seconds


def timers(part: str, pythons: Mapping[str, str]) -> dict[str, Timer]:
    """A Timer for each library that is there."""
    return {name: process(pythons[name], code) for name, code in PARTS[part].items() if name in pythons}


def run(part: str, pythons: Mapping[str, str], rounds: int) -> Measurement:
    """Time one of the PARTS."""
    return measure(f"W10: {part}, whole process", timers(part, pythons), rounds)
