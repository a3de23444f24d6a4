"""One module text and one style sheet out of our hand-written files: anywidget takes one each, and we have no build.

The modules share one scope in the bundle, so a top-level name may be declared only once over all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

STATIC = Path(__file__).parent / "static"

#: The browser side's modules; each comes after those that it imports.
MODULES = (
    "dom.js",
    "numbers.js",
    "session.js",
    "keys.js",
    "header.js",
    "heat_map.js",
    "graph_view.js",
    "zoom.js",
    "graph_bar.js",
    "node_panel.js",
    "replay.js",
    "rule_lab.js",
    "cut_detective.js",
    "gradient_graph.js",
    "hook_timeline.js",
    "compare.js",
    "modes.js",
    "training_row.js",
    "training.js",
    "panels.js",
    "side.js",
    "now_line.js",
    "timeline.js",
    "transport.js",
    "keyboard.js",
    "explorer.js",
)

#: The style sheets: what all share, then one for each view.
STYLES = (
    "explorer.css",
    "graph_bar.css",
    "node_panel.css",
    "replay.css",
    "rule_lab.css",
    "cut_detective.css",
    "gradient_graph.css",
    "hook_timeline.css",
    "compare.css",
    "modes.css",
    "training.css",
)

_IMPORT = re.compile(r'^import .* from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


def bundle(names: Sequence[str]) -> str:
    """Join modules of ``static/`` in this order, without the imports and exports between them."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(name))) for name in names)


def styles(names: Sequence[str]) -> str:
    """Join style sheets of ``static/`` in this order."""
    return "\n".join(map(_text, names))


def _text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")
