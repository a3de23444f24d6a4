"""Ready variants of a backward rule, called like a Cell's ``bprop``: (inputs…, out, dout)."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ... import ops
from ...core.gradients import reduces
from ...core.tensor import Tensor
from ...texts import say

Shapes = Sequence[tuple[int, ...]]


def straight_through(*given: Any) -> tuple[Any, ...]:
    """As if nothing had happened: each input gets what arrived."""
    *inputs, out, dout = given
    return tuple(dout for x in inputs)


def zero(*given: Any) -> tuple[Any, ...]:
    """No input gets anything."""
    *inputs, out, dout = given
    return tuple(ops.zeros_like(x) if isinstance(x, Tensor) else None for x in inputs)


def reversal(*given: Any) -> tuple[Any, ...]:
    """Each input gets the opposite of what arrived."""
    *inputs, out, dout = given
    return tuple(-dout for x in inputs)


def sigmoid_surrogate(x: Any, out: Any, dout: Any) -> tuple[Any, ...]:
    """As if the step at 0 were sigmoid(5x)."""
    s = ops.sigmoid(5.0 * x)
    return (dout * 5.0 * s * (1.0 - s),)


def triangle_surrogate(x: Any, out: Any, dout: Any) -> tuple[Any, ...]:
    """A hat around the step at 0: 1 there, 0 from ±1 on."""
    return (dout * ops.relu(1.0 - ops.abs(x)),)


def arctan_surrogate(x: Any, out: Any, dout: Any) -> tuple[Any, ...]:
    """As if the step at 0 were arctan(πx) / π."""
    return (dout / (1.0 + ops.square(math.pi * x)),)


@dataclass(frozen=True)
class Ready:
    """A ready variant.

    Attributes:
        id: what it is called in code.
        function: the rule.
        fits: whether it can answer for float inputs of these shapes and one output of that shape (None: several).
        line: the gradient of the input ``{x}`` as code.
    """

    id: str
    function: Callable[..., Any]
    fits: Callable[[Shapes, tuple[int, ...] | None], bool]
    line: str

    def code(self, names: Sequence[str]) -> str:
        """How a learner would write it for inputs of these names."""
        returned = [self.line.format(x=name) for name in names] or ["None"]
        text = ", ".join(returned) + ("," if len(returned) == 1 else "")
        return f"def {self.function.__name__}({', '.join([*names, 'out', 'dout'])}):\n    return ({text})"

    def written(self) -> str:
        """The function itself as a cell of its own, for inputs of any kind and number."""
        text = inspect.getsource(self.function).replace(": Any", "").replace(" -> tuple[Any, ...]", "").rstrip()
        ours = ", ".join(name for name in ("Tensor", "ops") if re.search(rf"\b{name}\b", text))
        imports = ["import math"] if "math." in text else []
        imports += [f"from teachcell import {ours}"] if ours else []
        return "\n".join([*imports, "", "", text, "", ""])

    @property
    def label(self) -> str:
        """The name a reader sees."""
        return say(f"lab.ready_{self.id}")

    @property
    def about(self) -> str:
        """What it does and is for, in a sentence or two."""
        return say(f"lab.about_{self.id}")


def _any(inputs: Shapes, output: tuple[int, ...] | None) -> bool:
    return bool(inputs)


def _alike(inputs: Shapes, output: tuple[int, ...] | None) -> bool:
    return bool(inputs) and output is not None and all(reduces(output, x) for x in inputs)


def _one_alike(inputs: Shapes, output: tuple[int, ...] | None) -> bool:
    return len(inputs) == 1 and output == inputs[0]


READY = {
    ready.id: ready
    for ready in (
        Ready("straight_through", straight_through, _alike, "dout"),
        Ready("zero", zero, _any, "ops.zeros_like({x})"),
        Ready("reversal", reversal, _alike, "-dout"),
        Ready("sigmoid", sigmoid_surrogate, _one_alike, "dout * 5 * ops.sigmoid(5 * {x}) * (1 - ops.sigmoid(5 * {x}))"),
        Ready("triangle", triangle_surrogate, _one_alike, "dout * ops.relu(1 - ops.abs({x}))"),
        Ready("arctan", arctan_surrogate, _one_alike, "dout / (1 + (math.pi * {x}) ** 2)"),
    )
}
ALSO = {"identity": "straight_through"}  # two names of one rule


def ready_id(name: str) -> str:
    """The id of the variant that is called so, in code or where it is shown; the name itself if there is none."""
    plain = name.replace("-", "_").replace(" ", "_")
    shown = {short: ready.id for ready in READY.values() for short in _shown(ready.label)}
    return ALSO.get(plain, plain if plain in READY else shown.get(name, name))


def _shown(label: str) -> list[str]:
    """A label, and without what stands in brackets: "straight-through" of "straight-through (identity)"."""
    return [label, re.split(r" ?[(（]", label)[0]]


def ready_for(inputs: Shapes, output: tuple[int, ...] | None) -> list[str]:
    """Ids of the variants that fit."""
    return [ready.id for ready in READY.values() if ready.fits(inputs, output)]
