"""The twin lines of an edge and their heads: the value on its way down, the gradient on its way back."""

from __future__ import annotations

from itertools import pairwise

from ..layout.routes import Knots, Route
from .elements import px

APART = 9  # value and gradient run at this distance from the middle of an edge
APART_SIDEWAYS = 6.5
HEAD = 7  # px of a line's end that its arrow head covers
BEND = 1.3  # how much more than APART the two lines of an edge part where it swings sideways


def value_line(route: Route) -> str:
    return _sideways(route.knots, -APART_SIDEWAYS) if route.sideways else _down(route.knots, -APART)


def grad_line(route: Route) -> str:
    back = route.knots[::-1]
    return _sideways(back, APART_SIDEWAYS) if route.sideways else _down(back, APART)


def value_head(route: Route) -> str:
    x, y = route.knots[-1]
    return f"M{px(x)} {px(y - APART_SIDEWAYS)}l-8-5v10z" if route.sideways else head_down(x - APART, y)


def grad_head(route: Route) -> str:
    x, y = route.knots[0]
    if route.sideways:
        return f"M{px(x + 0.5)} {px(y + APART_SIDEWAYS)}l8-5v10z"
    return head_up(x + APART, y + 0.5)


def head_down(x: float, y: float) -> str:
    """The head of a line that ends here from above."""
    return f"M{px(x)} {px(y)}l-5-8h10z"


def head_up(x: float, y: float) -> str:
    """The head of a line that ends here from below."""
    return f"M{px(x)} {px(y)}l-5 8h10z"


def _sideways(knots: Knots, down: float) -> str:
    """The line shifted up or down, ending where the head begins."""
    (x0, y0), (x1, y1) = knots
    end = x1 - HEAD if x1 > x0 else x1 + HEAD
    if abs(y1 - y0) < 1:
        return f"M{px(x0)} {px(y0 + down)}H{px(end)}"
    middle = px((x0 + x1) / 2)
    y0, y1 = y0 + down, y1 + down
    return f"M{px(x0)} {px(y0)}C{middle} {px(y0)} {middle} {px(y1)} {px(end)} {px(y1)}"


def _down(knots: Knots, across: float) -> str:
    """The line shifted to its side, ending where the head begins."""
    *between, (x1, y1) = [(x + across, y) for x, y in knots]
    end = y1 - HEAD if y1 > between[-1][1] else y1 + HEAD
    points = [*between, (x1, end)]
    swings = (_swing(*start, *stop, across) for start, stop in pairwise(points))
    return f"M{px(points[0][0])} {px(points[0][1])}" + "".join(swings)


def _swing(x0: float, y0: float, x1: float, y1: float, across: float) -> str:
    """From one height to another: straight down, or an S that keeps its distance from its twin."""
    if abs(x1 - x0) < 0.5:
        return f"V{px(y1)}"
    rightwards = 1 if (x1 > x0) == (y1 > y0) else -1
    bend = -across * BEND * rightwards * min(1.0, abs(x1 - x0) / 80)
    middle = (y0 + y1) / 2 + bend
    return f"C{px(x0)} {px(middle)} {px(x1)} {px(middle)} {px(x1)} {px(y1)}"
