"""What the graph looks like: one paint for the widget and for the static picture, in colours that each sets.

The paint uses the variables ``--tc-…``. The widget's style sheet sets them to the notebook's colours, and adds
what depends on the step; the static picture sets them to ``COLOURS``, dark where the reader prefers that.
"""

from __future__ import annotations

COLOURS = {  # name: (light, dark)
    "paper": ("#fff", "#14161a"),
    "panel": ("#fff", "#1b1e23"),
    "sunk": ("#f3f4f6", "#262a31"),
    "ink": ("#16191d", "#f2f4f7"),
    "soft": ("#525a65", "#b3bac4"),
    "line": ("#c4cad2", "#4a515c"),
    "hair": ("#e1e4e9", "#30353d"),
    "val": ("#0b5cad", "#6fbcf5"),
    "grad": ("#a84300", "#ffab5c"),
    "neg": ("#5f6772", "#98a1ad"),
    "mark": ("#86198f", "#f09be8"),
    "mark-back": ("#faeafb", "#42183f"),
}
LIGHT, DARK = 0, 1
FONTS = 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif'

# One class per state; colour is never the only difference.
PAINT = """
.tc-graph text { font-family: var(--tc-ui); font-size: 12.5px; fill: var(--tc-ink); }
.tc-graph .tc-name { font-size: 14px; font-weight: 650; }
.tc-graph .tc-kind { fill: var(--tc-soft); }
.tc-graph .tc-frame-box { fill: var(--tc-sunk); fill-opacity: .55; stroke: var(--tc-line); stroke-width: 1.2; }
.tc-graph .tc-box { fill: var(--tc-panel); stroke: var(--tc-soft); stroke-width: 1.2; }
.tc-graph .tc-behind { fill: var(--tc-panel); stroke: var(--tc-soft); }
.tc-graph .tc-box-mark { stroke: var(--tc-mark); stroke-width: 3; }
.tc-graph .tc-pill rect { fill: var(--tc-panel); stroke: var(--tc-line); }
.tc-graph .tc-pill text { font-size: 12px; }
.tc-graph .tc-pill-mark rect { fill: var(--tc-mark-back); stroke: var(--tc-mark); stroke-width: 1.3; }
.tc-graph .tc-pill-mark text { fill: var(--tc-mark); font-weight: 650; }

.tc-graph rect.tc-blank { fill: none; stroke: var(--tc-soft); stroke-dasharray: 2 3; }
.tc-graph text.tc-blank { font-size: 12px; fill: var(--tc-soft); }
.tc-graph .tc-strip-frame { fill: none; stroke: var(--tc-hair); }
.tc-graph .tc-axis { fill: none; stroke: var(--tc-line); }
.tc-graph .tc-value-strip .tc-bar-pos { fill: var(--tc-val); }
.tc-graph .tc-grad-strip .tc-bar-pos { fill: var(--tc-grad); }
.tc-graph .tc-bar-neg { fill: var(--tc-neg); }
.tc-graph .tc-value-strip .tc-number { fill: var(--tc-val); font-weight: 650; }
.tc-graph .tc-grad-strip .tc-number { fill: var(--tc-grad); font-weight: 650; }
.tc-graph .tc-word { font-size: 12px; fill: var(--tc-soft); }
.tc-graph .tc-rule-line { fill: none; stroke: var(--tc-soft); stroke-width: 1.2; }
.tc-graph .tc-state-zero .tc-rule-line { stroke: var(--tc-val); stroke-width: 2.5; }
.tc-graph .tc-state-dead .tc-rule-line { stroke: var(--tc-val); stroke-width: 2.5; }
.tc-graph .tc-state-zero .tc-word { fill: var(--tc-ink); font-weight: 650; }
.tc-graph .tc-state-dead .tc-word { fill: var(--tc-ink); font-weight: 650; }
.tc-graph .tc-grad-strip.tc-state-zero .tc-rule-line { stroke: var(--tc-grad); }
.tc-graph .tc-grad-strip.tc-state-zero .tc-word { fill: var(--tc-grad); }
.tc-graph .tc-state-cut .tc-rule-line { stroke: var(--tc-mark); stroke-width: 2; }
.tc-graph .tc-state-cut .tc-word { fill: var(--tc-mark); font-weight: 650; }
.tc-graph .tc-state-nan .tc-word { fill: var(--tc-mark); font-weight: 650; }
.tc-graph .tc-hatch { fill: none; stroke: var(--tc-mark); stroke-width: 1.4; opacity: .7; }
.tc-graph .tc-icon { fill: none; stroke: var(--tc-mark); stroke-width: 1.8; }

.tc-graph .tc-value-edge { fill: none; stroke: var(--tc-val); stroke-width: 1.8; }
.tc-graph .tc-value-head { fill: var(--tc-val); }
.tc-graph .tc-grad-edge { fill: none; stroke: var(--tc-grad); stroke-width: 1.8; stroke-dasharray: 5 3; }
.tc-graph .tc-grad-head { fill: var(--tc-paper); stroke: var(--tc-grad); stroke-width: 1.6; }
.tc-graph .tc-grad-label { fill: var(--tc-grad); font-weight: 650; }
.tc-graph .tc-value-text { fill: var(--tc-val); font-weight: 650; }
.tc-graph .tc-grad-text { fill: var(--tc-grad); font-weight: 650; }
.tc-graph .tc-leader { fill: none; stroke: var(--tc-mark); stroke-width: 1.3; stroke-dasharray: 2 3; }
.tc-graph .tc-note { fill: var(--tc-mark-back); stroke: var(--tc-mark); stroke-width: 1.3; }
.tc-graph .tc-cut > .tc-word { fill: var(--tc-mark); font-weight: 650; font-size: 12.5px; }
"""

# Only the static picture has these: its own ground, title and numbers.
STATIC_PAINT = """
.tc-static .tc-paper { fill: var(--tc-paper); }
.tc-static .tc-caption { font-size: 17px; font-weight: 650; }
.tc-static .tc-range { font-size: 12px; font-weight: 400; }
.tc-static .tc-range { stroke: var(--tc-paper); stroke-width: 3; paint-order: stroke; }
"""


def _tokens(theme: int) -> str:
    return "".join(f" --tc-{name}: {colours[theme]};" for name, colours in COLOURS.items())


# Every rule reaches only inside pictures of ours, in case the SVG becomes part of a page.
STATIC_STYLE = f"""
.tc-static {{{_tokens(LIGHT)} --tc-ui: {FONTS}; }}
@media (prefers-color-scheme: dark) {{ .tc-static {{{_tokens(DARK)} }} }}
{PAINT}{STATIC_PAINT}"""
