"""The drawing of one node: its box, its words, its strips, its pills and flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teachcell.texts import say
from teachcell.texts.numbers import number

from ..folding.labels import all_same, scalar
from ..layout import blocks as b
from ..layout.headers import PILL_GAP, pill_width
from ..layout.placed import Box, Placed
from ..measure import clean, escaped, fit, text_width
from ..scene import Document, Node, Pill, Twins
from .elements import group, path, px, rect, tag, text
from .strips import STATE_CLASSES, shown, state_word, track
from .twins import twin_strips

INDENT, ROUND_INDENT, SIDE_INDENT = 12, 16, 9
TEXT_GAP = 8  # between the words and the strips
NUMBER_ROOM = 72  # "−0.000992"
HALO = 3
LEAST_KIND = 30  # px of a kind's name that are worth having
PILL_HEIGHT = 18
PILL_LIFT = 16  # how far a pill stands above its node: it may not cover the strips
FLAG_SIZE = 12
FOLDED_MARK, OPEN_MARK = "▸ ", "▾ "


class FacePainter:
    """Draws the nodes of one picture; ``live``: for the browser, which decides what is known yet."""

    def __init__(self, placed: Placed, document: Document, live: bool, twins: Twins | None = None) -> None:
        self.placed, self.document, self.live, self.twins = placed, document, live, twins
        self.sizes = placed.sizes

    def node(self, node: Node) -> str:
        box = self.placed.boxes[node.id]
        marked = node.failed or self._nan_starts(node)
        inside = [
            self._title(node),
            self._outline(node, box, marked),
            self._face(node, box),
            *pills(node.pills, box.right - 8, box.y - PILL_LIFT),
        ]
        if not self.live:
            return group("tc-node", *inside, data_node=node.id, data_kind=node.kind)
        right = box.right - 8 - sum(pill_width(pill) + PILL_GAP for pill in node.pills)
        return group(
            "tc-node",
            *inside,
            _flag("forward", right, box.y - PILL_LIFT),
            _flag("backward", right, box.y - PILL_LIFT),
            data_node=node.id,
            data_kind=node.kind,
            data_value_at=node.value_at,
            data_grad_at=node.grad_at,
            data_fold=node.id if node.foldable else None,
            data_value_text=self._told("value", node),
            data_grad_text=self._told("grad", node),
            tabindex="-1",
            role="button",
            aria_label=self._label(node),
        )

    # Words around the picture

    def _label(self, node: Node) -> str:
        words = [node.title]
        kind = say(f"graph.{node.kind}") if node.is_leaf else node.subtitle.removesuffix(node.shape).strip()
        words += [kind] if kind != node.title else []
        words += [say("graph.label_shape", shape=node.shape)] if node.shape else []
        if self.twins is not None:
            return clean(", ".join([*words, self.twins.words.get(node.id, "")]).removesuffix(", "))
        state = self._states(node)[1]
        word = state_word(state, None)
        words += [say("graph.label_grad", state=word)] if word else []
        return clean(", ".join(words))

    def _told(self, part: str, node: Node) -> str | None:
        """A strip in words, for screen readers: ``value −1 … 2``; None where its state has a word, or it has none."""
        words = _in_words(self.document, node)[part == "grad"]
        return f"{say(f'graph.legend_{part}_short')} {words}" if words else None

    def _title(self, node: Node) -> str:
        """What shows on hover: the full name where it is shortened, the reason for a missing gradient."""
        why = None if node.value is None else self.document["values"][node.value]["why"]
        errors = [self.document["ops"][op]["error"] for op in node.ops if self.document["ops"][op]["error"]]
        parts = [f"{node.title}: {node.subtitle}" if node.subtitle else node.title, *errors]
        return tag("title", escaped("\n".join([*parts, *([why] if why else [])])))

    # Box

    def _outline(self, node: Node, box: Box, marked: bool) -> str:
        cls = "tc-box tc-box-mark" if marked else "tc-box"
        x, y, width, height = box.x, box.y, box.width, box.height
        radius = 7.0 if node.kind in ("op", "cell") else height / 2 if node.kind == "input" else 2.0
        behind = ""
        if node.kind == "cell":
            behind = rect("tc-behind", x + b.BEHIND, y + b.BEHIND, width, height, rx=radius)
        halo = ""
        if self.live:
            around = radius + HALO
            halo = rect("tc-halo", x - HALO, y - HALO, width + 2 * HALO, height + 2 * HALO, rx=around)
        if node.kind != "parameter":
            return behind + halo + rect(cls, x, y, width, height, rx=radius)
        return halo + path(cls, _pointed(box))

    # Face

    def _face(self, node: Node, box: Box) -> str:
        if node.slim:
            indent = SIDE_INDENT if node.kind == "parameter" else ROUND_INDENT
            return self._inline_name(node, box, indent, box.width - 2 * indent)
        if node.beside is not None:
            return self._side_face(node, box)
        return self._main_face(node, box)

    def _main_face(self, node: Node, box: Box) -> str:
        indent = ROUND_INDENT if node.is_leaf else INDENT
        room = self.sizes.text - (indent - INDENT)
        middle = box.middle
        if node.is_leaf:
            words = self._inline_name(node, box, indent, room)
        else:
            mark = FOLDED_MARK if node.foldable and self.live else ""
            name = fit(mark + clean(node.title), room, b.NAME_SIZE, bold=True)
            words = text("tc-name", box.x + indent, middle - 4.5, name)
            words += text("tc-kind", box.x + indent, middle + 12, _kind(node, room))
        left = box.x + INDENT + self.sizes.text + TEXT_GAP
        high = 15 if box.height >= b.NODE_HEIGHT else 13
        width = box.right - indent - left
        value = Box(left, middle - 2 - high, width, high)
        return words + self._strips(node, value, Box(left, middle + 2, width, high))

    def _side_face(self, node: Node, box: Box) -> str:
        indent = SIDE_INDENT if node.kind == "parameter" else ROUND_INDENT - 2
        width = box.width - 2 * indent - (b.POINT / 2 if node.kind == "parameter" else 0)
        if self._is_number(node):
            name_room = min(text_width(node.title, b.NAME_SIZE, bold=True), width - NUMBER_ROOM)
            words = self._inline_name(node, box, indent, name_room)
            left = max(box.right - indent - max(width / 2, NUMBER_ROOM), box.x + indent + name_room + 4)
            room = box.right - indent - left
            value, grad = Box(left, box.middle - 17, room, 15), Box(left, box.middle + 2, room, 15)
            return words + self._strips(node, value, grad)
        words = self._inline_name(node, Box(box.x, box.y, box.width, 21), indent, width)
        value, grad = Box(box.x + indent, box.y + 19, width, 9.5), Box(box.x + indent, box.y + 30, width, 9.5)
        return words + self._strips(node, value, grad, words=False)

    def _inline_name(self, node: Node, box: Box, indent: float, room: float) -> str:
        """Name and shape on one line; the shape goes first when there is no room for both."""
        name = fit(node.title, room, b.NAME_SIZE, bold=True)
        left = room - text_width(name, b.NAME_SIZE, bold=True) - 6
        spans = tag("tspan", escaped(name), cls="tc-name")
        for shape in (node.subtitle, node.subtitle.replace(", ", ",")):
            if shape and text_width(shape, b.KIND_SIZE) <= left:
                spans += tag("tspan", escaped(shape), cls="tc-kind", dx=6.0)
                break
        return tag("text", spans, x=box.x + indent, y=box.middle + 5)

    # Strips

    def _states(self, node: Node) -> tuple[str, str]:
        if node.value is None:
            return "computed", "computed"
        value = self.document["values"][node.value]
        return value["value_state"], value["grad_state"]

    def _is_number(self, node: Node) -> bool:
        return node.value is not None and self.document["values"][node.value]["value"]["size"] == 1

    def _nan_starts(self, node: Node) -> bool:
        return "nan starts" in self._states(node)

    def _strips(self, node: Node, value_box: Box, grad_box: Box, words: bool = True) -> str:
        if self.twins is not None:
            return twin_strips(self.twins, node.id, value_box, grad_box, words)
        value = {} if node.value is None else self.document["values"][node.value]
        value_state, grad_state = self._states(node)
        numbers, grad = value.get("value"), value.get("grad")
        if not self.placed.scene.gradients:
            if node.value is None:
                return ""
            centre = (value_box.y + grad_box.bottom - value_box.height) / 2
            box = Box(value_box.x, centre, value_box.width, value_box.height)
            return self._strip("tc-value-strip", value_state, numbers, node.value_at, box, words)
        return "".join(
            (
                self._strip("tc-value-strip", value_state, numbers, node.value_at, value_box, words),
                self._strip("tc-grad-strip", grad_state, grad, node.grad_at, grad_box, words),
            )
        )

    def _strip(
        self,
        cls: str,
        state: str,
        summary: Mapping[str, Any] | None,
        at: int | None,
        box: Box,
        words: bool,
    ) -> str:
        never = at is None and state == "computed"  # not even at the end: it has no number and no reason
        content = track(box, words, "tc-shown") if never else shown(state, summary, box)
        if self.live and at is not None and at >= 0:
            content = track(box, words) + content
        return group(f"{cls} {STATE_CLASSES[state]}", content)


def _pointed(box: Box) -> str:
    """A box with a point towards its user at the right."""
    half = px(box.height / 2)
    start = f"M{px(box.x)} {px(box.y)}h{px(box.width - b.POINT)}"
    return f"{start}l{b.POINT} {half}l-{b.POINT} {half}H{px(box.x)}z"


def pills(entries: Sequence[Pill], right: float, top: float) -> list[str]:
    """Pills side by side, from the right."""
    drawn = []
    for pill in entries:
        width = pill_width(pill)
        drawn.append(
            group(
                "tc-pill tc-pill-mark" if pill.mark else "tc-pill",
                rect(None, right - width, top, width, PILL_HEIGHT, rx=PILL_HEIGHT / 2),
                text(None, right - width / 2, top + 13.3, pill.text, anchor="middle"),
            )
        )
        right -= width + PILL_GAP
    return drawn


def flag_width(direction: str) -> float:
    """Px of the flag that says where the run is."""
    return text_width(say(f"graph.now_{direction}"), FLAG_SIZE, bold=True) + 12


def _flag(direction: str, right: float, top: float) -> str:
    word = say(f"graph.now_{direction}")
    width = flag_width(direction)
    return group(
        f"tc-flag tc-flag-{direction}",
        rect(None, right - width, top, width, PILL_HEIGHT, rx=4),
        text(None, right - width / 2, top + 13.3, word, anchor="middle"),
    )


def _kind(node: Node, room: float) -> str:
    """Kind and shape; when room is short the spaces of the shape give way first, then the kind."""
    kind, shape = clean(node.subtitle), node.shape
    if text_width(kind, b.KIND_SIZE) <= room or not shape:
        return fit(kind, room, b.KIND_SIZE)
    kind, shape = kind.removesuffix(shape).strip(), shape.replace(", ", ",")
    left = room - text_width(f" {shape}", b.KIND_SIZE)
    short = fit(kind, left, b.KIND_SIZE) if left > LEAST_KIND else ""
    return f"{short} {shape}" if short else fit(f"{kind} {shape}", room, b.KIND_SIZE)


def range_texts(document: Document, node: Node) -> tuple[str, str]:
    """``min … max`` of a node's value and of its gradient; a lone number stands on the face already."""
    if node.value is None:
        return "", ""
    entry = document["values"][node.value]
    return tuple(_range(entry[part]) for part in ("value", "grad"))  # type: ignore[return-value]


def _in_words(document: Document, node: Node) -> tuple[str, str]:
    """The range of a node's value and of its gradient, or the only number."""
    if node.value is None:
        return "", ""
    entry = document["values"][node.value]
    return tuple(_only(entry[part]) or _range(entry[part]) for part in ("value", "grad"))  # type: ignore[return-value]


def _only(summary: Mapping[str, Any] | None) -> str:
    return scalar(summary) if summary is not None and summary["size"] == 1 else ""


def _range(summary: Mapping[str, Any] | None) -> str:
    if summary is None or summary["size"] < 2 or summary["min"] is None:
        return ""
    if summary["min"] == summary["max"] == 0:
        return ""
    return all_same(summary) or f"{number(summary['min'])} … {number(summary['max'])}"
