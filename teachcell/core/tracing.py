"""Where a jit function that is being captured listens: every kernel that runs becomes a step of its plan.

``current`` is set for the time of one recorded run (see ``jit/capture.py``). Then Tensors hold stand-ins that carry
an array and know which step made it; what is said here keeps stand-ins whole where the engine would ask for a plain
array. Otherwise each of these costs one truth test.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np


class Tracer(Protocol):
    """What the engine tells a capture."""

    F: Any  # in the place of ``ARRAYS``: rules of the sweep become steps too

    def kernel(self, label: str, kernel: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Run a kernel."""

    def plain(self, value: Any) -> bool:
        """Whether a value is no stand-in."""

    def made(self, tensor: Any) -> None:
        """A Tensor was made that may hold a stand-in."""

    def whole(self, method: Callable[..., Any], owner: Any, args: Any) -> Any:
        """Run a method of :func:`whole`."""

    def refuse(self, reason: str) -> None:
        """Something happened that no plan can do again."""


current: Tracer | None = None


def asarray(value: Any) -> Any:
    """``np.asarray``, but a stand-in stays one."""
    return np.asarray(value) if current is None or current.plain(value) else value.as_array()


def own(value: Any) -> Any:
    """A copy as an array; of a stand-in a stand-in."""
    return np.array(value) if current is None or current.plain(value) else value.copy()


def held(value: Any) -> Any:
    """An array itself, also where a Tensor holds a stand-in for it."""
    return value if current is None or current.plain(value) else value.value


def floor(arrays: Any) -> Any:
    """The kernels that rules are given in first order."""
    return arrays if current is None else current.F


def whole(method: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a method on arrays that a plan runs as one step, as it stands: its numbers are others in every run."""

    @functools.wraps(method)
    def run(self: Any, *args: Any) -> Any:
        return method(self, *args) if current is None else current.whole(method, self, args)

    return run
