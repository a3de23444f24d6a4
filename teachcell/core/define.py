"""``define``: one declaration per op. The functional form, the primitive class, operators, methods and the
generated tests all come from it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, cleandoc
from types import FunctionType
from typing import Any

import numpy as np

from ..texts import ON_CHANGE
from .calls import functional, reflected
from .card import card
from .op import ARRAYS, OPS, TENSORS, Op, Rules
from .public import FUNCTIONS, document_function, publish_class
from .steps import prepare
from .tensor import Tensor, wrap

_EITHER_WAY = Parameter.POSITIONAL_OR_KEYWORD
_CALLED = {"x": "input", "y": "other"}  # formulas say x and y; calls say what MindSpore's do


def define(
    name: str,
    kernel: Callable[..., Any],
    vjp: Rules = None,
    *,
    label: str = "",
    names: Sequence[str] | None = None,
    called: Sequence[str] = (),
    primitive: str = "",
    init: Sequence[str] | None = None,
    operator: str = "",
    methods: Sequence[str] = (),
    keeps: str = "inputs",
    arity: int | None = None,
    variadic: bool = False,
    public: bool = True,
    **facts: Any,
) -> Callable[..., Any]:
    """Declare an op and return its functional form.

    Args:
        name: name in the registry and in both namespaces of the rules.
        kernel: ndarrays in, ndarray out. Its parameter names are the op's: inputs first, then attributes.
        vjp: one rule per input, None where not differentiable; or one joint rule; None: no gradient at all.
        label: the name shown; by default the primitive's or the capitalised name.
        names: public names of the functional form in ``ops``; by default ``name``.
        called: the inputs' names in a call; by default the kernel's, with ``input`` and ``other`` for x and y.
        primitive: name of the class form, ``ops.MatMul()(x, y)``.
        init: attributes that the class takes at construction; by default all.
        operator: the operator of Tensor it serves, ``"mul"``: installs ``__mul__`` and ``__rmul__``.
        methods: Tensor methods that call it.
        keeps: what the rules read: ``"inputs"``, ``"output"``, ``"inputs output"`` or ``""``.
        arity: number of inputs; by default that of the rules, or of a ufunc's.
        variadic: the inputs are any number, given as one sequence.
        public: False keeps it out of ``ops`` (derivative kernels that only rules use).
        facts: further fields of :class:`teachcell.core.op.Op`, described there. Inputs are promoted to a common
            dtype unless there is one only or ``promotes`` says otherwise.
    """
    parameters = _parameters(kernel)
    if arity is None:
        arity = len(vjp) if isinstance(vjp, tuple) else kernel.nin if isinstance(kernel, np.ufunc) else 1
    inputs, attrs = (("inputs",), parameters) if variadic else (parameters[:arity], parameters[arity:])
    facts.setdefault("promotes", True if variadic or arity != 1 else ())
    facts.setdefault("family", sys._getframe(1).f_globals["__name__"].partition(".ops.")[2])
    op = Op(
        name, label or primitive or name.replace("_", " ").title().replace(" ", ""), kernel, vjp,
        keeps_inputs="inputs" in keeps, keeps_output="output" in keeps, arity=None if variadic else arity,
        inputs=inputs, called=tuple(called) or tuple([_CALLED.get(n, n) for n in inputs]), attrs=attrs, **facts,
    )  # fmt: skip
    prepare(op)
    OPS[name] = op
    function = _functional(op)
    setattr(ARRAYS, name, _without_saves(kernel) if op.saves else kernel)
    setattr(TENSORS, name, function)
    if public:
        for public_name in (name,) if names is None else names:
            FUNCTIONS[public_name] = function
        if primitive:
            publish_class(primitive, function, op.attrs if init is None else init, op=op)
    _install(function, operator, methods)
    return function


def pair(name: str, on_arrays: Callable[..., Any], on_tensors: Callable[..., Any]) -> None:
    """Give rules one more name: a fused kernel in first order, and its twin made of ops for higher orders.

    The twin must go back to the inputs wherever the kernel uses a saved value that depends on them.
    """
    setattr(ARRAYS, name, on_arrays)
    setattr(TENSORS, name, on_tensors)


def constant_pair(kernel: Callable[..., Any]) -> None:
    """Give rules a kernel, by its own name, whose result is a constant where it is differentiated again.

    Such are slopes that jump but do not change between their jumps, and shares of a gradient.
    """

    def on_tensors(*tensors: Any, **attrs: Any) -> Tensor:
        arrays = [t._array if isinstance(t, Tensor) else t for t in tensors]
        return wrap(np.asarray(kernel(*arrays, **attrs)))

    pair(kernel.__name__, kernel, on_tensors)


def _parameters(kernel: Callable[..., Any]) -> tuple[str, ...]:
    if isinstance(kernel, np.ufunc):
        return ("x", "y")[: kernel.nin]
    code = kernel.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _functional(op: Op) -> Callable[..., Any]:
    function: Any = functional(op)
    function.__name__ = function.__qualname__ = op.name
    function.__module__ = "teachcell.ops"
    function.__signature__ = _signature(op)
    function.op = op
    _document(function)
    return function


def _document(function: Any) -> None:
    """The docstring: what the kernel says, and the card in the language in use."""
    kernel = function.op.kernel
    says = "" if isinstance(kernel, np.ufunc) else cleandoc(kernel.__doc__ or "")
    function.__doc__ = f"{says}\n\n{card(function.op)}".lstrip()


def _document_all() -> None:
    for op in OPS.loaded():
        if hasattr(TENSORS, op.name):
            _document(getattr(TENSORS, op.name))
    for function in FUNCTIONS.loaded():
        if hasattr(function, "made_of"):
            document_function(function)


ON_CHANGE.append(_document_all)


def _signature(op: Op) -> Signature:
    """Inputs first, then the attributes with the kernel's defaults."""
    defaults: dict[str, Any] = {}
    if isinstance(op.kernel, FunctionType):
        positional = op.kernel.__code__.co_varnames[: op.kernel.__code__.co_argcount]
        defaults.update(zip(reversed(positional), reversed(op.kernel.__defaults__ or ()), strict=False))
        defaults.update(op.kernel.__kwdefaults__ or {})
    names = [*zip(op.called, op.inputs, strict=True), *zip(op.attrs, op.attrs, strict=True)]
    return Signature([Parameter(n, _EITHER_WAY, default=defaults.get(own, Parameter.empty)) for n, own in names])


def _without_saves(kernel: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **attrs: kernel(*args, **attrs)[0]


def _install(function: Any, operator: str, methods: Sequence[str]) -> None:
    """Operators (reflected ones exchange the operands) and methods of Tensor."""
    if operator:
        setattr(Tensor, f"__{operator}__", function)
        if function.op.arity == 2 and operator not in ("lt", "le", "gt", "ge", "eq", "ne"):
            setattr(Tensor, f"__r{operator}__", reflected(function.op))
    for method in methods:
        setattr(Tensor, method, function)
