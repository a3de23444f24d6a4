"""What both pictures of a placed scene share: frames, edges, nodes and notes."""

from __future__ import annotations

from teachcell.texts import say

from ..layout import blocks as b
from ..layout.blocks import KIND_SIZE, NAME_SIZE
from ..layout.headers import HEADER_GAP, PILL_GAP, pill_width, pills_width, title_width
from ..layout.place import FRAME_HEADER, MARGIN
from ..layout.placed import Box, Note, Placed
from ..measure import clean, fit, text_width
from ..scene import Document, Edge, Frame, Twins
from .edges import APART, grad_head, grad_line, value_head, value_line
from .elements import group, path, px, rect, span, tag, text
from .faces import OPEN_MARK, FacePainter, flag_width, pills
from .strips import scissors

LABEL_GAP = 12  # from a gradient's line to its label
FAR = 45  # px between two nodes, in which a label and a pill are not side by side


class Picture:
    """Draws a scene; ``live``: with what the browser shows at some step only, and takes hold of."""

    def __init__(self, placed: Placed, document: Document, live: bool, twins: Twins | None = None) -> None:
        self.placed, self.scene, self.is_live = placed, placed.scene, live
        self.painter = FacePainter(placed, document, live, twins)

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
        room = self._room_for_label(edge, x)
        if wide > room:
            label = label.partition(" ")[0]  # the shape stands on the node as well
        return text("tc-grad-label", x, y + 14.5, fit(label, room, KIND_SIZE, bold=True))

    def _room_for_label(self, edge: Edge, x: float) -> float:
        """From ``x`` to what stands on the top border of the node below: its pills, and the flag."""
        source, target = self.placed.boxes[edge.source], self.placed.boxes[edge.target]
        if target.y - source.bottom > FAR or not target.x < x < target.right:
            return self.placed.width - x
        pills = sum(pill_width(pill) + PILL_GAP for pill in self.scene.nodes[edge.target].pills)
        return target.right - 8 - pills - flag_width("backward") - 4 - x

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
