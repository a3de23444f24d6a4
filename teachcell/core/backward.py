"""The reverse sweep: from the outputs' Nodes back to the leaves, each rule once, gradients added up.

A sweep runs over the tape of its call from the end, without a search: every Node stands there behind its parents, so
depth is no limit, and one that no gradient came to is passed by. Unless every leaf is wanted and nothing else can take
a gradient, it first marks what leads to a wanted leaf, and runs rules for nothing else: that gives perturbation
safety, closures, frozen Parameters and no wasted work in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from threading import get_ident
from typing import Any

import numpy as np

from ..kernels.silence import quietly
from ..texts import say
from . import tracing
from .events import OBSERVERS
from .gradients import arrive, check_same, unbroadcast
from .modes import silence
from .op import ARRAYS, TENSORS, Dropped, Node
from .record import LEAF, PICK, pick
from .tensor import Tensor, lent, wrap

ndarray = np.ndarray
_sweeping: set[int] = set()  # threads in which a sweep runs


class Sweep:
    """What one sweep knows: the floor its rules are written on, and which Nodes want a gradient (None: all)."""

    __slots__ = ("F", "create", "live", "own")

    def __init__(self, create: bool, live: set[Node] | None):
        self.create = create
        self.F = TENSORS if create else tracing.floor(ARRAYS)
        self.live = live
        self.own: set[Node] = set()  # Nodes whose grad is an array that this sweep made and may add into

    def wants(self, node: Node | None) -> bool:
        """Whether a gradient should go to ``node``."""
        return node is not None and (self.live is None or node in self.live)


def sweep(
    seeds: Iterable[tuple[Node, Any]], leaves: Collection[Node], nodes: Sequence[Node], create: bool,
    asked: Iterable[Node] | None,
) -> dict[Node, Any]:  # fmt: skip
    """Gradients at ``leaves``.

    Args:
        seeds: output Nodes with the gradients that arrive there, of their shapes: Tensors with ``create``, else
            ndarrays.
        leaves: where the sweep stops.
        nodes: those of the call, parents before children; others belong to somebody else.
        create: record the sweep itself, so that its result can be differentiated.
        asked: the leaves whose gradient is wanted; the others count only where a hook looks. None: all, and no Node
            has a parent that is neither a leaf nor one of ``nodes``.
    """
    live = None if asked is None else _wanted(nodes, leaves, asked)
    thread = get_ident()
    if thread in _sweeping:  # in a rule or hook: the outer sweep may have gradients at these leaves
        held = [(leaf, leaf.take()) for leaf in leaves]
        try:
            return _sweep(Sweep(create, live), seeds, leaves, nodes)
        finally:
            for leaf, gradient in held:
                leaf.grad = gradient
    _sweeping.add(thread)
    try:
        return _sweep(Sweep(create, live), seeds, leaves, nodes)
    finally:
        _sweeping.remove(thread)


@quietly  # infinite slopes are values too
def _sweep(
    state: Sweep, seeds: Iterable[tuple[Node, Any]], leaves: Collection[Node], nodes: Sequence[Node]
) -> dict[Node, Any]:  # fmt: skip
    live = state.live
    try:
        for observer in [*OBSERVERS]:
            observer.sweep_starts(state.create)
        for node, gradient in seeds:
            if live is None or node in live or node.op.anyway:  # a gradient nobody takes up would stay there
                total = node.grad
                node.grad = gradient if total is None else state.F.add(total, gradient)
        _run(state, nodes)
        return _finish(state, leaves)
    except BaseException:
        for node in (*nodes, *leaves):
            node.grad = None  # which each Node is left with once it has run
        raise


def _wanted(nodes: Sequence[Node], leaves: Collection[Node], asked: Iterable[Node]) -> set[Node]:
    """The Nodes that lead to a wanted leaf, and these leaves."""
    live = set(asked)
    # A hook shows the gradients of all arguments; nobody else pays for them.
    if len(live) < len(leaves) and any([node.op.anyway for node in nodes]):
        live = set(leaves)
    for node in nodes:
        if not live.isdisjoint(node.parents):
            live.add(node)
    return live


def _run(state: Sweep, nodes: Sequence[Node]) -> None:
    create, live, own = state.create, state.live, state.own
    observed = bool(OBSERVERS)
    quick = not (create or observed)
    observed_steps = observed and not create and tracing.current is None
    for node in reversed(nodes):
        gradient, op = node.grad, node.op
        if gradient is not None:
            node.grad = None
            if node.hooks and silence() is None:
                gradient = call_hooks(node, gradient, create)
        elif op.anyway is None or not op.anyway(node):
            continue
        step = op.step if quick else op.observed_step if observed_steps else None if observed else op.second_step
        if step is not None:
            step(node, gradient, live, own)
        else:
            _run_rule(state, node, gradient)


def _finish(state: Sweep, leaves: Iterable[Node]) -> dict[Node, Any]:
    found = {}
    for leaf in leaves:
        gradient = leaf.take()
        if gradient is not None:
            if leaf.hooks:
                gradient = call_hooks(leaf, gradient, state.create)
            found[leaf] = gradient
            for observer in [*OBSERVERS]:
                observer.accumulate(leaf, gradient)
    return found


def _run_rule(state: Sweep, node: Node, gradient: Any) -> None:
    if node.op is PICK:
        return _gather(state, node, gradient)
    gradients = _rule_results(state, node, gradient)
    for parent, value in zip(node.parents, gradients, strict=False):
        if value is not None and state.wants(parent):
            put(state, parent, value)
    for observer in [*OBSERVERS]:
        observer.op_backward(node, gradient, gradients)


def _gather(state: Sweep, node: Node, gradient: Any) -> None:
    """Add the gradient of one output into the list that waits at the Node with several outputs."""
    parent, i = node.parents[0], node.attrs["i"]
    if parent.grad is None:
        parent.grad = [None] * len(parent.shape)
    old = parent.grad[i]
    parent.grad[i] = gradient if old is None else state.F.add(old, gradient)


def _pick_step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
    """``_gather`` in first order."""
    parent, i = node.parents[0], node.attrs["i"]
    waiting = parent.grad
    if waiting is None:
        waiting = parent.grad = [None] * len(parent.shape)
    old = waiting[i]
    waiting[i] = gradient if old is None else np.add(old, gradient)
    if len(waiting) == 1 and node in own and not node.hooks:
        own.add(parent)


def _leaf_step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
    """The leaf of an inner call leads to the outer one's, if there is one."""
    for parent in node.parents:
        arrive(parent, gradient, own)


def _second_leaf_step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
    for parent in node.parents:
        parent.grad = gradient if parent.grad is None else TENSORS.add(parent.grad, gradient)


PICK.step = _pick_step
LEAF.step, LEAF.second_step = _leaf_step, _second_leaf_step


def _rule_results(state: Sweep, node: Node, gradient: Any) -> Sequence[Any]:
    """Run the rules on arrays, or on Tensors rebuilt from (array, Node) where they must be recorded."""
    op, parents, args, out, attrs = node.op, node.parents, node.args, node.out, node.attrs or {}
    if args is None:
        args = [Dropped(op.label, None if p is None else p.shape) for p in parents]
    if state.create or op.boxed:
        args = [_rebuilt(a, p, state.create) for a, p in zip(args, parents, strict=False)]
        out = _rebuilt_output(node, out, state.create)
        if not state.create:
            gradient = _owned(gradient)
    rules, F = op.rules, TENSORS if op.boxed else state.F
    wanted = [state.wants(p) for p in parents]
    if callable(rules):
        found = rules(F, gradient, out, wanted, *args, **attrs)
    else:
        found = [
            rule(F, gradient, out, *args, **attrs) if rule is not None and want else None
            for rule, want in zip(rules or (), wanted, strict=False)
        ]
    if op.boxed and not state.create:
        return [v if v is None else v._array for v in found]
    return found


def _rebuilt(array: Any, parent: Node | None, create: bool) -> Any:
    if not isinstance(array, ndarray):
        return array
    return wrap(array, parent) if create else lent(array)


def _rebuilt_output(node: Node, out: Any, create: bool) -> Any:
    if out is None:
        return Dropped(node.op.label, node.shape)
    if not create:
        return lent(out) if node.op.outputs == 1 else [lent(o) for o in out]
    if node.op.outputs == 1:
        return wrap(out, node)
    return [wrap(o, pick(node, i) if o.dtype.kind == "f" else None) for i, o in enumerate(out)]


def _owned(gradient: Any) -> Any:
    """Gradients as hooks and learners' rules get them: Tensors with arrays of their own, free to be written into."""
    if isinstance(gradient, list):
        return [_owned(g) for g in gradient]
    return None if gradient is None else wrap(tracing.own(gradient))


def put(state: Sweep, node: Node, gradient: Any) -> None:
    """One gradient arrives at ``node``: undo a broadcast, check the shape, add."""
    if not state.create and state.F is ARRAYS:
        arrive(node, gradient, state.own)
        return
    if node.op.outputs == 1 and gradient.shape != node.shape:
        gradient = unbroadcast(state.F, gradient, node.shape)
    node.grad = gradient if node.grad is None else state.F.add(node.grad, gradient)


def call_hooks(node: Node, gradient: Any, create: bool) -> Any:
    """Run a Node's Tensor hooks in order of registration on the running gradient."""
    tensor = gradient if create else _owned(gradient)
    for hook in tuple(node.hooks or ()):
        result = hook(tensor)
        if result is None:
            continue
        if not isinstance(result, Tensor):
            raise RuntimeError(say("errors.tensor_hook_type", got=type(result).__name__))
        check_same(result, tensor, lambda: say("errors.tensor_hook"))
        tensor = result
    return tensor if create else tensor._array
