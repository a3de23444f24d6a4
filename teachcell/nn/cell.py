"""Cell: a layer or a whole network. It only wires what its parts define: the registry of Parameters and
children, hooks, a custom backward rule, saved state, and its text."""

from __future__ import annotations

import copy
from itertools import count
from typing import Any

from ..core import modes
from ..core.dtypes import DType, bfloat16, float16, float32
from ..core.events import OBSERVERS
from ..core.nested import map_tensors
from ..core.tensor import Tensor
from ..texts import say
from . import custom_bprop, hooks, text
from .registry import Registry
from .state import Stateful

_number = count(1).__next__


class Cell(Registry, hooks.Hooked, Stateful):
    """The base of layers and networks: override ``construct``, and ``bprop`` for a backward rule of your own.

    Args:
        auto_prefix: whether Parameters of children get names with the attribute's name before them.
        flags: attributes to set, kept as by ``add_flags``.

    ``bprop(self, <inputs>, out, dout)`` returns a tuple with one gradient per input. It may be set on an
    instance (a function without ``self``) or a class at any time; None means the automatic gradient.

    Call the Cell, ``net(x)``: a direct ``net.construct(x)`` runs past its hooks, its ``bprop`` and ``to_float``.
    """

    bprop: Any = None
    internal_params: Any = None  # Parameters to which ``bprop`` returns gradients as well
    depends_on_mode = False  # does its ``construct`` compute something else in training? Pictures then tell the mode.
    _hooks: hooks.HookPoints | None
    _dtype: DType | None = None

    def __init__(self, auto_prefix: bool = True, flags: Any = None):
        self._open_registry(auto_prefix)
        self._hooks = None
        self.training = False
        self.phase = "train"
        self.requires_grad = False
        if flags:
            self.add_flags(**flags)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if modes.graph_mode is not None:
            with modes.construct_running():
                return self._call(args, kwargs)
        if OBSERVERS or self._hooks is not None or self._dtype is not None:
            return self._call(args, kwargs)
        if self.bprop is None or modes.recording() is None:
            return self.construct(*args, **kwargs)
        return custom_bprop.construct(self, *args, **kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with anything to it: observers, hooks, an own backward rule, a dtype."""
        output = None
        for observer in [*OBSERVERS]:
            observer.cell_enter(self, args, kwargs)
        try:
            if self._hooks is not None:
                output = hooks.run(self, args, kwargs, self._body)
            elif self._dtype is not None or self.bprop is not None:
                output = self._body(*args, **kwargs)
            else:  # as nearly always: through ``_body`` it takes 0.4 µs more
                output = self.construct(*args, **kwargs)
                if output is None:
                    self._tell_ran(args, kwargs, output)
        finally:
            for observer in [*OBSERVERS]:
                observer.cell_exit(self, output)
        return output

    def _body(self, *args: Any, **kwargs: Any) -> Any:
        """What hooks stand around."""
        if self._dtype is not None:
            args, kwargs = map_tensors(self._cast, args), map_tensors(self._cast, kwargs)
        own_rule = self.bprop is not None and modes.recording() is not None
        output = custom_bprop.construct(self, *args, **kwargs) if own_rule else self.construct(*args, **kwargs)
        if self._hooks is not None or self._dtype is not None or output is None:
            self._tell_ran(args, kwargs, output)
        return output if self._dtype is None else map_tensors(self._cast, output)

    def _tell_ran(self, args: Any, kwargs: Any, output: Any) -> None:
        """Tell observers what construct was given and returned, where ``cell_enter`` and ``cell_exit`` do not: behind
        hooks and casts, and where None does not mean that it raised."""
        for observer in [*OBSERVERS]:
            observer.cell_ran(self, args, kwargs, output)

    @property
    def cls_name(self) -> str:
        """Name of the class."""
        return type(self).__name__

    def cell_id(self) -> str:
        """``"ReLU(3)"``: class name and a serial number, given when first asked."""
        number = self.__dict__.get("_serial") or self.__dict__.setdefault("_serial", _number())
        return f"{type(self).__name__}({number})"

    @property
    def bprop_debug(self) -> bool:
        """Kept for MindSpore code: without effect, since errors are always reported in full."""
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise TypeError(say("errors.flag", name="bprop_debug", got=repr(flag)))
        self.__dict__["_bprop_debug"] = flag

    # Modes ------------------------------------------------------------------------------------------------

    def set_train(self, mode: bool = True) -> Cell:
        """Put this Cell and all below into training (True) or prediction (False); returns self.

        A new Cell has ``phase`` ``"train"`` but ``training`` False: its layers act as in prediction.
        """
        if not isinstance(mode, bool):
            raise TypeError(say("errors.flag", name="mode", got=repr(mode)))
        self.phase = "train" if mode else "predict"
        for _, cell in self.cells_and_names():
            cell.training = mode
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Set the Cell's flag ``requires_grad``; Parameters keep theirs. Returns self."""
        self.requires_grad = requires_grad
        return self

    def to_float(self, dst_type: DType) -> Cell:
        """Let this Cell and all below take and give float16 or float32; Parameters keep their type. Returns self."""
        if dst_type is bfloat16:
            raise ValueError(say("errors.bfloat16"))
        if dst_type not in (float16, float32):
            raise ValueError(say("errors.to_float", got=dst_type))
        for _, cell in self.cells_and_names():
            cell._dtype = dst_type
        return self

    def set_jit_config(self, jit_config: Any) -> None:
        """Nothing: options of a compiler."""

    def _cast(self, tensor: Tensor) -> Tensor:
        return tensor.astype(self._dtype) if tensor._array.dtype.kind == "f" else tensor

    # Copies and text --------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Cell:
        twin = memo[id(self)] = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            if name != "_serial":  # the twin gets a number of its own
                twin.__dict__[name] = copy.deepcopy(value, memo)
        return twin

    def extend_repr(self) -> str:
        """What stands between the brackets of the Cell's text; override it."""
        return ""

    def __repr__(self) -> str:
        return text.cell_repr(self)

    __str__ = __repr__
