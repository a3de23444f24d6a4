"""Hook timeline: one lane a Cell call, what happened in it in true order, what each hook saw, and which were silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from teachcell.lens.hooks.timeline import Timeline
from teachcell.lens.unknown import UnknownName
from teachcell.texts import say
from teachcell.texts.numbers import shape

from .panel import Panel
from .told import Lines, ToldList
from .view import fitting
from .workbench import Workbench

MOST_BYTES = 350_000


class HookTimelinePanel(Panel):
    """All hooks of the run in time, the naming of a backward hook's arguments, and the sums of the Parameters."""

    name = "hook_timeline"
    _told: dict[str, Any] | None = None
    _chosen: int | None = None  # by select(); a click needs no kernel

    def events(self, path: str | None = None) -> ToldList:
        """What happened, in true order; of one Cell (``""`` is the net) if ``path`` is given.

        Each is a dict: ``"event"`` (``"forward_pre_hook"``, ``"construct"``, ``"forward_hook"``,
        ``"backward_pre_hook"``, ``"bprop"``, ``"backward_hook"`` or ``"accumulate"``), ``"cell"`` and ``"call"``,
        the ``"hook"``'s name, whether it ``"replaced"`` something, and what it ``"saw"``: lists of NumPy arrays (None:
        no gradient, or an array over 4 MB) under ``"inputs"``, ``"output"``, ``"incoming"``, ``"outgoing"``,
        ``"gradient"``, and as ``"result"`` what it returned. An ``"accumulate"`` names its ``"parameter"`` and which
        ``"part"`` of how many it is; None, in the end, for the complete sum. The hooks of a widget are left out, and so
        are calls without a lane, where there are more than 60.

        Raises:
            KeyError: no such Cell ran.
            RuntimeError: the widget is closed.
        """
        listed = self._timeline().listed()
        known = dict.fromkeys(call["path"] for call in self.bench.outcome.document["calls"])
        if path is not None and path not in known:
            raise UnknownName(say("hooks.no_lane", path=path, known=", ".join(map(repr, known))))
        listed = [event for event in listed if path in (None, event["cell"])]
        title = self.bench.outcome.document["title"]
        of = Counter(call["path"] for call in self.bench.outcome.document["calls"])
        return ToldList(listed, (_line(event, title, of[event["cell"]]) for event in listed))

    def captured(self) -> ToldList:
        """What the hooks of ``set_capture`` saw, a dict for each call of their Cell.

        ``"cell"``, ``"call"``, and lists of NumPy arrays (None: no gradient) under ``"inputs"``, ``"outputs"``,
        ``"incoming"`` and ``"outgoing"``, as far as the run came.

        Raises:
            ValueError: no hooks capture.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        self.bench.outcome  # noqa: B018 one that was let go of runs again
        capture = self.bench.experiment.capture
        if capture is None:
            raise ValueError(say("hooks.no_capture"))
        return ToldList(capture.listed(), map(_captured_line, capture.rows()))

    def silent(self) -> ToldList:
        """The hooks that are attached and did not fire: ``"hook"``, its ``"kind"``, ``"cell"``, ``"times"``, ``"why"``.

        Raises:
            RuntimeError: the widget is closed.
        """
        silent = self._timeline().silent
        listed = [{"hook": s.name, "kind": s.kind, "cell": s.cell, "times": s.times, "why": s.why} for s in silent]
        return ToldList(listed, (f"{hook['hook']} · {hook['cell']}: {hook['why']}" for hook in listed))

    def select(self, number: int) -> Lines:
        """Go to an event (by its place in ``events()``) and return what it saw in lines of text.

        Raises:
            IndexError: there is no such event.
            RuntimeError: the widget is closed.
        """
        entries = self._tell(self._timeline())["entries"]
        if not 0 <= number < len(entries):
            raise IndexError(say("hooks.no_entry", number=number, count=len(entries)))
        entry, self._chosen = entries[number], number
        self.bench.position = entry["position"]
        self.bench.open_panel(self.name)
        return Lines("\n".join(_lines(entry)))

    def ran(self) -> None:
        """Another run has other events."""
        self._chosen = None

    def data(self) -> Mapping[str, Any]:
        """Lanes, columns, entries, silent hooks, and the arrays that they show."""
        if self._told is None or not self.bench.retired:  # once retired, what was recorded is gone
            self._told = self._tell(self._timeline())
        return self._told

    def _timeline(self) -> Timeline:
        self.bench.refuse_if_retired()
        outcome = self.bench.outcome
        return Timeline(outcome.document, outcome.recorder, self.bench.experiment.program)

    def _tell(self, timeline: Timeline) -> dict[str, Any]:
        told = timeline.data(self.bench.steps.steps_done) | {"chosen": self._chosen}
        return fitting(told | {"none": "" if told["hooks"] else self._none()}, MOST_BYTES)

    def _none(self) -> str:
        """What there is where a learner has no hooks."""
        experiment, program = self.bench.experiment, self.bench.experiment.program
        if experiment.capture is not None:
            return say("hooks.none_but_capture", cell=experiment.capture.path or program.title)
        if not program.is_cell and not program.inner_cells():
            return say("hooks.none_in_function")
        return say("hooks.none", cell=program.spelling(next(iter(program.inner_cells()), "")))


class HookTimeline(Workbench):
    """The hook timeline as a widget of its own; arguments as for :class:`Explorer`."""

    parts = ("header", "side", "now_line", "transport")
    panel_types = (HookTimelinePanel,)

    hook_timeline: HookTimelinePanel


def _captured_line(call: dict[str, Any]) -> str:
    """What was captured in a call, in short."""
    return " · ".join([call["call"], *(f"{row['label']} {row['text']}" for row in call["rows"])])


def _line(event: dict[str, Any], title: str, of: int) -> str:
    """An event in short: what and where, and the shapes that it saw; of the net itself under its title.

    Args:
        of: how often its Cell was called.
    """
    nth = say("lens.call_of", call=event["call"], of=of) if of > 1 else ""
    what = " ".join(filter(None, (event["event"], event["hook"], event.get("parameter"))))
    if event["event"] == "accumulate":
        what += " Σ" if event["part"] is None else f" {event['part']}/{event['of']}"
    saw = {role: ", ".join("–" if a is None else shape(a.shape) for a in seen) for role, seen in event["saw"].items()}
    parts = [what, event["cell"] or title, nth, " ".join(f"{role} {shapes}" for role, shapes in saw.items())]
    return " · ".join(filter(None, [*parts, say("hooks.line_replaced") if event["replaced"] else ""]))


def _lines(entry: dict[str, Any]) -> list[str]:
    """An entry as plain text."""
    lines = [f"{entry['icon']} {entry['title']} · {entry['place']}"]
    lines += [f"{row['role']} {row['shape']} {row['text']}".strip() for row in entry["rows"]]
    lines += [text for _, text in entry["words"]]
    naming = entry["naming"] or {"columns": (), "rows": ()}
    heads = [column["head"] for column in naming["columns"]]
    for row in naming["rows"]:
        names = [f"{name} ({head})" for name, head in zip(row["names"], heads, strict=True) if name]
        lines.append(f"{', '.join(names)}: {row['held']}")
    return lines
