"""Placed -> SVG text: the one way in which a graph is drawn, for the browser and for a file.

For the browser (``live``) everything that may show at some step is in the picture, and the widget's style
sheet decides by classes what does; there is no colour in it. The static picture shows the end of the run and
brings its own style.
"""

from __future__ import annotations

import hashlib

from teachcell.texts import say
from teachcell.texts.numbers import number

from ..layout import blocks as b
from ..layout.blocks import KIND_SIZE
from ..layout.headers import pill_width
from ..layout.place import LEGEND_ROW, LEGEND_WIDTH, MARGIN
from ..layout.placed import Placed
from ..measure import clean, escaped, fit, text_width
from ..scene import Document, Node, Pill, Scene, Twins
from .edges import head_down, head_up
from .elements import group, path, px, rect, tag, text
from .faces import pills, range_texts
from .picture import Picture
from .style import STATIC_STYLE

STATIC_HEAD, STATIC_FOOT, FOOT_LINE = 46, 56, 18
RANGE_GAP = 12


def draw_svg(
    placed: Placed, document: Document, live: bool = False, uid: str | None = None, twins: Twins | None = None
) -> str:
    """The picture of a placed scene; ``uid`` begins every id in it (by default a hash of the structure).

    With ``twins`` it shows two runs for the browser: at every node the strip of the one above that of the other.
    """
    if twins is not None:
        return _live_twins(placed, document, twins)
    return _live(placed, document) if live else _static(placed, document, uid or structure_hash(placed.scene))


def structure_hash(scene: Scene) -> str:
    """A name for the structure of a scene: the same in every session, different for different graphs."""
    parts = [scene.title, *scene.nodes, *(f"{e.source}>{e.target}" for e in scene.edges.values())]
    return "tc" + hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:8]


def _live(placed: Placed, document: Document) -> str:
    """The picture for the widget."""
    inside = Picture(placed, document, live=True).body() + _live_legend(placed)
    return _svg("tc-graph", inside, placed.width, placed.height, role="group", aria_label=_name(placed.scene))


def _live_twins(placed: Placed, document: Document, twins: Twins) -> str:
    """The picture of two runs for the widget."""
    inside = Picture(placed, document, live=True, twins=twins).body() + _twin_legend(placed, twins)
    return _svg("tc-graph", inside, placed.width, placed.height, role="group", aria_label=_name(placed.scene))


def _static(placed: Placed, document: Document, uid: str) -> str:
    """The picture for a file: title, ranges, legend, reading aid."""
    around, width = _Around(placed, document), placed.width
    height = placed.height + STATIC_HEAD + STATIC_FOOT + FOOT_LINE * len(around.reading_aid())
    body = Picture(placed, document, live=False).body() + around.ranges()
    parts = [
        tag("title", escaped(_name(placed.scene)), id=f"{uid}-title"),
        tag("desc", escaped(around.description()), id=f"{uid}-desc"),
        f"<style>{STATIC_STYLE}</style>",
        rect("tc-paper", 0, 0, width, height),
        around.head(),
        tag("g", body, transform=f"translate(0 {STATIC_HEAD})"),
        around.foot(STATIC_HEAD + placed.height),
    ]
    named = f"{uid}-title {uid}-desc"
    return _svg("tc-graph tc-static", "".join(parts), width, height, role="img", aria_labelledby=named)


def _svg(cls: str, inside: str, width: float, height: float, **attributes: str) -> str:
    return tag(
        "svg",
        inside,
        xmlns="http://www.w3.org/2000/svg",
        cls=cls,
        width=width,
        height=height,
        viewBox=f"0 0 {px(width)} {px(height)}",
        **attributes,
    )


def _name(scene: Scene) -> str:
    return clean(say("graph.label", title=scene.title, count=len(scene.nodes)))


def _live_legend(placed: Placed) -> str:
    long = "" if not placed.sizes.compact else "_short"
    value, grad = say(f"graph.legend_value{long}"), say(f"graph.legend_grad{long}")
    if not placed.legend_in_row:
        return _legend(MARGIN + 6, 14, 0, 44, value, grad)
    across = 40 + text_width(value, KIND_SIZE, bold=True)
    return _legend(MARGIN + 6, (LEGEND_ROW - 22) / 2, across, 0, value, grad)


def _legend(x: float, y: float, dx: float, dy: float, value: str, grad: str) -> str:
    """Two arrows with their words, the second one ``dx``, ``dy`` from the first."""
    return group(
        "tc-legend",
        _legend_arrow(x, y, gradient=False),
        text("tc-value-text", x + 14, y + 16, value),
        _legend_arrow(x + dx, y + dy, gradient=True),
        text("tc-grad-text", x + dx + 14, y + dy + 16, grad),
    )


def _legend_arrow(x: float, y: float, gradient: bool) -> str:
    if gradient:
        return path("tc-grad-edge", f"M{px(x)} {px(y + 24)}V{px(y + 7)}") + path("tc-grad-head", head_up(x, y))
    return path("tc-value-edge", f"M{px(x)} {px(y)}V{px(y + 17)}") + path("tc-value-head", head_down(x, y + 24))


def _twin_legend(placed: Placed, twins: Twins) -> str:
    """Value or gradient, which run is A and which is B, and what the pills say."""
    x, y = MARGIN + 6, ((LEGEND_ROW - 22) / 2 if placed.legend_in_row else 14)
    kind, key = ("grad", "graph.legend_grad_short") if twins.gradient else ("value", "graph.legend_value_short")
    word, pill = say(key), Pill("≠", mark=True)
    names, differs = say("graph.legend_twins", a=twins.names[0], b=twins.names[1]), say("graph.legend_differs")
    if placed.legend_in_row:
        names_x, names_y = x + 26 + text_width(word, KIND_SIZE, bold=True), y + 16
        names = fit(names, placed.width / 3, KIND_SIZE)
        right, top = names_x + text_width(names, KIND_SIZE) + 14 + pill_width(pill), y + 2.5
        differs = fit(differs, placed.width - right - 10, KIND_SIZE)
    else:
        names_x, names_y, right, top = x - 6, y + 42, x - 6 + pill_width(pill), y + 51
        names = fit(names, LEGEND_WIDTH - 10, KIND_SIZE)
        differs = fit(differs, LEGEND_WIDTH - right, KIND_SIZE)
    return group(
        "tc-legend",
        _legend_arrow(x, y, twins.gradient),
        text(f"tc-{kind}-text", x + 14, y + 16, word),
        text("tc-kind", names_x, names_y, names),
        *pills([pill], right, top),
        text("tc-kind", right + 6, top + 13.3, differs),
    )


class _Around:
    """What stands around the graph in the static picture, and the numbers beside its nodes."""

    def __init__(self, placed: Placed, document: Document) -> None:
        self.placed, self.scene, self.document = placed, placed.scene, document

    def description(self) -> str:
        values = self.document["values"]
        inputs = ", ".join(values[v]["name"] or say("graph.input") for v in self.document["inputs"])
        outputs = ", ".join(self.scene.nodes[name].title for name in self._ends())
        title = self.scene.title
        words = say("graph.described", inputs=inputs or title, outputs=outputs or title)
        if any(edge.grad for edge in self.scene.edges.values()):
            words += " " + say("graph.described_grads")
        if self._summed():
            words += " " + say("graph.summed")
        return words

    def _ends(self) -> list[str]:
        feeding = {edge.source for edge in self.scene.edges.values()}
        return [node.id for node in self.scene.nodes.values() if node.id not in feeding and not node.is_leaf]

    def head(self) -> str:
        title = fit(self.scene.title, self.placed.width - 2 * MARGIN, 17, bold=True)
        return text("tc-caption", MARGIN + 2, 28, title) + self._column_heads()

    def _column_heads(self) -> str:
        """What the numbers at the right of the first node are."""
        mains = [node for node in self.scene.nodes.values() if node.beside is None]
        if not mains or not self.placed.sizes.ranges:
            return ""
        x, grad_x = self._range_x(mains[0]), text_width(say("graph.legend_value_short"), KIND_SIZE, bold=True)
        heads = text("tc-value-text", x, 28, say("graph.legend_value_short"))
        if self.scene.gradients:
            heads += text("tc-grad-text", x + grad_x + 8, 28, say("graph.legend_grad_short"))
        return heads + text("tc-kind", x, 45, say("graph.range"))

    def _range_x(self, node: Node) -> float:
        return self.placed.boxes[node.id].right + (b.BEHIND if node.kind == "cell" else 0) + RANGE_GAP

    def ranges(self) -> str:
        if not self.placed.sizes.ranges:
            return ""
        return "".join(self._range(node) for node in self.scene.nodes.values() if not node.slim)

    def _range(self, node: Node) -> str:
        box = self.placed.boxes[node.id]
        value, grad = range_texts(self.document, node)
        if node.beside is not None:
            entry = self.document["values"][node.value]["grad"] if node.value is not None else None
            if entry is None or entry["max"] is None:
                return ""
            largest = number(max(entry["max"], -entry["min"]))
            words = say("graph.grad_up_to", number=largest)
            return text("tc-range tc-grad-text", box.x + 4, box.bottom + 13.5, words)
        x = self._range_x(node)
        words = text("tc-range tc-value-text", x, box.middle - 4, value) if value else ""
        return words + (text("tc-range tc-grad-text", x, box.middle + 13, grad) if grad else "")

    def foot(self, top: float) -> str:
        legend = self._foot_legend(MARGIN + 8, top + 6)
        room = self.placed.width - 2 * MARGIN
        return legend + "".join(
            text("tc-kind", MARGIN + 2, top + 53 + FOOT_LINE * index, fit(line, room, KIND_SIZE))
            for index, line in enumerate(self.reading_aid())
        )

    def _foot_legend(self, x: float, y: float) -> str:
        value, grad = say("graph.legend_value"), say("graph.legend_grad")
        if not self.scene.gradients:
            words = text("tc-value-text", x + 14, y + 16, say("graph.legend_value_short"))
            return group("tc-legend", _legend_arrow(x, y, gradient=False), words)
        return _legend(x, y, 40 + text_width(value, KIND_SIZE, bold=True), 0, value, grad)

    def reading_aid(self) -> list[str]:
        """How to read the picture, and whether its gradients are those of a sum."""
        if not self.scene.gradients:
            return [say("graph.reading_values"), say("graph.reading_plan")]
        lines = [say("graph.reading_strips"), say("graph.reading_boxes")]
        return [*lines, say("graph.summed")] if self._summed() else lines

    def _summed(self) -> bool:
        """Whether the backward pass starts at more than one number."""
        loss, values = self.document["loss"], self.document["values"]
        ends = self.document["outputs"] if loss is None else [loss]
        several = sum(values[end]["value"]["size"] for end in ends) > 1
        return several and any(edge.grad for edge in self.scene.edges.values())
