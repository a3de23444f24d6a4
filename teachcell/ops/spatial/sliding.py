"""Arguments of ops with sliding windows, checked and brought to one form: a tuple with an entry per axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.tensor import Tensor
from ...kernels.sliding import Pad, Sizes, spans
from ...texts import say


def one_of_any_case(name: str, value: Any, known: Sequence[Any]) -> Any:
    """Whichever of ``known`` is meant, small or large letters; TypeError for another type, else ValueError."""
    if type(value) is str and value in known:
        return value
    for choice in known:
        if value == choice or (isinstance(value, str) and value.lower() == str(choice).lower()):
            return choice
    kind = ValueError if isinstance(value, type(known[0])) else TypeError
    raise kind(say("errors.choice", name=name, known=", ".join(map(repr, known)), got=repr(value)))


def per_axis(name: str, value: Any, axes: int, least: int = 1) -> Sizes:
    """An int, or one per axis, as a tuple; TypeError for other types, ValueError for other numbers."""
    if type(value) is int and value >= least:
        return (value,) * axes
    if type(value) is tuple and len(value) == axes and all([type(v) is int and v >= least for v in value]):
        return value
    if isinstance(value, Tensor):
        value = value.tolist()
    several = tuple(value) if isinstance(value, (tuple, list)) else (value,) * axes
    if len(several) == 1:
        several *= axes
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in several):
        raise TypeError(say("errors.per_axis", name=name, axes=axes, least=least, got=repr(value)))
    if len(several) != axes or any(v < least for v in several):
        raise ValueError(say("errors.per_axis", name=name, axes=axes, least=least, got=repr(value)))
    return several


def explicit_padding(pad_mode: Any, padding: Any, axes: int) -> Pad:
    """``padding``, an int, one per axis, or two (before and after), checked; only pad_mode "pad" may have any."""
    mode = one_of_any_case("pad_mode", pad_mode, ("same", "valid", "pad"))
    if isinstance(padding, (tuple, list)) and len(padding) == axes != 1:
        padding = [p for p in padding for _ in range(2)]
    pad = per_axis("padding", padding, 2 * axes, least=0)
    if mode != "pad" and any(pad):
        raise ValueError(say("errors.needs_pad_mode", name="padding", got=padding, pad_mode=repr(pad_mode)))
    return pad


def same_padding(sizes: Sequence[int], kernel: Sizes, stride: Sizes, dilation: Sizes) -> Pad:
    """Padding for ⌈size / stride⌉ windows, the odd element behind."""
    pad: list[int] = []
    for size, span, step in zip(sizes, spans(kernel, dilation), stride, strict=True):
        total = max((-(-size // step) - 1) * step + span - size, 0)
        pad += [total // 2, total - total // 2]
    return tuple(pad)


def padding_for(x: Tensor, pad_mode: Any, padding: Any, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Pad:
    """The padding of the last axes of ``x`` in any of the three modes."""
    pad = explicit_padding(pad_mode, padding, len(kernel))
    if pad_mode.lower() == "same" and x.ndim >= len(kernel):
        return same_padding(x.shape[-len(kernel) :], kernel, stride, dilation)
    return pad


def ceil_padding(sizes: Sequence[int], kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> Pad:
    """``pad`` and as much more behind as one further window needs that starts within the elements or before them."""
    more = list(pad)
    for i, (size, span, step) in enumerate(zip(sizes, spans(kernel, dilation), stride, strict=True)):
        before, after = pad[2 * i : 2 * i + 2]
        hops = -(-(size + before + after - span) // step)
        if hops * step >= size + before:
            hops -= 1
        more[2 * i + 1] = max(hops * step + span - size - before, after)
    return tuple(more)
