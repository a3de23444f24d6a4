"""The reverse sweep: from the outputs' Nodes back to the leaves, each rule once, gradients added up.

A sweep looks only at Nodes younger than its call (``floor``) and stops at its leaves. It marks what reaches
a wanted leaf and runs rules for nothing else: that gives perturbation safety, closures, frozen Parameters
and no wasted work in one pass. Order is by ``seq``, without recursion, so depth is no limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..texts import say
from . import tracing
from .events import OBSERVERS, emit
from .gradients import check_same, unbroadcast
from .modes import silence
from .op import ARRAYS, TENSORS, Dropped, Node, Op
from .record import LEAF, PICK, pick
from .tensor import Tensor, lent, wrap

ndarray = np.ndarray
_by_seq = attrgetter("seq")


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
    seeds: Iterable[tuple[Node, Any]], leaves: Sequence[Node], floor: int, create: bool, asked: Iterable[Node]
) -> dict[Node, Any]:
    """Gradients at ``leaves``.

    Args:
        seeds: output Nodes with the gradients that arrive there: Tensors with ``create``, else ndarrays.
        leaves: where the sweep stops.
        floor: Nodes with a smaller ``seq`` belong to somebody else.
        create: record the sweep itself, so that its result can be differentiated.
        asked: the leaves whose gradient is wanted; the others count only where a hook or a bprop looks.
    """
    with np.errstate(all="ignore"):  # infinite slopes are values too
        seeds = list(seeds)
        nodes, live = _collect([node for node, _ in seeds], leaves, floor, asked)
        state = Sweep(create, live)
        held = [(leaf, leaf.grad) for leaf in leaves]
        for node in (*leaves, *nodes):
            node.grad = None
        try:
            for node, gradient in seeds:
                put(state, node, gradient)
            _run(state, nodes)
            return _finish(state, leaves)
        finally:
            for leaf, gradient in held:
                leaf.grad = gradient


def _collect(
    roots: list[Node], leaves: Sequence[Node], floor: int, asked: Iterable[Node]
) -> tuple[list[Node], set[Node] | None]:
    """The Nodes to run, latest first, and those that reach a wanted leaf; None: every one does."""
    seen = set(leaves)
    stack = list(dict.fromkeys(root for root in roots if root not in seen and root.seq >= floor))
    seen.update(stack)
    nodes: list[Node] = []
    watched = foreign = False
    pop, push, keep, mark = stack.pop, stack.append, nodes.append, seen.add
    while stack:
        node = pop()
        keep(node)
        if node.op.always:
            watched = True
        for parent in node.parents:
            if parent is not None and parent not in seen:
                if parent.seq >= floor:
                    mark(parent)
                    push(parent)
                else:
                    foreign = True  # an outer input, or a Parameter nobody asked for
    nodes.sort(key=_by_seq)
    live = set(leaves if watched else asked)  # a hook shows the gradients of all arguments; nobody else pays for them
    if not foreign and len(live) == len(leaves):
        nodes.reverse()
        return nodes, None
    for node in nodes:
        if not live.isdisjoint(node.parents):
            live.add(node)
    return [node for node in reversed(nodes) if node in live or node.op.always], live


def _run(state: Sweep, nodes: list[Node]) -> None:
    quick, live, own = not (state.create or OBSERVERS), state.live, state.own
    for node in nodes:
        gradient, op = node.grad, node.op
        if gradient is None:
            if not op.always:
                continue
        else:
            node.grad = None
            if node.hooks and silence() is None:
                gradient = call_hooks(node, gradient, state.create)
        step = op.step
        if step is not None and quick and node.attrs is None:
            step(node, gradient, live, own)
        else:
            _run_rule(state, node, gradient)


def _finish(state: Sweep, leaves: Sequence[Node]) -> dict[Node, Any]:
    found = {}
    for leaf in leaves:
        if leaf.grad is not None:
            if leaf.hooks:
                leaf.grad = call_hooks(leaf, leaf.grad, state.create)
            found[leaf] = leaf.grad
            if OBSERVERS:
                emit("accumulate", leaf, _boxed(leaf.grad))
    return found


def _run_rule(state: Sweep, node: Node, gradient: Any) -> None:
    if node.op is PICK:
        _gather(state, node, gradient)
        return
    gradients = _rule_results(state, node, gradient)
    for parent, value in zip(node.parents, gradients, strict=False):
        if value is not None and state.wants(parent):
            put(state, parent, value)
    if OBSERVERS:
        emit("op_backward", node, _boxed(gradient), [_boxed(v) for v in gradients])


def _gather(state: Sweep, node: Node, gradient: Any) -> None:
    """Add the gradient of one output into the list that waits at the Node with several outputs."""
    parent, i = node.parents[0], node.attrs["i"]
    if parent.grad is None:
        parent.grad = [None] * len(parent.shape)
    old = parent.grad[i]
    parent.grad[i] = gradient if old is None else state.F.add(old, gradient)


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


def _boxed(gradient: Any) -> Any:
    """Gradients as observers see them: Tensors."""
    if isinstance(gradient, (list, tuple)):
        return [_boxed(g) for g in gradient]
    return gradient if gradient is None or isinstance(gradient, Tensor) else wrap(tracing.asarray(gradient))


def put(state: Sweep, node: Node, gradient: Any) -> None:
    """One gradient arrives at ``node``: undo a broadcast, check the shape, add."""
    if node.op.outputs == 1 and gradient.shape != node.shape:
        gradient = unbroadcast(state.F, gradient, node.shape)
    if node.grad is None:
        node.grad = gradient
    elif state.create:
        node.grad = TENSORS.add(node.grad, gradient)
    else:
        _add(node, gradient, state.own)


def _add(node: Node, gradient: Any, own: set[Node]) -> None:
    """Add a second, third … gradient: from the third on in place, into an array that this sweep made."""
    if node in own:
        np.add(node.grad, gradient, node.grad)
    else:
        node.grad = total = np.add(node.grad, gradient)
        if type(total) is ndarray:
            own.add(node)


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


def specialise(op: Op) -> Any:
    """The first-order step for a plain op with one or two inputs, rules bound: no star calls, no lists.

    Halves the sweep's cost per op at lesson sizes. It applies to Nodes without attributes.
    """
    rules = op.rules
    if not isinstance(rules, tuple) or None in rules or op.boxed or op.outputs != 1 or op is LEAF:
        return None
    if len(rules) == 1:
        return _step1(op, *rules)
    return _step2(op, *rules) if len(rules) == 2 else None


def _step1(op: Op, rule: Any) -> Any:
    blanks: dict[tuple[int, ...], tuple[Dropped]] = {}

    def blank(shape: tuple[int, ...]) -> tuple[Dropped]:
        if len(blanks) > 99:
            blanks.clear()
        return blanks.setdefault(shape, (Dropped(op.label, shape),))

    def step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
        (parent,) = node.parents
        shape = parent.shape
        (x,) = node.args or blanks.get(shape) or blank(shape)
        value = rule(ARRAYS, gradient, node.out, x)
        if value.shape != shape:
            value = unbroadcast(ARRAYS, value, shape)
        if parent.grad is None:
            parent.grad = value
        else:
            _add(parent, value, own)

    return step


def _step2(op: Op, first: Any, second: Any) -> Any:
    blank = (Dropped(op.label, None),) * 2
    exact = op.elementwise  # the rules' values have the output's shape, which is cheaper to ask than an array's

    def step(node: Node, gradient: Any, live: set[Node] | None, own: set[Node]) -> None:
        p, q = node.parents
        x, y = node.args or blank
        if p is not None and (live is None or p in live):
            value = first(ARRAYS, gradient, node.out, x, y)
            if (node.shape if exact else value.shape) != p.shape:
                value = unbroadcast(ARRAYS, value, p.shape)
            if p.grad is None:
                p.grad = value
            else:
                _add(p, value, own)
        if q is not None and (live is None or q in live):
            value = second(ARRAYS, gradient, node.out, x, y)
            if (node.shape if exact else value.shape) != q.shape:
                value = unbroadcast(ARRAYS, value, q.shape)
            if q.grad is None:
                q.grad = value
            else:
                _add(q, value, own)

    return step
