"""What the Explorer's side panel shows for each drawn node, out of the document."""

from __future__ import annotations

from typing import Any

from teachcell.graph import Node, Scene
from teachcell.lens import Experiment
from teachcell.lens.experiment import AUTOMATIC
from teachcell.lens.source import source_of
from teachcell.lens.steps import GLYPHS
from teachcell.lens.words import shape
from teachcell.texts import say

Panel = dict[str, Any]
MOST_FORMULAS = 4


class Panels:
    """The panels of all nodes and open Cells of a scene."""

    def __init__(self, document: dict[str, Any], scene: Scene, experiment: Experiment):
        self.document, self.scene, self.experiment = document, scene, experiment
        self.values, self.ops, self.calls = document["values"], document["ops"], document["calls"]

    def all(self) -> dict[str, Panel]:
        """Node or frame id to panel."""
        found = {name: self._of_node(node) for name, node in self.scene.nodes.items()}
        for name, frame in self.scene.frames.items():
            found[name] = self._of_call(frame.call)
        return found

    def path_of(self, node: Node) -> str | None:
        """The Cell that rules and hooks of a node act on ("" is the net itself); None where there is none."""
        call = node.call
        if call is None and node.ops:
            call = self.ops[node.ops[0]]["call"]
        return self._path(call) if call is not None else None

    def _path(self, call: int) -> str | None:
        path = self.calls[call]["path"]
        return path if path in self.experiment.program.cells else None

    def _of_node(self, node: Node) -> Panel:
        value = self.values[node.value] if node.value is not None else None
        path, call = self.path_of(node), node.call
        op = self.ops[node.ops[0]] if len(node.ops) == 1 else None
        panel = {
            "title": node.title,
            "kind": self.calls[call]["cls"] if call is not None else op["label"] if op else _kind(node),
            "shape": node.shape,
            "dtype": value["dtype"] if value else "",
            "value_at": node.value_at,
            "grad_at": node.grad_at,
            "formula": self._formula(node.ops, path),
            "source": self._source(path, op),
        }
        return panel | self._numbers(value) | self._cell(path) | {"rule_label": self._rule_label(node, path)}

    def _rule_label(self, node: Node, path: str | None) -> str:
        """An op's panel offers the rules of the Cell around it, so it says whose they are."""
        if node.call is not None or path is None:
            return say("browser.rule")
        return say("explorer.rule_of", cell=path or self.document["title"])

    def _of_call(self, number: int) -> Panel:
        call = self.calls[number]
        value = self.values[call["outputs"][0]] if call["outputs"] else None
        ops = tuple(i for i, op in enumerate(self.ops) if self._inside(op["call"], number))
        steps = self.scene.nodes[self.scene.op_nodes[ops[-1]]] if ops else None
        path = self._path(number)
        panel = {
            "title": call["name"],
            "kind": call["cls"],
            "shape": shape(value["shape"]) if value else "",
            "dtype": value["dtype"] if value else "",
            "value_at": steps.value_at if steps else None,
            "grad_at": steps.grad_at if steps else None,
            "formula": self._formula(ops, path),
            "source": self._source(path, None),
        }
        return panel | self._numbers(value) | self._cell(path) | {"rule_label": say("browser.rule")}

    def _inside(self, call: int | None, outer: int) -> bool:
        while call is not None and call != outer:
            call = self.calls[call]["parent"]
        return call == outer

    def _numbers(self, value: dict[str, Any] | None) -> Panel:
        if value is None:
            return {"value": None, "value_note": "", "grad": None, "grad_note": ""}
        note = ": ".join(filter(None, (say(f"explorer.state_{value['grad_state'].replace(' ', '_')}"), value["why"])))
        return {
            "value": value["value"],
            "value_note": "",
            "grad": value["grad"],
            "grad_note": "" if value["grad"] is not None else note,
        }

    def _formula(self, ops: tuple[int, ...], path: str | None) -> list[dict[str, str]]:
        if len(ops) > 1:
            lines = [
                {"class": "val", "text": f"{self.ops[i]['label']}: {self.ops[i]['formula']['value']}", "shape": ""}
                for i in ops[:MOST_FORMULAS]
            ]
            if len(ops) > MOST_FORMULAS:
                lines.append({"class": "val", "text": say("explorer.more_ops", count=len(ops) - MOST_FORMULAS), "shape": ""})
            return lines + self._own_rule(path)
        if not ops or not self.ops[ops[0]]["formula"]["value"]:
            return []
        op = self.ops[ops[0]]
        lines = [{"class": "val", "text": op["formula"]["value"], "shape": ""}]
        own = self._own_rule(path)
        return lines + (own or [
            {"class": "grad", "text": text, "shape": shape(self.values[v]["shape"])} for text, v in op["formula"]["grads"]
        ])  # fmt: skip

    def _own_rule(self, path: str | None) -> list[dict[str, str]]:
        rule = self.experiment.rule(path) if path is not None else AUTOMATIC
        if path is None or rule == AUTOMATIC:
            return []
        label = self.experiment.rule_label(path, rule)
        return [{"class": "grad", "text": say("explorer.gradient_by", rule=label), "shape": ""}]

    def _source(self, path: str | None, op: dict[str, Any] | None) -> str:
        """The rule in use: a Cell's own or chosen bprop, else the op's, else the Cell's construct."""
        if path is None:
            return op["source"] if op is not None else ""
        rule = self.experiment.rule_function(path, self.experiment.rule(path))
        if rule is not None:
            return source_of(rule) or say("explorer.no_source")
        if op is not None:
            return op["source"]
        return source_of(type(self.experiment.cell(path)).construct) or ""

    def _cell(self, path: str | None) -> Panel:
        """What belongs to the node's Cell: rules, hooks, what was captured, calls."""
        experiment = self.experiment
        calls = [call for call in self.calls if path is not None and call["path"] == path]
        capture = experiment.capture
        nodes = {call["id"]: self.scene.call_nodes.get(call["id"], ("", ""))[1] for call in calls}
        return {
            "path": path,
            "rules": [{"id": r, "label": experiment.rule_label(path, r)} for r in experiment.rules(path)]
            if path is not None else [],
            "rule": experiment.rule(path) if path is not None else "",
            "hooks": self._hooks(calls),
            "captured": capture.rows() if capture is not None and capture.path == path else None,
            "calls": [
                {"label": say("lens.call_of", call=c["call"], of=c["of"]), "node": nodes[c["id"]]} for c in calls
            ] if len(calls) > 1 else [],
        }  # fmt: skip

    def _hooks(self, calls: list[dict[str, Any]]) -> Panel:
        attached = calls[0]["hooks"] if calls else []
        ids = {call["id"] for call in calls}
        items = []
        for hook in attached:
            fired = [
                event for event in self.document["events"]
                if event["kind"] == "hook" and event["call"] in ids
                and (event["hook"], event["name"]) == (hook["kind"], hook["name"])
            ]  # fmt: skip
            replaced = any(event["replaced"] for event in fired)
            key = "explorer.hook_replaced" if replaced else "explorer.hook_fired" if fired else "explorer.hook_silent"
            items.append(
                {
                    "glyph": GLYPHS[hook["kind"]], "title": say(f"lens.hook_{hook['kind']}", name=hook["name"]),
                    "code": hook["code"], "note": say(key, count=len(fired)), "mark": replaced,
                }  # fmt: skip
            )
        fired_count = sum(1 for item in items if item["note"] != say("explorer.hook_silent", count=0))
        head = say("explorer.hooks", attached=len(items), fired=fired_count) if items else say("explorer.no_hooks")
        return {"head": head, "items": items}


def _kind(node: Node) -> str:
    return say(f"explorer.kind_{node.kind}")
