"""Flags, buffers, ``state_dict`` and ``load_state_dict``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ..core.handles import Handle, check_hook
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

    # Saving and loading -----------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(cell, prefix, keep_vars)`` before ``state_dict`` reads this Cell."""
        return self._state_hook("save_pre", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(cell, state_dict, prefix, local_metadata)`` after; it may change the dict in place."""
        return self._state_hook("save_post", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)``
        before ``load_state_dict`` looks at what is meant for this Cell; it may change that dict in place."""
        return self._state_hook("load_pre", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call ``hook(cell, incompatible_keys)`` after loading; what it leaves in the two lists, ``strict`` judges."""
        return self._state_hook("load_post", hook)

    def _state_hook(self, kind: str, hook: Callable[..., Any]) -> Handle:
        check_hook(hook, f"register_{kind}_hook")
        hooks = self.__dict__.setdefault("_state_hooks", {}).setdefault(kind, [])
        entry = (hook,)  # two registrations of one function stay two
        hooks.append(entry)
        return Handle(hooks, entry)

    def _run_state_hooks(self, kind: str, *args: Any) -> None:
        for (hook,) in tuple(self.__dict__.get("_state_hooks", {}).get(kind, ())):
            hook(self, *args)

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Tensor]:
        """Parameters and persistent buffers by path.

        Args:
            destination: a dict to put them into.
            prefix: what every path begins with.
            keep_vars: told to hooks; the Tensors are the Cell's own in either case.
        """
        found: OrderedDict[str, Tensor] = OrderedDict() if destination is None else destination
        self._save_into(found, prefix, keep_vars, set())
        return found

    def _save_into(self: Any, found: Any, prefix: str, keep_vars: bool, seen: set[int], hooked: bool = True) -> None:
        if id(self) in seen:
            return
        seen.add(id(self))
        if hooked:
            self._run_state_hooks("save_pre", prefix, keep_vars)
        for name, p in self._params.items():
            if p is not None:
                found[prefix + name] = p
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._transient:
                found[prefix + name] = buffer
        for name, child in self._cells.items():
            if child is not None:
                child._save_into(found, f"{prefix}{name}.", keep_vars, seen, hooked)
        if hooked:
            self._run_state_hooks("save_post", found, prefix, {})

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
        given = self._prepared(state_dict, strict)
        own: dict[str, Tensor] = {}
        self._save_into(own, "", False, set(), hooked=False)  # hooks of saving have no say in loading
        keys = IncompatibleKeys([k for k in own if k not in given], [k for k in given if k not in own])
        shared = [key for key in own if key in given]
        for key in shared:
            if not isinstance(given[key], Tensor):
                raise TypeError(say("errors.state_type", name=key, got=type(given[key]).__name__))
            if own[key].shape != given[key].shape:
                raise RuntimeError(say("errors.state_shape", name=key, got=given[key].shape, wanted=own[key].shape))
        before = [own[key]._array for key in shared]
        for key in shared:
            own[key]._before_write()
            own[key]._array = given[key]._array.astype(own[key]._array.dtype, copy=True)
        try:
            self._loaded(keys)
            if strict and (keys.missing_keys or keys.unexpected_keys):
                raise RuntimeError(say("errors.state_keys", missing=keys.missing_keys, unexpected=keys.unexpected_keys))
        except BaseException:
            for key, array in zip(shared, before, strict=True):
                own[key]._array = array
            raise
        return keys

    def _prepared(self: Any, state_dict: Mapping[str, Tensor], strict: bool) -> dict[str, Tensor]:
        """What is given, after every Cell's hook had its part of it."""
        given = dict(state_dict)
        for path, cell in self.cells_and_names():
            prefix = joined(path, "") if path else ""
            part = {key: value for key, value in given.items() if key.startswith(prefix)}
            cell._run_state_hooks("load_pre", part, prefix, {}, strict, [], [], [])
            given = {key: value for key, value in given.items() if not key.startswith(prefix)} | part
        return given

    def _loaded(self: Any, keys: IncompatibleKeys) -> None:
        for _, cell in reversed(list(self.cells_and_names())):  # children before parents
            cell._run_state_hooks("load_post", keys)
