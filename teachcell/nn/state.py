"""Flags, buffers, ``state_dict`` and ``load_state_dict``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..core.tensor import Tensor
from ..texts import say
from .registry import joined


class IncompatibleKeys(NamedTuple):
    """What did not match when a state was loaded."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class Stateful:
    """What a Cell keeps beside Parameters, and how all of it is saved and loaded."""

    def add_flags(self: Any, **flags: Any) -> Any:
        """Set attributes that ``get_flags`` tells again; returns self."""
        self.__dict__.setdefault("_flags", {}).update(flags)
        for name, value in flags.items():
            setattr(self, name, value)
        return self

    def add_flags_recursive(self: Any, **flags: Any) -> Any:
        """``add_flags`` on this Cell and all below; returns self."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags set by ``add_flags``."""
        return dict(self.__dict__.get("_flags", {}))

    def register_buffer(self: Any, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a Tensor that is no Parameter; non-persistent ones are left out of ``state_dict``."""
        self._check_new_name(name, Tensor)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(say("errors.buffer_type", name=name, got=type(tensor).__name__))
        if name in self.__dict__ and name not in self._buffers:
            raise KeyError(say("errors.new_name", cls=type(self).__name__, name=name))
        self._buffers[name] = self.__dict__[name] = tensor
        (self._transient.discard if persistent else self._transient.add)(name)

    def named_buffers(self: Any, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """``(path, buffer)`` of this Cell and all below."""
        for path, cell in self.cells_and_names(prefix) if recurse else [(prefix, self)]:
            for name, buffer in cell._buffers.items():
                if buffer is not None:
                    yield joined(path, name), buffer

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of this Cell and all below."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path; AttributeError if there is none."""
        for path, buffer in self.named_buffers():
            if path == target:
                return buffer
        raise AttributeError(say("errors.no_attribute", cls=type(self).__name__, name=target))

    def state_dict(self: Any, prefix: str = "") -> OrderedDict[str, Tensor]:
        """Parameters and persistent buffers by path."""
        found: OrderedDict[str, Tensor] = OrderedDict()
        for path, cell in self.cells_and_names():
            for name, p in cell._params.items():
                if p is not None:
                    found[prefix + joined(path, name)] = p
            for name, buffer in cell._buffers.items():
                if buffer is not None and name not in cell._transient:
                    found[prefix + joined(path, name)] = buffer
        return found

    def load_state_dict(self, state_dict: Mapping[str, Tensor], strict: bool = True) -> IncompatibleKeys:
        """Copy values in by path. Nothing changes if one does not fit.

        Returns:
            The pair (missing_keys, unexpected_keys).

        Raises:
            RuntimeError: missing or unexpected keys with ``strict``, or another shape.
            TypeError: no dict, or a value that is no Tensor.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(say("errors.state_dict", got=type(state_dict).__name__))
        own = self.state_dict()
        missing = [key for key in own if key not in state_dict]
        unexpected = [key for key in state_dict if key not in own]
        if strict and (missing or unexpected):
            raise RuntimeError(say("errors.state_keys", missing=missing, unexpected=unexpected))
        shared = [key for key in own if key in state_dict]
        for key in shared:
            if not isinstance(state_dict[key], Tensor):
                raise TypeError(say("errors.state_type", name=key, got=type(state_dict[key]).__name__))
            if own[key].shape != state_dict[key].shape:
                got, wanted = state_dict[key].shape, own[key].shape
                raise RuntimeError(say("errors.state_shape", name=key, got=got, wanted=wanted))
        for key in shared:
            own[key]._before_write()
            own[key]._array = state_dict[key]._array.astype(own[key]._array.dtype, copy=True)
        return IncompatibleKeys(missing, unexpected)
