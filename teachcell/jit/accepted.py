"""Names that tell a compiler or a device something, and here change nothing: code that has them still runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..core.public import public

Anything = TypeVar("Anything")


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Nothing: there is one device, the CPU."""


def set_deterministic(deterministic: bool) -> None:
    """Nothing: results are always the same for the same seed."""


def launch_blocking() -> None:
    """Nothing: every op is done when its call returns."""


def mutable(input_data: Anything, dynamic_len: bool = False) -> Anything:
    """``input_data``: everything may change from call to call."""
    return input_data


def jit_class(cls: Anything) -> Anything:
    """``cls``: any class may be used anywhere."""
    return cls


@public("constexpr")
def constexpr(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
    """``fn``: there is no compilation in which it could be called early. Also as ``@constexpr(...)``."""
    return fn if fn is not None else constexpr


def lazy_inline(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
    """``fn``: there is nothing to inline. Also as ``@lazy_inline(...)``."""
    return fn if fn is not None else lazy_inline


class JitConfig:
    """Options for ``Cell.set_jit_config``, kept and without effect."""

    def __init__(self, **options: Any):
        self.options = options


def get_jit_config() -> dict[str, Any]:
    """An empty dict: there are no options."""
    return {}
