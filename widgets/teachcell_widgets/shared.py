"""Shared: the state that kernel and browser have in common, and what a notebook keeps of a widget."""

from __future__ import annotations

from typing import Any, NoReturn

import anywidget
import traitlets

from teachcell.graph import GRAPH_STYLE
from teachcell.texts import say

from .bundle import MODULES, STYLES, bundle, styles
from .scale import Scale


class Shared(anywidget.AnyWidget):
    """A widget as the browser knows it.

    Attributes:
        frame: which parts and views are drawn.
        view: the graph, the steps, the nodes and all texts (``view.py``).
        panels: what the open view is drawn from.
        progress: where training stands.
        panel, position, selected, width: the open view, steps done, the node, and the room for the graph: the browser
            changes them as well.
    """

    _esm = bundle(MODULES)
    _style = styles(STYLES) + GRAPH_STYLE
    _css = _style

    frame = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    panels = traitlets.Dict().tag(sync=True)
    progress = traitlets.Dict().tag(sync=True)
    panel = traitlets.Unicode("").tag(sync=True)
    position = traitlets.Int(0).tag(sync=True, echo_update=False)
    selected = traitlets.Unicode("").tag(sync=True, echo_update=False)
    width = traitlets.Int(0).tag(sync=True, echo_update=False)
    scale = Scale(1.0).tag(sync=True)

    _answers = 0

    def next_answer(self) -> int:
        """A number that makes each answer differ from the one before, so that it reaches the browser."""
        self._answers += 1
        return self._answers

    def answer(self, error: dict[str, str] | None) -> None:
        """Show the same, with this as what went wrong."""
        self.view = self.view | {"error": error, "answer": self.next_answer()}

    def drawing(self) -> str:
        """What stands in its place where there is no kernel, as SVG."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        found = super()._repr_mimebundle_(**kwargs)
        data, metadata = found if isinstance(found, tuple) else (found, {})
        return {**(data or {}), "image/svg+xml": self.drawing(), "text/plain": repr(self)}, metadata

    def _refuse_copy(self, *_: Any) -> NoReturn:
        raise TypeError(say("explorer.no_copy", widget=type(self).__name__))

    __copy__ = __deepcopy__ = __reduce_ex__ = _refuse_copy
