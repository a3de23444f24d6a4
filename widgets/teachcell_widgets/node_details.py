"""What a Workbench tells of each drawn node, out of the document."""

from __future__ import annotations

from collections import Counter
from typing import Any

from teachcell.graph import Node, Scene
from teachcell.lens import Experiment, Outcome
from teachcell.lens.rules import ENGINE
from teachcell.lens.write.source import source_of
from teachcell.lens.write.steps import is_inside
from teachcell.texts import say
from teachcell.texts.numbers import shape

Details = dict[str, Any]
HookKey = tuple[str, int]  # path of the Cell, place among its hooks
MOST_FORMULAS = 4
MOST_CALLS = 8  # of one Cell that are offered, and shown as captured


class NodeDetails:
    """The details of all nodes and open Cells of a scene."""

    def __init__(self, outcome: Outcome, scene: Scene, experiment: Experiment):
        document = outcome.document
        self.document, self.scene, self.experiment, self.seen = document, scene, experiment, outcome.recorder.values
        self.values, self.ops, self.calls = document["values"], document["ops"], document["calls"]
        self.calls_at: dict[str, list[dict[str, Any]]] = {}
        for call in self.calls:
            self.calls_at.setdefault(call["path"], []).append(call)
        fired = [event for event in document["events"] if event.get("attached") is not None]
        self.fired = Counter(self._hook_key(event) for event in fired)
        self.replaced = {self._hook_key(event) for event in fired if event["replaced"]}

    def _hook_key(self, event: dict[str, Any]) -> HookKey:
        return self.calls[event["call"]]["path"], event["attached"]

    def all(self) -> dict[str, Details]:
        """Node or frame id to details."""
        found = {name: self._of_node(node) for name, node in self.scene.nodes.items()}
        return found | {name: self._of_call(frame.call) for name, frame in self.scene.frames.items()}

    def _of_node(self, node: Node) -> Details:
        call = node.call
        if node.is_repetition:
            call = self.scene.frames[node.frame].call if node.frame is not None else 0
        elif call is None and node.ops:
            call = self.ops[node.ops[0]]["call"]  # an op answers to the Cell around it
        op = self.ops[node.ops[0]] if len(node.ops) == 1 else None
        path = self._path(call)
        panel: Details = {
            "title": node.title,
            "kind": self._kind(node, op),
            "shape": node.shape,
            "value_at": node.value_at,
            "grad_at": node.grad_at,
            "formula": self._formula(node.ops, path),
            "card": self._card(op, path),
            "rules_inside": len(node.ops) > 1 and not self._own_rule(path),
            "source": self._source(path, op),
            "rule_label": self._rule_label(node, path),
            "checkable": path is not None or (op is not None and op["op"] not in ("construct", "new_data")),
        }
        if node.repeat is not None:
            panel["repeat"] = {"first": node.repeat.first, "last": node.repeat.last, "of": node.repeat.of}
        return panel | self._numbers(node.value) | self._cell(path, call)

    def _of_call(self, number: int) -> Details:
        call = self.calls[number]
        output = call["outputs"][0] if call["outputs"] else None
        ops = tuple(i for i, op in enumerate(self.ops) if is_inside(self.document, op["call"], number))
        last = self.scene.nodes[self.scene.op_nodes[ops[-1]]] if ops else None
        path = self._path(number)
        panel = {
            "title": call["name"],
            "kind": call["cls"],
            "shape": shape(self.values[output]["shape"]) if output is not None else "",
            "value_at": last.value_at if last else None,
            "grad_at": last.grad_at if last else None,
            "formula": self._formula(ops, path),
            "card": "",
            "rules_inside": False,  # it is open: they are to be seen
            "source": self._source(path, None),
            "rule_label": say("browser.rule"),
            "checkable": path is not None,
        }
        return panel | self._numbers(output) | self._cell(path, number)

    def _path(self, call: int | None) -> str | None:
        """The Cell that rules and hooks of a call act on ("" is the net itself); None where there is none."""
        path = self.calls[call]["path"] if call is not None else None
        return path if path in self.experiment.program.cells else None

    def _kind(self, node: Node, op: dict[str, Any] | None) -> str:
        if node.call is not None:
            return self.calls[node.call]["cls"]
        if op is not None:
            return op["label"]
        if node.is_repetition:
            return say("explorer.kind_repeat")
        rewritten = node.value is not None and self.values[node.value]["rewritten"]
        return say("explorer.kind_rewritten" if rewritten else f"explorer.kind_{node.kind}")

    def _rule_label(self, node: Node, path: str | None) -> str:
        """An op's panel offers the rules of the Cell around it, so it says whose they are."""
        if node.call is not None or path is None:
            return say("browser.rule")
        return say("explorer.rule_of", cell=path or self.document["title"])

    def _numbers(self, number: int | None) -> Details:
        """Value and gradient, or why there is none."""
        if number is None:
            return {"dtype": "", "value": None, "value_note": "", "grad": None, "grad_note": ""}
        value, seen = self.values[number], self.seen[number]
        return {
            "dtype": value["dtype"],
            "value": seen.value.summary(),
            "value_note": "",
            "grad": seen.gradient.summary() if seen.gradient is not None else None,
            "grad_note": "" if seen.gradient is not None else why_none(value),
        }

    # Formulas and rules -----------------------------------------------------------------------------------

    def _formula(self, ops: tuple[int, ...], path: str | None) -> list[dict[str, str]]:
        if not ops:
            return []
        own = self._own_rule(path)
        if len(ops) == 1 and not own and self.ops[ops[0]]["rule"]:
            own = [_line("grad", say("explorer.gradient_by", rule=self.ops[ops[0]]["rule"]))]
        if len(ops) > 1:
            shown = [f"{self.ops[i]['label']}: {self.ops[i]['formula']['value']}" for i in ops[:MOST_FORMULAS]]
            if len(ops) > MOST_FORMULAS:
                shown.append(say("explorer.more_ops", count=len(ops) - MOST_FORMULAS))
            return [_line("val", text) for text in shown] + own
        formula = self.ops[ops[0]]["formula"]
        value = [_line("val", formula["value"])] if formula["value"] else []
        return value + (own or [_line("grad", text, self.values[v]["shape"]) for text, v in formula["grads"]])

    def _card(self, op: dict[str, Any] | None, path: str | None) -> str:
        """The name of the card that says in words what a single op's rule does; "" if another rule is in use."""
        if op is None or op["rule"] or op["op"] not in self.document["cards"]:
            return ""
        return "" if self._own_rule(path) else op["op"]

    def _own_rule(self, path: str | None) -> list[dict[str, str]]:
        rules = self.experiment.rules
        if path is None or rules.in_use(path) == ENGINE:
            return []
        return [_line("grad", say("explorer.gradient_by", rule=rules.label(rules.in_use(path))))]

    def _source(self, path: str | None, op: dict[str, Any] | None) -> str:
        """The rule in use: a Cell's own or chosen bprop, else the op's, else the Cell's construct."""
        rules = self.experiment.rules
        function = rules.function(path, rules.in_use(path)) if path is not None else None
        if function is not None:
            return source_of(function) or say("explorer.no_source")
        if op is not None:
            return op["source"]
        return (source_of(type(self.experiment.cell(path)).construct) or "") if path is not None else ""

    # Cells ------------------------------------------------------------------------------------------------

    def _cell(self, path: str | None, call: int | None) -> Details:
        """What belongs to the node's Cell: rules, hooks, what was captured, calls."""
        if path is None:
            nothing: Details = {"path": None, "call": None, "rules": [], "rule": "", "captured": None, "calls": []}
            return nothing | {"hooks": {"head": say("explorer.no_hooks"), "items": []}}
        rules, capture, calls = self.experiment.rules, self.experiment.capture, self.calls_at[path]
        near = _around([c["id"] for c in calls], call)
        rows = capture.rows(near) if capture is not None and capture.path == path else None
        return {
            "path": path,
            "call": self.calls[call]["call"],
            "rules": [{"id": rule, "label": rules.label(rule)} for rule in rules.ids(path)],
            "rule": rules.in_use(path),
            "hooks": self._hooks(path, calls[0]["hooks"], rows is not None),
            "captured": rows,
            "calls": [self._call_button(c) for c in calls[near]] if len(calls) > 1 else [],
        }

    def _call_button(self, call: dict[str, Any]) -> Details:
        _, node = self.scene.call_nodes.get(call["id"], ("", ""))
        return {"label": say("lens.call_of", call=call["call"], of=call["of"]), "node": node}

    def _hooks(self, path: str, attached: list[dict[str, Any]], captures: bool) -> Details:
        if not attached:
            return {"head": say("explorer.captured_hooks" if captures else "explorer.no_hooks"), "items": []}
        keys = [(path, i) for i in range(len(attached))]
        head = say("explorer.hooks", attached=len(keys), fired=sum(self.fired[key] > 0 for key in keys))
        return {"head": head, "items": [self._hook(hook, key) for hook, key in zip(attached, keys, strict=True)]}

    def _hook(self, hook: dict[str, Any], key: HookKey) -> Details:
        did = "replaced" if key in self.replaced else "fired" if self.fired[key] else "silent"
        return {
            "glyph": hook["glyph"],
            "title": say(f"lens.hook_{hook['kind']}", name=hook["name"]),
            "code": hook["code"],
            "note": say(f"explorer.hook_{did}", count=self.fired[key]),
            "mark": did == "replaced",
        }


def why_none(value: dict[str, Any]) -> str:
    """Why a value has no gradient."""
    state = say(f"explorer.state_{value['grad_state'].replace(' ', '_')}")
    return say("explorer.state_why", state=state, why=value["why"])


def _line(kind: str, text: str, sizes: list[int] | None = None) -> dict[str, str]:
    return {"class": kind, "text": text, "shape": "" if sizes is None else shape(sizes)}


def _around(calls: list[int], call: int | None) -> slice:
    """At most 8 calls around this one."""
    at = calls.index(call) if call in calls else 0
    start = min(max(0, at - MOST_CALLS // 2), max(0, len(calls) - MOST_CALLS))
    return slice(start, start + MOST_CALLS)
