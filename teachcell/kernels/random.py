"""Random draws, and the one generator behind them.

``set_seed`` restarts it; ``state`` and ``restore`` let a run leave it as it was.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

State = tuple[int | None, Any, dict[Hashable, Any]]

_first = secrets.randbits(48)
_generator = np.random.Generator(np.random.PCG64(_first))
_seed: int | None = None
witness: Callable[[Callable[[], np.random.Generator] | None], Any] | None = None  # a jit function being captured
_streams: dict[Hashable, np.random.Generator] = {}  # of ops with a seed of their own, by who draws


def generator() -> np.random.Generator:
    """The generator that every random op and initializer draws from."""
    return _generator if witness is None else witness(lambda: _generator)


def watched(own: np.random.Generator) -> np.random.Generator:
    """A generator of somebody's own: no run can be had again with it."""
    if witness is not None:
        witness(None)
    return own


def seed(value: int) -> None:
    """Restart the generator from ``value``, and with it the streams of ops with a seed of their own."""
    global _generator, _seed
    if witness is not None:
        witness(None)
    _seed = value
    _generator = np.random.Generator(np.random.PCG64(value))
    _streams.clear()


def current_seed() -> int | None:
    """The value last given to :func:`seed`."""
    return _seed


def initial_seed() -> int:
    """What the generator was last started from: the value given to :func:`seed`, before that a random one."""
    return _first if _seed is None else _seed


def stream(drawer: Hashable, own_seed: int | None) -> np.random.Generator:
    """What ``drawer`` draws from: with a seed of its own a stream that goes on from draw to draw."""
    if witness is not None:
        return witness(lambda: _stream(drawer, own_seed))
    return _stream(drawer, own_seed)


def _stream(drawer: Hashable, own_seed: int | None) -> np.random.Generator:
    if own_seed is None or own_seed <= 0:
        return _generator
    key = drawer, own_seed
    if key not in _streams:
        _streams[key] = np.random.Generator(np.random.PCG64([own_seed] if _seed is None else [_seed, own_seed]))
    return _streams[key]


def state() -> State:
    """Everything :func:`restore` needs."""
    streams = {key: dict(stream.bit_generator.state) for key, stream in _streams.items()}
    return _seed, dict(_generator.bit_generator.state), streams


def restore(saved: State) -> None:
    """Go back to a state given by :func:`state`."""
    global _seed
    if witness is not None:
        witness(None)
    _seed, _generator.bit_generator.state, streams = saved
    _streams.clear()
    for key, position in streams.items():
        _streams[key] = np.random.Generator(np.random.PCG64(0))
        _streams[key].bit_generator.state = position
