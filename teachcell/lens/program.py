"""The program under the lens: a Cell or function, its inputs and loss, and the names of all its parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..nn.cell import Cell
from ..texts import say


class Program:
    """``loss(net(*inputs), *targets)``, or the sum of ``net(*inputs)`` without a loss.

    Attributes:
        title: class or function name.
        cells: path to Cell: the net ("") and all below, the loss ("loss…"), Cells a function uses by name.
    """

    def __init__(
        self, net: Callable[..., Any], inputs: Sequence[Any], loss: Callable[..., Any] | None, targets: Sequence[Any]
    ):
        if isinstance(net, type) or not callable(net):
            raise TypeError(say("lens.not_a_program", got=getattr(net, "__name__", type(net).__name__)))
        if loss is not None and (isinstance(loss, type) or not callable(loss)):
            raise TypeError(say("lens.not_a_loss", got=getattr(loss, "__name__", type(loss).__name__)))
        if targets and loss is None:
            raise ValueError(say("lens.targets_without_loss"))
        self.net, self.inputs, self.loss, self.targets = net, tuple(inputs), loss, tuple(targets)
        self.is_cell = isinstance(net, Cell)
        self.title = type(net).__name__ if self.is_cell else getattr(net, "__name__", type(net).__name__)
        self.cells: dict[str, Any] = {}
        for prefix, cell in self._roots():
            for path, part in cell.cells_and_names(prefix):
                if not any(part is known for known in self.cells.values()):
                    self.cells[path] = part

    def _roots(self) -> Iterator[tuple[str, Any]]:
        if isinstance(self.net, Cell):
            yield "", self.net
        else:
            yield from _cells_by_name(self.net)
        if isinstance(self.loss, Cell):
            yield "loss", self.loss
        elif self.loss is not None:
            yield from _cells_by_name(self.loss)

    def path_of(self, cell: Any) -> str:
        """The path of a Cell; its class name if it was made on the way."""
        return next((path for path, known in self.cells.items() if known is cell), type(cell).__name__)

    def input_names(self) -> list[str]:
        """Names of the inputs, then of the targets, as construct or the function calls them."""
        names = _parameter_names(self.net.construct if self.is_cell else self.net, len(self.inputs), "x")  # type: ignore[attr-defined]
        if self.loss is not None:
            loss = self.loss.construct if isinstance(self.loss, Cell) else self.loss
            names += _parameter_names(loss, len(self.targets) + 1, "target")[1:]
        return names

    def parameter_names(self) -> dict[int, str]:
        """``id(Parameter)`` to its path."""
        found: dict[int, str] = {}
        for prefix, cell in self._roots():
            for path, p in cell.parameters_and_names(prefix):
                found.setdefault(id(p), path)
        return found


def _cells_by_name(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """The Cells that a function reaches by a name: in its closure, its globals, or as a method's object."""
    found: dict[str, Any] = {}
    try:
        names = inspect.getclosurevars(inspect.unwrap(getattr(function, "__func__", function)))
    except (TypeError, ValueError):
        return []
    for name, value in {**names.globals, **names.nonlocals}.items():
        if isinstance(value, Cell):
            found[name] = value
    return list(found.items())


def _parameter_names(function: Callable[..., Any], count: int, fallback: str) -> list[str]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    plain = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), fallback)
    return plain[:count] + [f"{rest}{i}" for i in range(len(plain), count)]
