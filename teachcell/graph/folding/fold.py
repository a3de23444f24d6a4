"""Document -> Scene: what is drawn when the given Cells are open."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from teachcell.texts import say

from ..scene import Document, Edge, Frame, Node, Pill, Scene
from . import labels
from .grouping import MAX_NODES, group_ops
from .leaves import Leaf, choose_leaves
from .timetable import Timetable, last_known
from .units import CallTree, Unit, taken

MOST_BESIDE = 6  # values that are drawn between the same two nodes
NO_GRADIENT = ("not needed", "not asked", "not differentiable")


def fold(
    document: Document, opened: Collection[int] = (), chosen: Collection[int] = (), most: int = MAX_NODES
) -> Scene:
    """Fold a recorded program by Cell and by repetition, so that about ``most`` nodes are drawn at most.

    ``opened`` holds the ids of the calls whose inside is drawn, ``chosen`` ops whose iteration is drawn.
    """
    return _Folding(document, group_ops(document, opened, chosen, most)).scene()


class _Folding:
    def __init__(self, document: Document, units: list[Unit]) -> None:
        self.document = document
        self.values, self.ops, self.calls = document["values"], document["ops"], document["calls"]
        self.units = units
        self.unit_of = {op: unit.id for unit in units for op in unit.ops}
        self.leaves = choose_leaves(document, units)
        self.tree = CallTree(document)
        self.times = Timetable(document, self.tree)
        depending = [call["id"] for call in self.calls if call["depends_on_mode"]]
        self.modal = {outer for call in depending for outer in self.tree.around(call)}  # the mode matters inside

    def scene(self) -> Scene:
        nodes = self._nodes()
        return Scene(
            title=self.document["title"],
            nodes=nodes,
            edges=self._edges(nodes),
            frames=self._frames(),
            op_nodes=self.unit_of,
            call_nodes=self._call_nodes(),
            gradients=self.document.get("gradients", True),
        )

    # Nodes

    def _nodes(self) -> dict[str, Node]:
        """In order of execution, every leaf before its first user."""
        by_user = defaultdict(list)
        for leaf in self.leaves:
            by_user[leaf.users[0] if leaf.users else ""].append(leaf)
        frames = {unit.id: unit.frame for unit in self.units}
        nodes = [self._leaf(leaf, frames) for leaf in by_user[""]]
        for unit in self.units:
            nodes += [self._leaf(leaf, frames) for leaf in by_user[unit.id]]
            nodes.append(self._unit(unit))
        return {node.id: node for node in nodes}

    def _unit(self, unit: Unit) -> Node:
        first = self.ops[unit.ops[0]]
        call = None if unit.call is None else self.calls[unit.call]
        outputs = self._outputs(unit)
        shape = labels.outputs_text(self.document, outputs)
        if unit.like:
            title, what = labels.repeat_title(self.document, unit), labels.repeat_kind(unit)
        elif call is not None:
            title, what = call["name"], call["cls"]
        elif unit.folded:
            title, what = labels.run_title(len(unit.ops), unit.cells), say("graph.run_kind")
        else:
            title, what = first["op"], labels.op_kind(first)
        failed = any(self.ops[op]["error"] for op in unit.ops)
        shown = outputs[0] if outputs else None
        return Node(
            id=unit.id,
            kind="cell" if unit.folded else "op",
            title=title,
            subtitle=f"{what} {shape}".strip(),
            shape=shape,
            frame=_frame_id(unit.frame),
            value=shown,
            value_at=None if shown is None else self.times.value_at(shown),
            grad_at=None if shown is None else self.times.grad_at(shown),
            ops=tuple(unit.ops),
            call=unit.call,
            pills=(Pill(say("graph.failed"), mark=True),) if failed else self._unit_pills(unit, call),
            foldable=unit.cell,
            failed=failed,
            repeat=unit.iteration,
        )

    def _outputs(self, unit: Unit) -> list[int]:
        """What comes out of a unit; of a Cell what it returned, of a run what its last op made."""
        if unit.call is not None:
            made_here = set(unit.ops)
            returned = [v for v in self.calls[unit.call]["outputs"] if self.values[v]["op"] in made_here]
            if returned:
                return returned
        return self.ops[unit.ops[-1]]["outputs"]

    def _unit_pills(self, unit: Unit, call: Mapping[str, Any] | None) -> tuple[Pill, ...]:
        """Rules in the place of the engine's come first, then what is to be said of the Cell."""
        rules = dict.fromkeys(rule for op in unit.ops if (rule := self.ops[op].get("rule")))
        pills = [Pill(say("graph.op_rule", rule=rule)) for rule in rules]
        more = self._pills(call) if unit.iteration is None else labels.repeat_pills(unit)
        return (*pills, *more)[: labels.MAX_PILLS]

    def _pills(self, call: Mapping[str, Any] | None) -> tuple[Pill, ...]:
        if call is None:
            return ()
        caller = None if call["parent"] is None else self.calls[call["parent"]]["training"]
        differs = call["id"] in self.modal and call["training"] != caller
        return labels.call_pills(call, tell_mode=differs or call["depends_on_mode"])

    def _leaf(self, leaf: Leaf, frames: dict[str, int | None]) -> Node:
        value = self.values[leaf.value]
        shape = labels.shape_text(value["shape"])
        no_gradient = value["kind"] != "parameter" and value["grad_state"] in NO_GRADIENT
        slim = leaf.again or bool(leaf.more) or (no_gradient and leaf.beside is not None)
        subtitle = shape
        if leaf.again:
            subtitle = say("graph.again")
        elif value["kind"] == "constant" and not value["name"]:
            subtitle = labels.constant_words(value)[1]
        elif slim and value["value"]["size"] == 1:
            subtitle = f"= {labels.scalar(value['value'])}"
        return Node(
            id=leaf.id,
            kind=value["kind"],
            title=say("graph.more", count=leaf.more) if leaf.more else self._leaf_title(leaf, value),
            subtitle="" if leaf.more else subtitle,
            shape=shape,
            frame=None if leaf.beside is None else _frame_id(frames[leaf.beside]),
            value=None if leaf.more else leaf.value,
            value_at=self.times.value_at(leaf.value),
            grad_at=self.times.grad_at(leaf.value),
            beside=leaf.beside,
            slim=slim,
        )

    def _leaf_title(self, leaf: Leaf, value: Mapping[str, Any]) -> str:
        if not value["name"]:
            return labels.constant_words(value)[0] if value["kind"] == "constant" else say(f"graph.{value['kind']}")
        if value["kind"] != "parameter":
            return value["name"]
        return labels.parameter_title(value["name"], self._paths_around(leaf.users))

    def _paths_around(self, users: Collection[str]) -> set[str]:
        """The paths of all Cells that run the ops of these units."""
        calls = {self.ops[op]["call"] for unit in self.units if unit.id in users for op in unit.ops}
        return {self.calls[outer]["path"] for call in calls for outer in self.tree.around(call)}

    # Edges

    def _edges(self, nodes: dict[str, Node]) -> dict[str, Edge]:
        leaf_at = {(leaf.value, user): leaf.id for leaf in self.leaves for user in leaf.users}
        takers: dict[tuple[str, str, int], list[int]] = defaultdict(list)  # edge -> the ops behind it
        for unit in self.units:
            for op in unit.ops:
                for value in taken(self.document, op):
                    made_by = self.values[value]["op"]
                    source = leaf_at.get((value, unit.id)) if made_by is None else self.unit_of[made_by]
                    if source is not None and source != unit.id:
                        takers[source, unit.id, value].append(op)
        edges = {}
        beside: Counter[tuple[str, str]] = Counter()
        for index, ((source, target, value), ops) in enumerate(takers.items()):
            edge = self._edge(f"e{index}", nodes[source], nodes[target], value, ops)
            if edge.cut is not None or beside[source, target] < MOST_BESIDE:
                edges[edge.id] = edge
                beside[source, target] += 1
        return edges

    def _edge(self, name: str, source: Node, target: Node, value: int, ops: list[int]) -> Edge:
        entry = self.values[value]
        grad_at = last_known([self.times.flow_at(value, op) for op in ops])
        target_state = None if target.value is None else self.values[target.value]["grad_state"]
        is_cut = entry["grad_state"] == "cut" and target_state not in ("cut", None)
        return Edge(
            id=name,
            source=source.id,
            target=target.id,
            value=value,
            op=entry["op"],
            value_at=min((at for op in ops if (at := self.times.runs_at(op)) is not None), default=None),
            grad_at=grad_at,
            grad_label=self._grad_label(value, ops) if grad_at is not None else "",
            cut=(entry["why"] or "") if is_cut else None,
        )

    def _grad_label(self, value: int, ops: list[int]) -> str:
        """``∂W (10, 128)``, with the name that the op's own formula gives to this input."""
        rules = [rule for op in ops for rule, of in self.ops[op]["formula"]["grads"] if of == value]
        name = rules[0].partition("=")[0].strip() if rules else "∂x"
        return f"{name} {labels.shape_text(self.values[value]['shape'])}".strip()

    # Frames and calls

    def _frames(self) -> dict[str, Frame]:
        drawn = {call for unit in self.units for call in self.tree.around(unit.frame)}
        frames = {}
        for call in self.calls:
            if call["id"] in drawn and call["parent"] is not None:
                parent = call["parent"] if self.calls[call["parent"]]["parent"] is not None else None
                frames[f"call{call['id']}"] = Frame(
                    id=f"call{call['id']}",
                    call=call["id"],
                    title=call["name"],
                    subtitle=labels.cell_text(self.document, call),
                    parent=_frame_id(parent),
                    pills=self._pills(call),
                )
        return frames

    def _call_nodes(self) -> dict[int, tuple[str, str]]:
        """What stands for each call: its frame, its node, or the first and last node of what it ran."""
        if not self.units:
            return {}
        open_calls = {call for unit in self.units for call in self.tree.around(unit.frame)}
        spans: dict[int, tuple[str, str]] = {}
        for op in self.ops:
            for call in self.tree.around(op["call"]):
                first, _ = spans.get(call, (self.unit_of[op["id"]], ""))
                spans[call] = first, self.unit_of[op["id"]]
        for call in self.calls:
            name, outer = f"call{call['id']}", call["parent"]
            if call["id"] in open_calls and outer is not None:
                spans[call["id"]] = name, name
            elif call["id"] not in spans:
                spans[call["id"]] = self._near(call)
        return spans

    def _near(self, call: Mapping[str, Any]) -> tuple[str, str]:
        """For a call that ran no op: the node that made what it received, else the first one drawn."""
        makers = [self.values[value]["op"] for value in call["inputs"]]
        near = next((self.unit_of[op] for op in makers if op is not None), self.units[0].id)
        return near, near


def _frame_id(call: int | None) -> str | None:
    return None if call is None else f"call{call}"
