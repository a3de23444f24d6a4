"""Products with the Jacobian J of a function: ``vjp`` (vᵀJ, one sweep back) and ``jvp`` (Jv, forwards).

A sweep is linear in the gradient that arrives, so Jv is itself a vᵀJ: that of the sweep, by its seed. One recorded
forward and one recorded sweep serve any number of products.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import modes
from ..core.nested import Structure, map_tensors
from ..core.op import TENSORS as T
from ..core.op import next_seq
from ..core.tensor import Tensor
from ..texts import say
from .grad import check_function, checked_weights
from .recorded import Recorded, detached

Pushed = Callable[..., Any]


def floats_of(tensors: Sequence[Tensor]) -> tuple[int, ...]:
    """The positions of the float Tensors: integers and Bools have no derivative."""
    return tuple(i for i, t in enumerate(tensors) if t._array.dtype.kind == "f")


def as_tensors(values: Any, where: str) -> tuple[Tensor, ...]:
    """One Tensor, or a tuple or list of them, as a tuple."""
    found = tuple(values) if isinstance(values, (tuple, list)) else (values,)
    for i, value in enumerate(found):
        if not isinstance(value, Tensor):
            raise TypeError(say("errors.product_input", where=where, i=i, got=type(value).__name__))
    return found


def in_all_places(found: Sequence[Tensor], places: tuple[int, ...], like: Sequence[Tensor]) -> list[Tensor]:
    """What was found for some of the Tensors, with zeros for the others."""
    by_place = dict(zip(places, found, strict=True))
    return [by_place[i] if i in by_place else T.zeros_like(t) for i, t in enumerate(like)]


class Linearised:
    """A function's value at a point, and its products Jv there.

    Args:
        fn: the function.
        inputs: the point.
        has_aux: only the first output is differentiated.
    """

    def __init__(self, fn: Callable[..., Any], inputs: tuple[Tensor, ...], has_aux: bool = False):
        self._outer = modes.recording() is not None
        self.inputs = inputs
        self._places = floats_of(inputs)
        with modes.Recording(since=next_seq()):
            self._forward = Recorded(fn, inputs, {}, self._places, has_aux)
            seeds = [T.zeros_like(t) for t in self._forward.outputs]
            self._out_places = floats_of(seeds)
            self._sweep = Recorded(lambda *us: self._forward.gradients(us).by_position, seeds, {}, self._out_places)
        self.value = self._given(self._forward.value)
        self.outputs = outputs_of(self.value[0] if has_aux else self.value)

    def _given(self, value: Any) -> Any:
        return value if self._outer else map_tensors(detached, value)

    def push(self, v: tuple[Tensor, ...]) -> list[Tensor]:
        """Jv, one Tensor per output."""
        check_tangents(v, self.inputs)
        found = self._sweep.gradients([v[i] for i in self._places]).by_position
        return [self._given(t) for t in in_all_places(found, self._out_places, self._forward.outputs)]


def outputs_of(value: Any) -> Structure:
    """The Tensors among outputs; numbers beside them, which have no tangent, are left as they are.

    Raises:
        TypeError: there is no Tensor.
    """
    found = Structure(value)
    if not found.tensors:
        raise TypeError(say("errors.no_tensor_output", got=type(value).__name__))
    return found


def check_tangents(v: tuple[Tensor, ...], inputs: tuple[Tensor, ...]) -> None:
    """ValueError unless there is one tangent of the same shape per input."""
    got, wanted = [t.shape for t in v], [t.shape for t in inputs]
    if got != wanted:
        raise ValueError(say("errors.tangents", got=got, wanted=wanted))


def aux_of(value: Any) -> Any:
    """The outputs that are not differentiated: one bare, several as a tuple."""
    return value[1] if len(value) == 2 else value[1:]


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> Any:
    """Value of ``fn`` and its derivative along ``v``: ``(fn(*inputs), Jv)``.

    Args:
        fn: function, Cell or any callable of Tensors.
        inputs: Tensor or tuple of Tensors.
        v: the direction: like ``inputs``.
        has_aux: only the first output is differentiated; the others follow as third member.

    Raises:
        TypeError: an input or a direction that is no Tensor.
        ValueError: directions whose shapes are not those of the inputs.
    """
    check_function(fn, "jvp")
    call = Linearised(fn, as_tensors(inputs, "jvp"), has_aux)
    tangent = call.outputs.filled(call.push(as_tensors(v, "jvp")))
    return (call.value[0], tangent, aux_of(call.value)) if has_aux else (call.value, tangent)


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Pushed]:
    """Value of ``fn`` and the function ``v -> Jv`` at ``inputs``, which runs ``fn`` no more.

    Arguments and errors are those of :func:`jvp`.
    """
    check_function(fn, "linearize")
    call = Linearised(fn, as_tensors(inputs, "linearize"))

    def push(*v: Any) -> Any:
        directions = v[0] if len(v) == 1 else v
        return call.outputs.filled(call.push(as_tensors(directions, "linearize")))

    return call.value, push


def vjp(fn: Callable[..., Any], *inputs: Tensor, weights: Any = None, has_aux: bool = False) -> Any:
    """Value of ``fn`` and the function ``v -> vᵀJ``: ``(fn(*inputs), pull)``.

    ``pull(v)`` (one ``v`` per output, or one tuple of them) returns a tuple with one gradient per input; with
    ``weights`` the pair of that and of the gradients by these Parameters. ``fn`` is not run again.

    Args:
        fn: function, Cell or any callable of Tensors.
        inputs: Tensors.
        weights: Parameter, or sequence of Parameters.
        has_aux: only the first output is differentiated; the others follow as third member.

    Raises:
        TypeError: an input or a ``v`` that is no Tensor, a weight that is no Parameter.
        ValueError: ``v`` is not like the outputs.
    """
    check_function(fn, "vjp")
    given, params = as_tensors(inputs, "vjp"), checked_weights(weights)
    places = floats_of(given)
    call = Recorded(fn, given, {}, places, has_aux)

    def pull(*v: Any) -> Any:
        seeds = as_tensors(v[0] if len(v) == 1 else v, "vjp")
        by_position, by_weight = call.gradients(seeds, params)
        by_input = tuple(in_all_places(by_position, places, given))
        if weights is None:
            return by_input
        return by_input, by_weight[0] if isinstance(weights, Tensor) else by_weight

    return (call.result[0], pull, aux_of(call.result)) if has_aux else (call.result, pull)
