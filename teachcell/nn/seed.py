"""The seed of every random op, layer and initializer."""

from __future__ import annotations

from ..kernels import random
from ..texts import say


def set_seed(seed: int) -> None:
    """Restart all random draws from ``seed`` (an int >= 0)."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(say("errors.seed", got=repr(seed)))
    if seed < 0:
        raise ValueError(say("errors.seed", got=repr(seed)))
    random.seed(seed)


def get_seed() -> int | None:
    """The seed last set."""
    return random.current_seed()
