"""Cells made of Cells: SequentialCell, CellList and CellDict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from ..texts import say
from .cell import Cell


def _checked(cell: Any) -> Cell:
    if not isinstance(cell, Cell):
        raise TypeError(say("errors.not_a_cell", got=type(cell).__name__))
    return cell


class _Container(Cell):
    """Unlike other Cells it knows where it stands: what is added later gets its full name."""

    def _prefix_of(self, child: str) -> str:
        return f"{self._prefix}{child}."


class _Numbered(_Container):
    """Children under the names 0, 1, 2, …, used like a list."""

    def __init__(self, cells: Iterable[Cell] = ()):
        super().__init__()
        for cell in cells:
            self.append(cell)

    def append(self, cell: Cell) -> Any:
        """Add a Cell at the end; returns self."""
        free = next(name for i in count(len(self._cells)) if (name := str(i)) not in self._cells)
        setattr(self, free, _checked(cell))
        return self

    def _key(self, index: int) -> str:
        keys = list(self._cells)
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(say("errors.cell_index_kind", got=type(index).__name__))
        if not -len(keys) <= index < len(keys):
            raise IndexError(say("errors.cell_index", index=index, count=len(keys)))
        return keys[index]

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._cells.values()))

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._cells[self._key(index)]

    def __setitem__(self, index: int, cell: Cell) -> None:
        setattr(self, self._key(index), _checked(cell))

    def __delitem__(self, index: int | slice) -> None:
        gone = list(self._cells)[index] if isinstance(index, slice) else [self._key(index)]
        numbered = all(name.isdigit() for name in self._cells)
        for name in gone:
            delattr(self, name)
        if numbered:
            self._renumber(list(self))

    def insert(self, index: int, cell: Cell) -> None:
        """Put a Cell before ``index``; the later ones are renumbered."""
        members = list(self)
        if index != len(members):
            self._key(index)  # an IndexError, unlike a list's insert
        members.insert(index, _checked(cell))
        self._renumber(members)

    def extend(self, cells: Iterable[Cell]) -> Any:
        """Add Cells at the end; returns self."""
        for cell in list(cells):
            self.append(cell)
        return self

    __iadd__ = extend

    def _renumber(self, members: list[Any]) -> None:
        for name in [n for n in self.__dict__ if n.isdigit()]:
            del self.__dict__[name]
        self._cells.clear()
        for i, cell in enumerate(members):
            setattr(self, str(i), cell)


def _members(args: tuple[Any, ...]) -> Any:
    """Cells given one by one, or as one list."""
    return args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args


class SequentialCell(_Numbered):
    """Cells run one after the other.

    Args:
        args: Cells; or one list of Cells; or one OrderedDict of names and Cells.
    """

    def __init__(self, *args: Any):
        if len(args) == 1 and isinstance(args[0], dict):
            super().__init__()
            for name, cell in args[0].items():
                setattr(self, name, _checked(cell))
        else:
            super().__init__(_members(args))

    def __getitem__(self, index: int | slice) -> Any:
        """A Cell; or a part of the sequence as one, in which each Cell keeps its name."""
        if not isinstance(index, slice):
            return super().__getitem__(index)
        part = type(self)()
        for name, cell in list(zip(self._cells, self, strict=True))[index]:
            part.insert_child_to_cell(name, cell)
        return part

    def construct(self, x: Any) -> Any:
        """The last Cell's output."""
        for cell in self:
            x = cell(x)
        return x


class CellList(_Numbered):
    """A list of Cells, all registered; it cannot be called."""

    def __init__(self, *args: Any):
        super().__init__(_members(args))

    def construct(self, *args: Any) -> Any:
        """Not defined: call the members."""
        raise NotImplementedError(say("errors.container_call", cls=type(self).__name__))


class CellDict(_Container):
    """Cells by name, all registered; it cannot be called.

    Args:
        cells: a dict, or pairs of name and Cell.
    """

    def __init__(self, cells: Mapping[str, Cell] | Iterable[tuple[str, Cell]] = ()):
        super().__init__()
        self.update(cells)

    def update(self, cells: Mapping[str, Cell] | Iterable[tuple[str, Cell]]) -> None:
        """Add or replace Cells."""
        for name, cell in dict(cells).items():
            self[name] = cell

    def __setitem__(self, name: str, cell: Cell) -> None:
        if name not in self._cells:
            self._check_new_name(name, Cell)
        setattr(self, name, _checked(cell))

    def __getitem__(self, name: str) -> Any:
        return self._cells[name]

    def __delitem__(self, name: str) -> None:
        del self._cells[name]
        del self.__dict__[name]

    def pop(self, name: str) -> Any:
        """Take a Cell out; KeyError if there is none of that name."""
        cell = self[name]
        del self[name]
        return cell

    def clear(self) -> None:
        """Take all Cells out."""
        for name in self:
            del self[name]

    def __contains__(self, name: object) -> bool:
        return name in self._cells

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._cells))

    def __len__(self) -> int:
        return len(self._cells)

    def keys(self) -> list[str]:
        """The names, in order."""
        return list(self._cells)

    def values(self) -> list[Any]:
        """The Cells, in order."""
        return list(self._cells.values())

    def items(self) -> list[tuple[str, Any]]:
        """Pairs of name and Cell, in order."""
        return list(self._cells.items())

    def construct(self, *args: Any) -> Any:
        """Not defined: call the members."""
        raise NotImplementedError(say("errors.container_call", cls=type(self).__name__))
