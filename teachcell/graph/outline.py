"""The path of an SVG as points, each with its code: 1 move, 2 line, 4 curve, 79 close."""

from __future__ import annotations

import math
import re

MOVE, LINE, CURVE, CLOSE = 1, 2, 4, 79
TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}
ARC_STEPS = 12
Point = tuple[float, float]


def outline(d: str) -> tuple[list[Point], list[int]]:
    """Points and codes of a path with the commands M, L, H, V, C, A (of circles) and Z, large or small."""
    points: list[Point] = []
    codes: list[int] = []
    at = start = (0.0, 0.0)
    for command, numbers in re.findall(r"([MLHVCAZmlhvcaz])([^MLHVCAZmlhvcaz]*)", d):
        given = [float(n) for n in re.findall(r"-?\d*\.?\d+(?:e-?\d+)?", numbers)]
        takes = TAKES[command.upper()]
        for i in range(0, max(len(given), 1), max(takes, 1)):
            part = given[i : i + takes]
            ox, oy = at if command.islower() else (0.0, 0.0)
            made, code = _made(command.upper(), part, at, ox, oy, start)
            points += made
            codes += [code] * len(made)
            at = made[-1]
            start = at if code == MOVE else start
            command = {"M": "L", "m": "l"}.get(command, command)  # further pairs of a move are lines
    return points, codes


def _made(command: str, n: list[float], at: Point, ox: float, oy: float, start: Point) -> tuple[list[Point], int]:
    if command == "M":
        return [(n[0] + ox, n[1] + oy)], MOVE
    if command == "L":
        return [(n[0] + ox, n[1] + oy)], LINE
    if command == "H":
        return [(n[0] + ox, at[1])], LINE
    if command == "V":
        return [(at[0], n[0] + oy)], LINE
    if command == "C":
        return [(n[i] + ox, n[i + 1] + oy) for i in (0, 2, 4)], CURVE
    if command == "A":
        return _arc(at, (n[5] + ox, n[6] + oy), n[0], large=bool(n[3]), sweep=bool(n[4])), LINE
    return [start], CLOSE


def _arc(start: Point, end: Point, radius: float, large: bool, sweep: bool) -> list[Point]:
    """Points on a circle from one point to another."""
    (x0, y0), (x1, y1) = start, end
    half = math.dist(start, end) / 2
    away = math.sqrt(max(radius**2 - half**2, 0.0)) * (1 if large == sweep else -1)
    across = 2 * half or 1.0
    cx, cy = (x0 + x1) / 2 - away * (y1 - y0) / across, (y0 + y1) / 2 + away * (x1 - x0) / across
    first = math.atan2(y0 - cy, x0 - cx)
    turn = (math.atan2(y1 - cy, x1 - cx) - first) % (2 * math.pi)
    turn = turn if sweep else turn - 2 * math.pi
    radius = math.dist((cx, cy), start)
    angles = [first + turn * i / ARC_STEPS for i in range(1, ARC_STEPS + 1)]
    return [(cx + radius * math.cos(a), cy + radius * math.sin(a)) for a in angles]
