"""What is wrong with a gradient, recognised from the numbers: each function below knows one mistake.

They are asked in order, from mistakes that hide others to those that say least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import number
from .evidence import Evidence

CLEAR = 1e-3  # beside the largest element, what is large enough to divide by
MOST_PLACES = 4


@dataclass(frozen=True)
class Cause:
    """A verdict on one gradient.

    Attributes:
        key: which: ``"right"``, ``"factor"``, ``"ignores_dout"`` …; the same in every language.
        values: what its text is filled with.
    """

    key: str
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return self.key.startswith("right")

    def __str__(self) -> str:
        return say(f"check.{self.key}", **self.values)


@dataclass(eq=False)
class Checked:
    """What is known beside one gradient; a subclass knows more, or can find out.

    Attributes:
        evidence: on all gradients that are compared with each other.
        arriving: the gradients that arrived, per output; empty where no Jacobian belongs to them.
        scale: what gradients are multiplied by before they are shown.
    """

    evidence: Sequence[Evidence] = ()
    arriving: Sequence[np.ndarray] = ()
    scale: float = 1.0

    def cause(self, e: Evidence) -> Cause:
        """The verdict on one of the gradients."""
        if e.right(0).all() and e.right(1).all():
            return _right(e)
        return next(cause for recognise in RECOGNISERS if (cause := recognise(e, self)) is not None)

    def reached(self, e: Evidence) -> bool:
        """Whether any gradient arrives, be it zeros."""
        return True

    def doubled(self, e: Evidence) -> np.ndarray:
        """The engine's gradient for twice the incoming one."""
        return 2 * e.got[0]

    def with_transposed(self, e: Evidence, other: Evidence) -> np.ndarray | None:
        """The numeric gradient there would be if another variable were transposed."""
        return None

    def factor_name(self, factor: float) -> str:
        """What a factor may be made of, or ""."""
        return ""


def places(e: Evidence, mask: np.ndarray) -> str:
    """The indices of the first few elements that are True."""
    found = e.indices(mask)
    return ", ".join([*map(str, found[:MOST_PLACES]), *(["…"] if len(found) > MOST_PLACES else [])])


def _right(e: Evidence) -> Cause:
    kinks = e.numeric[0].kink
    if kinks.any():
        return Cause("right_kink", {"places": places(e, kinks)})
    return Cause("right" if e.wanted.any() or e.got[0].any() else "right_unused")


def _not_finite(e: Evidence, checked: Checked) -> Cause | None:
    numeric, got = np.isfinite(e.wanted), np.isfinite(e.got[0])
    if (numeric & ~got).any():
        return Cause("nan", {"places": places(e, numeric & ~got)})
    return Cause("undefined", {"places": places(e, ~numeric)}) if not numeric.all() else None


def _nothing(e: Evidence, checked: Checked) -> Cause | None:
    """No gradient, or zeros, where the numeric one is something."""
    if any(got.any() for got in e.got):
        return None
    return Cause("zero" if checked.reached(e) else "cut")


def _surrogate(e: Evidence, checked: Checked) -> Cause | None:
    return Cause("surrogate") if e.smooth.any() and not e.wanted[e.smooth].any() else None


def _ignores_dout(e: Evidence, checked: Checked) -> Cause | None:
    first, second = e.got
    if np.allclose(first, second, e.tolerance.rtol, e.tolerance.atol):
        return Cause("ignores_dout")
    if e.jacobian is None or len(checked.arriving) < 2:
        return None
    for i in range(len(checked.arriving)):
        if e.fits(e.wanted - _from_output(e, checked, i).sum(0).reshape(e.x.shape)):
            return Cause("ignores_output", {"output": i})
    return None


def _not_linear(e: Evidence, checked: Checked) -> Cause | None:
    if not np.allclose(checked.doubled(e), 2 * e.got[0], e.tolerance.rtol, e.tolerance.atol):
        return Cause("not_linear")
    return Cause("only_for_some") if e.right(0).all() else None


def _sign(e: Evidence, checked: Checked) -> Cause | None:
    return Cause("sign") if e.fits(-e.wanted) else None


def _exchanged(e: Evidence, checked: Checked) -> Cause | None:
    others = (o for o in checked.evidence if o is not e and not np.array_equal(o.wanted, e.wanted))
    return next((Cause("exchanged", {"other": o.variable.name}) for o in others if e.fits(o.wanted)), None)


def _factor(e: Evidence, checked: Checked) -> Cause | None:
    wanted, got = e.wanted[e.smooth], e.got[0][e.smooth]
    clear = np.abs(wanted) > CLEAR * np.abs(wanted).max(initial=0)
    if not clear.any():
        return None
    factor = float(np.median(got[clear] / wanted[clear]))
    if not e.fits(factor * e.wanted):
        return None
    name = checked.factor_name(factor)
    if not name and np.count_nonzero(clear) < 2 and factor != round(factor):
        return None  # any number is some multiple of another
    text = f"{factor:.4g}".replace("-", "−")
    return Cause("factor_named", {"factor": text, "name": name}) if name else Cause("factor", {"factor": text})


def _transposed(e: Evidence, checked: Checked) -> Cause | None:
    if e.x.ndim > 1 and e.fits(np.swapaxes(e.wanted, -1, -2).reshape(e.x.shape)):
        return Cause("transposed")
    if e.jacobian is not None and len(checked.arriving) == 1 and _is_square(checked.arriving[0].shape):
        turned = np.swapaxes(checked.arriving[0], -1, -2).reshape(-1)
        if e.fits((turned @ e.jacobian).reshape(e.x.shape)):
            return Cause("transposed_other", {"other": "dout"})
    for other in checked.evidence:
        wanted = checked.with_transposed(e, other) if other is not e and _is_square(other.x.shape) else None
        if wanted is not None and e.fits(wanted):
            return Cause("transposed_other", {"other": other.variable.name})
    return None


def _is_square(shape: tuple[int, ...]) -> bool:
    return len(shape) > 1 and shape[-1] == shape[-2] > 1


def _sum_missing(e: Evidence, checked: Checked) -> Cause | None:
    """Only one slice of an output counts, where all do."""
    if e.jacobian is None:
        return None
    for i, arriving in enumerate(checked.arriving):
        by_element = _from_output(e, checked, i)
        rest, by_element = e.wanted - by_element.sum(0).reshape(e.x.shape), by_element.reshape(*arriving.shape, -1)
        for axis, length in enumerate(arriving.shape if arriving.size and e.x.size else ()):
            slices = np.moveaxis(by_element, axis, 0).reshape(length, -1, e.x.size).sum(1)
            for index, part in enumerate(slices if length > 1 else ()):
                if e.fits(part.reshape(e.x.shape) + rest):
                    stretched = _is_stretched(e.x.shape, arriving.shape, axis)
                    return Cause("sum_broadcast" if stretched else "sum_missing", {"axis": axis, "index": index})
    return None


def _from_output(e: Evidence, checked: Checked, output: int) -> np.ndarray:
    """What each element (row) of one output adds to the numeric gradient."""
    assert e.jacobian is not None
    start, arriving = sum(a.size for a in checked.arriving[:output]), checked.arriving[output].reshape(-1, 1)
    return arriving * e.jacobian[start : start + arriving.size]


def _is_stretched(shape: tuple[int, ...], output: tuple[int, ...], axis: int) -> bool:
    """Whether a value of ``shape`` is broadcast along ``axis`` of an output."""
    own = axis - (len(output) - len(shape))
    try:
        fits = np.broadcast_shapes(shape, output) == output
    except ValueError:
        return False
    return fits and (own < 0 or shape[own] == 1)


def _misplaced(e: Evidence, checked: Checked) -> Cause | None:
    """The right numbers at the wrong elements."""
    got, wanted = (np.sort(a, axis=None) for a in (e.got[0], e.wanted))
    same = np.abs(got - wanted) <= e.tolerance.room(wanted)
    return Cause("misplaced") if same.all() else None


def _constant(e: Evidence, checked: Checked) -> Cause | None:
    got = e.got[0]
    if got.size > 1 and np.ptp(got) <= e.tolerance.atol:
        return Cause("constant", {"value": number(float(got.flat[0]) * checked.scale)})
    return None


def _elements(e: Evidence, checked: Checked) -> Cause:
    right = e.right(0)
    wrong, count = ~right, int(np.count_nonzero(~right))
    if not right.any():
        return Cause("differs_everywhere")
    values = {"count": count, "of": right.size, "where": next(_where(e, right), "")}
    if np.count_nonzero(right) < count:
        return Cause("only_at", values | {"places": places(e, right)})
    return Cause("differs", values | {"places": places(e, wrong)})


def _where(e: Evidence, right: np.ndarray) -> Iterator[str]:
    """What the wrong elements have in common."""
    x, wrong, name = e.x, ~right, e.variable.name
    if x[wrong].min() > x[right].max():
        yield say("check.where_above", name=name, bound=number(float(x[wrong].min())))
    if x[wrong].max() < x[right].min():
        yield say("check.where_below", name=name, bound=number(float(x[wrong].max())))
    if np.array_equal(wrong, e.wanted == 0):
        yield say("check.where_zero")


RECOGNISERS: tuple[Callable[[Evidence, Checked], Cause | None], ...] = (
    _not_finite, _nothing, _surrogate, _ignores_dout, _not_linear, _sign, _exchanged, _transposed, _sum_missing,
    _factor, _misplaced, _constant, _elements,
)  # fmt: skip
