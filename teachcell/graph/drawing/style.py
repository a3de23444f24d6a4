"""The static picture's own style: light colours, dark ones where the reader prefers them.

It paints the classes that the widget's style sheet paints, in the state at the end of a run.
"""

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
RULES = """
text { font: 12.5px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--ink) }
.tc-paper { fill: var(--paper) }
.tc-caption { font-size: 17px; font-weight: 650 }
.tc-name { font-size: 14px; font-weight: 650 }
.tc-kind { fill: var(--soft) }
.tc-frame-box { fill: var(--sunk); fill-opacity: .55; stroke: var(--line); stroke-width: 1.2 }
.tc-box { fill: var(--panel); stroke: var(--soft); stroke-width: 1.2 }
.tc-behind { fill: var(--panel); stroke: var(--soft) }
.tc-box-mark { stroke: var(--mark); stroke-width: 3 }
.tc-pill rect { fill: var(--panel); stroke: var(--line) }
.tc-pill text { font-size: 12px }
.tc-pill-mark rect { fill: var(--mark-back); stroke: var(--mark) }
.tc-pill-mark text { fill: var(--mark); font-weight: 650 }
rect.tc-strip-frame { fill: none; stroke: var(--hair) }
.tc-axis { fill: none; stroke: var(--line) }
.tc-value-strip .tc-bar-pos { fill: var(--val) }
.tc-grad-strip .tc-bar-pos { fill: var(--grad) }
.tc-bar-neg { fill: var(--neg) }
.tc-value-strip .tc-number { fill: var(--val); font-weight: 650 }
.tc-grad-strip .tc-number { fill: var(--grad); font-weight: 650 }
.tc-shown > rect { fill: none; stroke: var(--soft); stroke-dasharray: 2 3 }
.tc-shown > rect.tc-strip-frame { stroke: var(--hair); stroke-dasharray: none }
.tc-word { font-size: 12px; fill: var(--soft) }
.tc-rule-line { fill: none; stroke: var(--soft); stroke-width: 1.2 }
.tc-state-zero .tc-rule-line, .tc-state-dead .tc-rule-line { stroke: var(--val); stroke-width: 2.5 }
.tc-state-zero .tc-word, .tc-state-dead .tc-word { fill: var(--ink); font-weight: 650 }
.tc-grad-strip.tc-state-zero .tc-rule-line { stroke: var(--grad) }
.tc-grad-strip.tc-state-zero .tc-word { fill: var(--grad) }
.tc-state-cut .tc-rule-line { stroke: var(--mark); stroke-width: 2 }
.tc-state-cut .tc-word, .tc-state-nan .tc-word, .tc-cut > .tc-word { fill: var(--mark); font-weight: 650 }
.tc-hatch { fill: none; stroke: var(--mark); stroke-width: 1.4; opacity: .7 }
.tc-icon { fill: none; stroke: var(--mark); stroke-width: 1.8 }
.tc-leader { fill: none; stroke: var(--mark); stroke-width: 1.3; stroke-dasharray: 2 3 }
.tc-note { fill: var(--mark-back); stroke: var(--mark); stroke-width: 1.3 }
.tc-value-edge { fill: none; stroke: var(--val); stroke-width: 1.8 }
.tc-value-head { fill: var(--val) }
.tc-grad-edge { fill: none; stroke: var(--grad); stroke-width: 1.8; stroke-dasharray: 5 3 }
.tc-grad-head { fill: var(--paper); stroke: var(--grad); stroke-width: 1.6 }
.tc-value-text { fill: var(--val); font-weight: 650 }
.tc-grad-text { fill: var(--grad); font-weight: 650 }
.tc-range { font-size: 12px; font-weight: 400; stroke: var(--paper); stroke-width: 3; paint-order: stroke }
"""


def _tokens(theme: int) -> str:
    return ";".join(f"--{name}:{colours[theme]}" for name, colours in COLOURS.items())


def _static_style() -> str:
    """Every rule reaches only inside a static picture, in case the SVG becomes part of a page."""
    scoped = []
    for rule in RULES.strip().splitlines():
        selectors, _, declarations = rule.partition(" {")
        reached = ",".join(f".tc-static {selector.strip()}" for selector in selectors.split(","))
        scoped.append(f"{reached}{{{declarations.removesuffix(' }').strip()}}}")
    dark = f"@media (prefers-color-scheme:dark){{.tc-static{{{_tokens(DARK)}}}}}"
    return "\n".join([f".tc-static{{{_tokens(LIGHT)}}}", dark, *scoped])


STATIC_STYLE = _static_style()
