"""One run seen through the lens, and questions that tests ask of its document."""

from __future__ import annotations

import json
from typing import Any

from teachcell.lens import Experiment
from teachcell.lens.write.steps import write_steps


class Look:
    """A run of ``net(*inputs)``; its document is checked to be plain, finite JSON and sound in itself."""

    def __init__(self, net: Any, *inputs: Any, **options: Any):
        self.experiment = Experiment(net, inputs, **options)
        self.run()

    def run(self) -> Look:
        self.outcome = self.experiment.run()
        self.error, self.document = self.outcome.error, self.outcome.document
        self.values, self.ops = self.document["values"], self.document["ops"]
        self.calls, self.events = self.document["calls"], self.document["events"]
        check_sound(self.document)
        return self

    def passed(self) -> Look:
        if self.error is not None:
            raise self.error
        return self

    def value(self, name: str) -> dict[str, Any]:
        """The only value with this name."""
        (found,) = [value for value in self.values if value["name"] == name]
        return found

    def made_by(self, op: str, nth: int = 0) -> dict[str, Any]:
        """The first output of the nth op of this name."""
        return self.values[[o for o in self.ops if o["op"] == op][nth]["outputs"][0]]

    def gradient(self, name: str) -> list[float]:
        """A named value's gradient (up to 40 elements of it)."""
        return self.value(name)["grad"]["strip"]

    def states(self) -> dict[str, str]:
        """Gradient state of every named value."""
        return {value["name"]: value["grad_state"] for value in self.values if value["name"]}

    def order(self) -> list[str]:
        """The events in short: ops by name, backward ops with ∂, hooks by kind and name, rules by path."""
        return [self._short(event) for event in self.events]

    def _short(self, event: dict[str, Any]) -> str:
        if event["kind"] == "hook":
            return f"{event['hook']} {event['name']}"
        if event["kind"] == "bprop":
            return f"bprop {self.calls[event['call']]['path']}"
        name = self.ops[event["op"]]["op"] if "op" in event else self.calls[event["call"]]["path"]
        return {"forward": name, "backward": f"∂{name}", "cut": f"cut at {name}"}[event["kind"]]

    def sentences(self) -> list[str]:
        """Each event in words."""
        return ["".join(text for _, text in step["sentence"]) for step in write_steps(self.document)]


def check_sound(document: dict[str, Any]) -> None:
    """What holds in every document: plain finite data, ids that are indices, parents first, known states."""
    json.dumps(document, allow_nan=False)
    for kind in ("calls", "values", "ops"):
        assert [entry["id"] for entry in document[kind]] == list(range(len(document[kind])))
    assert all(call["parent"] is None or call["parent"] < call["id"] for call in document["calls"])
    made = [(number, op["id"]) for op in document["ops"] for number in op["outputs"]]
    assert {number: op for number, op in made} == {
        v["id"]: v["op"] for v in document["values"] if v["op"] is not None
    } and len(made) == len(set(made))
    for value in document["values"]:
        assert (value["kind"] == "op") == (value["op"] is not None)
        assert (value["grad"] is not None) == (value["grad_state"] in ("computed", "zero", "nan", "nan starts"))
        assert (value["why"] is None) == (value["grad"] is not None)
        assert value["grad"] is None or value["grad"]["shape"] == value["shape"]
    for step, event in zip(write_steps(document), document["events"], strict=True):
        assert step["pass"] in ("forward", "backward") and step["label"] and all(text for _, text in step["sentence"])
        assert "op" in event or event["kind"] in ("hook", "bprop", "cut")
