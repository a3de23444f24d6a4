"""Scene -> DOT, for Graphviz and everything that reads its language."""

from __future__ import annotations

from collections.abc import Iterator

from .drawing.style import COLOURS, LIGHT
from .measure import clean
from .scene import Node, Scene

VALUE_COLOUR, GRAD_COLOUR = COLOURS["val"][LIGHT], COLOURS["grad"][LIGHT]
SHAPES = {
    "op": "shape=box, style=rounded",
    "cell": "shape=box, style=rounded, peripheries=2",
    "parameter": "shape=cds",
    "input": "shape=oval",
    "constant": "shape=plaintext",
}


def to_dot(scene: Scene) -> str:
    """The folded graph in the DOT language: values solid and down, gradients dashed and up."""
    lines = [
        f"digraph {quoted(scene.title)} {{",
        '  node [fontname="Helvetica", fontsize=12]',
        *_contents(scene, None, "  "),
    ]
    for edge in scene.edges.values():
        ends = f"{quoted(edge.source)} -> {quoted(edge.target)}"
        lines.append(f'  {ends} [color="{VALUE_COLOUR}"]')
        if edge.grad:
            back = "dir=back, style=dashed, arrowtail=empty, constraint=false, fontsize=10"
            label = f"label={quoted(edge.grad_label)}"
            lines.append(f'  {ends} [color="{GRAD_COLOUR}", fontcolor="{GRAD_COLOUR}", {back}, {label}]')
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    """A DOT string that shows ``text`` as it is: no escapes, no entities."""
    safe = clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{safe}"'


def _contents(scene: Scene, frame: str | None, indent: str) -> Iterator[str]:
    for node in scene.nodes.values():
        if node.frame == frame:
            yield f"{indent}{quoted(node.id)} [{SHAPES[node.kind]}, label={_label(node)}]"
    for inner in scene.frames.values():
        if inner.parent == frame:
            yield f"{indent}subgraph {quoted('cluster_' + inner.id)} {{"
            yield f"{indent}  label={quoted(f'{inner.title}  {inner.subtitle}')}; labeljust=l; color=gray"
            yield from _contents(scene, inner.id, indent + "  ")
            yield f"{indent}}}"


def _label(node: Node) -> str:
    """Name and kind on two lines; ``\\n`` is DOT's own line break."""
    return quoted(node.title)[:-1] + "\\n" + quoted(node.subtitle)[1:]
