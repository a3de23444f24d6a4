"""SVG of ours to PNG, by matplotlib: no browser, no program beside Python.

It knows what the drawing of graphs uses: ``g`` with ``translate``, ``rect``, ``path`` and ``text`` with ``tspan``,
painted by style rules of classes. The picture is the light one.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from teachcell.texts import say

from .drawing.style import COLOURS, LIGHT, PAINT, STATIC_PAINT
from .outline import outline

PIXELS_PER_INCH, POINTS_PER_INCH = 100, 72
LARGEST = 60_000  # pixels of height that can be drawn
CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
    "Microsoft YaHei", "PingFang SC", "SimHei",
)  # fmt: skip
INHERITED = ("fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size", "font-weight")
START = {"fill": "#000", "stroke": "none", "stroke-width": "1", "font-size": "12.5px", "font-weight": "400"}
Style = Mapping[str, str]


def png(svg: str, scale: float = 2.0) -> bytes:
    """A static picture as PNG, ``scale`` pixels for each of its own.

    Raises:
        ImportError: matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise ImportError(say("graph.no_png")) from missing
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    scale = min(scale, LARGEST / height)
    with matplotlib.rc_context({"text.usetex": False}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that no font has is a box
        size = width / PIXELS_PER_INCH, height / PIXELS_PER_INCH
        figure = Figure(figsize=size, dpi=PIXELS_PER_INCH * scale)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        _Painter(axes, scale).paint(root, START, (), 0.0, 0.0)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=PIXELS_PER_INCH * scale)
    return file.getvalue()


class _Painter:
    """Puts elements on axes, each above the one before."""

    def __init__(self, axes: Any, scale: float) -> None:
        from matplotlib import font_manager

        self.axes, self.scale, self.drawn = axes, scale, 0
        known = set(font_manager.get_font_names())
        self.fonts = ["DejaVu Sans", *(name for name in CHINESE if name in known)]
        self.renderer = axes.figure.canvas.get_renderer()

    def paint(self, element: Any, style: Style, around: tuple[_Seen, ...], dx: float, dy: float) -> None:
        """An element and all in it."""
        seen = _Seen(element)
        style, lifted = _styled(element, style, (*around, seen))
        if style.get("display") == "none" or seen.tag in ("title", "desc", "style"):
            return
        if moved := re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", "")):
            dx, dy = dx + float(moved[1]), dy + float(moved[2])
        if seen.tag in ("rect", "path"):
            self._shape(element, seen.tag, style, lifted, dx, dy)
        elif seen.tag == "text":
            self._text(element, style, (*around, seen), dx, dy)
        else:
            for child in element:
                self.paint(child, style, (*around, seen), dx, dy)

    def _next(self) -> int:
        self.drawn += 1
        return self.drawn

    def _shape(self, element: Any, tag: str, style: Style, opacity: float, dx: float, dy: float) -> None:
        from matplotlib.patches import FancyBboxPatch, PathPatch
        from matplotlib.path import Path

        fill, stroke = style["fill"], style["stroke"]
        look: dict[str, Any] = {
            "facecolor": _colour(fill, opacity * float(style.get("fill-opacity", 1))),
            "edgecolor": _colour(stroke, opacity),
            "linewidth": float(style["stroke-width"]) * POINTS_PER_INCH / PIXELS_PER_INCH if stroke != "none" else 0,
            "linestyle": _dashes(style),
            "zorder": self._next(),
        }
        if tag == "rect":
            x, y, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            radius = min(float(element.get("rx", 0)), width / 2, height / 2)
            box = f"round,pad=0,rounding_size={radius}" if radius else "square,pad=0"
            self.axes.add_patch(FancyBboxPatch((x + dx, y + dy), width, height, boxstyle=box, **look))
            return
        points, codes = outline(element.get("d", ""))
        if points:
            moved = [(x + dx, y + dy) for x, y in points]
            self.axes.add_patch(PathPatch(Path(moved, codes), capstyle="butt", **look))

    def _text(self, element: Any, style: Style, around: tuple[_Seen, ...], dx: float, dy: float) -> None:
        x, y = float(element.get("x", 0)) + dx, float(element.get("y", 0)) + dy
        if not len(element):
            align = {"middle": "center", "end": "right"}.get(element.get("text-anchor", ""), "left")
            self._write(element.text or "", x, y, style, align)
            return
        for part in element:
            own, _ = _styled(part, style, (*around, _Seen(part)))
            x += float(part.get("dx", 0))
            x += self._write(part.text or "", x, y, own, "left")

    def _write(self, text: str, x: float, y: float, style: Style, align: str) -> float:
        """Put a text down; returns its width."""
        from matplotlib.patheffects import withStroke

        size = float(style["font-size"].removesuffix("px"))
        written = self.axes.text(
            x, y, text, ha=align, va="baseline", color=style["fill"], zorder=self._next(), parse_math=False,
            fontfamily=self.fonts, fontsize=size * POINTS_PER_INCH / PIXELS_PER_INCH,
            fontweight="bold" if float(style["font-weight"]) > 500 else "normal",
        )  # fmt: skip
        if style["stroke"] != "none":
            width = float(style["stroke-width"]) * POINTS_PER_INCH / PIXELS_PER_INCH
            written.set_path_effects([withStroke(linewidth=width, foreground=style["stroke"])])
        return float(written.get_window_extent(self.renderer).width) / self.scale


# Style -----------------------------------------------------------------------------------------------------------


class _Seen:
    """What a style rule can ask of an element."""

    def __init__(self, element: Any) -> None:
        self.tag = element.tag.rpartition("}")[2]
        self.classes = frozenset(element.get("class", "").split())

    def is_like(self, part: str) -> bool:
        tag, *classes = part.split(".")
        return tag in ("", self.tag) and self.classes.issuperset(classes)


def _styled(element: Any, style: Style, around: tuple[_Seen, ...]) -> tuple[dict[str, str], float]:
    """The style of an element inside one of ``style``, and its own opacity."""
    own = {name: value for name in (*INHERITED, "opacity") if (value := element.get(name)) is not None}
    for _, parts, rules in _RULES:
        if _matches(parts, around):
            own |= rules
    inherited = {name: value for name, value in style.items() if name in INHERITED}
    return inherited | own, float(own.get("opacity", 1))


def _matches(parts: tuple[str, ...], around: tuple[_Seen, ...]) -> bool:
    """Whether the last element is what a selector, cut at its spaces, asks for."""
    if not around[-1].is_like(parts[-1]):
        return False
    if len(parts) == 1:
        return True
    if parts[-2] == ">":
        return len(around) > 1 and _matches(parts[:-2], around[:-1])
    return any(_matches(parts[:-1], around[:end]) for end in range(len(around) - 1, 0, -1))


def _rules() -> Iterator[tuple[tuple[int, int], tuple[str, ...], dict[str, str]]]:
    """Specificity, selector and declarations of the paint, the strongest last."""
    colours = {f"var(--tc-{name})": both[LIGHT] for name, both in COLOURS.items()}
    text = re.sub(r"/\*.*?\*/", "", PAINT + STATIC_PAINT, flags=re.DOTALL)
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        pairs = (line.split(":") for line in body.split(";") if ":" in line)
        rules = {name.strip(): colours.get(value.strip(), value.strip()) for name, value in pairs}
        for selector in selectors.split(","):
            parts = tuple(selector.split())
            tags = sum(part[0] not in ".>" for part in parts)
            yield (selector.count("."), tags), parts, rules


_RULES = sorted(_rules(), key=lambda rule: rule[0])


def _colour(name: str, opacity: float) -> Any:
    if name == "none":
        return "none"
    digits = name[1:] if len(name) == 7 else "".join(2 * digit for digit in name[1:])
    return (*(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)), opacity)


def _dashes(style: Style) -> Any:
    """Dashes in units of the line's width, as matplotlib counts them."""
    lengths = style.get("stroke-dasharray")
    if lengths is None:
        return "solid"
    return 0, [float(length) / float(style["stroke-width"]) for length in lengths.split()]
