"""What a Cell owns: Parameters, child Cells and buffers, under which names, and how they are walked.

Two sources of names exist. The *path* (attribute names joined by dots) is computed on each walk. The stored
``Parameter.name`` is set when a child Cell is assigned to an attribute of a Cell with ``auto_prefix``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any

from ..core.absent import nearest
from ..core.tensor import Tensor
from ..texts import say
from .parameter import Parameter, ParameterTuple


def joined(path: str, name: str) -> str:
    """The path of what ``name`` is in the Cell at ``path``."""
    return f"{path}.{name}" if path else name


def _missing(cls: type, name: str, own: tuple[str, ...]) -> str:
    """What is said of an attribute that is not there: a Cell's own ones are given."""
    if name == "construct":
        text = say("errors.no_construct", cls=cls.__name__)
        meant = "forward" if hasattr(cls, "forward") else nearest(name, dir(cls))
        return text + say("errors.construct_meant", method=meant) if meant else text
    text, near = say("errors.no_attribute", cls=cls.__name__, name=name), _nearest(cls, name, own)
    return text + say("errors.nearest_name", near=near) if near else text


@lru_cache(maxsize=64)  # a search takes 0.3 ms, and ``getattr(self, "mask", None)`` may stand in a construct
def _nearest(cls: type, name: str, own: tuple[str, ...]) -> str:
    return nearest(name, {*own, *dir(cls)})


class Registry:
    """Attribute assignment and the walks over what it registered."""

    _params: dict[str, Parameter | None]
    _cells: dict[str, Registry | None]
    _buffers: dict[str, Tensor | None]
    _transient: set[str]
    _auto_prefix: bool
    _prefix: str

    #: The names above and three more that come when needed: kept among a Cell's attributes, but not the learner's.
    OWN = frozenset({*__annotations__, "_serial", "_flags", "_state_hooks"})

    def _open_registry(self, auto_prefix: bool) -> None:
        self.__dict__.update(_params={}, _cells={}, _buffers={}, _transient=set(), _auto_prefix=auto_prefix, _prefix="")

    # Assignment -------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, (Parameter, Registry, ParameterTuple)):
            if "_params" not in own:
                raise AttributeError(say("errors.cell_init", cls=type(self).__name__))
            if isinstance(value, Parameter):
                self._set_parameter(name, value)
            elif isinstance(value, Registry):
                self._set_cell(name, value)
            else:
                for p in value:
                    self._set_parameter(p.name, p)
                own[name] = value
        elif own.get("_params", {}).get(name) is not None:
            self._assign_over_parameter(name, value)
        elif own.get("_cells", {}).get(name) is not None:
            if value is not None:
                raise TypeError(say("errors.over_cell", cls=type(self).__name__, name=name, got=type(value).__name__))
            own[name] = self._cells[name] = None
        else:
            if isinstance(value, (list, tuple)) and value and all(isinstance(p, Parameter) for p in value):
                ParameterTuple(value)  # not registered, but two of one name would be a mistake
            if name in own.get("_buffers", {}):
                if not (value is None or isinstance(value, Tensor)):
                    raise TypeError(say("errors.buffer_type", name=name, got=type(value).__name__))
                self._buffers[name] = value
            object.__setattr__(self, name, value)

    def _keep_methods(self, name: str) -> None:
        """KeyError for a Parameter or Cell in the place of a method, such as ``cells``."""
        if name not in self.__dict__ and isinstance(getattr(type(self), name, None), FunctionType):
            raise KeyError(say("errors.new_name", cls=type(self).__name__, name=name))

    def _set_parameter(self, name: str, value: Parameter) -> None:
        self._keep_methods(name)
        if self._cells.get(name) is not None:
            raise KeyError(say("errors.name_taken", cls=type(self).__name__, name=name, by="Cell"))
        if not value.named:
            value.name = name
        self._buffers.pop(name, None)
        self._cells.pop(name, None)
        self._params[name] = self.__dict__[name] = value

    def _set_cell(self, name: str, value: Registry) -> None:
        self._keep_methods(name)
        if self._params.get(name) is not None:
            raise KeyError(say("errors.name_taken", cls=type(self).__name__, name=name, by="Parameter"))
        self._params.pop(name, None)
        self._cells[name] = self.__dict__[name] = value
        if self._auto_prefix:
            value.update_parameters_name(self._prefix_of(name))

    def _prefix_of(self, child: str) -> str:
        """What stands before the names of a child's Parameters when it is attached: not where this Cell stands."""
        return f"{child}."

    def _assign_over_parameter(self, name: str, value: Any) -> None:
        held = self._params[name]
        assert held is not None
        if value is None:
            self.__dict__[name] = self._params[name] = None
        elif isinstance(value, Tensor):
            held.set_data(value)
        else:
            raise TypeError(say("errors.over_parameter", cls=type(self).__name__, name=name, got=type(value).__name__))

    def __delattr__(self, name: str) -> None:
        for owner in (self._params, self._cells, self._buffers):
            owner.pop(name, None)
        if name not in self.__dict__:
            raise AttributeError(say("errors.no_attribute", cls=type(self).__name__, name=name))
        object.__delattr__(self, name)

    def __getattr__(self, name: str) -> Any:
        if "_params" not in self.__dict__:
            raise AttributeError(say("errors.cell_init", cls=type(self).__name__))
        raise AttributeError(_missing(type(self), name, tuple(self.__dict__)))

    def _check_new_name(self, name: Any, kind: type, dots: bool = False) -> None:
        if not isinstance(name, str):
            raise TypeError(say("errors.new_name_kind", got=type(name).__name__))
        taken = self.__dict__.get(name) is not None and not isinstance(self.__dict__[name], kind)
        if not name or ("." in name and not dots) or taken or (hasattr(type(self), name) and name not in self.__dict__):
            raise KeyError(say("errors.new_name", cls=type(self).__name__, name=name))

    def insert_param_to_cell(self, param_name: str, param: Parameter, check_name_contain_dot: bool = True) -> None:
        """Register a Parameter under a name; KeyError if the name is empty, taken or (unless allowed) dotted."""
        self._check_new_name(param_name, Parameter, dots=not check_name_contain_dot)
        if not isinstance(param, Parameter):
            raise TypeError(say("errors.not_a_parameter", got=type(param).__name__))
        self._set_parameter(param_name, param)

    def insert_child_to_cell(self, child_name: str, child_cell: Registry) -> None:
        """Register a child Cell under a name, its Parameters' names unchanged."""
        self._check_new_name(child_name, Registry)
        if not isinstance(child_cell, Registry):
            raise TypeError(say("errors.not_a_cell", got=type(child_cell).__name__))
        self._cells[child_name] = self.__dict__[child_name] = child_cell

    @property
    def param_prefix(self) -> str:
        """The path of this Cell in the net, once ``update_cell_prefix`` or a container told it; else empty."""
        return self._prefix.removesuffix(".")

    def update_cell_prefix(self) -> None:
        """Tell every Cell below its path, for ``param_prefix``."""
        for path, cell in self.cells_and_names():
            cell.__dict__["_prefix"] = joined(path, "") if path else ""

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Parameters are filled when they are made: a dict of each to itself."""
        return {p: p for p in self.get_parameters()}

    def get_sub_cell(self, target: str) -> Any:
        """The Cell at a path such as ``"block.conv"``; this one for ``""``.

        Raises:
            AttributeError: there is none.
        """
        found: Any = self
        for name in target.split(".") if target else ():
            found = found._cells.get(name)
            if found is None:
                raise AttributeError(say("errors.no_attribute", cls=type(self).__name__, name=target))
        return found

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Set every Parameter's stored name to ``prefix`` plus its path; no dot is added."""
        for path, p in list(self.parameters_and_names(expand=recurse)):
            p.name = prefix + path
        for path, cell in self.cells_and_names():
            cell.__dict__["_prefix"] = prefix + joined(path, "")

    # Walks ------------------------------------------------------------------------------------------------

    def cells_and_names(self, name_prefix: str = "") -> Iterator[tuple[str, Any]]:
        """``(path, Cell)`` of this Cell and all below, depth first, each Cell once under its first path."""
        return self._walk(name_prefix, set())

    def _walk(self, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
        if id(self) in seen:
            return
        seen.add(id(self))
        yield path, self
        for name, child in self._cells.items():
            if child is not None:
                yield from child._walk(joined(path, name), seen)

    def cells(self) -> Any:
        """The direct children."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Any]:
        """The direct children by attribute name, each Cell once."""
        found: OrderedDict[str, Any] = OrderedDict()
        for name, child in self._cells.items():
            if child is not None and not any(child is other for other in found.values()):
                found[name] = child
        return found

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """``(path, Parameter)``: the Cell's own first, then each child's; shared ones once."""
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]:
            for name, p in cell._params.items():
                if p is not None and id(p) not in seen:
                    seen.add(id(p))
                    yield joined(path, name), p

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """A generator of all Parameters."""
        return (p for _, p in self.parameters_and_names(expand=expand))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters with ``requires_grad``."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters without ``requires_grad``."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """The Parameters by stored name."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def check_names(self) -> None:
        """ValueError if two Parameters have one stored name."""
        ParameterTuple(self.get_parameters())

    def apply(self, fn: Any) -> Any:
        """Call ``fn`` on every Cell, children before parents; returns self."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self
