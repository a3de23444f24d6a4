"""The program under the lens: a Cell or function, its inputs and loss, and the names of all its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..core.arity import argument_names, plain, signature_of
from ..core.tensor import Tensor
from ..nn.cell import Cell
from ..texts import say
from .parts import Part, attributes_of, parts_of_function
from .unknown import UnknownName


class UnfitLoss(TypeError):
    """The loss cannot take what the net returns."""


class Program:
    """``loss(net(*inputs), *targets)``, or the sum of ``net(*inputs)`` without a loss.

    Args:
        net: a Cell or a function.
        inputs: what it takes.
        loss: a Cell or a function, or None.
        targets: what the loss takes after the output: one value, or a tuple or list of them.

    Attributes:
        title: class or function name.
        several_targets: they were given in a tuple or list, of one perhaps.
        cells: path to Cell: the net ("") and all below, also in plain containers ("ls.0" for ``net.ls[0]``), the
            loss ("loss…"), Cells that a function uses by name.

    Raises:
        TypeError, ValueError: something that cannot be called, or not with these arguments.
    """

    def __init__(
        self, net: Callable[..., Any], inputs: Sequence[Any], loss: Callable[..., Any] | None = None, targets: Any = ()
    ):
        _check_callable(net, "lens.not_a_program")
        self.several_targets = isinstance(targets, (tuple, list))
        targets = tuple(targets) if isinstance(targets, (tuple, list)) else (targets,)
        _check_arguments(net, tuple(inputs), "lens.bad_inputs")
        if loss is not None:
            _check_callable(loss, "lens.not_a_loss")
            if len(targets) > 1 and not _fits(loss, (None, *targets)) and _fits(loss, (None, targets)):
                name = getattr(loss, "__name__", type(loss).__name__)
                raise TypeError(say("lens.one_target", name=name, count=len(targets)))
            _check_arguments(loss, (None, *targets), "lens.bad_targets")
        elif targets:
            raise ValueError(say("lens.targets_without_loss"))
        self.net, self.inputs, self.loss, self.targets = net, tuple(inputs), loss, targets
        self.is_cell = isinstance(net, Cell)
        self.title = getattr(net, "__name__", type(net).__name__)
        self.find_parts()

    def find_parts(self) -> None:
        """Look for Cells and names anew: a learner may have exchanged some since."""
        self.cells: dict[str, Any] = {}
        self._paths: dict[int, str] = {}
        self._spelling: dict[str, str] = {}
        self._parameters: dict[str, Any] = {}
        for part in self._named_parts():
            if isinstance(part.value, Cell):
                self._add_cell(part)
            else:
                self._parameters.setdefault(part.path, part.value)

    def _add_cell(self, root: Part) -> None:
        """A Cell and all below, then what they keep in plain containers, where the registry does not look."""
        fresh = []
        for path, cell in root.value.cells_and_names(root.path):
            if id(cell) not in self._paths:
                place = path if path not in self.cells else f"{path}_{len(self.cells)}"
                self.cells[place], self._paths[id(cell)] = cell, place
                self._spelling[place] = _spelled(root.spelling, path.removeprefix(root.path).strip("."))
                fresh.append(place)
        for place in fresh:
            for part in attributes_of(self.cells[place], place, self._spelling[place]):
                if isinstance(part.value, Cell):
                    self._add_cell(part)

    def _named_parts(self) -> Iterator[Part]:
        """What the program is made of."""
        if isinstance(self.net, Cell):
            yield Part("", "net", self.net)
        else:
            yield from parts_of_function(self.net, "net")
        if isinstance(self.loss, Cell):
            yield Part("loss" if "loss" not in self.cells else "loss_fn", "loss", self.loss)
        elif self.loss is not None:
            yield from parts_of_function(self.loss, "loss")

    def forward(self, inputs: Iterable[Any], targets: Iterable[Any]) -> Any:
        """What the loss returns, or the net where there is none."""
        output = self.net(*inputs)
        if self.loss is None:
            return output
        if isinstance(output, (tuple, list)) and _is_ready_made(self.loss):
            name, count = getattr(self.loss, "__name__", type(self.loss).__name__), len(output)
            more = "".join(f", {target}" for target in self.target_names())
            raise UnfitLoss(say("lens.loss_of_several", title=self.title, count=count, loss=name, more=more))
        return self.loss(output, *targets)

    def inner_cells(self) -> list[str]:
        """The paths of the Cells inside the net, or that the function uses: not of the net itself, nor of the loss."""
        loss = self._paths.get(id(self.loss))
        return [p for p in self.cells if p and p != loss and not (loss and p.startswith(f"{loss}."))]

    def cell(self, path: str) -> Any:
        """The Cell at a path ("" is the net); KeyError with the paths there are."""
        if path not in self.cells:
            raise UnknownName(say("lens.no_cell", path=path, known=", ".join(map(repr, self.cells))))
        return self.cells[path]

    def path_of(self, cell: Any) -> str:
        """The path of a Cell; its class name if it was made on the way."""
        return self._paths.get(id(cell), getattr(cell, "__name__", type(cell).__name__))

    def spelling(self, path: str) -> str:
        """How a learner writes the Cell at a path: ``net.body[0].fc1``."""
        return self._spelling[path]

    def loose_parameters(self) -> list[str]:
        """Names of the Parameters that a function uses outside any Cell, and that are differentiated by."""
        return [name for name, p in self._parameters.items() if p.requires_grad]

    def float_positions(self) -> list[int]:
        """Where float Tensors stand among the inputs: what gradients are taken by."""
        return [i for i, x in enumerate(self.inputs) if isinstance(x, Tensor) and x._array.dtype.kind == "f"]

    def input_names(self) -> list[str]:
        """Names of the inputs, as construct or the function calls them."""
        return argument_names(_called(self.net), len(self.inputs), "x")

    def target_names(self) -> list[str]:
        """Names of the targets, as the loss calls them."""
        return argument_names(_called(self.loss), len(self.targets) + 1, "target")[1:] if self.loss is not None else []

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


def _is_ready_made(loss: Any) -> bool:
    """Whether it is one of our losses, which take one Tensor; a learner's own may well take a tuple."""
    where = type(loss).__module__ if isinstance(loss, Cell) else getattr(loss, "__module__", None) or ""
    return where.startswith(("teachcell.nn.loss", "teachcell.ops"))


def _check_callable(function: Any, key: str) -> None:
    if isinstance(function, type) or not callable(function) or isinstance(function, Tensor):
        raise TypeError(say(key, got=getattr(function, "__name__", type(function).__name__)))


def _called(function: Any) -> Any:
    return function.construct if isinstance(function, Cell) else function


def _fits(function: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether the call could start."""
    try:
        _check_arguments(function, arguments, "lens.bad_targets")
    except TypeError:
        return False
    return True


def _check_arguments(function: Any, arguments: tuple[Any, ...], key: str) -> None:
    """TypeError where the call could not even start."""
    signature = signature_of(_called(function))
    if signature is None:
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(say(key, name=name, signature=plain(signature), why=error)) from None


def _spelled(start: str, path: str) -> str:
    for part in path.split(".") if path else ():
        start += f"[{part}]" if part.isdigit() else f".{part}"
    return start
