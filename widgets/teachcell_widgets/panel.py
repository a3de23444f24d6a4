"""Panel: one view of the program at a Workbench, as the Explorer opens it at its side and as a widget of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from teachcell.texts import say

if TYPE_CHECKING:
    from .messages import Message
    from .workbench import Workbench


class Panel:
    """What one view shows and does; the Workbench owns the program, the runs and the graph.

    Attributes:
        name: what it is called in ``Workbench.panel``, in messages, and in its labels ``browser.panel_<name>``; a
            browser file gives it a face: ``static/panels.js`` lists them.
        bench: the Workbench that it belongs to.
    """

    name: ClassVar[str]

    def __init__(self, bench: Workbench):
        self.bench = bench

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.bench!r})"

    def data(self) -> Mapping[str, Any]:
        """What the browser draws it from, JSON-able, out of the run that is shown; asked for while it is open.

        It holds all that stepping and selecting can show: neither asks the kernel.
        """
        return {}

    def saved(self) -> Mapping[str, Any] | None:
        """The same for a saved page, where there is no kernel to ask; None: without one it is of no use."""
        return self.data()

    def ran(self) -> None:
        """The Workbench has run again, before anything is shown."""

    def say_again(self) -> None:
        """Another language is in use: what is kept in words is made anew."""

    def forget(self) -> None:
        """Memory is wanted: let go of what can be made again from the run."""

    def act(self, message: Message) -> None:
        """One action of the user, ``{"panel": name, "do": do, …}``. What it changes is shown with ``bench.show()``."""
        raise ValueError(say("explorer.unknown_action", do=message.do))

    def reset(self) -> None:
        """Everything is put back as it was found: so is what this view changed or keeps."""

    def close(self) -> None:
        """The Workbench lets go of its program: put back what this view changed."""
