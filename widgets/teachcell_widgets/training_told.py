"""What the browser is told of a training, in texts and short numbers."""

from __future__ import annotations

import math
from typing import Any

from teachcell.lens.training.course import Course
from teachcell.lens.training.pace import Forecast
from teachcell.texts import say
from teachcell.texts.numbers import number


def told_progress(course: Course, forecast: Forecast | None) -> dict[str, Any]:
    """Where training stands, and how fast it goes."""
    pace = () if forecast is None else (_done(forecast), _rate(forecast), _left(forecast))
    return {
        "step": course.step,
        "loss": "–" if course.loss is None else number(course.loss),
        "curve": course.curve.data(),
        "pace": " · ".join(filter(None, pace)),
    }


def _done(forecast: Forecast) -> str:
    return "" if forecast.total is None else say("training.done_of", done=forecast.done, total=forecast.total)


def _rate(forecast: Forecast) -> str:
    rate = forecast.rate
    if rate is None:
        return ""
    return say("training.rate_slow", seconds=number(1 / rate)) if rate < 1 else say("training.rate", rate=number(rate))


def _left(forecast: Forecast) -> str:
    if forecast.total is None:
        return ""
    left = forecast.left
    if left is None:
        return say("training.left_unknown")
    for key, seconds in (("training.left_hours", 3600), ("training.left_minutes", 60)):
        if left >= 2 * seconds:
            return say(key, count=math.ceil(left / seconds))
    return say("training.left_seconds", count=math.ceil(left))


def told_looks(course: Course) -> dict[str, Any]:
    """What the last look saw."""
    seen = course.data()
    looked, shown, count = seen["looked"], len(seen["layers"]), seen["layer_count"]
    when = say("training.looked", step=looked) if looked else say("training.looked_start")
    return {
        "looked": "" if looked is None else when,
        "layers": [
            {
                "name": row["name"],
                "zeros": say("training.zeros", zeros=f"{row['value']['zeros'] or 0:.0%}"),
                "value": _picture(row["value"]),
                "gradient": _picture(row["gradient"]),
            }
            for row in seen["layers"]
        ],
        "layers_note": say("training.some_layers", shown=shown, count=count) if 0 < shown < count else "",
        "relus": [{"name": row["name"], "map": row["map"], "text": _dead(row)} for row in seen["relus"]],
        "moved": [row | {"text": number(row["ratio"])} for row in seen["moved"]],
    }


def _picture(seen: dict[str, Any] | None) -> dict[str, Any]:
    """A histogram, if there is one, and what stands below it."""
    if seen is None:
        return {"hist": None, "text": say("training.no_gradient")}
    parts = [say("training.holds_nan", count=seen["nan"])] if seen["nan"] else []
    if seen["mean"] is not None:
        noise = abs(seen["mean"]) < 1e-6 * seen["std"]
        parts.append(say("training.spread", mean="≈ 0" if noise else number(seen["mean"]), std=number(seen["std"])))
    return {"hist": seen["hist"], "text": " · ".join(parts)}


def _dead(row: dict[str, Any]) -> str:
    key = "training.dead" if row["dead"] else "training.none_dead"
    return say(key, dead=row["dead"], units=row["units"], samples=row["samples"])
