"""Experiment: one program, run again and again with the same draws, its modes and backward rules switched between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..autodiff.recorded import Recorded
from ..core import events
from ..core.nested import tensors_in
from ..core.protect import Protection, random_state, restore_random, seed_random
from ..core.tensor import Tensor, wrap
from ..nn.hooks import KINDS
from ..texts import say
from .collector import held
from .failure import failing_cell, failing_op, message_of
from .lab.forward import CallNodes, KeptForward, fits
from .lab.op_rules import OpRules
from .lab.spots import SpotNodes
from .program import Program
from .rules import Rules
from .watch.capture import Capture
from .watch.recorder import Recorder
from .write.document import reworded, write_document


class NothingToDifferentiate(TypeError):
    """The program returned no float Tensor."""


@dataclass
class Outcome:
    """What a run gave: the document (up to the failure, if there was one), the Recorder and the exception."""

    document: dict[str, Any]
    recorder: Recorder
    error: Exception | None
    write: Callable[[], dict[str, Any]] = field(repr=False)

    def __repr__(self) -> str:
        ops, calls = len(self.document["ops"]), len(self.document["calls"])
        told = say("lens.outcome", title=self.document["title"], ops=ops, calls=calls)
        return told if self.error is None else f"{told} · {message_of(self.error)}"

    def say_again(self) -> None:
        """Put the document's words into the language in use now; the run is the same."""
        if self.recorder.ops or not self.document["ops"]:  # else it was let go of
            self.document = reworded(self.document, self.write())


class Experiment:
    """Runs ``loss(net(*inputs), *targets)``, forward and backward, watched and without traces.

    Args:
        net: a Cell or a function of Tensors.
        inputs: its inputs; gradients are taken by all float Tensors among them and by all Parameters met.
        loss: Cell or function of (output, *targets); without one the outputs are summed.
        targets: what else the loss takes: one value, or a tuple or list of them.
        bprops: backward rules to choose from: ``{path: {name: rule}}`` (see :class:`Rules`).
        seed: start of the random draws; the same in every run until :meth:`new_draw`.

    Raises:
        TypeError, ValueError, KeyError: a program, loss, rule or path that is none.
    """

    def __init__(
        self, net: Callable[..., Any], inputs: Sequence[Any], loss: Callable[..., Any] | None = None,
        targets: Any = (), bprops: Mapping[str, Mapping[str, Any]] | None = None, seed: int = 0,
    ):  # fmt: skip
        self.program = Program(net, inputs, loss, targets)
        self.rules = Rules(self.program, bprops or {})
        self.op_rules = OpRules()
        self.seed = _checked_seed(seed)
        self.capture: Capture | None = None
        self._forward: KeptForward | None = None

    # Running ----------------------------------------------------------------------------------------------

    @held()
    def run(self) -> Outcome:
        """One run from the seed, forward and backward. The learner's exceptions come back in the Outcome."""
        self.look_again()
        self._forward = None
        run = _Run(self)
        captured = nullcontext() if self.capture is None else self.capture.run()
        with self._protection(run) as protection, events.observing(run.recorder), captured:
            seed_random(self.seed)
            self._forward = run.both_ways(protection)
        return self._outcome(run)

    @held()
    def run_backward(self) -> Outcome:
        """Only the backward pass again, with the rules that are in use now; all of it where the forward pass would
        be another one, or is not kept."""
        self.look_again()
        kept = self._forward
        if kept is None or not kept.holds(self):
            return self.run()
        run = _Run(self, kept.put_rules_in(self))
        with self._protection(run), events.observing(run.recorder):
            for tensor, array in kept.written or ():
                tensor._array = array.copy()
            restore_random(kept.draws)
            run.roots = kept.roots
            run.backward(kept.call)
        return self._outcome(run)

    def forget(self) -> None:
        """Let go of the forward pass that is kept: the next run is a whole one."""
        self._forward = None

    def _protection(self, run: _Run) -> Protection:
        return Protection(self.program.cells.values(), run.tensors())

    def _outcome(self, run: _Run) -> Outcome:
        write = partial(run.document, self.rules.chosen())
        return Outcome(write(), run.recorder, run.error, write)

    def look_again(self) -> None:
        """Parts of the net may have been exchanged since: paths and the capture follow."""
        program, capture = self.program, self.capture
        program.find_parts()
        if capture is not None and program.cells.get(capture.path) is not capture.cell:
            self.set_capture(capture.path if capture.path in program.cells else None)

    def new_draw(self) -> str:
        """Take other random numbers from the next run on; returns the line of code that this stands for."""
        self.seed += 1
        return f"tc.set_seed({self.seed})"

    # Modes ------------------------------------------------------------------------------------------------

    def cell(self, path: str) -> Any:
        """The Cell at a path ("" is the net); KeyError with the paths there are."""
        return self.program.cell(path)

    def mode(self, path: str) -> str | None:
        """``"train"``, ``"predict"`` or ``"mixed"`` for the Cell at a path and all below; None for a function."""
        if path not in self.program.cells:
            return None
        flags = {cell.training for _, cell in self.program.cell(path).cells_and_names()}
        return "mixed" if len(flags) > 1 else "train" if flags.pop() else "predict"

    def set_train(self, mode: bool = True, path: str = "") -> str:
        """Switch the real Cell; returns the line of code that this stands for."""
        self.look_again()
        self.program.cell(path).set_train(mode)
        return f"{self.program.spelling(path)}.set_train({'' if mode else 'False'})"

    def use_rule(self, path: str, rule: str) -> str:
        """Switch the real Cell to another backward rule; returns the line of code that this stands for."""
        self.look_again()
        return self.rules.use(path, rule)

    # Capture ----------------------------------------------------------------------------------------------

    def set_capture(self, path: str | None) -> str:
        """Attach capturing hooks to a Cell (None: take them off); returns the line of code that this stands for."""
        self.program.find_parts()
        capture = None if path is None else Capture(self.program.cell(path), path)
        if self.capture is not None:
            self.capture.remove()
        removed, self.capture = self.capture, capture
        if path is None:
            return "for handle in handles: handle.remove()" if removed is not None else ""
        register = f'getattr({self.program.spelling(path)}, f"register_{{kind}}_hook")(capture)'
        return f"handles = [{register} for kind in {KINDS}]"

    def put_back(self, modes: Mapping[str, tuple[bool, str]], seed: int) -> None:
        """Modes of Cells as given (path to ``training`` and ``phase``), rules as found, no capture, this seed."""
        self.close()
        for path, (training, phase) in modes.items():
            if path in self.program.cells:
                cell = self.program.cell(path)
                cell.training, cell.phase = training, phase
        self.seed = seed

    def close(self) -> None:
        """Remove the hooks and put back the rules that were found."""
        self.set_capture(None)
        self.rules.put_back()
        self.op_rules.clear()
        self.forget()


class _Run:
    """One run: what is watched, and how it went."""

    def __init__(self, experiment: Experiment, recorder: Recorder | None = None):
        self.experiment, self.program = experiment, experiment.program
        program = self.program
        self.nodes = SpotNodes(program)
        self.recorder = recorder or Recorder(program.net if program.is_cell else None, random_state)
        self.roots: list[int] = []
        self.error: Exception | None = None
        seen: set[int] = set()
        self.inputs = [_without_past(value) for value in program.inputs]
        self.targets = [_own_slot(value, seen) for value in program.targets]
        self.positions = [i for i, value in enumerate(self.inputs) if _is_float(value)]
        if recorder is None:
            self._name_all()

    def _name_all(self) -> None:
        program = self.program
        for i, (value, name) in enumerate(zip(self.inputs, program.input_names(), strict=True)):
            self._name(value, name, asked=i in self.positions)
        for value, name in zip(self.targets, program.target_names(), strict=True):
            self._name(value, name, asked=False)

    def _name(self, value: Any, name: str, asked: bool) -> None:
        tensors = list(tensors_in(value))
        for i, tensor in enumerate(tensors):
            number = self.recorder.value_of(tensor, "input", name if isinstance(value, Tensor) else f"{name}[{i}]")
            self.recorder.values[number].tracked |= asked

    def tensors(self) -> list[Tensor]:
        """The Tensors that were given."""
        return list(tensors_in([*self.program.inputs, *self.program.targets]))

    def both_ways(self, protection: Protection) -> KeptForward | None:
        """Forward and backward; an exception is kept. Returns the forward pass, if it can be used again."""
        recorder, rules, calls = self.recorder, self.experiment.op_rules, CallNodes(self.recorder)
        kept = None
        try:
            with rules.recorded(), events.observing(self.nodes), events.observing(calls):
                call = Recorded(self._forward, self.inputs, {}, tuple(self.positions))
            if fits(recorder):
                kept = KeptForward(self.experiment, recorder, call, self.roots, self.nodes, calls, protection)
            rules.put_in(self.nodes, recorder, self.program)
        except Exception as error:
            self.error = error
            recorder.finish()
        else:
            self.backward(call)
        return kept

    def backward(self, call: Recorded) -> None:
        """The backward pass over a graph."""
        try:
            call.gradients(weights=self.recorder.parameters)
        except Exception as error:
            self.error = error
        self.recorder.finish()

    def _forward(self, *inputs: Any) -> Any:
        program, recorder = self.program, self.recorder
        output = program.forward(inputs, self.targets)
        self.roots = [recorder.value_of(t) for t in tensors_in(output) if _is_float(t)]
        if not self.roots:
            raise NothingToDifferentiate(say("lens.no_float_output", title=program.title, got=type(output).__name__))
        if not program.is_cell:
            recorder.calls[0].inputs = [recorder.value_of(t) for t in tensors_in(inputs)]
            recorder.calls[0].outputs = self.roots
        recorder.forward = self.nodes.running = False
        return output

    def document(self, rules: dict[str, str]) -> dict[str, Any]:
        """The document of what was seen."""
        return write_document(self.recorder, self.program, self.roots, rules, self._failure())

    def _failure(self) -> dict[str, Any] | None:
        if self.error is None:
            return None
        recorder, cell, rule = self.recorder, failing_cell(self.error), failing_op(self.error)
        if rule is not None:
            return {"op": rule, "call": recorder.ops[rule].call, "message": message_of(self.error)}
        calls = [number for number, call in enumerate(recorder.calls) if call.cell is cell and cell is not None]
        call, op = calls[-1] if calls else None, len(recorder.ops) - 1
        if not recorder.forward or op < 0 or recorder.ops[op].error is None:
            return {"op": None, "call": call, "message": message_of(self.error)}
        return {"op": op, "call": recorder.ops[op].call, "message": message_of(self.error)}


def _without_past(value: Any) -> Any:
    """A Tensor as an input of its own, whatever made it: one that the program also reaches by a name is a constant
    there, or a Parameter, and what is given twice has two gradients."""
    if not isinstance(value, Tensor):
        return value
    twin = wrap(value._array)
    if value._extra is not None and value._extra.hooks:
        twin.extra().hooks = value._extra.hooks
    return twin


def _own_slot(value: Any, seen: set[int]) -> Any:
    """A target that was given already under a handle of its own."""
    if id(value) in seen:
        return _without_past(value)
    seen.add(id(value))
    return value


def _checked_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(say("lens.seed_kind", got=repr(seed)))
    if not 0 <= seed < 2**32:
        raise ValueError(say("lens.seed_range", got=seed))
    return int(seed)


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value._array.dtype.kind == "f"
