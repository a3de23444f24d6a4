"""Capture: run a jit function once, as it stands, and write down what it does.

The run is a real one: its result and its effects are what Python gives. While it lasts, Tensors hold stand-ins that
make each kernel a step (``traced.py``, ``trace.py``), Python's calls are watched (``watch.py``), and afterwards
everything in Python that it can reach is compared with what it was (``world.py``).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ..core import modes, tracing
from ..core.events import OBSERVERS
from ..core.op import next_seq
from ..core.protect import random_state
from ..core.tensor import Tensor, node_of
from ..kernels import random
from ..texts import say
from .arguments import Arguments
from .linked import Linked
from .plan import ARGUMENT, TENSOR, Slot, Step
from .reads import Reads
from .replay import Plan
from .returned import Returned
from .trace import Trace
from .watch import Watch
from .world import Unguardable, World

_MOST_VALUES = 500  # for a step: what takes 10 µs to compare
_MOST_STEPS = 20_000  # Python takes half a second to compile so many lines
_one_at_a_time = threading.Lock()


class Capture:
    """One recorded run.

    Attributes:
        result: what the function returned.
        plan: the plan, or None.
        reason: why there is none.
        for_good: whether another run cannot change that.
        certain: whether the reason is what the function calls or returns. Others may be those of a first run alone,
            in which a Cell makes what it keeps.
        ran: whether there was a run. There is none while a profiler is on, or another thread captures.
    """

    def __init__(self, fn: Any, arguments: Arguments):
        self.plan: Plan | None = None
        self.reason: str | None = None
        self.for_good = self.certain = False
        self.ran = False
        self.result: Any = None
        if sys.getprofile() is not None or not _one_at_a_time.acquire(blocking=False):
            return
        try:
            self._run(fn, arguments)
        finally:
            _one_at_a_time.release()

    def _run(self, fn: Any, arguments: Arguments) -> None:
        try:
            world = World([(getattr(fn, "__name__", "f"), fn), *arguments.named_others(fn)], arguments.passing())
        except Unguardable as error:
            self.reason, self.for_good = str(error), True
            return
        trace = Trace()
        reads, before = Reads(trace), _Before(arguments)
        try:
            found = self._recorded(fn, arguments, world, trace, reads)
        except Exception:
            if self.ran or trace.changes or trace.reason is not None or before.drew() or not world.values.hold():
                raise
            trace.restore()
            before.redraw()  # as if nothing had happened: Python's own run says better what is wrong
            self.reason = say("jit.error")
            return
        finally:
            trace.heal()
        for objection in _objections(trace, world, before):
            trace.refuse(objection)
        if trace.reason is None:
            self.plan = _planned(trace, world, reads, *found)
        if self.plan is not None:
            self.plan.arguments = arguments.tensor_names(fn)
        self.reason = trace.reason or (self.plan.reason if self.plan is not None else None)
        self.certain = trace.certain and trace.reason is not None
        if self.reason is not None:
            self.plan = None
        trace.forget()
        world.forget()

    def _recorded(
        self, fn: Any, arguments: Arguments, world: World, trace: Trace, reads: Reads
    ) -> tuple[Any, Linked | None, list[Tensor | None]]:
        """Run the function: the pattern of its result, the way back, and which arguments it knows from elsewhere."""
        floor = next_seq()
        known = {id(t) for t in world.tensors}
        with _listening(trace):
            for number, tensor in enumerate(arguments.tensors):
                if id(tensor) not in known:
                    trace.adopt(tensor, ARGUMENT, number)
            for tensor in world.tensors:
                trace.adopt(tensor, TENSOR)
            leaves = [] if modes.recording() is None else _leaves(trace)
            with Watch(trace, world, reads), reads:
                self.result = fn(*arguments.args, **arguments.kwargs)
            self.ran = True
            trace.assign()
            returned = Returned(trace, world, arguments).form(self.result)
            linked = None if modes.recording() is None else Linked(trace, self.result, leaves, floor)
        return returned, linked, [t if id(t) in known else None for t in arguments.tensors]


class _Before:
    """What a run must not change but by steps."""

    def __init__(self, arguments: Arguments):
        self._arguments, self._contents = arguments, arguments.contents()
        self._ours, *self._others = random_state()

    def drew(self) -> bool:
        """Whether another generator than the engine's has drawn."""
        return [*random_state()[1:]] != self._others

    def redraw(self) -> None:
        """Put the engine's generator back."""
        random.restore(self._ours)

    def contents_changed(self) -> bool:
        """Whether containers among the arguments hold other things."""
        return self._arguments.contents() != self._contents


def _objections(trace: Trace, world: World, before: _Before) -> Iterator[str]:
    """Why a run cannot become a plan."""
    if before.drew():
        yield say("jit.random")
    if not world.values.hold():
        yield say("jit.changes", path=world.values.changed())
    if trace.raised:
        yield say("jit.raises", step=trace.raised)
    if before.contents_changed():
        yield say("jit.container", kind="container")
    if any(t._extra is not None and t._extra.hooks for t, _ in trace.adopted.values()):
        yield say("jit.hooks")
    if len(trace.steps) > _MOST_STEPS:
        yield say("jit.too_long", count=len(trace.steps))


def _planned(
    trace: Trace, world: World, reads: Reads, returned: Any, linked: Linked | None, identical: list[Tensor | None]
) -> Plan | None:  # fmt: skip
    """The plan of a run, unless there is more to compare than to do."""
    steps = [step for step in trace.steps if isinstance(step, Step)]
    world.narrow(reads)
    if world.values.size > _MOST_VALUES * (len(steps) + 1):
        trace.refuse(say("jit.too_much", count=world.values.size))
        return None
    world.values.watch_rules({name for step in steps for name in (step.label, step.part_of)})
    plan = Plan(trace, world, returned, linked, identical)
    world.values.compile()
    return plan


def _leaves(trace: Trace) -> list[Slot]:
    """The slots of Tensors outside that belong to the graph of a gradient taken outside."""
    return [traced.slot for tensor, traced in trace.adopted.values() if node_of(tensor) is not None]


@contextmanager
def _listening(trace: Trace) -> Iterator[None]:
    """Let the engine tell the trace what it does."""
    with ExitStack() as undo:
        OBSERVERS.append(trace)  # ops take the general way, where kernels can be heard
        undo.callback(OBSERVERS.remove, trace)
        tracing.current, random.witness = trace, trace.generator
        undo.callback(_deaf)
        yield


def _deaf() -> None:
    tracing.current = random.witness = None
