"""The one document: what a Recorder saw, as plain data. Replay, drawing, export and the browser read only this."""

from __future__ import annotations

from typing import Any

from .program import Program
from .recorder import OpSeen, Recorder
from .source import rule_source, source_of
from .states import States, first_nan_gradient

_HOOK_KINDS = ("forward_pre", "forward", "backward_pre", "backward")


def write_document(
    recorder: Recorder, program: Program, roots: list[int], backward: bool, rules: dict[str, str], error: Any = None
) -> dict[str, Any]:
    """Put a run into a document.

    Args:
        recorder: what was seen.
        program: names of its parts.
        roots: the values that were differentiated.
        backward: whether the backward pass ran.
        rules: path to the name of the backward rule in use, where it is not the automatic one.
        error: ``{"op", "call", "message"}`` of a run that failed.
    """
    paths = ["" if call.parent is None else program.path_of(call.cell) for call in recorder.calls]
    states = States(recorder, roots, backward, paths)
    names = program.parameter_names()
    for parameter in recorder.parameters:
        recorder.values[recorder.value_of(parameter)].name = names.get(id(parameter), parameter.name)
    document = {
        "title": program.title,
        "calls": [_call(recorder, number, paths, rules) for number in range(len(recorder.calls))],
        "values": [_value(recorder, number, states) for number in range(len(recorder.values))],
        "ops": [_op(recorder, number, op) for number, op in enumerate(recorder.ops)],
        "events": [*recorder.events, *(_cuts(recorder, states) if backward else ())],
        "inputs": [i for i, v in enumerate(recorder.values) if v.kind == "input"],
        "outputs": roots,
        "loss": roots[0] if program.loss is not None and len(roots) == 1 else None,
        "error": error,
    }
    start = first_nan_gradient(recorder)
    if start is not None:
        document["values"][start]["grad_state"] = "nan starts"
    return document


def _cuts(recorder: Recorder, states: States) -> list[dict[str, Any]]:
    """Where the gradient was cut, as last events: at the Cell whose hook put in new data, or at an op without a rule."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for number in range(len(recorder.values)):
        state, why = states.gradient(number)
        if state != "cut":
            continue
        severed = states.severed.get(number)
        if severed is not None:
            found["call", severed.call] = {"kind": "cut", "call": severed.call, "value": number, "why": why}
        for op in states.users[number]:
            if recorder.ops[op].op.rules is None:
                call = recorder.ops[op].call
                found["op", op] = {"kind": "cut", "op": op, "call": call, "value": number, "why": why}
    return list(found.values())


def _call(recorder: Recorder, number: int, paths: list[str], rules: dict[str, str]) -> dict[str, Any]:
    call = recorder.calls[number]
    cell, path = call.cell, paths[number]
    hooks = getattr(cell, "_hooks", None)
    return {
        "id": number,
        "parent": call.parent,
        "path": path,
        "name": path.rpartition(".")[2] if path else type(cell).__name__,
        "cls": type(cell).__name__ if cell is not None else "function",
        "call": call.number,
        "of": sum(other.cell is cell for other in recorder.calls),
        "training": cell.training if cell is not None else None,
        "phase": cell.phase if cell is not None else None,
        "rule": rules.get(path, "automatic"),
        "hooks": [
            {"kind": kind, "name": getattr(hook.fn, "__name__", type(hook.fn).__name__), "code": source_of(hook.fn)}
            for kind in _HOOK_KINDS
            for hook in (getattr(hooks, kind) if hooks is not None else ())
            if not getattr(hook.fn, "__teachcell_lens__", False)
        ],
        "inputs": call.inputs,
        "outputs": call.outputs,
    }


def _value(recorder: Recorder, number: int, states: States) -> dict[str, Any]:
    value = recorder.values[number]
    state, why = states.gradient(number)
    return {
        "id": number,
        "kind": value.kind,
        "name": value.name,
        "op": value.op,
        "output": value.output,
        "shape": list(value.value.shape),
        "dtype": str(value.value.dtype),
        "value": value.value.summary(),
        "grad": value.gradient.summary() if value.gradient is not None else None,
        "value_state": states.value(number),
        "grad_state": state,
        "replaces": next((cut.old for cut in recorder.severed if cut.new == number), None),
        "why": why,
    }


def _op(recorder: Recorder, number: int, seen: OpSeen) -> dict[str, Any]:
    op = seen.op
    try:
        formulas = op.formulas(seen.attrs)
    except TypeError:  # a failed op may hold attributes that it does not know
        formulas = ()
    rules = op.rules if isinstance(op.rules, tuple) else None
    slots = [v for i, v in enumerate(seen.slots) if rules is None or (i < len(rules) and rules[i] is not None)]
    return {
        "id": number,
        "op": op.name,
        "label": op.label,
        "call": seen.call,
        "inputs": seen.inputs,
        "outputs": seen.outputs,
        "attrs": {name: str(value) for name, value in (seen.attrs or {}).items()},
        "error": seen.error,
        "formula": {
            "value": formulas[0] if formulas else "",
            "grads": [[text, v] for text, v in zip(formulas[1:], slots, strict=False) if v is not None],
        },
        "source": rule_source(op),
    }
