"""A Cell's own backward rule: ``bprop(self, <inputs of construct>, out, dout)``.

It replaces everything inside the Cell, and is used only while gradients are recorded. It is looked up when
the gradient is computed: on the instance, then on the class; None means the automatic gradient.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from ..core import modes
from ..core.arity import argument_names, misfit
from ..core.errors import kinds_of
from ..core.events import OBSERVERS, Observer, observing
from ..core.gradients import arrive, arrived, reduces
from ..core.nested import Structure, tensors_in
from ..core.op import Node, Op, new_node, next_seq
from ..core.record import attach_several
from ..core.tensor import Tensor, again, lent, node_of, own_handle, wrap
from ..texts import say


def construct(cell: Any, *args: Any, **kwargs: Any) -> Any:
    """Run ``construct`` unrecorded and attach one Node that will call the Cell's bprop."""
    args, kwargs = _bound(cell, args, kwargs)
    given = (*args, *kwargs.values()) if kwargs else args  # in construct's order, so that each meets its gradient
    inputs = Structure(given)
    parents, weights = [node_of(t) for t in inputs.tensors], []
    if cell.internal_params:
        weights = [w for w in cell.internal_params if w._node is not None]
        parents += [node_of(w) for w in weights]
    if not any(parents):
        return cell.construct(*args, **kwargs)
    own = [own_handle(t) for t in inputs.tensors]
    own_args, own_kwargs = inputs.filled(own), {}
    if kwargs:
        own_kwargs = dict(zip(kwargs, own_args[len(args) :], strict=True))
        own_args = own_args[: len(args)]
    output = modes.unrecorded(cell.construct, *own_args, **own_kwargs)
    outputs = Structure(output)
    call = BpropCall(cell, inputs, outputs, weights)
    return linked(cell, (*inputs.tensors, *weights) if weights else inputs.tensors, parents, outputs, call)


def linked(
    owner: Any, inputs: Sequence[Tensor], parents: Sequence[Node | None], outputs: Structure, call: Callable[..., Any]
) -> Any:  # fmt: skip
    """The outputs with a Node that answers for these inputs by ``call(gradients, outs, inputs)``."""
    arrays, results = [t._array for t in inputs], [t._array for t in outputs.tensors]
    mode = modes.recording()
    if len(results) == 1 and results[0].dtype.kind == "f" and any(parents) and mode is not None:
        (result,) = results  # as most have it; without a PICK Node a call costs 2 µs less
        attrs, number = {"call": call}, next_seq()
        node: Node | None = mode.add(new_node(BPROP, tuple(parents), arrays, result, attrs, number, result.shape))
        outs: tuple[Tensor, ...] = (wrap(result, node),)
    else:
        outs = attach_several(BPROPS, parents, arrays, results, {"call": call})
        node = next((t._node.parents[0] for t in outs if t._node is not None), None)
    for observer in [*OBSERVERS]:
        observer.bprop_recorded(owner, node, inputs)
    return outputs.filled(map(_result_handle, outs, outputs.tensors))


def _result_handle(new: Tensor, old: Tensor) -> Tensor:
    """The output as the Cell returns it: for observers what construct made, or a value of its own if construct
    handed an input or a Parameter through."""
    return again(old, new._node) if old._node is None and old._extra is not None else new


def _bound(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments as construct's signature sorts them, defaults filled in."""
    function = getattr(cell.construct, "__func__", None)
    if not kwargs and type(function) is FunctionType and not (function.__defaults__ or function.__kwdefaults__):
        return args, kwargs  # asking for the signature would cost 8 % of a small step
    bound = inspect.signature(cell.construct).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args, bound.kwargs


class _NoParameters(Observer):
    """In graph mode a bprop that reads a Parameter is refused."""

    def __init__(self, name: str):
        self.name = name

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        if any(isinstance(t, Tensor) and t.is_parameter for t in inputs):
            raise RuntimeError(say("errors.bprop_parameter_graph", cls=self.name))


class BpropCall:
    """One recorded call of a Cell with a bprop."""

    __slots__ = ("cell", "inputs", "outputs", "rule", "weights")

    def __init__(self, cell: Any, inputs: Structure, outputs: Structure, weights: list[Tensor]):
        self.cell = cell
        self.rule = cell.bprop  # as it is now, should the Cell have lost it when the gradient is computed
        self.inputs, self.outputs = inputs.bare(), outputs.bare()
        self.weights = weights

    @property
    def name(self) -> str:
        """The class of the Cell."""
        return type(self.cell).__name__

    @property
    def rule_name(self) -> str:
        """The rule, as errors call it."""
        return f"{self.name}.bprop"

    def __call__(self, gradients: Any, out: Any, tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        """Call the rule and sort what it returns: one gradient or None per input Tensor and internal Parameter."""
        args = self.inputs.filled(tensors[: self.inputs.count] if self.weights else tensors)  # weights stand behind
        dout = self.outputs.filled(arrived(gradients, out))
        rule = self.cell.bprop
        if rule is None:
            rule = self.rule
        try:
            if modes.graph_mode is None:
                result = rule(*args, self.outputs.filled(out), dout)
            else:
                with observing(_NoParameters(self.name)):
                    result = rule(*args, self.outputs.filled(out), dout)
        except TypeError:
            wrong = misfit(rule, [*argument_names(self.cell.construct, len(args), "x"), "out", "dout"])
            if wrong:
                raise TypeError(say("errors.bprop_arguments", rule=self.rule_name, misfit=wrong)) from None
            raise  # of something inside
        by_weight: list[Tensor | None] = []
        if self.cell.internal_params:
            result, by_weight = self._split(result)
        return self._by_input(result, args) + by_weight

    def _split(self, result: Any) -> tuple[Any, list[Tensor | None]]:
        found = result[1] if isinstance(result, tuple) and len(result) == 2 else None
        if not isinstance(found, dict) or any(w not in found for w in self.weights):
            names = ", ".join(w.name for w in self.weights)
            raise RuntimeError(say("errors.internal_params", cls=self.name, names=names, got=kinds_of(result)))
        return result[0], [checked_gradient(self.rule_name, found[w], w, w.name) for w in self.weights]

    def _by_input(self, result: Any, args: tuple[Any, ...]) -> list[Tensor | None]:
        if isinstance(result, Tensor):
            result = (result,)
        if not isinstance(result, (tuple, list)):
            raise TypeError(say("errors.bprop_return", rule=self.rule_name, got=kinds_of(result), wanted=len(args)))
        if len(result) != len(args):
            raise RuntimeError(say("errors.bprop_count", rule=self.rule_name, got=len(result), wanted=len(args)))
        found: list[Tensor | None] = []
        for i, (gradient, arg) in enumerate(zip(result, args)):  # noqa: B905 - as long as each other
            if isinstance(arg, Tensor) and isinstance(gradient, Tensor):
                got, wanted = gradient._array, arg._array
                alike = got.dtype is wanted.dtype and got.shape == wanted.shape and got.dtype.kind == "f"
                found.append(gradient if alike else checked_gradient(self.rule_name, gradient, arg, i))
            else:
                self._collect(gradient, arg, i, found)
        return found

    def _collect(self, gradient: Any, arg: Any, where: int, found: list[Tensor | None]) -> None:
        if isinstance(arg, Tensor):
            found.append(checked_gradient(self.rule_name, gradient, arg, where))
        elif isinstance(arg, (tuple, list, dict)) and next(tensors_in(arg), None) is not None:
            members = list(arg.values()) if isinstance(arg, dict) else arg
            for part, member in zip(self._parts(gradient, arg, where), members, strict=True):
                self._collect(part, member, where, found)

    def _parts(self, gradient: Any, arg: Any, where: int) -> Any:
        """The gradients of a container's members: a container like it, or None for all."""
        if gradient is None:
            return [None] * len(arg)
        if isinstance(arg, dict) and isinstance(gradient, dict):
            return [gradient.get(key) for key in arg]
        if not isinstance(gradient, (tuple, list)):
            raise _wrong_entry(self.rule_name, where, gradient)
        if len(gradient) != len(arg):
            raise RuntimeError(say("errors.bprop_count", rule=self.rule_name, got=len(gradient), wanted=len(arg)))
        return gradient


def _wrong_entry(rule: str, where: int | str, got: Any) -> TypeError:
    return TypeError(say("errors.bprop_entry", rule=rule, where=_place(where), got=type(got).__name__))


def _place(where: int | str) -> str:
    """The words for an input's number; the name of a Parameter."""
    return where if isinstance(where, str) else say("errors.input", i=where)


def checked_gradient(rule: str, gradient: Any, like: Tensor, where: int | str) -> Tensor | None:
    """What a learner's rule returned for one Tensor (an input's number or a Parameter's name), in its dtype; None:
    nothing, or nothing that counts."""
    if gradient is None or like._array.dtype.kind != "f":
        return None
    if not isinstance(gradient, Tensor):
        raise _wrong_entry(rule, where, gradient)
    got, wanted = gradient._array, like._array
    if got.shape != wanted.shape and not reduces(got.shape, wanted.shape):
        text = say("errors.bprop_shape", rule=rule, where=_place(where), got=gradient.shape, wanted=like.shape)
        transposed = gradient.shape == like.shape[::-1]
        raise RuntimeError(text + say("errors.bprop_transposed") if transposed else text)
    return gradient if got.dtype is wanted.dtype or got.dtype == wanted.dtype else gradient.astype(like.dtype)


def _rule(F: Any, g: Any, out: Any, wanted: list[bool], *tensors: Tensor, call: Callable[..., Any]) -> Any:
    return call((g,), (out,), tensors)


def _rule_of_several(F: Any, gs: Any, outs: Any, wanted: list[bool], *tensors: Tensor, call: Callable[..., Any]) -> Any:
    return call(gs, outs, tensors)


def _step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
    """The sweep's step where nothing records or observes it: arrays as Tensors, gradients as arrays of their own."""
    mine = node in own and not node.hooks  # made by the sweep, for this Node alone
    dout, out = wrap(gradient if mine else np.array(gradient)), lent(node.out)
    _answer(node, (dout,), (out,), live, own)


def _step_of_several(node: Node, gradients: Any, live: set[Node] | None, own: set[Node]) -> None:
    """The same for several outputs."""
    douts = [None if g is None else wrap(np.array(g)) for g in gradients]
    _answer(node, douts, [lent(o) for o in node.out], live, own)


def _answer(
    node: Node, douts: Sequence[Tensor | None], outs: Sequence[Tensor], live: set[Node] | None, own: set[Node]
) -> None:  # fmt: skip
    """Hand on what the rule answers, as arrays."""
    found = node.attrs["call"](douts, outs, [lent(a) for a in node.args])
    for parent, value in zip(node.parents, found):  # noqa: B905 - as long as each other
        if value is not None and parent is not None and (live is None or parent in live):
            arrive(parent, value._array, own)


BPROP = Op("bprop", "bprop", lambda *xs: xs, _rule, keeps_inputs=True, keeps_output=True, boxed=True)
BPROPS = replace(BPROP, rules=_rule_of_several, outputs=None)
BPROP.step, BPROPS.step = _step, _step_of_several  # 2 µs less of 18
