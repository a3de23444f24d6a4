"""The Explorer's browser side on a bare page: its bundle, a fake model, and a small view made by hand."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from teachcell.graph import GRAPH_STYLE
from teachcell.texts import say, table
from teachcell_widgets.bundle import MODULES, STYLES, bundle, styles

# `model` behaves like anywidget's, and keeps what would travel to Python: `sent` messages, `saved` states.
START = """async ({ source, style, state, copies }) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const listeners = {};
  const tell = (name) => (listeners[`change:${name}`] ?? []).forEach((listener) => listener());
  window.model = {
    sent: [],
    saved: [],
    listeners,
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      tell(name);
    },
    save_changes: () => model.saved.push({ position: state.position, selected: state.selected }),
    send: (message) => model.sent.push(message),
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off: (event, listener) => { listeners[event] = listeners[event].filter((other) => other !== listener); },
  };
  const file = new Blob([source], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(file));
  window.cleanups = Array.from({ length: copies }, () => {
    const el = document.body.appendChild(document.createElement("div"));
    return widget.render({ model, el });
  });
}"""


class FakeExplorer:
    """One or more views of one fake model on a page."""

    def __init__(self, page: Page, view: dict[str, Any], copies: int = 1, **state: Any) -> None:
        self.page = page
        self.root = page.locator(".tc-explorer").first
        page.set_content("<!doctype html><title>Explorer</title>")
        frame = {"parts": ["header", "stage", "now_line", "transport"], "panels": ["node", "rule_lab"], "live": True}
        opened = {"panel": "node", "panels": {"node": {"data": {}, "error": None}}}
        state = {"view": view, "frame": frame, "position": 0, "selected": "op0", "width": 0, **opened, **state}
        style = styles(STYLES) + GRAPH_STYLE
        source = bundle(MODULES)
        page.evaluate(START, {"source": source, "style": style, "state": state, "copies": copies})

    def get(self, name: str) -> Any:
        """A trait, as it is in the browser."""
        return self.page.evaluate("name => model.get(name)", name)

    def set(self, name: str, value: Any) -> None:
        """A trait changes as if Python had changed it."""
        self.page.evaluate("([name, value]) => model.set(name, value)", [name, value])

    def sent(self) -> list[dict[str, Any]]:
        """The messages sent to Python since the last call."""
        return self.page.evaluate("model.sent.splice(0)")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


def summary(numbers: list[float]) -> dict[str, Any]:
    size = len(numbers)
    return {
        "shape": [size], "dtype": "float32", "size": size, "min": min(numbers), "max": max(numbers),
        "mean": sum(numbers) / size, "std": 1.0, "zeros": numbers.count(0.0) / size, "nan": 0, "inf": 0,
        "first": numbers[0], "strip": numbers, "hist": None,
        "map": {"rows": 1, "cols": size, "data": numbers, "exact": True},
    }  # fmt: skip


def panel(title: str, value_at: int, grad_at: int | None, **more: Any) -> dict[str, Any]:
    return {
        "title": title, "kind": "Double", "shape": "(3,)", "dtype": "float32", "path": title,
        "value": summary([1.0, -2.0, 0.0]), "value_note": "", "value_at": value_at,
        "grad": summary([0.5, 0.25, 0.0]), "grad_note": "", "grad_at": grad_at,
        "formula": [{"class": "val", "text": "y = 2x", "shape": ""}], "card": "", "source": "lambda g: 2 * g",
        "rules": [{"id": "engine", "label": "engine"}, {"id": "own", "label": "own bprop"}],
        "rule": "engine", "rule_label": "rule", "checkable": True, "captured": None,
        "hooks": {"head": "none", "items": []}, "calls": [], **more,
    }  # fmt: skip


def step(kind: str, node: str, group: int, words: str, **more: Any) -> dict[str, Any]:
    return {
        "pass": kind, "hook": None, "replaced": False, "node": node, "group": group, "label": f"cell{group}",
        "sentence": [["b", words]], "edges": ["e0"], **more,
    }  # fmt: skip


def node_svg(node: str, value_at: int, grad_at: int | None, y: int, fold: str = "") -> str:
    grad = "" if grad_at is None else f' data-grad-at="{grad_at}"'
    strips = "".join(
        f'<g class="tc-{kind}-strip"><g class="tc-track"><text x="90" y="{y + 15}">not yet</text></g>'
        f'<g class="tc-shown"><text x="90" y="{y + 15}">{kind} shown</text></g></g>'
        for kind in ("value", "grad")
    )
    return (
        f'<g class="tc-node" data-node="{node}" data-value-at="{value_at}"{grad}{fold} tabindex="-1" '
        f'role="button" aria-label="{node}"><rect class="tc-halo" x="10" y="{y}" width="200" height="30"/>'
        f'<rect class="tc-box" x="10" y="{y}" width="200" height="30"/>{strips}</g>'
    )


def small_view(**more: Any) -> dict[str, Any]:
    """op0 → op1 (in an open Cell) → a folded Cell; one hook; the last gradient is not needed."""
    drawing = (
        '<svg class="tc-graph" width="300" height="200"><g class="tc-frame" data-call="7">'
        '<text class="tc-name" data-fold="call7" role="button" tabindex="-1" x="10" y="55">▾ cell</text></g>'
        '<g class="tc-edge" data-edge="e0"><path class="tc-value-edge" data-at="1" d="M50 30V60"/>'
        '<path class="tc-grad-edge" data-at="4" d="M60 60V30"/></g>'
        + node_svg("op0", 0, 4, 0)
        + node_svg("op1", 2, 3, 60)
        + node_svg("call2", 2, None, 120, fold=' data-fold="call2"')
        + "</svg>"
    )
    steps = [
        step("forward", "op0", 0, "first forward"),
        step("forward", "call7", 1, "pre-hook", hook="▷"),
        step("forward", "op1", 1, "second forward"),
        step("backward", "op1", 2, "second backward"),
        step("backward", "op0", 3, "first backward"),
    ]
    last = panel("third", 2, None, grad=None, grad_note="not needed: integers", rules=[], formula=[], checkable=False)
    return {
        "title": "small", "svg": drawing, "steps": steps,
        "nodes": {"op0": panel("first", 0, 4), "op1": panel("second", 2, 3), "call2": last},
        "order": ["op0", "call7", "op1", "call2"], "odd": ["op1", "call2"],
        "scopes": [
            {"path": "", "label": "whole net", "mode": "mixed", "words": 0},
            {"path": "cell", "label": "cell", "mode": "train", "words": 1},
        ],
        "modes": [{"says": "training mixed", "tip": ""}, {"says": "training True", "tip": ""}],
        "capture": {"on": False, "path": ""}, "code": "", "note": "", "error": None, "stale": False,
        "cards": {}, "lang": "en", "found": None,
        "texts": {key.partition(".")[2]: say(key) for key in table("browser")}, **more,
    }  # fmt: skip


def small_check() -> dict[str, Any]:
    maps = [{"rows": 1, "cols": 3, "data": data, "exact": True} for data in ([1, 2, 0], [1, 1, 0], [1, 2, 0])]
    return {
        "title": "first", "path": "first", "rule": "own", "rules": [{"id": "own", "label": "own bprop"}],
        "code": "return (dout,)", "ok": False, "head": "Does not match.", "text": "Half of it.",
        "columns": ["engine rule", "own bprop", "numeric"], "marks": ["✓", "≠", ""], "note": "h = 1e−5.",
        "target": "first", "node": "op0", "call": 1, "targets": [], "every": None, "about": "", "stale": None,
        "conventions": [], "typing": "def my_rule(x, out, dout):", "effect": {}, "optimizer": "",
        "inputs": [{
            "name": "∂x", "window": "all", "maps": maps, "errors": maps[:2], "worst": [0, 1], "at": "[1]",
            "values": ["2", "1", "2"], "max_abs": ["0", "1"], "max_rel": ["0", "0.5"],
        }],
    }  # fmt: skip
