"""Public names: what ``ops`` offers as functions and as classes, and the methods of Tensor.

``define`` publishes ops; :func:`public` publishes functions made of ops. Both end in the same three tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, cleandoc, signature
from typing import Any, TypeVar

from ..texts import say
from .card import card
from .loading import Table
from .made_of import MADE_OF
from .op import OPS
from .tensor import Tensor

FUNCTIONS: Table[Callable[..., Any]] = Table()
PRIMITIVES: Table[type] = Table()

Function = TypeVar("Function", bound=Callable[..., Any])


class _Signatures:
    """What editors and ``help()`` show: of a class what construction takes, of an object what the call takes."""

    def __get__(self, primitive: Primitive | None, cls: type[Primitive]) -> Signature:
        known = {name: p.replace(annotation=p.empty) for name, p in signature(cls.function).parameters.items()}
        if primitive is not None:
            return Signature([p for name, p in known.items() if name not in cls.init])
        taken = [known.get(name, Parameter(name, Parameter.POSITIONAL_OR_KEYWORD)) for name in cls.init]
        return Signature([p.replace(default=cls.defaults.get(p.name, p.default)) for p in taken])


class _Documented(type):
    """Docstrings of class forms, put together when asked for: 400 of them at import would cost a tenth of it."""

    @property
    def __doc__(cls) -> str:  # type: ignore[override]
        """How the object is made and called, and what the function's docstring says."""
        if "function" not in vars(cls):
            return vars(cls)["__doc__"]
        written = f"ops.{cls.__name__}{signature(cls)}{signature(object.__new__(cls))}"  # type: ignore[arg-type]
        return f"``{written}``\n\n{cls.function.__doc__ or ''}".rstrip()  # type: ignore[attr-defined]


class Primitive(metaclass=_Documented):
    """A function of ``ops`` as an object: attributes at construction, Tensors at the call. ``ops.MatMul()(x, y)``."""

    function: Callable[..., Any]
    init: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = {}
    __signature__: Any = _Signatures()

    def __init__(self, *args: Any, **attrs: Any):
        if len(args) > len(self.init) or not set(attrs) <= set(self.init):
            extra = [*map(repr, args[len(self.init) :]), *(set(attrs) - set(self.init))]
            takes = ", ".join(self.init) or say("errors.nothing")
            name = type(self).__name__
            raise TypeError(say("errors.primitive_init", name=name, takes=takes, got=", ".join(extra)))
        self.attrs = dict(zip(self.init, args, strict=False)) | attrs
        self.name = type(self).__name__

    def __call__(self, *inputs: Any, **attrs: Any) -> Any:
        return type(self).function(*inputs, **(self.attrs | attrs if attrs else self.attrs))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{k}={v!r}' for k, v in self.attrs.items())})"


def public(
    *names: str, methods: Sequence[str] = (), primitive: str = "", init: Sequence[str] = (), shows: str = ""
) -> Callable[[Function], Function]:
    """Publish the decorated function, which is no single op.

    Args:
        names: its names in ``ops``; none for a function that is only a method or only a class.
        methods: Tensor methods that it serves; the Tensor is its first argument.
        primitive: name of its class form.
        init: arguments that the class takes at construction; the others belong to the call.
        shows: the op whose card ``help()`` shows, where it is neither of the function's name nor the only one inside.
    """

    def publish(function: Function) -> Function:
        if function.__name__.startswith("_"):  # errors and help() show the public name
            name = (*names, *methods, primitive)[0]
            function.__name__ = name
            function.__qualname__ = name if names or not methods else f"Tensor.{name}"
        if names:
            _document_parts(function, shows, names)
        for name in names:
            FUNCTIONS[name] = function
        for name in methods:
            setattr(Tensor, name, function)
        if primitive:
            publish_class(primitive, function, init)
        return function

    return publish


def _document_parts(function: Any, shows: str, names: Sequence[str]) -> None:
    """Let ``help()`` say of which ops the function is made, and show the card of the one that does its work."""
    own = next(filter(OPS.__contains__, names), "")
    function.made_of = [] if own else MADE_OF.get(names[0], "").split()
    function.shows = OPS.get(shows or own or " ".join(function.made_of))
    function.says = cleandoc(function.__doc__ or "")
    document_function(function)


def document_function(function: Any) -> None:
    """The docstring: what the function says, and in the language in use its parts and the card that it shows."""
    parts = [function.says]
    if function.made_of:
        parts.append(say("cards.made_of", ops=", ".join(function.made_of)))
    if function.shows:
        parts.append(str(card(function.shows)))
    function.__doc__ = "\n\n".join(parts)


def publish_class(
    name: str, function: Callable[..., Any], init: Sequence[str], defaults: Mapping[str, Any] | None = None,
    **members: Any,
) -> None:  # fmt: skip
    """Publish ``ops.<name>``, the class form of ``function``, which takes ``init`` at construction.

    Args:
        defaults: those of ``init`` that are not the function's.
    """
    members |= {"function": staticmethod(function), "init": tuple(init), "defaults": defaults or {}}
    PRIMITIVES[name] = _Documented(name, (Primitive,), {"__module__": "teachcell.ops", **members})
