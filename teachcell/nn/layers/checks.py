"""What layers refuse, in one wording for all of them."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor
from ...texts import say


def positive_int(cls: str, name: str, value: Any) -> int:
    """``value`` if it is an int above 0; TypeError for what is no int, else ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        error = ValueError if type(value) is int else TypeError
        raise error(say("errors.positive_int", cls=cls, name=name, got=repr(value)))
    return value


def check_shape(cls: str, name: str, got: Any, wanted: tuple[int | str, ...]) -> None:
    """Refuse what is no Tensor of a shape such as ``("N", 3)``, in which a letter stands for any length.

    Raises:
        TypeError: no Tensor.
        ValueError: another shape.
    """
    if not isinstance(got, Tensor):
        raise TypeError(say("errors.input_kind", cls=cls, name=name, got=type(got).__name__))
    fits = len(got.shape) == len(wanted) and all(
        isinstance(want, str) or want == length for length, want in zip(got.shape, wanted, strict=True)
    )
    if not fits:
        text = ", ".join(map(str, wanted)) + ("," if len(wanted) == 1 else "")
        raise ValueError(say("errors.input_shape", cls=cls, name=name, got=got.shape, wanted=f"({text})"))
