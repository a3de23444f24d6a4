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
from ..layout.blocks import KIND_SIZE, NAME_SIZE
from ..layout.headers import HEADER_GAP, PILL_GAP, pills_width, title_width
from ..layout.place import FRAME_HEADER, LEGEND_ROW, MARGIN
from ..layout.placed import Box, Note, Placed
from ..measure import clean, escaped, fit, text_width
from ..scene import Document, Edge, Frame, Node, Scene
from .edges import APART, grad_head, grad_line, head_down, head_up, value_head, value_line
from .elements import group, path, px, rect, span, tag, text
from .faces import OPEN_MARK, FacePainter, pills, range_texts
from .strips import scissors
from .style import STATIC_STYLE

LABEL_GAP = 12  # from a gradient's line to its label
STATIC_HEAD, STATIC_FOOT = 46, 92
RANGE_GAP = 12


def draw_svg(placed: Placed, document: Document, live: bool = False, uid: str | None = None) -> str:
    """The picture of a placed scene; ``uid`` begins every id in it (by default a hash of the structure)."""
    uid = uid or structure_hash(placed.scene)
    return _Picture(placed, document, live).live() if live else _Static(placed, document, False).static(uid)


def structure_hash(scene: Scene) -> str:
    """A name for the structure of a scene: the same in every session, different for different graphs."""
    parts = [scene.title, *scene.nodes, *(f"{e.source}>{e.target}" for e in scene.edges.values())]
    return "tc" + hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:8]


class _Picture:
    def __init__(self, placed: Placed, document: Document, live: bool) -> None:
        self.placed, self.scene, self.document, self.is_live = placed, placed.scene, document, live
        self.painter = FacePainter(placed, document, live)

    def live(self) -> str:
        """The picture for the widget."""
        return tag(
            "svg",
            self.body() + self.legend(),
            xmlns="http://www.w3.org/2000/svg",
            cls="tc-graph",
            width=self.placed.width,
            height=self.placed.height,
            viewBox=f"0 0 {px(self.placed.width)} {px(self.placed.height)}",
            role="group",
            aria_label=self.name(),
        )

    def name(self) -> str:
        return clean(say("graph.label", title=self.scene.title, count=len(self.scene.nodes)))

    def body(self) -> str:
        """Frames, edges, nodes, then what must not be covered."""
        scene = self.scene
        parts = [self.frame(frame) for frame in scene.frames.values()]
        parts += [self.edge(edge) for edge in scene.edges.values()]
        parts += [self.painter.node(node) for node in scene.nodes.values()]
        parts += [self.note(note) for note in self.placed.notes.values()]
        if not scene.nodes:
            parts.append(text("tc-kind", MARGIN, 34, say("graph.nothing")))
        return "".join(parts)

    # Frames

    def frame(self, frame: Frame) -> str:
        box = self.placed.frames[frame.id]
        outline = rect("tc-frame-box", box.x, box.y, box.width, box.height, rx=8)
        return group("tc-frame", outline, self.header(frame, box), data_call=frame.call)

    def header(self, frame: Frame, box: Box) -> str:
        place, mark = self.placed.headers[frame.id], OPEN_MARK if self.is_live else ""
        name = fit(mark + clean(frame.title), place.room, NAME_SIZE, bold=True)
        kind = fit(frame.subtitle, place.room - title_width(frame) - HEADER_GAP, KIND_SIZE)
        spans = span("tc-name", name) + (span("tc-kind", kind, dx=HEADER_GAP) if kind else "")
        words = tag("text", spans, x=place.x, y=box.y + 17)
        right = place.pills_x + pills_width(frame) - PILL_GAP
        drawn = words + "".join(pills(frame.pills[::-1], right, box.y + 3.5))
        if not self.is_live:
            return drawn
        target = tag(
            "rect",
            x=box.x,
            y=box.y,
            width=box.width,
            height=FRAME_HEADER,
            fill="none",
            pointer_events="all",
        )
        label = clean(say("graph.label_fold", name=f"{frame.title}, {frame.subtitle}"))
        return tag("g", target + drawn, data_fold=frame.id, tabindex="-1", role="button", aria_label=label)

    # Edges

    def edge(self, edge: Edge) -> str:
        route = self.placed.routes[edge.id]
        parts = [
            path("tc-value-edge", value_line(route), data_at=edge.value_at),
            path("tc-value-head", value_head(route)),
        ]
        if edge.grad:
            parts.append(path("tc-grad-edge", grad_line(route), data_at=edge.grad_at))
            parts.append(path("tc-grad-head", grad_head(route)))
            if self.is_live:
                parts.append(self.grad_label(edge))
        return group("tc-edge", *parts, data_edge=edge.id)

    def grad_label(self, edge: Edge) -> str:
        """Beside the line where the gradient arrives; under a leaf that stands at the left of its user."""
        route, label = self.placed.routes[edge.id], edge.grad_label
        if route.sideways:
            source = self.placed.boxes[edge.source]
            label = fit(label, source.width, KIND_SIZE, bold=True)
            return text("tc-grad-label", source.x + 4, source.bottom + 13.5, label)
        x, y = route.knots[0]
        wide = text_width(label, KIND_SIZE, bold=True)
        x = min(x + APART + LABEL_GAP, max(self.placed.width - wide - 4, 4))
        return text("tc-grad-label", x, y + 14.5, fit(label, self.placed.width - x, KIND_SIZE, bold=True))

    def note(self, note: Note) -> str:
        box, (x, y) = note.box, note.scissors
        start = min(max(y, box.y + 10), box.bottom - 10)
        parts = [
            path("tc-leader", f"M{px(box.right)} {px(start)}L{px(x)} {px(y)}"),
            scissors(x + APART, y, 0.95),
            rect("tc-note", box.x, box.y, box.width, box.height, rx=6),
        ]
        for index, line in enumerate(note.lines):
            baseline = box.y + b.NOTE_MARGIN + (index + 0.75) * b.NOTE_LINE
            parts.append(text("tc-word" if index == 0 else None, box.x + b.NOTE_MARGIN, baseline, line))
        return group("tc-cut", *parts)

    # Legend

    def legend(self) -> str:
        long = "" if not self.placed.sizes.compact else "_short"
        value, grad = say(f"graph.legend_value{long}"), say(f"graph.legend_grad{long}")
        if not self.placed.legend_in_row:
            return _legend(MARGIN + 6, 14, 0, 44, value, grad)
        across = 40 + text_width(value, KIND_SIZE, bold=True)
        return _legend(MARGIN + 6, (LEGEND_ROW - 22) / 2, across, 0, value, grad)


def _legend(x: float, y: float, dx: float, dy: float, value: str, grad: str) -> str:
    """Two arrows with their words, the second one ``dx``, ``dy`` from the first."""
    gx, gy = px(x + dx), y + dy
    return group(
        "tc-legend",
        path("tc-value-edge", f"M{px(x)} {px(y)}V{px(y + 17)}"),
        path("tc-value-head", head_down(x, y + 24)),
        text("tc-value-text", x + 14, y + 16, value),
        path("tc-grad-edge", f"M{gx} {px(gy + 24)}V{px(gy + 7)}"),
        path("tc-grad-head", head_up(x + dx, gy)),
        text("tc-grad-text", x + dx + 14, gy + 16, grad),
    )


class _Static(_Picture):
    """The picture for a file: title, ranges, legend, reading aid."""

    def static(self, uid: str) -> str:
        width, height = self.placed.width, self.placed.height + STATIC_HEAD + STATIC_FOOT
        moved = tag("g", self.body() + self.ranges(), transform=f"translate(0 {STATIC_HEAD})")
        parts = [
            tag("title", escaped(self.name()), id=f"{uid}-title"),
            tag("desc", escaped(self.description()), id=f"{uid}-desc"),
            f"<style>{STATIC_STYLE}</style>",
            rect("tc-paper", 0, 0, width, height),
            self.head(),
            moved,
            self.foot(STATIC_HEAD + self.placed.height),
        ]
        return tag(
            "svg",
            "".join(parts),
            xmlns="http://www.w3.org/2000/svg",
            cls="tc-graph tc-static",
            width=width,
            height=height,
            viewBox=f"0 0 {px(width)} {px(height)}",
            role="img",
            aria_labelledby=f"{uid}-title {uid}-desc",
        )

    def description(self) -> str:
        values = self.document["values"]
        inputs = ", ".join(values[v]["name"] or say("graph.input") for v in self.document["inputs"])
        outputs = ", ".join(self.scene.nodes[name].title for name in self._ends())
        title = self.scene.title
        words = say("graph.described", inputs=inputs or title, outputs=outputs or title)
        if any(edge.grad for edge in self.scene.edges.values()):
            words += " " + say("graph.described_grads")
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
        return (
            text("tc-value-text", x, 28, say("graph.legend_value_short"))
            + text("tc-grad-text", x + grad_x + 8, 28, say("graph.legend_grad_short"))
            + text("tc-kind", x, 45, say("graph.range"))
        )

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
        value, grad = say("graph.legend_value"), say("graph.legend_grad")
        across = 40 + text_width(value, KIND_SIZE, bold=True)
        legend = _legend(MARGIN + 8, top + 6, across, 0, value, grad)
        room = self.placed.width - 2 * MARGIN
        lines = [fit(say(key), room, KIND_SIZE) for key in ("graph.reading_strips", "graph.reading_boxes")]
        return legend + "".join(
            text("tc-kind", MARGIN + 2, top + 53 + 18 * index, line) for index, line in enumerate(lines)
        )
