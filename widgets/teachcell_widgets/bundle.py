"""One module text out of our hand-written ES modules: anywidget takes one, and we have no build step.

The files share one scope in the bundle, so a top-level name may be declared only once over all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

STATIC = Path(__file__).parent / "static"

#: The Explorer's files; each comes after those that it imports.
EXPLORER_MODULES = (
    "dom.js",
    "numbers.js",
    "session.js",
    "header.js",
    "heat_map.js",
    "panel.js",
    "check_view.js",
    "graph_view.js",
    "now_line.js",
    "timeline.js",
    "transport.js",
    "keyboard.js",
    "explorer.js",
)

_IMPORT = re.compile(r'^import .* from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


def bundle(names: Sequence[str]) -> str:
    """Join files of ``static/`` in this order, without the imports and exports between them."""
    texts = [(STATIC / name).read_text(encoding="utf-8") for name in names]
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)
