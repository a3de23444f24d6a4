"""The program under the lens: a Cell or function, its inputs and loss, and the names of all its parts."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import CodeType, FunctionType, MethodType
from typing import Any

from ..core.tensor import Tensor
from ..nn.cell import Cell
from ..texts import say


class Program:
    """``loss(net(*inputs), *targets)``, or the sum of ``net(*inputs)`` without a loss.

    Args:
        net: a Cell or a function.
        inputs: what it takes.
        loss: a Cell or a function, or None.
        targets: what the loss takes after the output: one value, or a tuple or list of them.

    Attributes:
        title: class or function name.
        cells: path to Cell: the net ("") and all below, the loss ("loss…"), Cells that a function uses by name.

    Raises:
        TypeError, ValueError: something that cannot be called, or not with these arguments.
    """

    def __init__(
        self, net: Callable[..., Any], inputs: Sequence[Any], loss: Callable[..., Any] | None = None, targets: Any = ()
    ):
        _check_callable(net, "lens.not_a_program")
        targets = tuple(targets) if isinstance(targets, (tuple, list)) else (targets,)
        _check_arguments(net, tuple(inputs), "lens.bad_inputs")
        if loss is not None:
            _check_callable(loss, "lens.not_a_loss")
            _check_arguments(loss, (None, *targets), "lens.bad_targets")
        elif targets:
            raise ValueError(say("lens.targets_without_loss"))
        self.net, self.inputs, self.loss, self.targets = net, tuple(inputs), loss, targets
        self.is_cell = isinstance(net, Cell)
        self.title = getattr(net, "__name__", type(net).__name__)
        self.cells: dict[str, Any] = {}
        self._paths: dict[int, str] = {}
        self._spelling: dict[str, str] = {}
        self._parameters: dict[str, Any] = {}
        for path, spelling, part in self._named_parts():
            if isinstance(part, Cell):
                self._add_cell(path, spelling, part)
            else:
                self._parameters.setdefault(path, part)

    def _add_cell(self, prefix: str, spelling: str, root: Any) -> None:
        for path, cell in root.cells_and_names(prefix):
            if id(cell) not in self._paths:
                self.cells[path], self._paths[id(cell)] = cell, path
                self._spelling[path] = _spelled(spelling, path.removeprefix(prefix).strip("."))

    def _named_parts(self) -> Iterator[tuple[str, str, Any]]:
        """(path, how a learner writes it, Cell or Parameter) of what the program is made of."""
        if isinstance(self.net, Cell):
            yield "", "net", self.net
        else:
            yield from _parts_by_name(self.net)
        if isinstance(self.loss, Cell):
            yield "loss" if "loss" not in self.cells else "loss_fn", "loss", self.loss
        elif self.loss is not None:
            yield from _parts_by_name(self.loss)

    def cell(self, path: str) -> Any:
        """The Cell at a path ("" is the net); KeyError with the paths there are."""
        if path not in self.cells:
            raise KeyError(say("lens.no_cell", path=path, known=", ".join(map(repr, self.cells))))
        return self.cells[path]

    def path_of(self, cell: Any) -> str:
        """The path of a Cell; its class name if it was made on the way."""
        return self._paths.get(id(cell), getattr(cell, "__name__", type(cell).__name__))

    def spelling(self, path: str) -> str:
        """How a learner writes the Cell at a path: ``net.body[0].fc1``."""
        return self._spelling[path]

    def input_names(self) -> list[str]:
        """Names of the inputs, as construct or the function calls them."""
        return _argument_names(self.net, len(self.inputs), "x")

    def target_names(self) -> list[str]:
        """Names of the targets, as the loss calls them."""
        return _argument_names(self.loss, len(self.targets) + 1, "target")[1:] if self.loss is not None else []

    def parameter_names(self) -> Iterator[tuple[Any, str]]:
        """Every Parameter with its path; one that a function uses by name has that name, unless it has its own."""
        seen: set[int] = set()
        for path, cell in self.cells.items():
            for name, p in cell.parameters_and_names(path, expand=False):
                if id(p) not in seen:
                    seen.add(id(p))
                    yield p, name
        for name, p in self._parameters.items():
            if id(p) not in seen:
                yield p, p.name if p.named else name


def _check_callable(function: Any, key: str) -> None:
    if isinstance(function, type) or not callable(function) or isinstance(function, Tensor):
        raise TypeError(say(key, got=getattr(function, "__name__", type(function).__name__)))


def _signature(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function.construct if isinstance(function, Cell) else function)
    except (TypeError, ValueError):
        return None


def _check_arguments(function: Any, arguments: tuple[Any, ...], key: str) -> None:
    """TypeError where the call could not even start."""
    signature = _signature(function)
    if signature is None:
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(say(key, name=name, signature=signature, why=error)) from None


def _argument_names(function: Any, count: int, fallback: str) -> list[str]:
    signature = _signature(function)
    parameters = list(signature.parameters.values()) if signature is not None else []
    plain = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), fallback)
    return plain[:count] + [f"{rest}{i}" for i in range(len(plain), count)]


def _parts_by_name(function: Any) -> Iterator[tuple[str, str, Any]]:
    """The Cells and Parameters that a function reaches by a name: in its closure and globals, those of the functions
    that it calls, or as a method's object."""
    waiting, seen = [function], set()
    while waiting:
        function = inspect.unwrap(waiting.pop(0))
        if isinstance(function, MethodType):
            yield from _named("self", function.__self__)
            function = function.__func__
        if not isinstance(function, FunctionType) or function in seen:
            continue
        seen.add(function)
        for name, value in _names_used(function):
            yield from _named(name, value)
            if isinstance(value, FunctionType) and not (value.__module__ or "").startswith("teachcell."):
                waiting.append(value)


def _names_used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Closure variables and globals that the function's code, or code inside it, loads."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not assigned yet
            yield name, cell.cell_contents
    codes = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for step in dis.get_instructions(code):
            if step.opname == "LOAD_GLOBAL" and step.argval in function.__globals__:
                yield step.argval, function.__globals__[step.argval]


def _named(name: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, Cell) or (isinstance(value, Tensor) and value.is_parameter):
        yield name, name, value
    elif isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            if isinstance(part, Cell):
                yield f"{name}.{i}", f"{name}[{i}]", part


def _spelled(start: str, path: str) -> str:
    for part in path.split(".") if path else ():
        start += f"[{part}]" if part.isdigit() else f".{part}"
    return start
