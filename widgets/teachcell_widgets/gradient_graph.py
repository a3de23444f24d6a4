"""Graph of the gradient: the backward pass, recorded, drawn as the graph that it is."""

from __future__ import annotations

from typing import Any

from teachcell.graph import Scene
from teachcell.lens import Experiment, Outcome
from teachcell.lens.gradient_program import gradient_program
from teachcell.texts import say

from .messages import Message
from .panel import Panel
from .unfolded import Unfolded
from .view import write_view
from .workbench import Workbench

BESIDE, ALONE = 440, 900  # px of width for the drawing, at the Explorer's side and as a widget of its own
#: Of a view, what the Explorer's own says already.
DROPPED = ("texts", "scopes", "modes", "capture", "note", "lang", "odd", "steps")


class GradientGraphPanel(Panel):
    """The program's gradient as a program: forward ops, then a box for each rule, and what differentiates them."""

    name = "gradient_graph"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._order = 1
        self._unfolded = Unfolded()
        self._outcome: Outcome | None = None
        self._scene: Scene | None = None  # as drawn last

    def draw(self, order: int = 1) -> Outcome:
        """Show the graph of the gradient (``order`` 1), or of the gradient of the gradient's sum (2, 3).

        Returns:
            The recorded run of the gradient program; its document is plain data.

        Raises:
            ValueError: another order, or nothing to differentiate by.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        gradient_program(self.bench.experiment.program, order)  # refuses what cannot be, before anything is changed
        self._order, self._outcome = order, None
        outcome = self._run()
        self.bench.open_panel(self.name)
        return outcome

    def ran(self) -> None:
        """The graph is drawn anew when it is next looked at."""
        self._outcome = None

    say_again = forget = ran

    def data(self) -> dict[str, Any]:
        """``order``, what it shows in words, and a view like the Workbench's own."""
        self.bench.refuse_if_retired()
        outcome = self._run()
        if outcome.error is not None:
            raise outcome.error
        experiment, calls = self._experiment(), outcome.document["calls"]
        opened, chosen = self._unfolded.calls(outcome.document), self._unfolded.chosen
        width = BESIDE if "stage" in self.bench.parts else ALONE
        view, steps = write_view(outcome, experiment, opened, width, chosen)
        self._scene = steps.scene
        rules = sum(call["rule_run"] for call in calls)
        view = {key: part for key, part in view.items() if key not in DROPPED}
        says = say("explorer.gradient_graph", rules=rules, ops=len(outcome.document["ops"]))
        document = outcome.document
        if self._order > 1 and all(document["values"][value]["op"] is None for value in document["outputs"]):
            says += say("explorer.gradient_flat")
        return view | {"degree": self._order, "says": says}

    def act(self, message: Message) -> None:
        """``degree``: draw another order. ``fold``: open or fold a box."""
        if message.do == "degree":
            self.draw(message.get("value", int))
        elif message.do == "fold":
            assert self._scene is not None
            self._unfolded.toggle(self._run().document, self._scene, message.get("node", str))
            self.bench.show()
        else:
            super().act(message)

    def _experiment(self) -> Experiment:
        mine = self.bench.experiment
        return Experiment(gradient_program(mine.program, self._order), mine.program.inputs, seed=mine.seed)

    def _run(self) -> Outcome:
        if self._outcome is None:
            self._outcome = self._experiment().run()
        return self._outcome


class GradientGraph(Workbench):
    """The graph of the gradient as a widget of its own; arguments as for :class:`Explorer`."""

    parts = ("header", "side")
    panel_types = (GradientGraphPanel,)

    gradient_graph: GradientGraphPanel
