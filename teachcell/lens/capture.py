"""Capture: real hooks on one Cell that keep what they see in each call of a run."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from ..texts import say
from .summary import summarise
from .words import number, shape


class Capture:
    """Four hooks on a Cell, attached through its public methods; :meth:`remove` takes them off again.

    Attributes:
        calls: per call, rows ``{"label", "text", "summary", "class"}`` of inputs, outputs, incoming and outgoing.
    """

    def __init__(self, cell: Any, path: str):
        self.cell, self.path = cell, path
        self.calls: list[dict[str, list[Tensor | None]]] = []
        hooks = (self._before, self._after, self._arriving, self._leaving)
        register = (
            cell.register_forward_pre_hook,
            cell.register_forward_hook,
            cell.register_backward_pre_hook,
            cell.register_backward_hook,
        )
        self._handles = [add(_ours(hook)) for add, hook in zip(register, hooks, strict=True)]

    def remove(self) -> None:
        """Take the hooks off; may be repeated."""
        for handle in self._handles:
            handle.remove()

    def clear(self) -> None:
        """Forget earlier runs."""
        self.calls.clear()

    def _before(self, cell: Any, inputs: tuple[Any, ...]) -> None:
        self.calls.append({"inputs": _copies(inputs)})

    def _after(self, cell: Any, inputs: tuple[Any, ...], output: Any) -> None:
        open_call = next((c for c in reversed(self.calls) if "outputs" not in c), None)
        if open_call is not None:
            open_call["outputs"] = _copies(output if isinstance(output, (tuple, list)) else (output,))

    def _arriving(self, cell: Any, incoming: tuple[Any, ...]) -> None:
        waiting = [c for c in self.calls if "incoming" not in c and _same_shapes(c.get("outputs", []), incoming)]
        if waiting:
            waiting[-1]["incoming"] = _copies(incoming)

    def _leaving(self, cell: Any, outgoing: tuple[Any, ...], incoming: tuple[Any, ...]) -> None:
        open_call = next((c for c in self.calls if "incoming" in c and "outgoing" not in c), None)
        if open_call is not None:
            open_call["outgoing"] = _copies(outgoing)

    def rows(self) -> list[dict[str, Any]]:
        """What was captured, for the panel."""
        return [
            {
                "call": say("lens.call_of", call=number + 1, of=len(self.calls)),
                "rows": [
                    _row(kind, tensor)
                    for kind in ("inputs", "outputs", "incoming", "outgoing")
                    for tensor in call.get(kind, [])
                ],
            }
            for number, call in enumerate(self.calls)
        ]


def _ours(hook: Any) -> Any:
    """A plain function, marked so that the lens does not list it among the learner's hooks."""

    def capture(*args: Any) -> None:
        hook(*args)

    capture.__teachcell_lens__ = True  # type: ignore[attr-defined]
    return capture


def _copies(values: Any) -> list[Tensor | None]:
    return [v.copy() if isinstance(v, Tensor) else None for v in values]


def _same_shapes(outputs: list[Any], gradients: tuple[Any, ...]) -> bool:
    tensors = [o for o in outputs if o is not None]
    return len(tensors) == len(gradients) and all(
        g is None or g.shape == o.shape for o, g in zip(tensors, gradients, strict=True)
    )


def _row(kind: str, tensor: Tensor | None) -> dict[str, Any]:
    summary = None if tensor is None else summarise(tensor.asnumpy())
    return {
        "label": say(f"lens.{kind}"),
        "class": "val" if kind in ("inputs", "outputs") else "grad",
        "text": "None" if summary is None else _text(summary),
        "summary": summary,
    }


def _text(summary: dict[str, Any]) -> str:
    if summary["size"] == 1:
        return f"{shape(summary['shape'])} {number(summary['first'])}"
    return say(
        "lens.captured", shape=shape(summary["shape"]), min=number(summary["min"]), max=number(summary["max"]),
        mean=number(summary["mean"]),
    )  # fmt: skip
