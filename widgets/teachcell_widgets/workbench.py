"""Workbench: one program under the lens, its runs and switches, and the views that are open on it.

The Explorer and every view that stands alone are Workbenches; they differ in ``parts`` and ``panel_types``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from teachcell.graph import static_svg
from teachcell.lens import Experiment, NothingToDifferentiate, Outcome
from teachcell.lens.program import UnfitLoss
from teachcell.lens.rules import OWN
from teachcell.lens.script import Script
from teachcell.picture import Picture, save_as
from teachcell.texts import say

from .arguments import check_arguments
from .awake import in_use, let_go
from .claims import give_up, hold, take_over
from .language import follow_language
from .messages import Inbox
from .panel import Panel
from .panels import Panels
from .runs import Runs
from .saved_page import saved_page
from .scale import checked_scale
from .shared import Shared
from .steps import same_place
from .told import Lines, in_short
from .unfolded import Unfolded, node_of, ops_of, still_selected
from .view import labels, write_view

logger = logging.getLogger("teachcell")
FIRST_WIDTH = 600


class Workbench(Shared):
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

    parts: ClassVar[tuple[str, ...]] = ()
    panel_types: ClassVar[tuple[type[Panel], ...]] = ()

    _retired = True  # until it holds a net: a refused one is closed as well

    def __init__(
        self, net: Callable[..., Any], *inputs: Any, loss: Callable[..., Any] | None = None, targets: Any = (),
        bprops: Mapping[str, Mapping[str, Any]] | None = None, seed: int = 0, optimizer: Any = None,
        scale: float = 1.0, **unknown: Any,
    ):  # fmt: skip
        check_arguments(type(self), optimizer, unknown)
        self.scale = checked_scale(scale)
        self.net: Any = net
        self.optimizer = optimizer
        self.experiment = Experiment(net, inputs, loss, targets, bprops, seed)
        take_over(self)
        first = self.experiment.run()
        if isinstance(first.error, (NothingToDifferentiate, UnfitLoss)):
            raise first.error.with_traceback(None)
        self.runs = Runs(first)
        self._unfolded = Unfolded()
        self._script = Script()
        self._found = {path: (cell.training, cell.phase) for path, cell in self.experiment.program.cells.items()}
        self._first_seed = self.experiment.seed
        self._retired = False
        self.inbox = Inbox(self)
        self.views = Panels(self, self.panel_types)
        for panel in self.views:
            setattr(self, panel.name, panel)
        hold(self)
        follow_language(self)
        in_use(self)
        self.frame = {"parts": self._drawn_parts(), "panels": self.views.names, "live": True}
        self.panel = next(iter(self.views.names), "")
        self._show(len(self.outcome.document["events"]))
        self._log()
        super().__init__()
        self.on_msg(self._on_message)
        self.observe(self._on_width, "width")
        self.observe(self._on_panel, "panel")

    def _drawn_parts(self) -> list[str]:
        """The parts, with the row of training where an optimizer was given to a widget that can train."""
        trains = self.optimizer is not None and "training" in self.views and "training" not in self.parts
        return [*self.parts, *(["training"] if trains else [])]

    # What a user can do -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Run again, from the same seed, and show the result. An error is shown; the last good picture stays."""
        self._run(self.experiment.run)

    def _run(self, run: Callable[[], Outcome]) -> None:
        self.refuse_if_retired()
        self.experiment.look_again()
        take_over(self)
        done = self.steps.events_done(self.position)
        before, last = self.runs.shown, run()
        if self.runs.add(last):
            done = done if before is None else same_place(before.document, last.document, done)
            in_use(self)
        self._log()
        self.views.ran()
        self._show(done)

    def set_train(self, mode: bool = True, path: str = "") -> None:
        """Switch the Cell at ``path`` (the whole net by default) to training or prediction, and run.

        ``mode`` comes first, as in ``Cell.set_train(mode)``, of which this is a call.
        """
        self.refuse_if_retired()
        self._script.note("mode", path, self.experiment.set_train(mode, path))
        self.run()

    def set_rule(self, path: str, rule: str) -> None:
        """Use another backward rule, and run backward again.

        It is ``"engine"``, ``"own"``, a name from ``bprops`` or a ready one, as in ``rule_lab.use``."""
        self.refuse_if_retired()
        line = self.experiment.use_rule(path, rule)
        self.switched("rule", path, line, undone=self.experiment.rules.in_use(path) == OWN)

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
        for panel in self.views:
            panel.reset()
        self._unfolded = Unfolded()
        self._script.clear()
        self.run()

    def toggle(self, node: str) -> None:
        """Open or fold a Cell, by its path or its node (``"call2"``); of a repetition draw an iteration.

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
        after = next(iter(ops_of(document, self.selected)), None)
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
        self.views[panel]  # which says what there is
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
        if self._retired or self.runs.shown is None:
            self.view = self.view | labels()
            return
        self.runs.say_again()
        for panel in self.views:
            panel.say_again()
        self.show()

    def code(self) -> Lines:
        """The lines that do by hand what was done here, from the switches to the gradients; they can be run.

        They call what this widget was given ``net``, ``loss``, ``targets``, ``bprops`` and ``optimizer``, as it does;
        inputs as ``net`` calls them, and a target that is no tuple as ``loss`` does.
        """
        return Lines(self._script.text(self.experiment.program, self.experiment.seed))

    def export(self, path: str | Path) -> None:
        """Write what is shown to a file that needs nothing else.

        ``.html``: one page in which replay, selecting and looking work, without kernel and network. ``.svg``,
        ``.png`` (by matplotlib), ``.dot``: the graph.

        Raises:
            ValueError: another ending.
            FileNotFoundError, IsADirectoryError: a folder that does not exist, or is no file.
            ImportError: a PNG without matplotlib.
            RuntimeError: a page of a widget that is closed; pictures of its graph can still be written.
        """
        if Path(path).suffix.lower() == ".html":  # its views are made from the run, which is gone by then
            self.refuse_if_retired()
        picture = Picture(self.outcome.document, self._opened_calls(), self._unfolded.chosen)
        save_as(path, {".html": lambda: saved_page(self, self._style, picture.svg), **picture.kinds})

    @property
    def outcome(self) -> Outcome:
        """The run that is shown."""
        if self.runs.shown is None:
            self.runs.add(self.experiment.run())
            self._log()
            in_use(self)
            self.show()
        assert self.runs.shown is not None
        return self.runs.shown

    @property
    def error(self) -> Exception | None:
        """What the last run raised."""
        return self.runs.error

    def fall_asleep(self) -> None:
        """Let go of the run; the picture stays, and what is used next runs again. One that failed is kept."""
        if self.runs.let_go():
            self.experiment.forget()
            for panel in self.views:
                panel.forget()

    def close(self) -> None:
        """Remove the hooks, put back the rules that were found, and close the widget."""
        self.retire()
        super().close()

    def retire(self) -> None:
        """Let go of the net: the picture stays, switches no longer act."""
        if not self._retired:
            self._retired = True
            give_up(self)
            let_go(self)
            for panel in self.views:
                panel.close()
            self.experiment.close()
            self.runs.release()

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
        found = self._unfolded.found
        view |= {
            "code": self._script.last,
            "script": self.code(),
            "error": self.runs.failure(),
            "stale": self.runs.failed is not None,
            "found": None if found is None else found.told,
            "answer": self.next_answer(),
        }
        with self.hold_sync():
            self.view = view
            self.selected = still_selected(self.outcome.document, self.steps.scene, self.selected)
            self.position = self.steps.steps_done(events_done)
            self.show_panel()

    def show_panel(self) -> None:
        """What the open view is drawn from."""
        self.panels = self.views.shown(self.panel)

    def answered(self) -> None:
        """What the user asked for is done. The message of an action that failed goes with it."""
        if self.view["error"] != (told := self.runs.failure()):
            self.answer(told)

    def _opened_calls(self) -> set[int]:
        return self._unfolded.calls(self.outcome.document)

    def _log(self) -> None:
        if self.error is not None:
            logger.error("the run in the widget failed", exc_info=self.error)

    # From the browser -------------------------------------------------------------------------------------

    def _on_width(self, _: Any) -> None:
        self.show()

    def _on_panel(self, _: Any) -> None:
        self.show_panel()

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        self.inbox.receive(content)

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
        told = in_short(self.outcome.document, len(self.experiment.program.inner_cells()))
        return f"{type(self).__name__}({told})"

    def drawing(self) -> str:
        """The graph as it is opened, as an SVG that needs no kernel."""
        return static_svg(self.outcome.document, self._opened_calls(), chosen=self._unfolded.chosen)
