"""What a workload is, and when its contenders agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

TOLERANCE = 1e-4  # of the largest element: float32 sums of up to 784 terms in different orders


class Contender(Protocol):
    """One way to do the work."""

    def step(self) -> Any:
        """Do it once and return the loss as the library gives it."""

    def gradients(self) -> dict[str, np.ndarray]:
        """The gradients of the last step, by name, in the layout of the workload's weights."""


@dataclass(frozen=True)
class Workload:
    """One piece of work and those who can do it. A factory imports what it needs when it is called."""

    title: str
    contenders: Mapping[str, Callable[[], Contender]]


Outcome = dict[str, np.ndarray]


def outcome(contender: Contender) -> Outcome:
    """The losses of three steps and the gradients of the last, which differ where an update went wrong."""
    losses = [float(contender.step()) for _ in range(3)]
    return {"loss": np.array(losses), **contender.gradients()}


def check(outcomes: Mapping[str, Outcome]) -> None:
    """AssertionError unless every contender found what the first one found."""
    first, *others = outcomes
    for name in others:
        assert outcomes[name].keys() == outcomes[first].keys(), f"{name} and {first} return different gradients"
        for key, expected in outcomes[first].items():
            got = outcomes[name][key]
            assert got.shape == expected.shape, f"{key}: {name} has shape {got.shape}, {first} {expected.shape}"
            error = np.abs(got - expected).max() / np.abs(expected).max()
            assert error < TOLERANCE, f"{key}: {name} is {error:.1e} away from {first}"
