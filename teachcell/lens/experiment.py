"""Experiment: one program, run again and again with the same draws, its modes and backward rules switched between."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..autodiff.grad import Derivative, tensors_in
from ..core import events
from ..core.tensor import Tensor
from ..texts import say
from .capture import Capture
from .document import write_document
from .program import Program
from .protect import Protection, random_state, seed_random
from .recorder import Recorder

AUTOMATIC, OWN = "automatic", "own"


@dataclass
class Outcome:
    """What a run gave: the document (up to the failure, if there was one), the Recorder and the exception."""

    document: dict[str, Any]
    recorder: Recorder
    error: Exception | None


class Experiment:
    """Runs ``loss(net(*inputs), *targets)``, forward and backward, watched and without traces.

    Args:
        net: a Cell or a function of Tensors.
        inputs: its inputs; gradients are taken by all float ones and by all Parameters met.
        loss: Cell or function of (output, *targets); without one the outputs are summed.
        targets: what else the loss takes.
        bprops: backward rules to choose from: ``{path: {name: rule}}``. A rule is called like an instance's
            ``bprop``, with the Cell first if its first parameter is named ``self``.
        seed: start of the random draws; the same in every run until :meth:`draw`.

    Raises:
        TypeError, ValueError, KeyError: a program, loss, rule or path that is none.
    """

    def __init__(
        self, net: Callable[..., Any], inputs: Sequence[Any], loss: Callable[..., Any] | None = None,
        targets: Sequence[Any] = (), bprops: Mapping[str, Mapping[str, Any]] | None = None, seed: int = 0,
    ):  # fmt: skip
        self.program = Program(net, inputs, loss, targets)
        self.seed = seed
        self.capture: Capture | None = None
        self.given = {path: dict(rules) for path, rules in (bprops or {}).items()}
        for path, rules in self.given.items():
            self.cell(path)
            for name, rule in rules.items():
                if not callable(rule) or name in (AUTOMATIC, OWN):
                    raise TypeError(say("lens.rule_kind", path=path, name=name))
        # How each Cell was found, to be put back by close(): its own attribute, or none.
        self._found = {path: cell.__dict__.get("bprop", _ABSENT) for path, cell in self.program.cells.items()}
        self._chosen: dict[str, str] = {}

    # Running ----------------------------------------------------------------------------------------------

    def run(self) -> Outcome:
        """One run from the seed, forward and backward. The learner's exceptions come back in the Outcome."""
        program = self.program
        if self.capture is not None:
            self.capture.clear()
        with Protection(program.cells.values()):
            seed_random(self.seed)
            recorder = Recorder(program.net if program.is_cell else None, random_state)
            names = program.input_names()
            for tensor, name in zip((*program.inputs, *program.targets), names, strict=False):
                if isinstance(tensor, Tensor):
                    recorder.value_of(tensor, "input", name)
            positions = [i for i, t in enumerate(program.inputs) if _is_float(t)]
            derivative = Derivative(self._forward(recorder), tuple(positions), recorder.parameters)
            error = None
            with events.observing(recorder):
                try:
                    derivative.run(program.inputs, {})
                except Exception as raised:
                    error = raised
        return Outcome(self._document(recorder, error), recorder, error)

    def _forward(self, recorder: Recorder) -> Callable[..., Any]:
        program = self.program

        def forward(*inputs: Any) -> Any:
            output = program.net(*inputs)
            if program.loss is not None:
                output = program.loss(output, *program.targets)
            self._roots = [recorder.value_of(t) for t in tensors_in(output) if _is_float(t)]
            if not self._roots:
                raise TypeError(say("lens.no_float_output", title=program.title, got=type(output).__name__))
            recorder.forward = False
            return output

        self._roots: list[int] = []
        return forward

    def _document(self, recorder: Recorder, error: Exception | None) -> dict[str, Any]:
        told = None
        if error is not None:
            failed = next((i for i, op in enumerate(recorder.ops) if op.error is not None), None)
            call = recorder.ops[failed].call if failed is not None else None
            told = {"op": failed, "call": call, "message": f"{type(error).__name__}: {error}"}
        backward = not recorder.forward and error is None
        names = {path: self.rule_label(path, rule) for path, rule in self._rules_in_use().items()}
        return write_document(recorder, self.program, self._roots, backward, names, told)

    def draw(self) -> None:
        """Take other random numbers from the next run on."""
        self.seed += 1

    # Modes ------------------------------------------------------------------------------------------------

    def cell(self, path: str) -> Any:
        """The Cell at a path ("" is the net); KeyError with the paths there are."""
        if path not in self.program.cells:
            known = ", ".join(repr(p) for p in self.program.cells)
            raise KeyError(say("lens.no_cell", path=path, known=known))
        return self.program.cells[path]

    def mode(self, path: str) -> str | None:
        """``"train"``, ``"predict"`` or ``"mixed"`` for the Cell at a path and all below; None for a function."""
        if path not in self.program.cells:
            return None
        flags = {cell.training for _, cell in self.cell(path).cells_and_names()}
        return "mixed" if len(flags) > 1 else "train" if flags.pop() else "predict"

    def set_mode(self, path: str, train: bool) -> str:
        """Switch the real Cell; returns the line of code that this stands for."""
        self.cell(path).set_train(train)
        return f"{self._expression(path)}.set_train({'' if train else 'False'})"

    def _expression(self, path: str) -> str:
        """How a learner writes the Cell at a path: ``net.body[0].fc1``."""
        text = "net" if self.program.is_cell and not path.startswith("loss") else ""
        for part in path.split(".") if path else ():
            text += f"[{part}]" if part.isdigit() else f".{part}" if text else part
        return text or "net"

    # Rules ------------------------------------------------------------------------------------------------

    def rules(self, path: str) -> list[str]:
        """Ids of the backward rules to choose from: automatic, the Cell's own, those given."""
        if path not in self.program.cells:
            return []
        own = [OWN] if self._own(path) is not None else []
        return [AUTOMATIC, *own, *self.given.get(path, {})]

    def _own(self, path: str) -> Any:
        found = self._found[path]
        return type(self.cell(path)).bprop if found is _ABSENT else found

    def rule(self, path: str) -> str:
        """Id of the rule in use."""
        if path in self._chosen:
            return self._chosen[path]
        return OWN if path in self.program.cells and self._own(path) is not None else AUTOMATIC

    def _rules_in_use(self) -> dict[str, str]:
        return {path: rule for path in self.program.cells if (rule := self.rule(path)) != AUTOMATIC}

    def rule_label(self, path: str, rule: str) -> str:
        """The name a reader sees."""
        return {AUTOMATIC: say("lens.rule_automatic"), OWN: say("lens.rule_own")}.get(rule, rule)

    def rule_function(self, path: str, rule: str) -> Any:
        """The backward function behind an id, ready to be an instance's ``bprop``; None: automatic."""
        if rule == AUTOMATIC:
            return None
        cell = self.cell(path)
        if rule == OWN:
            own = self._own(path)
            return own if self._found[path] is not _ABSENT else types.MethodType(own, cell)
        given = self.given[path][rule]
        return types.MethodType(given, cell) if _takes_self(given) else given

    def set_rule(self, path: str, rule: str) -> str:
        """Use another backward rule of a Cell from the next run on; returns the line of code that this stands for."""
        if rule not in self.rules(path):
            raise KeyError(say("lens.no_rule", path=path, rule=rule, known=", ".join(self.rules(path))))
        cell, where = self.cell(path), self._expression(path)
        self._chosen[path] = rule
        if rule == OWN:
            self._put_back(path)
            return f"del {where}.bprop"
        cell.bprop = self.rule_function(path, rule)
        return f"{where}.bprop = {'None' if rule == AUTOMATIC else f'bprops[{path!r}][{rule!r}]'}"

    def _put_back(self, path: str) -> None:
        cell, found = self.cell(path), self._found[path]
        if found is not _ABSENT:
            cell.bprop = found
        elif "bprop" in cell.__dict__:
            del cell.__dict__["bprop"]

    # Capture ----------------------------------------------------------------------------------------------

    def set_capture(self, path: str | None) -> str:
        """Attach capturing hooks to a Cell (None: take them off); returns the line of code."""
        if self.capture is not None:
            self.capture.remove()
        removed, self.capture = self.capture, None
        if path is None:
            return f"{self._expression(removed.path)} handles: h.remove()" if removed else ""
        self.capture = Capture(self.cell(path), path)
        return f"{self._expression(path)}.register_backward_hook(...)"

    def close(self) -> None:
        """Remove the hooks and put back the rules that were found."""
        self.set_capture(None)
        for path in list(self._chosen):
            self._put_back(path)
        self._chosen.clear()


_ABSENT = object()


def _takes_self(rule: Any) -> bool:
    code = getattr(rule, "__code__", None)
    return code is not None and code.co_argcount > 0 and code.co_varnames[0] == "self"


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value._array.dtype.kind == "f"
