"""Other conventions at kinks: the engine's rule, but where a slope was agreed upon that of one side or the mean.

They are offered for ops of one input whose sides are straight lines.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ... import ops
from ...autodiff.grad import grad
from ...core.op import Op
from ...core.record import apply
from ...core.tensor import Tensor
from ...texts import say
from ...texts.numbers import number

SIDES = {"left": (-1.0,), "middle": (-1.0, 1.0), "right": (1.0,)}
NUDGE = 2.0**-10  # exact in every float


class AtKinks:
    """The rule of an op of one input, with other slopes at its kinks; called like a bprop.

    Attributes:
        places: where the kinks are.
        slopes: what is taken there.
        far: the same from twice as far away; not equal where the sides are curved.
    """

    def __init__(self, op: Op, places: list[float], side: str):
        self.op, self.side, self.places = op, side, places
        at = Tensor(np.array(places))
        self.slopes, self.far = ([float(s) for s in self._beside(at, ops.ones_like(at), n)] for n in (NUDGE, 2 * NUDGE))
        self.__name__ = f"{op.name}_at_kinks"

    def __call__(self, x: Any, out: Any, dout: Any, **attrs: Any) -> tuple[Any]:
        """The engine's gradient, but for kinks that of one side, or the mean of both."""
        return (self._beside(x, dout, NUDGE, {name: attrs[name] for name in self.op.attrs if name in attrs}),)

    def _beside(self, x: Any, dout: Any, nudge: float, attrs: dict[str, Any] | None = None) -> Any:
        kinks = Tensor(np.isin(x.asnumpy(), self.places)).astype(x.dtype)

        def weighed(x: Any) -> Any:
            return (apply(self.op, (x,), attrs or None) * dout).sum()

        found = [grad(weighed)(x + nudge * way * kinks) for way in SIDES[self.side]]
        return sum(found[1:], found[0]) / len(found)

    @property
    def label(self) -> str:
        """The name a reader sees."""
        places, slopes = (", ".join(map(number, numbers)) for numbers in (self.places, self.slopes))
        return say("lab.at_kinks", places=places, slopes=slopes)

    @property
    def shown(self) -> str:
        """What it does, as code."""
        pairs = zip(self.places, self.slopes, strict=True)
        cases = [f"    g = ops.where(x == {place:g}, {slope:g} * dout, g)" for place, slope in pairs]
        first = "    g = …  # by the engine's rule"
        return "\n".join([f"def {self.__name__}(x, out, dout):", first, *cases, "    return (g,)"])


def conventions(op: Op, attrs: Any) -> dict[str, AtKinks]:
    """Rules with other slopes at the kinks of an op, by id; none where it has arguments or more than one input."""
    return {} if attrs or op.arity != 1 or op.outputs != 1 or not op.kinks else _conventions(op)


@lru_cache(64)
def _conventions(op: Op) -> dict[str, AtKinks]:
    places, agreed = ([float(n) for kink in op.kinks for n in np.ravel(getattr(kink, f)[0])] for f in ("at", "slopes"))
    if any(kink.attrs for kink in op.kinks) or not np.isfinite(agreed).all():
        return {}
    if apply(op, (Tensor(np.array(places)),)).shape != (len(places),):  # its elements are not on their own
        return {}
    rules = {f"kink_{side}": AtKinks(op, places, side) for side in SIDES}
    if any(rule.slopes != rule.far for rule in rules.values()):
        return {}
    return {id: rule for id, rule in rules.items() if rule.slopes != agreed}
