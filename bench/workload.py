"""What a workload is, and when its contenders agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

Arrays = dict[str, np.ndarray]

RATE, MOMENTUM = np.float32(0.01), np.float32(0.9)  # of every workload that trains
TOLERANCE = 1e-4  # of the largest element: float32 sums of thousands of terms in different orders


class Contender(Protocol):
    """One way to do the work."""

    def step(self) -> Any:
        """Do it once and return the loss as the library gives it, or None where there is none."""

    def gradients(self) -> Arrays:
        """The gradients of the last step, by name, in the layout of the workload's weights."""


@dataclass(frozen=True)
class Workload:
    """One piece of work and those who can do it. A factory imports what it needs when it is called.

    Attributes:
        contenders: by name; what precedes a ``+`` is the library that must be importable. The others are compared
            with the first.
        goals: the ratio of CPU times that a contender is meant to reach, by (contender, compared with).
    """

    title: str
    contenders: Mapping[str, Callable[[], Contender]]
    goals: Mapping[tuple[str, str], float] = field(default_factory=dict)


def uniform(random: np.random.RandomState, shape: tuple[int, ...], fan: int) -> np.ndarray:
    """float32 within 1 / √fan."""
    return (random.uniform(-1, 1, shape) / np.sqrt(fan)).astype(np.float32)


def dense_weights(random: np.random.RandomState, sizes: tuple[int, ...]) -> Arrays:
    """W1, b1, W2, b2, …; W as (in, out)."""
    found = {}
    for i, (before, after) in enumerate(zip(sizes, sizes[1:], strict=False), 1):
        found[f"W{i}"] = uniform(random, (before, after), before)
        found[f"b{i}"] = uniform(random, (after,), before)
    return found


def outcome(contender: Contender) -> Arrays:
    """The gradients of a step, and the losses of three, which differ where an update went wrong."""
    losses = [contender.step()]
    found = {name: np.array(gradient) for name, gradient in contender.gradients().items()}
    losses += [contender.step() for _ in range(2)]
    return found if losses[0] is None else {"loss": np.array([float(loss) for loss in losses]), **found}


def check(outcomes: Mapping[str, Arrays]) -> None:
    """AssertionError unless every contender found what the first one found."""
    first, *others = outcomes
    for name in others:
        assert outcomes[name].keys() == outcomes[first].keys(), f"{name} and {first} return different gradients"
        for key, expected in outcomes[first].items():
            got = outcomes[name][key]
            assert got.shape == expected.shape, f"{key}: {name} has shape {got.shape}, {first} {expected.shape}"
            error = np.abs(got - expected).max() / np.abs(expected).max()
            assert error < TOLERANCE, f"{key}: {name} is {error:.1e} away from {first}"
