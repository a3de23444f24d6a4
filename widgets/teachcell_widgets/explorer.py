"""Explorer: a network you can see, step through, hook, switch and rewire."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anywidget
import traitlets

from teachcell.graph import static_svg
from teachcell.lens import Experiment, Outcome
from teachcell.lens.rule_check import check_rule
from teachcell.texts import say

from .bundle import EXPLORER_MODULES, STATIC, bundle
from .view import write_view

logger = logging.getLogger("teachcell")
FIRST_WIDTH = 600
_open: weakref.WeakValueDictionary[int, Explorer] = weakref.WeakValueDictionary()


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
    line that the last one stands for. :meth:`close`, or another Explorer of the same net, removes its hooks and
    puts back the rules it found.

    Raises:
        TypeError, ValueError, KeyError: what is given cannot be run. Errors raised *by* the net are shown in
            the widget instead, with the last good picture.
    """

    _esm = bundle(EXPLORER_MODULES)
    _css = (STATIC / "explorer.css").read_text(encoding="utf-8")

    view = traitlets.Dict().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True, echo_update=False)
    selected = traitlets.Unicode("").tag(sync=True, echo_update=False)
    width = traitlets.Int(0).tag(sync=True, echo_update=False)

    def __init__(
        self, net: Callable[..., Any], *inputs: Any, loss: Callable[..., Any] | None = None, targets: Any = (),
        bprops: Mapping[str, Mapping[str, Any]] | None = None, seed: int = 0,
    ):  # fmt: skip
        previous = _open.get(id(net))
        if previous is not None and previous.net is net:
            previous._retire()
        targets = tuple(targets) if isinstance(targets, (tuple, list)) else (targets,)
        self.net = net
        self.experiment = Experiment(net, inputs, loss, targets, bprops, seed)
        self.outcome: Outcome | None = None
        self.error: Exception | None = None
        self._opened: set[tuple[str, int]] = set()
        self._code = ""
        self._checking: str | None = None
        super().__init__()
        _open[id(net)] = self
        self.run()
        self.on_msg(self._on_message)
        self.observe(self._on_width, "width")

    # What happens -----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run again, from the same seed, and show the result. An error is shown; the last good picture stays."""
        outcome = self.experiment.run()
        self.error = outcome.error
        if outcome.error is None or self.outcome is None:
            before = self.outcome.document["events"] if self.outcome is not None else None
            at = self.position
            self.outcome = outcome
            self._show(_same_event(before, outcome.document["events"], at))
        else:
            self._show(self.position)
        if outcome.error is not None:
            logger.error("the run in the Explorer failed", exc_info=outcome.error)

    def set_train(self, mode: bool = True, path: str = "") -> None:
        """Switch the Cell at ``path`` (the whole net by default) to training or prediction, and run."""
        self._code = self.experiment.set_mode(path, mode)
        self.run()

    def set_rule(self, path: str, rule: str) -> None:
        """Use another backward rule (``"automatic"``, ``"own"`` or a name from ``bprops``), and run."""
        self._code = self.experiment.set_rule(path, rule)
        self.run()

    def set_capture(self, path: str | None) -> None:
        """Attach capturing hooks to the Cell at ``path`` (None: take them off), and run."""
        self._code = self.experiment.set_capture(path)
        self.run()

    def new_draw(self) -> None:
        """Run with other random numbers."""
        self.experiment.draw()
        self._code = f"set_seed({self.experiment.seed})"
        self.run()

    def toggle(self, node: str) -> None:
        """Open or fold the Cell drawn as ``node``, ``"call2"``."""
        call = self._document["calls"][int(node.removeprefix("call"))]
        self._opened ^= {(call["path"], call["call"])}
        self._show(self.position)

    def check(self, path: str | None) -> dict[str, Any] | None:
        """Check the backward rule of the Cell at ``path`` against a numeric gradient and show it (None: close)."""
        self._checking = path
        self._show(self.position)
        return self.view["check"]

    @property
    def code(self) -> str:
        """The line of code that the last switch stands for."""
        return self._code

    def close(self) -> None:
        """Remove the hooks, put back the rules that were found, and close the widget."""
        self._retire()
        super().close()

    def _retire(self) -> None:
        """Let go of the net: the picture stays, switches no longer act."""
        self.experiment.close()
        if _open.get(id(self.net)) is self:
            del _open[id(self.net)]
            self.on_msg(self._on_message, remove=True)
            self.on_msg(self._on_late_message)

    # Showing ----------------------------------------------------------------------------------------------

    @property
    def _document(self) -> dict[str, Any]:
        assert self.outcome is not None
        return self.outcome.document

    def _opened_calls(self) -> set[int]:
        return {c["id"] for c in self._document["calls"] if (c["path"], c["call"]) in self._opened}

    def _show(self, position: int) -> None:
        opened = self._opened_calls()
        view, scene = write_view(self._document, self.experiment, opened, self.width or FIRST_WIDTH)
        view |= {"code": self._code, "error": self._error_view(), "check": self._check_view()}
        view["stale"] = self.error is not None and self.outcome is not None and self.outcome.error is None
        selected = self.selected
        if selected not in view["nodes"]:
            selected = next((n.id for n in scene.nodes.values() if not n.is_leaf), next(iter(view["nodes"]), ""))
        with self.hold_sync():
            self.view = view
            self.selected = selected
            self.position = min(position, len(view["steps"]))

    def _check_view(self) -> dict[str, Any] | None:
        if self._checking is None or self.outcome is None:
            return None
        return check_rule(self.experiment, self._checking, self.outcome.recorder)

    def _error_view(self, title: str = "") -> dict[str, str] | None:
        if self.error is None:
            return None
        return {"title": title or say("explorer.error_run"), "detail": f"{type(self.error).__name__}: {self.error}"}

    # Messages from the browser ----------------------------------------------------------------------------

    def _on_width(self, _: Any) -> None:
        self._show(self.position)

    def _on_message(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
        """One action of the user. Whatever goes wrong is shown, and written to the log."""
        try:
            self._act(content)
        except Exception as error:
            self.error = error
            self.view = self.view | {"error": self._error_view(say("explorer.error_action"))}
            logger.error("an action in the Explorer failed", exc_info=error)

    def _act(self, content: dict[str, Any]) -> None:
        do = content.get("do")
        if do == "mode":
            self.set_train(content["value"] == "train", content["scope"])
        elif do == "rule":
            self.set_rule(content["path"], content["value"])
        elif do == "check":
            self.check(self._selected_path() if content["open"] else None)
        elif do == "capture":
            self.set_capture(self._selected_path() if content["on"] else None)
        elif do == "fold":
            self.toggle(content["node"])
        elif do == "draw":
            self.new_draw()

    def _selected_path(self) -> str:
        path = self.view["nodes"].get(self.selected, {}).get("path")
        if path is None:
            raise ValueError(say("explorer.needs_cell"))
        return path

    def _on_late_message(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
        self.view = self.view | {"error": {"title": say("explorer.error_action"), "detail": say("explorer.closed")}}

    # Places without a browser -----------------------------------------------------------------------------

    def __repr__(self) -> str:
        if self.outcome is None:
            return "Explorer()"
        cells = len(self.experiment.program.cells)
        return f"Explorer({say('explorer.text', title=self._document['title'], ops=len(self._document['ops']), cells=cells)})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle_ = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle_ if isinstance(bundle_, tuple) else (bundle_, {})
        svg = static_svg(self._document, self._opened_calls())
        return {**(data or {}), "image/svg+xml": svg, "text/plain": repr(self)}, metadata


def _same_event(before: Sequence[dict[str, Any]] | None, now: Sequence[dict[str, Any]], position: int) -> int:
    """The position at the same event of a new run, or at the nearest earlier one; a first run stands at its end."""
    if before is None or position >= len(before):
        return len(now)
    places = {_event_key(event): i for i, event in enumerate(now)}
    for event in reversed(before[:position]):
        if _event_key(event) in places:
            return places[_event_key(event)] + 1
    return 0


def _event_key(event: dict[str, Any]) -> tuple[Any, ...]:
    return event["kind"], event.get("hook"), event.get("op"), event["call"], event.get("name")
