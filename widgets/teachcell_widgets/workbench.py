"""Workbench: one program under the lens, its runs and switches, and the views that are open on it.

The Explorer and every view that stands alone are Workbenches; they differ in ``parts`` and ``panel_types``.
"""

from __future__ import annotations

import logging
import re
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import get_ident
from typing import Any, ClassVar

import anywidget
import traitlets

from teachcell.graph import GRAPH_STYLE, static_svg
from teachcell.lens import Experiment, NothingToDifferentiate, Outcome
from teachcell.lens.failure import failing_line, message_of
from teachcell.lens.rules import OWN
from teachcell.lens.script import Script
from teachcell.lens.training.trainer import check_optimizer
from teachcell.picture import Picture, save_as
from teachcell.texts import ON_CHANGE, say, set_language

from .awake import in_use, let_go
from .bundle import MODULES, STYLES, bundle, styles
from .panel import Panel
from .saved_page import saved_page
from .scale import Scale, checked_scale
from .steps import same_place
from .unfolded import Unfolded, node_of
from .view import labels, write_view

logger = logging.getLogger("teachcell")
FIRST_WIDTH = 600
_open: weakref.WeakSet[Workbench] = weakref.WeakSet()  # those that hold a net
_shown: weakref.WeakSet[Workbench] = weakref.WeakSet()  # those with a picture


class Workbench(anywidget.AnyWidget):
    """Run ``net(*inputs)``, then ``loss(output, *targets)``, and show what happened.

    Args:
        net: a Cell or a function of Tensors.
        inputs: its inputs.
        loss: Cell or function; without one the outputs are summed, and the widget says so.
        targets: what the loss takes after the output; a Tensor or a tuple.
        bprops: backward rules to choose from: ``{"path": {"name": rule}}``, called like a Cell's ``bprop``.
        seed: start of the random draws, the same in every run until "New draw".
        optimizer: trains the net in the view "training", such as ``nn.SGD(net.trainable_params(), 0.1)``; with one
            the Explorer has a row for that at the bottom.
        scale: how large all is drawn, from 0.5 to 3; 1.5 for a projector. ``explorer.scale = 1.25`` later on.

    A run leaves Parameters, buffers and random state as they were. Switches act on the real net; ``code()`` gives
    the lines that do the same by hand. :meth:`close`, or another widget of the same net or with a Cell of it,
    removes its hooks and puts back the rules it found.

    Attributes:
        outcome: the run that is shown. Widgets not used for long let go of it, and run again when they are used.
        steps: the steps of the transport for that run.
        error: the exception of the last run, or None; the full story is in ``raise explorer.error``.
        parts: which parts are drawn, from top to bottom: "header", "stage" (the graph and the side), "side" (without
            the graph), "now_line", "transport", "training" (a row; where an optimizer was given it is always there).
        panel_types: the views at its side, in the order of their tabs; each is an attribute under its name.

    Raises:
        TypeError, ValueError, KeyError: what is given cannot be run or differentiated. Errors raised *by* the net
            are shown in the widget instead, with the last good picture.
    """

    _esm = bundle(MODULES)
    _style = styles(STYLES) + GRAPH_STYLE
    _css = _style

    parts: ClassVar[tuple[str, ...]] = ()
    panel_types: ClassVar[tuple[type[Panel], ...]] = ()

    frame = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    panels = traitlets.Dict().tag(sync=True)
    progress = traitlets.Dict().tag(sync=True)
    panel = traitlets.Unicode("").tag(sync=True)
    position = traitlets.Int(0).tag(sync=True, echo_update=False)
    selected = traitlets.Unicode("").tag(sync=True, echo_update=False)
    width = traitlets.Int(0).tag(sync=True, echo_update=False)
    scale = Scale(1.0).tag(sync=True)

    _retired = True  # until it holds a net: a refused one is closed as well

    def __init__(
        self, net: Callable[..., Any], *inputs: Any, loss: Callable[..., Any] | None = None, targets: Any = (),
        bprops: Mapping[str, Mapping[str, Any]] | None = None, seed: int = 0, optimizer: Any = None,
        scale: float = 1.0,
    ):  # fmt: skip
        check_optimizer(optimizer)
        self.scale = checked_scale(scale)
        self.net: Any = net
        self.optimizer = optimizer
        self.experiment = Experiment(net, inputs, loss, targets, bprops, seed)
        self._retire_others()
        first = self.experiment.run()
        if isinstance(first.error, NothingToDifferentiate):
            raise first.error
        self._outcome: Outcome | None = first  # None: let go of
        self._last: Outcome | None = first
        self._unfolded = Unfolded()
        self._script = Script()
        self._found = {path: (cell.training, cell.phase) for path, cell in self.experiment.program.cells.items()}
        self._first_seed = self.experiment.seed
        self._answers = 0
        self._told: dict[str, dict[str, Any]] = {}  # what each view showed last of this run
        self._waiting: deque[dict[str, Any]] = deque()  # actions of the user
        self.trained_in: int | None = None  # the thread that is training the net
        self._retired = False
        self._panels = {kind.name: kind(self) for kind in self.panel_types}
        for name, panel in self._panels.items():
            setattr(self, name, panel)
        _open.add(self)
        _shown.add(self)
        in_use(self)
        self.frame = {"parts": self._drawn_parts(), "panels": list(self._panels), "live": True}
        self.panel = next(iter(self._panels), "")
        self._show(len(self.outcome.document["events"]))
        self._log()
        super().__init__()
        self.on_msg(self._on_message)
        self.observe(self._on_width, "width")
        self.observe(self._on_panel, "panel")

    def _drawn_parts(self) -> list[str]:
        """The parts, with the row of training where an optimizer was given to a widget that can train."""
        trains = self.optimizer is not None and "training" in self._panels and "training" not in self.parts
        return [*self.parts, *(["training"] if trains else [])]

    # What a user can do -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Run again, from the same seed, and show the result. An error is shown; the last good picture stays."""
        self._run(self.experiment.run)

    def _run(self, run: Callable[[], Outcome]) -> None:
        self.refuse_if_retired()
        self.experiment.look_again()
        self._retire_others()
        done = self.steps.events_done(self.position)
        before, self._last = self._outcome, run()
        if before is None or self._last.error is None or before.error is not None:
            done = done if before is None else same_place(before.document, self._last.document, done)
            self._outcome = self._last
            in_use(self)
        self._log()
        self._told.clear()
        for panel in self._panels.values():
            panel.ran()
        self._show(done)

    def set_train(self, mode: bool = True, path: str = "") -> None:
        """Switch the Cell at ``path`` (the whole net by default) to training or prediction, and run.

        ``mode`` comes first, as in ``Cell.set_train(mode)``, of which this is a call.
        """
        self.refuse_if_retired()
        self._script.note("mode", path, self.experiment.set_train(mode, path))
        self.run()

    def set_rule(self, path: str, rule: str) -> None:
        """Use another backward rule (``"automatic"``, ``"own"`` or a name from ``bprops``), and run backward again."""
        self.refuse_if_retired()
        self.switched("rule", path, self.experiment.use_rule(path, rule), undone=rule == OWN)

    def switched(self, kind: str, place: str, line: str, undone: bool = False) -> None:
        """A view has switched something: note the line that it stands for, below those it needs, and run."""
        self._script.note(kind, place, line.rpartition("\n")[2], undone, whole=line)
        self._run(self.experiment.run_backward if kind == "rule" else self.experiment.run)

    def set_capture(self, path: str | None) -> None:
        """Attach capturing hooks to the Cell at ``path`` (None: take them off), and run."""
        self.refuse_if_retired()
        self._script.note("capture", "", self.experiment.set_capture(path), undone=path is None)
        self.run()

    def new_draw(self) -> None:
        """Run with other random numbers."""
        self.refuse_if_retired()
        self._script.last = self.experiment.new_draw()
        self.run()

    def reset(self) -> None:
        """Put modes, rules, hooks and the seed back as they were found, fold all, and run."""
        self.refuse_if_retired()
        self.experiment.put_back(self._found, self._first_seed)
        for panel in self._panels.values():
            panel.reset()
        self._unfolded = Unfolded()
        self._script.clear()
        self.run()

    def toggle(self, node: str) -> None:
        """Open or fold the Cell drawn as ``node``, ``"call2"``; of a repetition draw an iteration.

        Raises:
            ValueError: it is neither.
        """
        done = self.steps.events_done(self.position)
        at = self.outcome.document["events"][done - 1].get("op") if done else None
        drawn = self._unfolded.toggle(self.outcome.document, self.steps.scene, node, at)
        self._show_op(drawn)

    def iterate(self, node: str, number: int) -> None:
        """Draw one iteration, counted from 1, of the repetition that ``node`` belongs to; 0: fold them all.

        Raises:
            ValueError: it belongs to none, or there is no such iteration.
        """
        self._show_op(self._unfolded.iterate(self.steps.scene, node, number))

    def _show_op(self, op: int | None) -> None:
        """Show the run again, with the node of an op selected."""
        with self.hold_sync():
            self.show()
            if op is not None:
                self.selected = self.steps.scene.op_nodes[op]

    def find(self, text: str, back: bool = False) -> int:
        """Select the next Cell, op or Parameter whose name or path holds ``text``, and open what hides it.

        Returns:
            How many there are.
        """
        document = self.outcome.document
        after = next(iter(self._ops_of(self.selected)), None)
        match = self._unfolded.find(document, text, after, back)
        with self.hold_sync():
            self.show()
            if match is not None:
                self.selected = node_of(self.steps.scene, match) or self.selected
        found = self._unfolded.found
        return len(found.matches) if found is not None else 0

    def open_panel(self, panel: str) -> None:
        """Show the view of this name at the side.

        Raises:
            ValueError: this widget has no such view.
        """
        if panel not in self._panels:
            raise ValueError(say("explorer.no_panel", panel=panel, known=", ".join(self._panels)))
        if panel == self.panel:
            self.show()
        else:
            with self.hold_sync():
                self.panel = panel

    def show(self) -> None:
        """Show the same run again, at the same step: what a view tells of it has changed."""
        self._show(self.steps.events_done(self.position))

    def did(self, kind: str, line: str, **details: Any) -> None:
        """A view has done what this line of code stands for; the details are those of ``Script.note``."""
        self._script.note(kind, "", line, **details)

    def say_again(self) -> None:
        """Show the same in the language in use now. A widget without its run has its labels changed only."""
        if self._retired or self._outcome is None:
            self.view = self.view | labels()
            return
        for outcome in {id(kept): kept for kept in (self._outcome, self._last) if kept is not None}.values():
            outcome.say_again()
        for panel in self._panels.values():
            panel.say_again()
        self.show()

    def code(self) -> str:
        """The lines that do by hand what was done here, from the switches to the gradients; they can be run.

        They call what this widget was given ``net``, ``loss`` and ``bprops``, and inputs and targets as ``net`` and
        ``loss`` do.
        """
        return self._script.text(self.experiment.program, self.experiment.seed)

    def export(self, path: str | Path) -> None:
        """Write what is shown to a file that needs nothing else.

        ``.html``: one page in which replay, selecting and looking work, without kernel and network. ``.svg``,
        ``.png`` (by matplotlib), ``.dot``: the graph.

        Raises:
            ValueError: another ending.
            FileNotFoundError, IsADirectoryError: a folder that does not exist, or is no file.
            ImportError: a PNG without matplotlib.
        """
        picture = Picture(self.outcome.document, self._opened_calls(), self._unfolded.chosen)
        save_as(path, {".html": lambda: saved_page(self, self._style, picture.svg), **picture.kinds})

    @property
    def outcome(self) -> Outcome:
        """The run that is shown."""
        if self._outcome is None:
            self._outcome = self._last = self.experiment.run()
            in_use(self)
            self.show()
        return self._outcome

    def fall_asleep(self) -> None:
        """Let go of the run; the picture stays, and what is used next runs again. One that failed is kept."""
        if self._last is self._outcome and self.error is None:
            self._outcome = self._last = None
            self.experiment.forget()
            for panel in self._panels.values():
                panel.forget()

    @property
    def error(self) -> Exception | None:
        """What the last run raised."""
        return None if self._last is None else self._last.error

    @property
    def failed(self) -> Outcome | None:
        """The last run, if it failed and an earlier one is shown in its place."""
        return self._last if self.error is not None and self.outcome.error is None else None

    def close(self) -> None:
        """Remove the hooks, put back the rules that were found, and close the widget."""
        self._retire()
        super().close()

    def _retire_others(self) -> None:
        """Retire every Explorer with a Cell of this one: each puts back what it found, so none may stand between."""
        cells = set(map(id, self.experiment.program.cells.values()))
        for other in list(_open):
            theirs = map(id, other.experiment.program.cells.values())
            if other is not self and (other.net is self.net or not cells.isdisjoint(theirs)):
                other._retire()

    def _retire(self) -> None:
        """Let go of the net: the picture stays, switches no longer act."""
        if not self._retired:
            self._retired = True
            _open.discard(self)
            let_go(self)
            for panel in self._panels.values():
                panel.close()
            self.experiment.close()
            for outcome in filter(None, (self._outcome, self._last)):
                outcome.recorder.release()

    @property
    def retired(self) -> bool:
        """Whether it was closed, or another widget took over its net."""
        return self._retired

    def refuse_if_retired(self) -> None:
        """RuntimeError once it was closed, or another widget took over its net."""
        if self._retired:
            raise RuntimeError(say("explorer.closed"))

    # Showing ----------------------------------------------------------------------------------------------

    def _show(self, events_done: int) -> None:
        """A new view, at the step that is reached when so many events have happened."""
        opened, chosen = self._opened_calls(), self._unfolded.chosen
        view, self.steps = write_view(self.outcome, self.experiment, opened, self.width or FIRST_WIDTH, chosen)
        self._answers += 1  # so that each answer differs from the one before, and reaches the browser
        view |= {"code": self._script.last, "script": self.code(), "error": self._run_error(), "answer": self._answers}
        view["found"] = self._unfolded.found.told if self._unfolded.found is not None else None
        view["stale"] = self.failed is not None
        with self.hold_sync():
            self.view = view
            self.selected = self._still_selected()
            self.position = self.steps.steps_done(events_done)
            self.show_panel()

    def show_panel(self) -> None:
        """What the open view is drawn from. One that fails says so in its place; the rest is shown."""
        if self.panel not in self._panels:
            self.panels = {}
            return
        data = self._prepared(self.panel, self._panels[self.panel].data)
        if data["error"] is None:
            self._told[self.panel] = data
        self.panels = {self.panel: data}

    def saved_panels(self) -> dict[str, Any]:
        """What every view is drawn from that works without a kernel."""
        told = {name: self._prepared(name, panel.saved) for name, panel in self._panels.items()}
        return {name: each for name, each in told.items() if each["data"] is not None or each["error"]}

    def _prepared(self, name: str, data: Callable[[], Mapping[str, Any] | None]) -> dict[str, Any]:
        try:
            return {"data": data(), "error": None}
        except Exception as error:
            if self._retired and name in self._told:  # what was recorded is gone, the picture stays
                return self._told[name]
            logger.exception("the view %s of a widget failed", name)
            return {"data": None, "error": "\n".join(filter(None, (message_of(error), failing_line(error))))}

    def _opened_calls(self) -> set[int]:
        return self._unfolded.calls(self.outcome.document)

    def _still_selected(self) -> str:
        """The selected node, or the one that now stands for it; at first the first that is no input."""
        nodes, scene = self.view["nodes"], self.steps.scene
        if self.selected in nodes:
            return self.selected
        for op in self._ops_of(self.selected):
            if scene.op_nodes.get(op) in nodes:
                return scene.op_nodes[op]
        return next((name for name, node in scene.nodes.items() if not node.is_leaf), next(iter(nodes), ""))

    def _ops_of(self, node: str) -> list[int]:
        """The ops that a node of an earlier folding stood for, or that use it."""
        found = re.match(r"(op|ops|times|call|value)(\d+)", node)
        if found is None:
            return []
        kind, number, ops = found[1], int(found[2]), self.outcome.document["ops"]
        if kind == "call":
            return [op["id"] for op in ops if op["call"] == number]
        return [op["id"] for op in ops if number in op["inputs"]] if kind == "value" else [number]

    def _run_error(self) -> dict[str, str] | None:
        """Which op or Cell failed in the last run, and what it said."""
        if self._last is None or self._last.error is None:
            return None
        error, document = self._last.error, self._last.document
        told, calls, ops = document["error"], document["calls"], document["ops"]
        where = [] if told["call"] is None else [calls[told["call"]]["path"] or document["title"]]
        where += [] if told["op"] is None else [ops[told["op"]]["label"]]
        title = say("explorer.error_in", where=" · ".join(where)) if where else say("explorer.error_run")
        return {"title": title, "detail": "\n".join(filter(None, (message_of(error), failing_line(error))))}

    def _log(self) -> None:
        if self.error is not None:
            logger.error("the run in the widget failed", exc_info=self.error)

    # Messages from the browser ----------------------------------------------------------------------------

    def _on_width(self, _: Any) -> None:
        self._show(self.steps.events_done(self.position))

    def _on_panel(self, _: Any) -> None:
        self.show_panel()

    def _on_message(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
        """One action of the user: done now, or between two steps where another thread is training the net."""
        self._waiting.append(content)
        if self.trained_in in (None, get_ident()):
            self.answer_waiting()

    def answer_waiting(self) -> None:
        """Do what the user has asked for meanwhile."""
        while self._waiting:
            self._answer(self._waiting.popleft())

    def _answer(self, content: dict[str, Any]) -> None:
        """One action of the user. Whatever goes wrong is shown, and written to the log."""
        try:
            self._act(content)
            if self.view["error"] != (told := self._run_error()):  # of an earlier action, after which nothing ran
                self._answers += 1
                self.view = self.view | {"error": told, "answer": self._answers}
        except Exception as error:
            logger.exception("an action in the widget failed")
            self._answers += 1
            told = {"title": say("explorer.error_action"), "detail": message_of(error)}
            self.view = self.view | {"error": told, "answer": self._answers}

    def _act(self, content: dict[str, Any]) -> None:
        do = content.get("do")
        if "panel" in content:
            self._panels[content["panel"]].act(str(do), content)
        elif do == "mode":
            self.set_train(content["value"] == "train", content["scope"])
        elif do == "rule":
            self.set_rule(content["path"], content["value"])
        elif do == "capture":
            self.set_capture(self.selected_cell()[0] if content["on"] else None)
        elif do == "fold":
            self.toggle(content["node"])
        elif do == "iterate":
            self.iterate(content["node"], int(content["number"]))
        elif do == "find":
            self.find(str(content["text"]), bool(content.get("back")))
        elif do == "language":
            set_language(content["value"])
        elif do == "draw":
            self.new_draw()
        elif do == "reset":
            self.reset()
        else:
            raise ValueError(say("explorer.unknown_action", do=do))

    def selected_cell(self) -> tuple[str, int]:
        """Path and call number of the Cell that the selected node belongs to.

        Raises:
            ValueError: it belongs to none.
        """
        return self.cell_of(self.selected)

    def cell_of(self, node: str) -> tuple[str, int]:
        """The same for any drawn node."""
        details = self.view["nodes"].get(node)
        if details is None or details["path"] is None:
            raise ValueError(say("explorer.needs_cell"))
        return details["path"], details["call"]

    # Places without a browser -----------------------------------------------------------------------------

    def __repr__(self) -> str:
        document, cells = self.outcome.document, len(self.experiment.program.cells)
        text = say("explorer.text", title=document["title"], ops=len(document["ops"]), cells=cells)
        return f"{type(self).__name__}({text})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        found = super()._repr_mimebundle_(**kwargs)
        data, metadata = found if isinstance(found, tuple) else (found, {})
        svg = static_svg(self.outcome.document, self._opened_calls(), chosen=self._unfolded.chosen)
        return {**(data or {}), "image/svg+xml": svg, "text/plain": repr(self)}, metadata


def _say_all_again() -> None:
    """Every widget with a picture follows the language."""
    for bench in list(_shown):
        if bench.comm is not None:
            try:
                bench.say_again()
            except Exception:
                logger.exception("a widget could not be shown in another language")


ON_CHANGE.append(_say_all_again)
