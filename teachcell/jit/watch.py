"""Watch: what a learner's code calls while a jit function is captured.

Python tells a profile function of every call. A plan leaves out all Python; so whatever acts on something else than
Tensors (prints, reads a clock, starts a thread) or was not found by :mod:`world <teachcell.jit.world>` beforehand
makes it impossible.
"""

from __future__ import annotations

import builtins
import gc
import sys
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ..texts import say
from .origin import PURE_BUILTINS, of_library
from .reads import Reads
from .trace import Trace
from .world import World

_OWNERS: tuple[type, ...] = (
    str, bytes, list, dict, tuple, set, frozenset, int, float, bool, slice, range, OrderedDict, defaultdict, deque,
    np.generic, np.dtype, types.GeneratorType, type({}.keys()), type({}.values()), type({}.items()),
)  # fmt: skip
_MODULES = ("math", "_operator", "itertools", "_functools", "_collections", "numpy", "_abc", "_typing")
_FILES = frozenset({"tofile", "dump", "setstate", "setflags"})
_CAPTURE = f"{__package__}.capture"  # where the watched run begins


class Watch:
    """A profile function, set for the time of a ``with`` block."""

    def __init__(self, trace: Trace, world: World, reads: Reads):
        self._trace, self._world, self._reads = trace, world, reads

    def __enter__(self) -> Watch:
        self._collects = gc.isenabled()
        gc.disable()  # what others are called for when garbage is collected is not the function's doing
        sys.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        if self._collects:
            gc.enable()

    def __call__(self, frame: types.FrameType, event: str, called: Any) -> None:
        if self._trace.inside or self._trace.reason is not None:
            return
        module = _module(frame)
        if event == "call":
            self._reads.ran.add(frame.f_code)
            if frame.f_code in self._world.suspects:
                self._trace.refuse(self._world.suspects[frame.f_code], certain=True)
            if not (of_library(module) or frame.f_code in self._world.codes or _of_the_engine(frame)):
                ours = frame.f_back is not None and frame.f_back.f_code in self._world.codes
                self._trace.refuse(say("jit.calls", name=f"{module}.{frame.f_code.co_name}"), certain=ours)
        elif event == "c_call" and called.__name__ == "warn" and getattr(called, "__module__", "") == "_warnings":
            if not _imports(frame):
                self._trace.refuse(say("jit.warns"))
        elif event == "c_call" and called is open:
            if not _imports(frame):
                self._trace.refuse(say("jit.calls", name="open"), certain=True)
        elif event == "c_call" and frame.f_code in self._world.codes and not _pure(called):
            name = getattr(called, "__qualname__", called.__name__)
            self._trace.refuse(say("jit.calls", name=name), certain=True)


def _of_the_engine(frame: types.FrameType) -> bool:
    """Whether a function of the standard library runs for the engine, or an import does, and not for the learner."""
    above: types.FrameType | None = frame
    while above is not None and _standard(_module(above)):
        above = above.f_back
        if above is not None and of_library(_module(above)):
            return True
    return _imports(frame)


def _imports(frame: types.FrameType) -> bool:
    """Whether something runs because the engine imports a module: Python has others' import hooks called then. A next
    run imports nothing."""
    below = ""
    above: types.FrameType | None = frame
    while above is not None and _module(above) != _CAPTURE:
        if below.startswith("importlib") and of_library(_module(above)):
            return True
        below, above = _module(above), above.f_back
    return False


def _module(frame: types.FrameType) -> str:
    return frame.f_globals.get("__name__") or ""


def _standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names or module.startswith("namedtuple_")


def _pure(called: Callable[..., Any]) -> bool:
    """Whether a function written in C has no effect but on its own arguments, which are compared afterwards."""
    owner = getattr(called, "__self__", None)
    name = called.__name__
    if owner is builtins:
        return name in PURE_BUILTINS
    if owner is None or isinstance(owner, types.ModuleType):
        module = getattr(called, "__module__", None) or ""
        if not module:  # a method of a type, called through the type
            return issubclass(getattr(called, "__objclass__", object), _OWNERS)
        return module.partition(".")[0] in _MODULES and not module.startswith("numpy.random")
    if isinstance(owner, np.ndarray):
        return name not in _FILES
    if isinstance(owner, type):
        return issubclass(owner, _OWNERS) or name in ("__new__", "fromkeys", "mro", "__subclasses__")
    return isinstance(owner, _OWNERS) or name in ("__init__", "__setattr__", "__getattribute__", "__init_subclass__")
