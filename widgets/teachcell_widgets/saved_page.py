"""A widget as one file that needs nothing: replay, selecting and looking work in it, without kernel and network."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from typing import TYPE_CHECKING, Any

from teachcell.graph.measure import clean

from .bundle import MODULES, bundle, styles

if TYPE_CHECKING:
    from .workbench import Workbench

PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main id="teachcell-widget"></main>
<noscript>{svg}</noscript>
<script type="application/json" id="teachcell-state">{state}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def saved_page(bench: Workbench, style: str, svg: str) -> str:
    """The page of a widget as it stands, with every view that works without a kernel."""
    script = "\n" + bundle((*MODULES, "page/page.js"))
    return PAGE.format(
        lang=bench.view["lang"],
        policy=escape(_policy(script)),
        title=escape(clean(bench.view["title"])),
        style=f"{style}\n{styles(('page/page.css',))}",
        svg=svg,
        state=_as_data(_state(bench)),
        script=script,
    )


def _state(bench: Workbench) -> dict[str, Any]:
    panels = bench.views.saved()
    kept = bench.panel if bench.panel in panels else next(iter(panels), "")
    return {
        "frame": bench.frame | {"panels": list(panels), "live": False},
        "view": bench.view,
        "panels": panels,
        "panel": kept,
        "position": bench.position,
        "selected": bench.selected,
        "progress": bench.progress,
        "scale": bench.scale,
        "width": 0,
    }


def _policy(script: str) -> str:
    """Nothing is loaded from anywhere, and no script runs but ours."""
    known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{known}'; base-uri 'none'"


def _as_data(state: dict[str, Any]) -> str:
    """JSON in which no name can end the script element around it."""
    text = json.dumps(state, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.encode("utf-8", "backslashreplace").decode()  # half of a surrogate pair is no text
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
