"""Compare: pin a run, change something, and see where the next run parts from it, value by value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from teachcell.lens.compare.changes import changes
from teachcell.lens.compare.differences import SIDES, Differences, Place
from teachcell.lens.compare.run import Run
from teachcell.lens.compare.twin import twin_run
from teachcell.lens.rules import ENGINE
from teachcell.texts import say
from teachcell.texts.numbers import number

from .messages import Message
from .node_details import why_none
from .panel import Panel
from .told import Told
from .twin_picture import TwinPicture, summary_of
from .view import fits, fitting
from .workbench import FIRST_WIDTH, Workbench

PRESENT, TRAIN, PREDICT, FAILED = "present", "train", "predict", "failed run"
ALWAYS = {PRESENT: "compare.present", TRAIN: "compare.train", PREDICT: "compare.predict", FAILED: "compare.failed_run"}
MOST_PINS = 8
MOST_BYTES = 250_000  # of the numbers of all nodes
MOST_ELSEWHERE = 12


class ComparePanel(Panel):
    """Runs under names, two of them side by side.

    ``"present"`` is the run that is shown, ``"train"`` and ``"predict"`` are made when asked for: the program as it is
    now, run once in each mode. Pinned runs stay as they were, whatever is run later.
    """

    name = "compare"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._pins: dict[str, Run] = {}
        self._twins: dict[str, Run] = {}  # of the present program
        self._a, self._b, self._side = "", PRESENT, "value"
        self._known: Differences | None = None

    # What a user can do -----------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """What can be chosen: ``"present"``, the pinned runs, ``"train"`` and ``"predict"``."""
        modes = [TRAIN, PREDICT] if self.bench.experiment.program.cells else []
        return [PRESENT, *self._pins, *modes, *([FAILED] if self.bench.runs.failed else [])]

    def pin(self, name: str | None = None) -> str:
        """Keep the run that is shown under a name (``"run 1"`` … by default) and compare the present one with it.

        A name that was given before now stands for this run. Returns the name.

        Raises:
            TypeError: the name is no text, or empty.
            ValueError: the name is one that every comparison has, or too many runs are pinned.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        name = self._checked(name)
        self._pins[name] = replace(self._present(name), quoted=True)
        self.choose(a=name, b=PRESENT)
        return name

    def unpin(self, name: str) -> None:
        """Forget a pinned run.

        Raises:
            ValueError: no run of this name is pinned.
        """
        if name not in self._pins:
            raise ValueError(say("compare.no_run", name=name, known=", ".join(self._pins) or "–"))
        del self._pins[name]
        self._a, self._b = ("" if self._a == name else self._a), (PRESENT if self._b == name else self._b)
        self._show()

    def choose(self, a: str | None = None, b: str | None = None, of: str | None = None) -> None:
        """Show these two runs side by side, and select the first place that differs.

        Args:
            a, b: names of runs (see :attr:`names`); None leaves the choice as it is.
            of: ``"value"`` or ``"gradient"``.

        Raises:
            ValueError: no run has that name.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        if of is not None and of not in SIDES:
            raise ValueError(say("compare.no_side", got=repr(of)))
        for name in (a, b):
            if name is not None:
                self._run(name)  # or it says why not, before anything is changed
        self._a, self._b, self._side = a or self._a, b or self._b, of or self._side
        self._show()

    def between(self, a: str, b: str = PRESENT) -> Told:
        """The differences of two runs as plain data, which prints as where they part; with every place's distances.

        Returns:
            ``{"a", "b", "first": {"value", "gradient"}, "sentence": {"value", "gradient"}, "places": […]}``; each place
            is ``{"name", "kind", "value": {"state", "same", "largest", "relative", "at", "count"}, "gradient": …}``.

        Raises:
            ValueError: no run has that name.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        found = Differences(self._run(a), self._run(b)).plain()
        return Told(found, *found["sentence"].values())

    def act(self, message: Message) -> None:
        """``pin``, ``unpin``, ``choose``: as the methods."""
        if message.do == "pin":
            self.pin(message.get("name", str, None) or None)
        elif message.do == "unpin":
            self.unpin(message.get("name", str))
        elif message.do == "choose":
            self.choose(*(message.get(key, str, None) for key in ("a", "b", "of")))
        else:
            super().act(message)

    def ran(self) -> None:
        """The program may be another one: what it does in each mode is asked anew."""
        self._twins.clear()

    def close(self) -> None:
        """Large arrays of pinned runs are let go."""
        for run in (*self._pins.values(), *self._twins.values()):
            run.release()

    # Runs -------------------------------------------------------------------------------------------------

    def _checked(self, name: str | None) -> str:
        if name is None:
            numbered = (say("compare.run", number=i) for i in range(1, MOST_PINS + 2))
            name = next(free for free in numbered if free not in self._pins)
        if not isinstance(name, str) or not name.strip():
            raise TypeError(say("compare.name_kind", got=repr(name)))
        if name in ALWAYS:
            raise ValueError(say("compare.reserved", name=name))
        if name not in self._pins and len(self._pins) >= MOST_PINS:
            raise ValueError(say("compare.too_many", count=len(self._pins), names=", ".join(self._pins)))
        return name

    def _present(self, name: str) -> Run:
        return Run.of(name, self.bench.outcome, self.bench.experiment.seed)

    def _run(self, name: str) -> Run:
        """The run of a name; ValueError if there is none."""
        if name not in self.names:
            raise ValueError(say("compare.no_run", name=name, known=", ".join(self.names)))
        if name in self._pins:
            return self._pins[name]
        failed = self.bench.runs.failed
        if name == FAILED and failed is not None:
            return Run.of(say(ALWAYS[FAILED]), failed, self.bench.experiment.seed)
        if name == PRESENT:
            return self._present(say(ALWAYS[PRESENT]))
        if name not in self._twins:
            twins = twin_run(self.bench.experiment)
            self._twins = {TRAIN: twins.train, PREDICT: twins.predict}
        return replace(self._twins[name], name=say(ALWAYS[name]))  # in the language in use now

    def _differences(self) -> Differences | None:
        """Of the chosen runs; None where there is no A yet."""
        if self._a not in self.names or self._b not in self.names:
            self._a, self._b = (name if name in self.names else default
                                for name, default in ((self._a, ""), (self._b, PRESENT)))  # fmt: skip
        if not self._a:
            return None
        a, b = self._run(self._a), self._run(self._b)
        known = self._known
        if known is None or not (known.a.is_same(a) and known.b.is_same(b)):
            self._known = known = Differences(a, b)
        return known

    # Showing ----------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Open the view with the first place that differs selected."""
        differences = self._differences()
        if differences is not None:
            node = self._picture(differences).node_of(differences.first(self._side))
            self.bench.selected = node or self.bench.selected
        self.bench.open_panel(self.name)

    def _picture(self, differences: Differences) -> TwinPicture:
        return TwinPicture(differences, self.bench.steps.scene, self._present(PRESENT))

    def saved(self) -> None:
        """Nothing: whatever it offers runs the program again."""

    def data(self) -> dict[str, Any]:
        """Both pictures, and for each drawn node the numbers of both runs."""
        differences = self._differences()
        choices = [[name, say(ALWAYS[name]) if name in ALWAYS else name] for name in self.names]
        told: dict[str, Any] = {"choices": choices, "a": self._a, "b": self._b, "of": self._side}
        told["pins"] = list(self._pins)
        if differences is None:
            return told
        picture = self._picture(differences)
        width = self.bench.width or FIRST_WIDTH
        told |= {
            "names": [differences.a.name, differences.b.name],
            "sentence": {side: differences.sentence(side) for side in SIDES},
            "count": {side: differences.count(side) for side in SIDES},
            "first": {side: picture.node_of(differences.first(side)) for side in SIDES},
            "svg": picture.pictures(self._side, width),
            "changes": changes(differences),
            "elsewhere": _elsewhere(differences, picture),
            "nodes": {name: self._node(picture, name, place) for name, place in picture.places.items()},
        }
        told["nodes"] = _small_enough(told["nodes"])
        return told

    def _node(self, picture: TwinPicture, name: str, place: Place) -> dict[str, Any]:
        differences, node = picture.differences, picture.scene.nodes.get(name)
        return {
            "name": place.name,
            "formula": _formulas(differences, place, node is not None and len(node.ops) == 1),
            **{side: _numbers(differences, place, side) for side in SIDES},
        }


class Compare(Workbench):
    """Two runs side by side as a widget of its own, with the graph; arguments as for :class:`Explorer`."""

    parts = ("header", "stage", "now_line")
    panel_types = (ComparePanel,)

    compare: ComparePanel


def _numbers(differences: Differences, place: Place, side: str) -> dict[str, Any]:
    """A's and B's numbers (B's only where they differ), and how they differ in words."""
    found, gradient = place.of(side), side == "gradient"
    rows: list[dict[str, Any]] = []
    for run, value in ((differences.a, place.a), (differences.b, place.b)):
        summary = summary_of(run, value, gradient)
        note = say("graph.absent") if value is None else why_none(run.document["values"][value]) if not summary else ""
        rows.append({"summary": _slim(summary), "note": note})
    both = rows[:1] if found.state == "equal" else rows
    size = max((row["summary"]["size"] for row in rows if row["summary"]), default=0)
    more = ""
    if found.relative is not None and not found.same:
        more = say("compare.more", count=found.count, size=size, relative=number(found.relative))
    return {"same": found.same, "words": differences.told(place, side), "more": more, "at": found.at, "rows": both}


def _small_enough(nodes: dict[str, Any]) -> dict[str, Any]:
    """With smaller maps, and in the end without the numbers of what is the same in both runs."""
    nodes = fitting(nodes, MOST_BYTES)
    if not fits(nodes, MOST_BYTES):
        for node, side in ((node, side) for node in nodes.values() for side in SIDES if node[side]["same"]):
            node[side]["rows"] = []
    return nodes


def _slim(summary: dict[str, Any] | None) -> dict[str, Any] | None:
    """Without the strip, which is in the picture."""
    return None if summary is None else {key: part for key, part in summary.items() if key != "strip"}


def _formulas(differences: Differences, place: Place, alone: bool) -> list[dict[str, Any]]:
    """The formulas of the op that made it, with its name unless it is drawn ``alone``; two where the runs differ."""
    runs = (differences.a, place.a), (differences.b, place.b)
    both = [_formula(run, value, alone) for run, value in runs]
    told = [{"letter": letter, "lines": lines} for letter, lines in zip("AB", both, strict=True) if lines]
    return [{"letter": "", "lines": both[0]}] if both[0] == both[1] and both[0] else told


def _formula(run: Run, value: int | None, alone: bool) -> list[list[str]]:
    made = None if value is None else run.document["values"][value]["op"]
    if made is None:
        return []
    op = run.document["ops"][made]
    call = run.document["calls"][op["call"]]
    name = "" if alone else f"{op['label']}: "
    lines = [["val", f"{name}{op['formula']['value']}"]] if op["formula"]["value"] else []
    if call["rule_id"] != ENGINE:
        return [*lines, ["grad", say("explorer.gradient_by", rule=call["rule"])]]
    return [*lines, *(["grad", f"{name}{text}"] for text, _ in op["formula"]["grads"])]


def _elsewhere(differences: Differences, picture: TwinPicture) -> list[str]:
    """Places that differ and are in no drawn node: those of a run whose graph is another."""
    telling = [p for p in differences.places if not p.value.same and (p.kind == "op" or p.in_both)]
    hidden = [p.name for p in telling if picture.node_of(p) is None]
    return hidden[:MOST_ELSEWHERE]
