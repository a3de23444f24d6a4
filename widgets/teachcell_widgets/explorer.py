"""Explorer: a network you can see, step through, hook, switch and rewire."""

from __future__ import annotations

import logging
import re
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from teachcell.graph import GRAPH_STYLE, static_svg
from teachcell.lens import Experiment, NothingToDifferentiate
from teachcell.lens.check.rule_check import check_rule
from teachcell.lens.failure import failing_line, message_of
from teachcell.texts import say

from .bundle import EXPLORER_MODULES, STATIC, bundle
from .replay import same_place
from .view import write_view

logger = logging.getLogger("teachcell")
FIRST_WIDTH = 600
_open: weakref.WeakSet[Explorer] = weakref.WeakSet()  # those that hold a net


class Explorer(anywidget.AnyWidget):
    """Run ``net(*inputs)``, then ``loss(output, *targets)``, and show values, gradients, hooks and rules.

    Args:
        net: a Cell or a function of Tensors.
        inputs: its inputs.
        loss: Cell or function; without one the outputs are summed, and the widget says so.
        targets: what the loss takes after the output; a Tensor or a tuple.
        bprops: backward rules to choose from: ``{"path": {"name": rule}}``, called like a Cell's ``bprop``.
        seed: start of the random draws, the same in every run until "New draw".

    A run leaves Parameters, buffers and random state as they were. Switches act on the real net; ``code`` is the
    line that the last one stands for. :meth:`close`, or another Explorer of the same net or with a Cell of it,
    removes its hooks and puts back the rules it found.

    Attributes:
        outcome: the run that is shown.
        error: the exception of the last run, or None; the full story is in ``raise explorer.error``.

    Raises:
        TypeError, ValueError, KeyError: what is given cannot be run or differentiated. Errors raised *by* the net
            are shown in the widget instead, with the last good picture.
    """

    _esm = bundle(EXPLORER_MODULES)
    _css = (STATIC / "explorer.css").read_text(encoding="utf-8") + GRAPH_STYLE

    view = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True, echo_update=False)
    selected = traitlets.Unicode("").tag(sync=True, echo_update=False)
    width = traitlets.Int(0).tag(sync=True, echo_update=False)

    _retired = True  # until it holds a net: a refused one is closed as well

    def __init__(
        self, net: Callable[..., Any], *inputs: Any, loss: Callable[..., Any] | None = None, targets: Any = (),
        bprops: Mapping[str, Mapping[str, Any]] | None = None, seed: int = 0,
    ):  # fmt: skip
        self.net: Any = net
        self.experiment = Experiment(net, inputs, loss, targets, bprops, seed)
        self._retire_others()
        self.outcome = self._last = self.experiment.run()
        if isinstance(self.outcome.error, NothingToDifferentiate):
            raise self.outcome.error
        self._opened: set[tuple[str, int]] = set()  # path and call number of what is drawn open
        self._code = ""
        self._checked: tuple[str, int] | None = None  # path and call number of what is being checked
        self._check: dict[str, Any] | None = None
        self._answers = 0
        self._retired = False
        _open.add(self)
        self._show(len(self.outcome.document["events"]))
        self._log()
        super().__init__()
        self.on_msg(self._on_message)
        self.observe(self._on_width, "width")

    # What a user can do -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Run again, from the same seed, and show the result. An error is shown; the last good picture stays."""
        self._refuse_if_retired()
        self.experiment.look_again()
        self._retire_others()
        done = self._replay.events_done(self.position)
        self._last = self.experiment.run()
        if self._last.error is None or self.outcome.error is not None:
            done = same_place(self.outcome.document, self._last.document, done)
            self.outcome = self._last
        self._log()
        if self._checked is not None and self._checked[0] not in self.experiment.program.cells:
            self._checked = self._check = None  # the Cell is no longer there
        elif self._checked is not None:
            self._check = check_rule(self.experiment, self._checked[0], self.outcome.recorder, self._checked[1])
        self._show(done)

    def set_train(self, mode: bool = True, path: str = "") -> None:
        """Switch the Cell at ``path`` (the whole net by default) to training or prediction, and run.

        ``mode`` comes first, as in ``Cell.set_train(mode)``, of which this is a call.
        """
        self._refuse_if_retired()
        self._code = self.experiment.set_train(mode, path)
        self.run()

    def set_rule(self, path: str, rule: str) -> None:
        """Use another backward rule (``"automatic"``, ``"own"`` or a name from ``bprops``), and run."""
        self._refuse_if_retired()
        self._code = self.experiment.use_rule(path, rule)
        self.run()

    def set_capture(self, path: str | None) -> None:
        """Attach capturing hooks to the Cell at ``path`` (None: take them off), and run."""
        self._refuse_if_retired()
        self._code = self.experiment.set_capture(path)
        self.run()

    def new_draw(self) -> None:
        """Run with other random numbers."""
        self._refuse_if_retired()
        self._code = self.experiment.new_draw()
        self.run()

    def toggle(self, node: str) -> None:
        """Open or fold the Cell drawn as ``node``, ``"call2"``."""
        calls = self.outcome.document["calls"]
        number = int(node.removeprefix("call")) if re.fullmatch(r"call\d+", node) else len(calls)
        if number >= len(calls):
            raise ValueError(say("explorer.no_fold", node=node))
        self._opened ^= {(calls[number]["path"], calls[number]["call"])}
        self._show(self._replay.events_done(self.position))

    def check(self, path: str | None, call: int = 1) -> dict[str, Any] | None:
        """Check the backward rule of the Cell at ``path`` against a numeric gradient and show it (None: close)."""
        if path is None:
            self._checked = self._check = None
        else:
            self._refuse_if_retired()
            self._check = check_rule(self.experiment, path, self.outcome.recorder, call)
            self._checked = path, call
        self._show(self._replay.events_done(self.position))
        return self._check

    @property
    def code(self) -> str:
        """The line of code that the last switch stands for."""
        return self._code

    @property
    def error(self) -> Exception | None:
        """What the last run raised."""
        return self._last.error

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
            self.experiment.close()
            for outcome in (self.outcome, self._last):
                outcome.recorder.release()

    def _refuse_if_retired(self) -> None:
        if self._retired:
            raise RuntimeError(say("explorer.closed"))

    # Showing ----------------------------------------------------------------------------------------------

    def _show(self, events_done: int) -> None:
        """A new view, at the step that is reached when so many events have happened."""
        view, self._replay = write_view(self.outcome, self.experiment, self._opened_calls(), self.width or FIRST_WIDTH)
        self._answers += 1  # so that each answer differs from the one before, and reaches the browser
        view |= {"code": self._code, "check": self._check, "error": self._run_error(), "answer": self._answers}
        view["stale"] = self.error is not None and self.outcome.error is None
        with self.hold_sync():
            self.view = view
            self.selected = self._still_selected()
            self.position = self._replay.steps_done(events_done)

    def _opened_calls(self) -> set[int]:
        return {c["id"] for c in self.outcome.document["calls"] if (c["path"], c["call"]) in self._opened}

    def _still_selected(self) -> str:
        """The selected node, or the one that now stands for it; at first the first that is no input."""
        nodes, scene = self.view["nodes"], self._replay.scene
        if self.selected in nodes:
            return self.selected
        for op in self._ops_of(self.selected):
            if scene.op_nodes.get(op) in nodes:
                return scene.op_nodes[op]
        return next((name for name, node in scene.nodes.items() if not node.is_leaf), next(iter(nodes), ""))

    def _ops_of(self, node: str) -> list[int]:
        """The ops that a node of an earlier folding stood for, or that use it."""
        found = re.match(r"(op|ops|call|value)(\d+)", node)
        if found is None:
            return []
        kind, number, ops = found[1], int(found[2]), self.outcome.document["ops"]
        if kind == "call":
            return [op["id"] for op in ops if op["call"] == number]
        return [op["id"] for op in ops if number in op["inputs"]] if kind == "value" else [number]

    def _run_error(self) -> dict[str, str] | None:
        """Which op or Cell failed in the last run, and what it said."""
        error, told = self._last.error, self._last.document["error"]
        if error is None:
            return None
        calls, ops = self._last.document["calls"], self._last.document["ops"]
        where = [] if told["call"] is None else [calls[told["call"]]["path"] or self._last.document["title"]]
        where += [] if told["op"] is None else [ops[told["op"]]["label"]]
        title = say("explorer.error_in", where=" · ".join(where)) if where else say("explorer.error_run")
        return {"title": title, "detail": "\n".join(filter(None, (message_of(error), failing_line(error))))}

    def _log(self) -> None:
        if self.error is not None:
            logger.info("the run in the Explorer failed", exc_info=self.error)

    # Messages from the browser ----------------------------------------------------------------------------

    def _on_width(self, _: Any) -> None:
        self._show(self._replay.events_done(self.position))

    def _on_message(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
        """One action of the user. Whatever goes wrong is shown, and written to the log."""
        try:
            self._act(content)
        except Exception as error:
            logger.info("an action in the Explorer failed", exc_info=error)
            self._answers += 1
            told = {"title": say("explorer.error_action"), "detail": message_of(error)}
            self.view = self.view | {"error": told, "answer": self._answers}

    def _act(self, content: dict[str, Any]) -> None:
        do = content.get("do")
        if do == "mode":
            self.set_train(content["value"] == "train", content["scope"])
        elif do == "rule":
            self.set_rule(content["path"], content["value"])
        elif do == "check" and content["open"]:
            panel = self._selected_panel()
            self.check(panel["path"], panel["call"])
        elif do == "check":
            self.check(None)
        elif do == "capture":
            self.set_capture(self._selected_panel()["path"] if content["on"] else None)
        elif do == "fold":
            self.toggle(content["node"])
        elif do == "draw":
            self.new_draw()
        else:
            raise ValueError(say("explorer.unknown_action", do=do))

    def _selected_panel(self) -> dict[str, Any]:
        """The panel of the selected node, which must belong to a Cell."""
        panel = self.view["nodes"].get(self.selected)
        if panel is None or panel["path"] is None:
            raise ValueError(say("explorer.needs_cell"))
        return panel

    # Places without a browser -----------------------------------------------------------------------------

    def __repr__(self) -> str:
        document, cells = self.outcome.document, len(self.experiment.program.cells)
        return f"Explorer({say('explorer.text', title=document['title'], ops=len(document['ops']), cells=cells)})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        found = super()._repr_mimebundle_(**kwargs)
        data, metadata = found if isinstance(found, tuple) else (found, {})
        svg = static_svg(self.outcome.document, self._opened_calls())
        return {**(data or {}), "image/svg+xml": svg, "text/plain": repr(self)}, metadata
