"""Layout by Graphviz: DOT with boxes of the right sizes out, rows and x positions back.

Edges meet nodes at a port on the spine, so that a path stays a straight line through nodes that reach
differently far to the left.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .sketch import COLUMN_GAP, FRAME_MARGIN, Sketch, Task

PURE = "graphviz-pure"  # the wheel that brings an executable; the same options as `dot`
PORT = 2  # px, the width of the port cell around the spine
HEADER = 20
MAIN_WEIGHT, SINGLE_WEIGHT = 24, 4
SAMPLES = 12  # points per Bézier curve when looking where an edge crosses a row


class EngineMissing(Exception):
    """Graphviz cannot be run here."""


def sketch(task: Task) -> Sketch:
    names = {name: f"n{index}" for index, name in enumerate(task.blocks)}
    answer = json.loads(run(_dot_source(task, names), "json0"))
    return _read(task, names, answer)


# Running


def run(source: str, output: str) -> str:
    """Run Graphviz through its PyPI package: the system's `dot`, else the executable of `graphviz-pure`."""
    try:
        import graphviz
        from graphviz.backend import dot_command
    except ImportError as missing:
        raise EngineMissing from missing
    usual = dot_command.DOT_BINARY
    dot_command.DOT_BINARY = _executable(usual)
    try:
        return graphviz.Source(source).pipe(format=output, engine="dot", encoding="utf-8", quiet=True)
    except (graphviz.ExecutableNotFound, subprocess.CalledProcessError, OSError) as failure:
        raise EngineMissing from failure
    finally:
        dot_command.DOT_BINARY = usual


def _executable(usual: Path) -> Path:
    if shutil.which(usual):
        return usual
    beside_python = shutil.which(PURE, path=sysconfig.get_path("scripts"))
    return Path(beside_python or PURE)


# Asking


def _dot_source(task: Task, names: dict[str, str]) -> str:
    main = task.main_path()
    leaving, entering = (Counter(getattr(edge, end) for edge in task.edges) for end in ("source", "target"))
    inch = 72
    lines = [
        "digraph {",
        f"graph [nodesep={COLUMN_GAP / inch:.3f}, ranksep=0.3]",
        "node [shape=plain, margin=0]",
        "edge [arrowhead=none]",
        *_cluster_lines(task, names, None),
    ]
    for edge in task.edges:
        single = leaving[edge.source] == entering[edge.target] == 1
        weight = MAIN_WEIGHT if edge.id in main else SINGLE_WEIGHT if single else 1
        lines.append(f"{names[edge.source]}:s:s -> {names[edge.target]}:s:n [id={edge.id}, weight={weight}]")
    return "\n".join([*lines, "}"])


def _cluster_lines(task: Task, names: dict[str, str], frame: str | None) -> Iterator[str]:
    for name, block in task.blocks.items():
        if block.node.frame == frame:
            cells = "".join(
                f'<TD{port} FIXEDSIZE="TRUE" WIDTH="{round(width)}" HEIGHT="{round(block.height)}"></TD>'
                for port, width in (
                    ("", block.left - PORT / 2),
                    (' PORT="s"', PORT),
                    ("", block.right - PORT / 2),
                )
            )
            yield f"{names[name]} [label=<{_table(cells)}>]"
    for inner in task.scene.frames.values():
        if inner.parent == frame:
            width = round(task.header_widths[inner.id])
            cell = f'<TD FIXEDSIZE="TRUE" WIDTH="{width}" HEIGHT="{HEADER}"></TD>'
            yield f"subgraph cluster_{inner.id} {{ margin={FRAME_MARGIN}; label=<{_table(cell)}>; labeljust=l"
            yield from _cluster_lines(task, names, inner.id)
            yield "}"


def _table(cells: str) -> str:
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>{cells}</TR></TABLE>'


# Reading


def _read(task: Task, names: dict[str, str], answer: dict[str, Any]) -> Sketch:
    objects = {entry["name"]: entry for entry in answer.get("objects", [])}
    centres = {name: _point(objects[short]["pos"]) for name, short in names.items()}
    levels = sorted({y for _, y in centres.values()}, reverse=True)
    rows = {name: levels.index(y) for name, (_, y) in centres.items()}
    spines = {}
    for name, (x, _) in centres.items():
        block = task.blocks[name]
        spines[name] = x + (block.left - block.right) / 2
    frames = {}
    for frame in task.scene.frames:
        left, _, right, _ = map(float, objects[f"cluster_{frame}"]["bb"].split(","))
        frames[frame] = left, right
    lanes = {}
    for entry in answer.get("edges", []):
        edge = task.scene.edges[entry["id"]]
        passed = levels[rows[edge.source] + 1 : rows[edge.target]]
        line = list(_polyline(entry["pos"])) if passed else []
        lanes[edge.id] = [_x_at(line, y) for y in passed]
    return Sketch(rows, spines, frames, lanes)


def _point(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def _polyline(spline: str) -> Iterator[tuple[float, float]]:
    """Points along a chain of cubic Bézier curves, as Graphviz writes them."""
    points = [_point(text) for text in spline.split()]
    for start in range(0, len(points) - 3, 3):
        a, b, c, d = points[start : start + 4]
        for step in range(SAMPLES + 1):
            t = step / SAMPLES
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * p[i] for w, p in zip(weights, (a, b, c, d), strict=True)) for i in (0, 1))
            yield x, y


def _x_at(line: list[tuple[float, float]], y: float) -> float:
    """Where a line crosses a height, for the first time."""
    for (x0, y0), (x1, y1) in zip(line, line[1:], strict=False):
        if y0 >= y >= y1 and y0 > y1:
            return x0 + (x1 - x0) * (y0 - y) / (y0 - y1)
    return line[-1][0]
