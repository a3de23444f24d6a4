"""Derivatives as Cells, for code of before ``jvp`` and ``vjp``; and functions with a backward rule of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autodiff import jvp, vjp
from ..autodiff.grad import check_function
from ..core.public import FUNCTIONS
from .cell import Cell


class Jvp(Cell):
    """``Jvp(fn)(*inputs, v)`` is ``(fn(*inputs), Jv)``; ``v`` is a tuple for several inputs. See ``ops.jvp``."""

    def __init__(self, fn: Callable[..., Any]):
        super().__init__()
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        """The pair of value and product."""
        return jvp(self.fn, args[:-1], args[-1])


class Vjp(Cell):
    """``Vjp(fn)(*inputs, v)`` is ``(fn(*inputs), vᵀJ)``: a tuple for several inputs. See ``ops.vjp``."""

    def __init__(self, fn: Callable[..., Any]):
        super().__init__()
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        """The pair of value and product."""
        value, pull = vjp(self.fn, *args[:-1])
        found = pull(args[-1])
        return value, found if len(found) > 1 else found[0]


class custom_vjp(Cell):
    """A function with a backward rule of its own, given by ``defbwd``; until then the automatic gradient counts.

    Decorate ``fn(*inputs)``, then ``fn.defbwd(rule)`` with ``rule(*inputs, out, dout)``: one gradient per input.
    """

    def __init__(self, fn: Callable[..., Any]):
        check_function(fn, "custom_vjp")
        super().__init__()
        self.fn = fn

    def construct(self, *inputs: Any) -> Any:
        """What the function returns."""
        return self.fn(*inputs)

    def defbwd(self, bwd: Callable[..., Any]) -> None:
        """Take ``bwd`` as the rule."""
        check_function(bwd, "defbwd")
        self.bprop = bwd


FUNCTIONS["custom_vjp"] = custom_vjp
