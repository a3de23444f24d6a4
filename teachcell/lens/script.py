"""Script: what was switched at an experiment, as lines that do the same by hand."""

from __future__ import annotations

import re
from typing import Any

from ..texts import say
from .program import Program

_CAPTURE = """def capture(cell, *seen):
    print(type(cell).__name__, seen)"""


_REMOVE = "for handle in handles: handle.remove()"
_RULE = re.compile(r"^\S+\.bprop = (\w+)")  # what a line needs: a function, or bprops


class Script:
    """The switches of one experiment, the last of each kind and place."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], str] = {}
        self._given: dict[tuple[str, str], str] = {}  # what these lines need as well
        self.last = ""  # the line that the last switch stands for

    def note(self, kind: str, place: str, line: str, undone: bool = False, whole: str = "", given: str = "") -> None:
        """A switch was made: it follows all others, and an earlier one of the same kind and place is forgotten.

        Args:
            kind: "mode", "rule", "capture", "training", "step size".
            place: the path of its Cell.
            line: the code.
            undone: all is again as it was found: nothing needs to be done by hand.
            whole: the code in full, where it takes several lines.
            given: the name of what it needs beside net, loss and inputs.
        """
        self._lines.pop((kind, place), None)
        self._given.pop((kind, place), None)
        if not undone:
            self._lines[kind, place], self._given[kind, place] = whole or line, given
        self.last = line

    def clear(self) -> None:
        """Everything is as it was found."""
        self._lines.clear()
        self._given.clear()
        self.last = ""

    def text(self, program: Program, seed: int) -> str:
        """A text that can be run; what was given is ``net``, ``loss``, ``targets``, ``bprops`` in it, inputs are called
        as the net does, and a single target as the loss does."""
        given = ["net", *program.input_names(), _targets(program).removeprefix("*")]
        given = [*filter(None, given), *(["loss"] if program.loss is not None else [])]
        given += filter(None, self._given.values())
        given += [name for line in self._lines.values() for name in _RULE.findall(line) if name != "None"]
        lines = [f"# {say('lens.code_given', names=', '.join(dict.fromkeys(given)))}"]
        lines += [f"# {say('lens.code_bprops')}"] if "bprops" in given else []
        lines += ["import teachcell as tc", ""]
        captures = any(kind == "capture" for kind, _ in self._lines)
        lines += [_CAPTURE, ""] if captures else []
        lines += [f"tc.set_seed({seed})", *self._lines.values()]
        defined = any(kind == "training" for kind, _ in self._lines)  # which calls forward as well
        lines += [*([""] if defined else forward_of(program)), _gradient(program)]
        return "\n".join([*lines, *([_REMOVE] if captures else [])])


def forward_of(program: Program) -> list[str]:
    """The lines that define the program as a function of its inputs."""
    inputs, targets = ", ".join(program.input_names()), _targets(program)
    body = f"net({inputs})"
    if program.loss is not None:
        body = f"loss({body}{', ' if targets else ''}{targets})"
    return ["", "", f"def forward({inputs}):", f"    return {body}", "", ""]


def _targets(program: Program) -> str:
    """What the loss takes after the output: a single target by the name that the loss has for it, else as given."""
    if not program.targets:
        return ""
    if program.several_targets:
        return "*targets"
    (name,) = program.target_names()
    return "targets" if name in (*program.input_names(), "net", "loss") else name


def _gradient(program: Program) -> str:
    """The line that runs the program forward and backward."""
    inputs = ", ".join(program.input_names())
    floats = program.float_positions()
    position: Any = None if not floats else floats[0] if len(floats) == 1 else tuple(floats)
    weights = weights_of(program)
    if position is None and weights is None:
        return f"value = forward({inputs})"
    asked = repr(position) if weights is None else f"{position!r}, {weights}"
    return f"value, gradients = tc.value_and_grad(forward, {asked})({inputs})"


def weights_of(program: Program) -> str | None:
    """How the Parameters to differentiate by are written; None: there are none."""
    if not any(p.requires_grad for p, _ in program.parameter_names()):
        return None
    if program.is_cell:
        return "net.trainable_params()"
    outer = [path for path in program.cells if not any(path.startswith(f"{other}.") for other in program.cells)]
    cells = [f"*{program.spelling(path)}.trainable_params()" for path in outer if program.cell(path).trainable_params()]
    return f"[{', '.join([*cells, *program.loose_parameters()])}]"
