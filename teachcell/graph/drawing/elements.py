"""SVG elements as text: every string goes through one door and is escaped there."""

from __future__ import annotations

from ..measure import escaped


def px(x: float) -> str:
    """A coordinate with one decimal at most."""
    text = f"{x:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def tag(name: str, inside: str = "", /, **attributes: str | float | None) -> str:
    """An element around markup that is safe already; ``cls`` becomes ``class``, ``data_at`` ``data-at``."""
    written = "".join(
        f' {"class" if key == "cls" else key.replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _attribute(value: str | float) -> str:
    return escaped(value) if isinstance(value, str) else px(value)


def group(cls: str, *inside: str, **attributes: str | float | None) -> str:
    return tag("g", "".join(inside), **{"cls": cls, **attributes})


def rect(cls: str | None, x: float, y: float, width: float, height: float, rx: float | None = None) -> str:
    return tag("rect", cls=cls, x=x, y=y, width=width, height=height, rx=rx)


def path(cls: str, d: str, **attributes: str | float | None) -> str:
    return tag("path", cls=cls, d=d, **attributes)


def text(cls: str | None, x: float, y: float, content: str, anchor: str | None = None) -> str:
    return tag("text", escaped(content), cls=cls, x=x, y=y, text_anchor=anchor)


def span(cls: str, content: str, dx: float | None = None) -> str:
    return tag("tspan", escaped(content), cls=cls, dx=dx)
