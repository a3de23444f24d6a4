"""``define``: one declaration per op. The functional form, the primitive class, operators, methods and the
generated tests all come from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from .backward import specialise
from .op import ARRAYS, OPS, TENSORS, Op, Rules
from .record import binary, general, unary
from .tensor import Tensor

FUNCTIONS: dict[str, Callable[..., Any]] = {}
PRIMITIVES: dict[str, type] = {}
REAL = (-2.0, 2.0)
POSITIVE = (0.3, 3.0)


def define(
    name: str,
    kernel: Callable[..., Any],
    vjp: Rules = None,
    *,
    label: str = "",
    names: Sequence[str] | None = None,
    primitive: str = "",
    init: Sequence[str] | None = None,
    operator: str = "",
    methods: Sequence[str] = (),
    keeps: str = "inputs",
    saves: Sequence[str] = (),
    arity: int | None = -1,
    outputs: int = 1,
    promotes: Sequence[int] | Literal[True] | None = None,
    floats: Sequence[int] = (),
    alias: bool = False,
    inplace: Sequence[int] = (),
    effect: str | None = None,
    elementwise: bool = False,
    card: Any = (),
    domain: tuple[float, float] = REAL,
    public: bool = True,
) -> Callable[..., Any]:
    """Declare an op and return its functional form.

    Args:
        name: name in the registry and in both namespaces of the rules.
        kernel: ndarrays in, ndarray out. Its parameter names are the op's: inputs first, then attributes.
        vjp: one rule per input, None where not differentiable; or one joint rule; None: no gradient at all.
        label: the name shown; by default the primitive's or the capitalised name.
        names: public names of the functional form in ``ops``; by default ``name``.
        primitive: name of the class form, ``ops.MatMul()(x, y)``.
        init: attributes that the class takes at construction; by default all.
        operator: the operator of Tensor it serves, ``"mul"``: installs ``__mul__`` and ``__rmul__``.
        methods: Tensor methods that call it.
        keeps: what the rules read: ``"inputs"``, ``"output"``, ``"inputs output"`` or ``""``.
        public: False keeps it out of ``ops`` (derivative kernels that only rules use).

    The other arguments are described at :class:`teachcell.core.op.Op`.
    """
    parameters = _parameters(kernel)
    if arity == -1:
        arity = len(vjp) if isinstance(vjp, tuple) else kernel.nin if isinstance(kernel, np.ufunc) else 1
    inputs = parameters[: arity or 0]
    op = Op(
        name, label or primitive or name.replace("_", " ").title().replace(" ", ""), kernel, vjp,
        keeps_inputs="inputs" in keeps, keeps_output="output" in keeps, saves=tuple(saves),
        outputs=outputs, arity=arity, inputs=inputs, attrs=parameters[len(inputs) :],
        promotes=promotes if promotes is not None else True if arity != 1 else (), floats=floats, alias=alias,
        inplace=tuple(inplace), effect=effect, elementwise=elementwise, card=card, domain=domain,
    )  # fmt: skip
    op.step = specialise(op)
    OPS[name] = op
    function = _functional(op)
    setattr(ARRAYS, name, _without_saves(kernel) if saves else kernel)
    setattr(TENSORS, name, function)
    if public:
        for public_name in (name,) if names is None else names:
            FUNCTIONS[public_name] = function
        if primitive:
            PRIMITIVES[primitive] = _primitive(primitive, op, function, init)
    _install(function, operator, methods)
    return function


def pair(name: str, on_arrays: Callable[..., Any], on_tensors: Callable[..., Any]) -> None:
    """Give rules one more name: a fused kernel in first order, and its twin made of ops for higher orders.

    The twin must go back to the inputs wherever the kernel uses a saved value that depends on them.
    """
    setattr(ARRAYS, name, on_arrays)
    setattr(TENSORS, name, on_tensors)


def _parameters(kernel: Callable[..., Any]) -> tuple[str, ...]:
    if isinstance(kernel, np.ufunc):
        return ("x", "y")[: kernel.nin]
    code = kernel.__code__
    return tuple(n for n in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if n != "out")


def _functional(op: Op) -> Callable[..., Any]:
    plain = not (op.attrs or op.saves or op.effect) and op.outputs == 1
    make = unary if plain and op.arity == 1 else binary if plain and op.arity == 2 and op.promotes else general
    function: Any = make(op)
    function.__name__ = function.__qualname__ = op.name
    function.__module__ = "teachcell.ops"
    function.op = op
    says = []
    if not isinstance(op.kernel, np.ufunc):
        function.__wrapped__ = op.kernel  # so that help() shows the real signature
        says = [op.kernel.__doc__ or ""]
    function.__doc__ = "\n\n".join([*says, *op.formulas(None)])
    return function


def _without_saves(kernel: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **attrs: kernel(*args, **attrs)[0]


def _install(function: Any, operator: str, methods: Sequence[str]) -> None:
    """Operators (reflected ones exchange the operands) and methods of Tensor."""
    if operator:
        setattr(Tensor, f"__{operator}__", function)
        if function.op.arity == 2 and operator not in ("lt", "le", "gt", "ge", "eq", "ne"):
            setattr(Tensor, f"__r{operator}__", lambda self, other: function(other, self))
    for method in methods:
        setattr(Tensor, method, function)


class Primitive:
    """An op as an object: attributes at construction, Tensors at the call. ``ops.MatMul()(x, y)``."""

    function: Callable[..., Any]
    init: tuple[str, ...]

    def __init__(self, *args: Any, **attrs: Any):
        if len(args) > len(self.init) or not set(attrs) <= set(self.init):
            extra = [*map(repr, args[len(self.init) :]), *(set(attrs) - set(self.init))]
            from ..texts import say

            raise TypeError(
                say("errors.primitive_init", name=type(self).__name__, takes=", ".join(self.init), got=", ".join(extra))
            )
        self.attrs = dict(zip(self.init, args, strict=False)) | attrs
        self.name = type(self).__name__

    def __call__(self, *inputs: Any, **attrs: Any) -> Any:
        return type(self).function(*inputs, **(self.attrs | attrs if attrs else self.attrs))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{k}={v!r}' for k, v in self.attrs.items())})"


def _primitive(name: str, op: Op, function: Callable[..., Any], init: Sequence[str] | None) -> type:
    members = {"function": staticmethod(function), "init": tuple(op.attrs if init is None else init), "op": op}
    return type(name, (Primitive,), members)
