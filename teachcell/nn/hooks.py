"""Hooks on Cells, and the taps that let backward hooks see a Cell's gradients.

A call runs: pre-hooks → input tap → ``construct`` or custom bprop → output tap → forward hooks. Taps exist
only where a backward hook or backward pre-hook does. All Tensor inputs pass one input tap; the output tap has
it as an extra parent, so the sweep closes the call there, after everything inside, even when no input needs
a gradient. The output tap stands right after ``construct``: what forward hooks add is outside its range.

Backward hooks see the Tensors among the positional inputs, and those that the output is or has as direct members;
for Tensors deeper in a nested input or output there is no entry, and their gradients pass unseen.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ..core import modes
from ..core.errors import kinds_of, learner_level
from ..core.events import OBSERVERS
from ..core.gradients import arrive, check_same
from ..core.handles import Handle, check_hook
from ..core.nested import Structure, tensors_in
from ..core.op import Node, Op, new_node, next_seq
from ..core.record import attach_several, pick
from ..core.tensor import Tensor, again, node_of, wrap
from ..texts import say

GIVEN = {  # kind to what a hook is called with
    "forward_pre": ["cell", "inputs"],
    "forward": ["cell", "inputs", "output"],
    "backward_pre": ["cell", "grad_output"],
    "backward": ["cell", "grad_input", "grad_output"],
}
KINDS = tuple(GIVEN)


class HookNote(UserWarning):
    """Says where hooks are silent: inside a jit function, and when ``construct`` is called directly."""


class Hook:
    """One registration: the callable and how it wants to be called."""

    __slots__ = ("always_call", "fn", "older_names", "with_kwargs")

    def __init__(self, fn: Callable[..., Any], with_kwargs: bool = False, always_call: bool = False):
        self.fn = fn
        self.with_kwargs = with_kwargs
        self.always_call = always_call
        self.older_names = _first_parameter(fn) == "cell_id"


def _first_parameter(fn: Callable[..., Any]) -> str | None:
    try:
        return next(iter(inspect.signature(fn).parameters), None)
    except (TypeError, ValueError):
        return None


class HookPoints:
    """The hooks of one Cell, a list per kind; whether a call is running them, and whether the learner was told that
    a direct ``construct`` is not."""

    __slots__ = (*KINDS, "noted", "running")

    def __init__(self) -> None:
        self.forward_pre: list[Hook] = []
        self.forward: list[Hook] = []
        self.backward_pre: list[Hook] = []
        self.backward: list[Hook] = []
        self.running = 0
        self.noted = False

    def empty(self) -> bool:
        """Whether no hook of any kind is left."""
        return not (self.forward_pre or self.forward or self.backward_pre or self.backward)


class Hooked:
    """The registration methods of Cell."""

    _hooks: HookPoints | None

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> Handle:
        """Call ``hook_fn(cell, inputs)`` before ``construct``; what it returns replaces the positional inputs.

        With ``with_kwargs``: ``hook_fn(cell, args, kwargs)`` returns None or ``(args, kwargs)``.
        """
        hook = Hook(hook_fn, with_kwargs)
        return self._register("forward_pre", hook, prepend)

    def register_forward_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False,
        always_call: bool = False,
    ) -> Handle:  # fmt: skip
        """Call ``hook_fn(cell, inputs, output)`` after ``construct``; what it returns replaces the output.

        With ``with_kwargs``: ``hook_fn(cell, args, kwargs, output)``. With ``always_call`` also when the
        forward raises; the exception still propagates.
        """
        hook = Hook(hook_fn, with_kwargs, always_call)
        return self._register("forward", hook, prepend)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> Handle:
        """Call the hook when the gradient has passed the Cell; returned gradients replace those of the inputs.

        ``hook_fn(cell, grad_input, grad_output)``: gradients leaving (by the inputs) and arriving (by the outputs),
        an entry for each Tensor among them, not for those nested deeper. ``grad_input[0]`` is None where nobody wants
        that gradient, as at the first Cell when only weights do: ``if grad_input[0] is None: return None``.
        A hook whose first parameter is named ``cell_id`` is called the older way: ``(cell_id, grad_input,
        grad_output)`` with a text such as ``"ReLU(3)"``, the gradient arriving, and the gradient leaving.
        The Cell works on handles of its own: where it writes to an input, the caller's Tensor keeps its value.
        """
        return self._register("backward", Hook(hook_fn), False)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> Handle:
        """Call ``hook_fn(cell, grad_output)`` before the gradient enters the Cell; a returned tuple replaces it."""
        return self._register("backward_pre", Hook(hook_fn), False)

    def _register(self, kind: str, hook: Hook, prepend: bool) -> Handle:
        given = [*GIVEN[kind][:1], "args", "kwargs", *GIVEN[kind][2:]] if hook.with_kwargs else GIVEN[kind]
        check_hook(hook.fn, f"{type(self).__name__}.register_{kind}_hook", given)
        if modes.graph_mode is not None and modes.constructing():
            raise RuntimeError(say("errors.hook_in_graph", cls=type(self).__name__))
        if self._hooks is None:
            self._hooks = HookPoints()
            _note_direct_calls(type(self))
        hooks = getattr(self._hooks, kind)
        hooks.insert(0 if prepend else len(hooks), hook)
        return Handle(hooks, hook)


def _note_direct_calls(cls: Any) -> None:
    """Let ``net.construct(x)`` say once per Cell that it runs past the hooks.

    The class's ``construct`` is wrapped when the first of its Cells gets a hook: Cells without hooks pay nothing.
    """
    construct = getattr(cls, "construct", None)
    if not isinstance(construct, FunctionType) or hasattr(construct, "__teachcell_notes__"):
        return

    @functools.wraps(construct)
    def noting(self: Any, *args: Any, **kwargs: Any) -> Any:
        hooks = self._hooks
        if not (hooks is None or hooks.running or hooks.empty()):
            for observer in [*OBSERVERS]:
                observer.construct_direct(self)
            if not hooks.noted:
                hooks.noted = True
                note = say("errors.direct_construct", cell=self.cell_id())
                warnings.warn(note, HookNote, stacklevel=learner_level())
        return construct(self, *args, **kwargs)

    noting.__teachcell_notes__ = True  # type: ignore[attr-defined]
    owner = next(base for base in cls.__mro__ if "construct" in vars(base))
    owner.construct = noting


def run(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], body: Callable[..., Any]) -> Any:
    """One call of a hooked Cell around ``body`` (its construct, or the custom-bprop route)."""
    silence = modes.silence() or getattr(cell.construct, "__teachcell_jit__", None)
    hooks = cell._hooks if silence is None else _silenced(cell, silence)
    output = None
    waiting: Iterator[Hook] | None = None
    cell._hooks.running += 1
    try:
        args, kwargs = _forward_pre(cell, hooks, args, kwargs)
        call, mode = None, modes.recording()
        if (hooks.backward or hooks.backward_pre) and mode is not None:
            call, tap, args = _tap_inputs(mode, cell, args)
            for observer in [*OBSERVERS]:
                observer.cell_tapped(cell, call)
        output = body(*args, **kwargs)
        if call is not None and mode is not None:
            output = _tap_outputs(mode, call, tap, output)
        waiting = iter(tuple(hooks.forward))
        for hook in waiting:
            output = _forward(cell, hook, args, kwargs, output)
    except BaseException:
        for hook in waiting or tuple(hooks.forward):  # those that have not run yet
            if hook.always_call:
                _forward_after_failure(cell, hook, args, kwargs, output)
        raise
    finally:
        cell._hooks.running -= 1
    return output


def _silenced(cell: Any, silence: modes.Silence) -> HookPoints:
    """No hooks; where that leaves some out the learner is told so, once."""
    for observer in [*OBSERVERS]:
        observer.hooks_silent(cell)
    if not silence.noted and not cell._hooks.empty():
        silence.noted = True
        warnings.warn(say("errors.jit_hooks", cell=cell.cell_id()), HookNote, stacklevel=learner_level())
    return HookPoints()


def _forward_pre(cell: Any, hooks: HookPoints, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    for hook in tuple(hooks.forward_pre):
        for observer in [*OBSERVERS]:
            observer.hook_starts(cell, "forward_pre", hook.fn, {"inputs": (args, kwargs)}, None)
        result = hook.fn(cell, args, kwargs) if hook.with_kwargs else hook.fn(cell, args)
        for observer in [*OBSERVERS]:
            given = (args, kwargs) if hook.with_kwargs else args
            observer.hook_fired(cell, "forward_pre", hook.fn, _news(result, given), None)
        if result is None:
            continue
        if not hook.with_kwargs:
            args = result if isinstance(result, tuple) else (result,)
        elif isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict):
            args, kwargs = (result[0] if isinstance(result[0], tuple) else (result[0],)), result[1]
        else:
            raise RuntimeError(say("errors.pre_hook_kwargs", cls=type(cell).__name__, got=kinds_of(result)))
    return args, kwargs


def _forward(cell: Any, hook: Hook, args: Any, kwargs: Any, output: Any) -> Any:
    for observer in [*OBSERVERS]:
        observer.hook_starts(cell, "forward", hook.fn, {"inputs": (args, kwargs), "output": output}, None)
    result = hook.fn(cell, args, kwargs, output) if hook.with_kwargs else hook.fn(cell, args, output)
    for observer in [*OBSERVERS]:
        observer.hook_fired(cell, "forward", hook.fn, _news(result, output), None)
    return output if result is None else result


def _forward_after_failure(cell: Any, hook: Hook, args: Any, kwargs: Any, output: Any) -> None:
    """An always-called hook while an exception is on its way: that one is to be told, a second one is only noted."""
    try:
        _forward(cell, hook, args, kwargs, output)
    except Exception as second:
        why = f"{type(second).__name__}: {second}"
        warnings.warn(say("errors.always_call", cell=cell.cell_id(), why=why), stacklevel=learner_level())


def _news(result: Any, given: Any) -> Any:
    """What a hook returned, or None if it is just what the hook was given."""
    before, after = list(tensors_in(given)), list(tensors_in(result))
    same = len(before) == len(after) and all(new is old for new, old in zip(after, before, strict=True))
    return None if same else result


class Call:
    """One call of a Cell with backward hooks: what its two taps share.

    It does not hold the taps, which hold it: a cycle would keep the graph until a garbage collection.

    Attributes:
        seq: the input tap's serial number.
        inputs: how many Tensors pass it.
        outputs: how many Tensors pass the output tap.
        arrived: the gradients that arrived at the output, while the sweep is inside the call.
    """

    __slots__ = ("arrived", "cell", "inputs", "outputs", "seq")

    def __init__(self, cell: Any, inputs: int):
        self.cell = cell
        self.inputs, self.outputs = inputs, 0
        self.seq = next_seq()
        self.arrived: tuple[Tensor | None, ...] | None = None

    def entering(self, arrived: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
        """Backward pre-hooks: the gradients that enter the Cell."""
        for hook in tuple(self.cell._hooks.backward_pre):
            for observer in [*OBSERVERS]:
                observer.hook_starts(self.cell, "backward_pre", hook.fn, {"incoming": arrived}, self)
            result = hook.fn(self.cell, arrived)
            for observer in [*OBSERVERS]:
                observer.hook_fired(self.cell, "backward_pre", hook.fn, _news(result, arrived), self)
            if result is not None:
                arrived = self._checked(result, arrived, "errors.backward_pre_hook")
        return arrived

    def leaving(self, gradients: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
        """Backward hooks: the gradients that leave the Cell by its inputs."""
        for hook in tuple(self.cell._hooks.backward):
            for observer in [*OBSERVERS]:
                given = {"incoming": self.arrived, "outgoing": gradients}
                observer.hook_starts(self.cell, "backward", hook.fn, given, self)
            if hook.older_names:
                result = hook.fn(self.cell.cell_id(), self.arrived, gradients)
            else:
                result = hook.fn(self.cell, gradients, self.arrived)
            for observer in [*OBSERVERS]:
                observer.hook_fired(self.cell, "backward", hook.fn, _news(result, gradients), self)
            if result is not None:
                gradients = self._checked(result, gradients, "errors.backward_hook")
        return gradients

    def _checked(self, result: Any, old: tuple[Tensor | None, ...], kind: str) -> tuple[Tensor | None, ...]:
        def where() -> str:
            return say(kind, cls=type(self.cell).__name__)

        result = result if isinstance(result, tuple) else (result,)
        fits = len(result) == len(old) and all(
            isinstance(r, Tensor) or (r is None and o is None) for r, o in zip(result, old, strict=True)
        )
        if not fits:
            raise TypeError(say("errors.hook_return", where=where(), wanted=len(old), got=kinds_of(result)))
        for new, before in zip(result, old, strict=True):
            if before is not None:
                check_same(new, before, where)
        return tuple(None if before is None else new for new, before in zip(result, old, strict=True))


def _tap_inputs(mode: modes.Recording, cell: Any, args: tuple[Any, ...]) -> tuple[Call, Node, tuple[Any, ...]]:
    """Every positional Tensor through one Node; constants keep having none."""
    tensors = [t for t in args if isinstance(t, Tensor)]
    parents = tuple([node_of(t) for t in tensors])
    call = Call(cell, len(tensors))
    if len(tensors) == 1:  # as most Cells have it; without a PICK Node a tapped call costs 13 µs instead of 20
        tap = mode.add(new_node(INPUT_TAP, parents, (call,), None, None, call.seq, tensors[0]._array.shape))
        nodes: list[Node | None] = [tap]
    else:
        arrays = tuple([t._array for t in tensors])
        shapes = tuple([a.shape for a in arrays])
        tap = mode.add(new_node(INPUTS_TAP, parents or (None,), (call,), arrays, None, call.seq, shapes))
        nodes = [pick(tap, i) if parent is not None else None for i, parent in enumerate(parents)]
    through = iter([again(t, n if p is not None else None) for t, n, p in zip(tensors, nodes, parents, strict=True)])
    return call, tap, tuple([next(through) if isinstance(t, Tensor) else t for t in args])


def _tap_outputs(mode: modes.Recording, call: Call, tap: Node, output: Any) -> Any:
    """Every Tensor of the output (bare, or in a tuple, list or dict) through one Node."""
    if isinstance(output, Tensor):
        call.outputs, node = 1, node_of(output)
        if node is None:
            return output
        through = new_node(OUTPUT_TAP, (node, tap), (call,), None, None, next_seq(), output._array.shape)
        return again(output, mode.add(through))
    outputs = Structure(output, top=True)
    call.outputs = len(outputs.tensors)
    parents = [node_of(t) for t in outputs.tensors]
    if not any(parents):
        return output
    tapped = attach_several(OUTPUTS_TAP, [*parents, tap], (call,), [t._array for t in outputs.tensors], None)
    # An output of constants alone has no gradient; but where no input at all has one, everything counts.
    counts = [node is not None or not any(tap.parents) for node in parents]
    pairs = zip(tapped, outputs.tensors, counts, strict=True)
    return outputs.filled([again(old, new._node if count else None) for new, old, count in pairs])


def _output_rule(F: Any, gradient: Any, out: Any, wanted: list[bool], call: Call) -> Any:
    call.arrived = call.entering(tuple(gradient) if isinstance(gradient, list) else (gradient,))
    return (*call.arrived, None)


def _input_rule(F: Any, gradient: Any, out: Any, wanted: list[bool], call: Call) -> Any:
    if isinstance(gradient, Tensor):
        leaving: tuple[Tensor | None, ...] = (gradient,)
    else:
        leaving = (None,) * call.inputs if gradient is None else tuple(gradient)
    if call.arrived is None:
        call.arrived = (None,) * call.outputs  # it came in otherwise: the outer pass of a second derivative
    try:
        return call.leaving(leaving)
    finally:
        call.arrived = None


def _step(rule: Callable[..., Any]) -> Callable[..., None]:
    """The sweep's step through a tap of one Tensor, where nothing records or observes it: 8 µs a call instead of 13."""

    def step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
        value = rule(None, None if gradient is None else wrap(np.array(gradient)), None, (), *node.args)[0]
        parent = node.parents[0]
        if value is not None and parent is not None and (live is None or parent in live):
            arrive(parent, value._array, own)

    return step


def _is_inside(tap: Node) -> bool:
    """Whether gradients came through the output tap of a call; the input tap closes it even if none reached that."""
    return tap.args[0].arrived is not None


def _tap(name: str, label: str, rule: Any, anyway: Any = None) -> tuple[Op, Op]:
    """A tap of one Tensor, and of several."""
    one, several = (
        Op(name, label, lambda *xs: xs, rule, boxed=True, anyway=anyway, outputs=outputs) for outputs in (1, None)
    )
    one.step = _step(rule)
    return one, several


INPUT_TAP, INPUTS_TAP = _tap("input_tap", "input tap", _input_rule, anyway=_is_inside)
OUTPUT_TAP, OUTPUTS_TAP = _tap("output_tap", "output tap", _output_rule)
