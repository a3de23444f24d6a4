"""The seed of every random op, layer and initializer, and generators of one's own."""

from __future__ import annotations

import secrets
from itertools import accumulate
from typing import Any

import numpy as np

from ..core.dtypes import uint8
from ..core.tensor import Tensor, wrap
from ..kernels import random
from ..texts import say

_SIZES = (8, 16, 16, 1, 4)  # bytes of the numbers in a state: the seed, and the four of PCG64


def set_seed(seed: int) -> None:
    """Restart all random draws from ``seed`` (an int >= 0), those of ``numpy.random`` too, as MindSpore does."""
    random.seed(_checked(seed))
    np.random.seed(seed % 2**32)


def get_seed() -> int | None:
    """The seed last set."""
    return random.current_seed()


def _checked(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(say("errors.seed", got=repr(seed)))
    if seed < 0:
        raise ValueError(say("errors.seed", got=repr(seed)))
    return seed


class Generator:
    """Random numbers of their own, for what takes a ``generator``: ``x.normal_(generator=g)``."""

    def __init__(self) -> None:
        self.seed()

    def draws(self) -> np.random.Generator:
        """NumPy's generator behind it."""
        return random.watched(self._draws)

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from ``seed`` (an int >= 0); returns self."""
        self._seed = _checked(seed)
        self._draws = np.random.Generator(np.random.PCG64(seed))
        return self

    def seed(self) -> int:
        """Start anew from a random seed, and return it."""
        return self.manual_seed(secrets.randbits(48)).initial_seed()

    def initial_seed(self) -> int:
        """The seed of the last start."""
        return self._seed

    def get_state(self) -> Tensor:
        """Where the draws stand, for :meth:`set_state`; UInt8."""
        where: Any = self.draws().bit_generator.state
        numbers = self.initial_seed(), *where["state"].values(), where["has_uint32"], where["uinteger"]
        data = b"".join([n.to_bytes(size, "little") for n, size in zip(numbers, _SIZES, strict=True)])
        return wrap(np.frombuffer(data, np.uint8).copy())

    def set_state(self, state: Tensor) -> None:
        """Go back to a state that :meth:`get_state` gave; ValueError for anything else."""
        data = state.asnumpy().tobytes() if isinstance(state, Tensor) and state.dtype is uint8 else b""
        if len(data) != sum(_SIZES):
            raise ValueError(say("errors.random_state"))
        ends = [*accumulate(_SIZES)]
        seed, at, step, *rest = [int.from_bytes(data[b - n : b], "little") for n, b in zip(_SIZES, ends, strict=True)]
        self.manual_seed(seed)
        self.draws().bit_generator.state = {
            "bit_generator": "PCG64", "state": {"state": at, "inc": step}, "has_uint32": rest[0], "uinteger": rest[1],
        }  # fmt: skip


class _Shared(Generator):
    """The generator that everything draws from."""

    def __init__(self) -> None:
        pass

    def draws(self) -> np.random.Generator:
        return random.generator()

    def manual_seed(self, seed: int) -> Generator:
        set_seed(seed)
        return self

    def initial_seed(self) -> int:
        return random.initial_seed()


default_generator = _Shared()


def manual_seed(seed: int) -> Generator:
    """Restart all random draws from ``seed``, as ``set_seed``; returns the generator they come from."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Restart all random draws from a random seed, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed of the last start of the random draws."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Where the random draws stand, for ``set_rng_state``."""
    return default_generator.get_state()


def set_rng_state(state: Tensor) -> None:
    """Go back to a state that ``get_rng_state`` gave."""
    default_generator.set_state(state)
