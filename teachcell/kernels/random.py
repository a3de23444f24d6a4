"""Random draws, and the one generator behind them.

``set_seed`` restarts it; ``state`` and ``restore`` let a run leave it as it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say

_generator = np.random.Generator(np.random.PCG64())
_seed: int | None = None


def generator() -> np.random.Generator:
    """The generator that every random op and initializer draws from."""
    return _generator


def seed(value: int) -> None:
    """Restart the generator from ``value``."""
    global _generator, _seed
    _seed = value
    _generator = np.random.Generator(np.random.PCG64(value))


def current_seed() -> int | None:
    """The value last given to :func:`seed`."""
    return _seed


def state() -> tuple[int | None, dict[str, Any]]:
    """Everything :func:`restore` needs."""
    return _seed, dict(_generator.bit_generator.state)


def restore(saved: tuple[int | None, dict[str, Any]]) -> None:
    """Go back to a state given by :func:`state`."""
    global _seed
    _seed, _generator.bit_generator.state = saved


def dropout(x: ndarray, p: float = 0.5) -> tuple[ndarray, dict[str, ndarray]]:
    """Each element 0 with probability p, else x / (1 − p); saves the mask, already scaled."""
    if not 0 <= p < 1:
        raise ValueError(say("errors.interval", name="p", interval="[0, 1)", got=p))
    kept = _generator.random(x.shape, np.float32) >= p
    mask = kept.astype(x.dtype) * x.dtype.type(1 / (1 - p))
    return x * mask, {"mask": mask}


def dropout2d(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Whole channels of (N, C, …) dropped, the rest divided by keep_prob; also the Bool mask, of x's shape."""
    if not 0 <= keep_prob <= 1:
        raise ValueError(say("errors.interval", name="keep_prob", interval="[0, 1]", got=keep_prob))
    if x.ndim < 2:
        raise ValueError(say("errors.channel_axis"))
    kept = _generator.random(x.shape[:2], np.float32) < keep_prob
    mask = np.array(np.broadcast_to(kept.reshape(kept.shape + (1,) * (x.ndim - 2)), x.shape))
    factor = x.dtype.type(1 / keep_prob if keep_prob else 0)
    return x * mask * factor, mask
