"""One recorded call of a function, from which gradients can be swept, once or often."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core import modes, tracing
from ..core.backward import sweep
from ..core.errors import learner_level
from ..core.events import OBSERVERS
from ..core.nested import map_tensors, tensors_in
from ..core.op import TENSORS, Node, new_node, next_seq
from ..core.record import LEAF
from ..core.tensor import Tensor, again, node_of, own_handle, wrap
from ..kernels.buffers import has_own
from ..texts import say

Seeds = list[tuple[Node | None, Any]]  # the outputs' Nodes with the gradients that arrive there


class Gradients(NamedTuple):
    """What one sweep gave."""

    by_position: tuple[Tensor, ...]
    by_weight: tuple[Tensor, ...]


class Recorded:
    """One call of ``fn`` under recording.

    Args:
        fn: any callable, called with ``args`` and ``kwargs``.
        positions: positions of the arguments to differentiate by; None: arguments are constants.
        has_aux: only the first output is differentiated.

    Attributes:
        value: what ``fn`` returned, with its graph.
        nodes: those that it made, parents before children.
        shared: the Parameters' Nodes among their parents, if all others are leaves or stand in ``nodes``, so that a
            sweep for all of them need not ask what leads where; None: that is not known.
    """

    def __init__(
        self, fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], positions: tuple[int, ...] | None,
        has_aux: bool = False,
    ):  # fmt: skip
        outer = modes.recording()
        self.create = outer is not None  # is the gradient itself going to be differentiated?
        self.args, self.positions = args, positions
        for observer in [*OBSERVERS]:
            observer.call_starts(args)
        self.since = since = next_seq()
        self.slots, inner = _leaves(args, positions, outer)
        if kwargs:
            kwargs = {name: own_handle(a) for name, a in kwargs.items()}
        mode = modes.Recording(since)
        tape: list[Node] = mode.tape
        start = len(tape)
        self.value = value = mode.run(fn, inner, kwargs)
        # With a call inside, or while another thread records, a Node may have a parent that is not on this tape.
        alone = not self.create and next_seq() - since - len(self.slots) - 1 == len(tape)
        self.nodes = tape[start:] if self.create else tape
        if mode.gaps:
            self.nodes = [node for node in self.nodes if node is not None]
        self.shared = mode.shared if alone else None
        if has_aux:
            if not (isinstance(value, tuple) and len(value) > 1):
                raise ValueError(say("errors.has_aux"))
            value = value[0]
        if isinstance(value, Tensor):
            self.outputs = [value]
            self.roots = [value._node]
            return
        if not isinstance(value, (tuple, list, dict, bool, int, float, str)):
            warnings.warn(say("errors.no_value", got=type(value).__name__), stacklevel=learner_level())
        self.outputs = list(tensors_in(value))
        self.roots = [tensor._node for tensor in self.outputs]

    def put_before(self, node: Node, new: Node) -> None:
        """Put a new Node on the tape in front of one; its parents may be any that are older."""
        self.nodes.insert(self.nodes.index(node), new)
        self.shared = None

    @property
    def result(self) -> Any:
        """The value as the user gets it: without the graph, unless something outside records."""
        if self.create:
            return self.value
        return detached(self.value) if isinstance(self.value, Tensor) else map_tensors(detached, self.value)

    def gradients(self, seeds: Any = None, weights: Sequence[Tensor] = ()) -> Gradients:
        """Sweep once.

        Args:
            seeds: gradients that arrive at the outputs; by default ones.
            weights: Parameters to differentiate by; read after the forward, which may have added some.
        """
        slots, positions, shared = self.slots, self.positions or (), self.shared
        by_position = [slots[i] for i in positions]
        by_weight = [w._node for w in weights] if weights else []
        leaves = dict.fromkeys(slots.values())
        for leaf in by_weight:
            if leaf is not None:  # it is not frozen
                leaves[leaf] = None
        asked = None
        if len(positions) < len(slots) or shared is None or not leaves.keys() >= shared:
            asked = [leaf for leaf in (*by_position, *by_weight) if leaf is not None]
        roots = []
        for node, gradient in self._ones() if seeds is None else self._given(seeds):
            if node is not None and (node.seq > self.since or node in leaves):
                roots.append((node, gradient))
        found = sweep(roots, leaves, self.nodes, self.create, asked)
        args = self.args
        taken: set[int] = set()
        return Gradients(
            self._taken(found, by_position, [args[i] for i in positions], taken) if positions else (),
            self._taken(found, by_weight, weights, taken) if weights else (),
        )

    def _ones(self) -> Seeds:
        """The outputs' Nodes with ones of their shapes."""
        found: Seeds = []
        for node, tensor in zip(self.roots, self.outputs):  # noqa: B905 - as long as each other
            array = tensor._array
            ones = np.empty(array.shape, array.dtype)
            ones.fill(1)  # ones_like takes three times as long
            found.append((node, wrap(ones) if self.create else ones))
        return found

    def _given(self, given: Any) -> Seeds:
        """The outputs' Nodes with the gradients that arrive there."""
        outputs, seeds = self.outputs, list(tensors_in(given))
        if [s.shape for s in seeds] != [t.shape for t in outputs]:
            raise ValueError(say("errors.sens_shape", got=[s.shape for s in seeds], wanted=[t.shape for t in outputs]))
        if self.create:
            return list(zip(self.roots, seeds, strict=True))
        arrays = [s._array.astype(t._array.dtype) for t, s in zip(outputs, seeds, strict=True)]
        return list(zip(self.roots, arrays, strict=True))

    def _taken(
        self, found: dict[Node, Any], leaves: Sequence[Node | None], likes: Sequence[Tensor], taken: set[int]
    ) -> tuple[Tensor, ...]:  # fmt: skip
        """Gradients for the user, in memory of their own: zeros where none arrived, a copy where arrays are shared.

        Args:
            found: the gradients by their leaves.
            leaves: those asked for; None has none.
            likes: what the gradients are like.
            taken: the identities of the arrays that the user has.
        """
        results: list[Any] = []
        for leaf, like in zip(leaves, likes):  # noqa: B905 - as long as each other
            gradient = found.get(leaf) if leaf is not None else None
            if gradient is None:
                gradient = TENSORS.zeros_like(like)
            elif not self.create:
                array = gradient if type(gradient) is np.ndarray else tracing.asarray(gradient)
                if array.base is not None and not has_own(array) or id(array) in taken:
                    array = array.copy()
                taken.add(id(array))
                gradient = wrap(array)
            results.append(gradient)
        return tuple(results)


def _leaves(
    args: Sequence[Any], positions: tuple[int, ...] | None, outer: modes.Recording | None
) -> tuple[dict[int, Node], list[Any]]:
    """A fresh leaf for every float Tensor argument, by slot, so that one Tensor in two slots stays two."""
    slots: dict[int, Node] = {}
    if positions is None:
        return slots, [own_handle(a) for a in args]
    inner: list[Any] = []
    for i, tensor in enumerate(args):
        if not isinstance(tensor, Tensor) or tensor._array.dtype.kind != "f":
            inner.append(own_handle(tensor))
            continue
        array, extra = tensor._array, tensor._extra
        parents = (tensor._node,) if outer is not None and node_of(tensor) is not None else ()
        node = slots[i] = new_node(LEAF, parents, (array,), None, None, next_seq(), array.shape)
        if outer is not None:
            outer.add(node)
        if extra is None:
            inner.append(wrap(array, node))
        else:
            inner.append(again(tensor, node))
            if extra.hooks:
                node.hooks = list(extra.hooks)  # a hook registered inside the call lasts for the call
    for i in positions:
        if i not in slots:
            refuse_position(i, args)
    return slots, inner


def refuse_position(i: int, args: Sequence[Any]) -> None:
    """An error unless the argument at position ``i`` can be differentiated by."""
    if i >= len(args):
        raise RuntimeError(say("errors.position_range", position=i, count=len(args)))
    if not isinstance(args[i], Tensor):
        raise TypeError(say("errors.position_type", position=i, got=type(args[i]).__name__))
    if args[i]._array.dtype.kind != "f":
        raise TypeError(say("errors.position_dtype", position=i, dtype=args[i].dtype, shape=args[i].shape))


def detached(tensor: Tensor) -> Tensor:
    """A Tensor without the graph; Parameters as they are."""
    return tensor if tensor._node is None or tensor.is_parameter else wrap(tensor._array)
