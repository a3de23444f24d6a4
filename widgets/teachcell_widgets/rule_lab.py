"""Rule lab: choose another backward rule and see it beside the engine's and a numeric gradient."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from teachcell.core.arity import misfit
from teachcell.lens.check.rule_check import check_op, check_rule, ignored
from teachcell.lens.failure import told_in_full
from teachcell.lens.lab.effect import compare_training, told
from teachcell.lens.lab.op_rules import BY_ENGINE, Choice
from teachcell.lens.lab.ready import READY
from teachcell.lens.lab.spots import Spot, spots_of
from teachcell.lens.lab.targets import OfCell, Target, argument_names, find, spelled, takes_no_rule
from teachcell.lens.rules import ENGINE, OWN
from teachcell.texts import say

from .messages import Message
from .panel import Panel
from .rule_lab_told import evidence, refusal, template, told_check
from .told import Told
from .workbench import Workbench

logger = logging.getLogger("teachcell")
MOST_TARGETS = 24
Rule = TypeVar("Rule", bound=Callable[..., Any])


class RuleLabPanel(Panel):
    """The evidence for and against one backward rule: of a call of a Cell, or of one op.

    ``where`` is everywhere a Cell's path (``"relu"``), a drawn node (``"op3"``, ``"call2"``), an op in a Cell
    (``"fc1/matmul"``, ``"/relu[2]"`` for the second one outside of Cells), or an op's name alone if it ran once; left
    out, it is the selected node.
    """

    name = "rule_lab"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._target: Target | None = None
        self._found: dict[str, Any] | None = None
        self._good: dict[str, Any] | None = None  # the last that did not fail
        self._refused: Callable[..., Any] | None = None  # what cannot be called, if that is told
        self._effect: dict[str, Any] = {}

    # What a user can do -----------------------------------------------------------------------------------

    def check(self, where: str | None = None, call: int = 1) -> Told:
        """Hold a backward rule against a numeric gradient, show and return the result.

        Args:
            call: which call of the Cell.

        Raises:
            KeyError: no such Cell or op.
            ValueError: nothing with a rule is selected.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        return told_check(self._look_at(self._find(where, call)))

    def use(
        self, rule: str | Callable[..., Any], where: str | None = None, call: int = 1, every: bool = False,
        name: str | None = None,
    ) -> Told:  # fmt: skip
        """Put a rule in the engine's place, run the backward pass again, check the rule and return the result.

        Args:
            rule: a function that is called like a Cell's bprop, ``rule(x, out, dout)`` with all inputs in front, and
                returns a gradient per input; or the name of a rule: "engine", "own" (the Cell's
                own bprop), one that was typed or given before, a ready one: "straight_through" (also "identity"),
                "zero", "reversal", "sigmoid", "triangle", "arctan". What goes wrong in it is shown and logged.
            every: at all ops of that name, not just at this one.
            name: what to call it; by default what the function is called.

        Raises:
            KeyError: no such Cell, op or rule.
            TypeError: the rule is neither.
            ValueError: nothing with a rule is selected, ``every`` Cell is meant, or an op whose result has no gradient.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        if not callable(rule) and not isinstance(rule, str) or isinstance(rule, type):
            raise TypeError(say("lab.not_a_rule", got=repr(rule)))
        target = self._find(where, call)
        if isinstance(rule, str):
            rule = self._named(target, rule)
        if every and isinstance(target, OfCell):
            raise ValueError(say("lab.every_cell"))
        if isinstance(target, Spot) and not every and rule != ENGINE and (none := self._takes_no_rule(target)):
            self._look_at(target)  # where it is told as well
            raise ValueError(none)
        if self._good is None or self._target != target:
            self._check(target)  # what is shown if the rule fails
        self._target = target
        if not isinstance(rule, str):
            wrong = self._misfit(target, rule)
            if wrong:
                return told_check(self._refuse(target, rule, wrong))
            rule = self._add(target, rule, name)
        line = self._switch(target, rule, every)
        undone = rule == OWN or (isinstance(target, Spot) and rule == ENGINE)
        self.bench.switched("rule", spelled(target), line, undone)
        if self.bench.panel != self.name:
            self.bench.open_panel(self.name)
        return told_check(self._found or {})

    def rule(self, where: str | None = None, call: int = 1, every: bool = False) -> Callable[[Rule], Rule]:
        """A decorator: ``@explorer.rule_lab.rule("relu")`` puts the function below it in the engine's place."""

        def put(function: Rule) -> Rule:
            self.use(function, where, call, every)
            return function

        return put

    def train(self, steps: int = 30, optimizer: Any = None, rate: float = 0.1) -> Told:
        """Train twice from the same seed and start, with the engine's rule and with the chosen one; nothing stays.

        Args:
            steps: how many.
            optimizer: one of the net's Parameters, or what makes it of them (``nn.Adam``); None: the widget's, or else
                plain SGD.
            rate: of plain SGD.

        Returns:
            ``engine``, ``chosen``: the losses before each step and after the last; ``text``: both in words.

        Raises:
            ValueError, TypeError: there is nothing to train, no loss of one number, no such optimizer.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        target = self._target if self._target is not None else self._find(None, 1)
        found = self._trained(target, steps, optimizer, rate)
        self._look_at(target)
        self._effect = found
        self.bench.show()
        return Told(found, found["text"])

    # What it shows ----------------------------------------------------------------------------------------

    def saved(self) -> None:
        """Nothing: whatever it offers runs the program again."""

    def data(self) -> dict[str, Any]:
        """The last check, or nothing yet; what else can be looked at, and what the rule does to training."""
        if self._target is None or self._found is None:
            return {}
        names = self._names(self._target) or ["x", "out", "dout"]
        ready = READY.get(self._found["rule"]) if self._found["about"] else None
        optimizer = self.bench.optimizer
        code = {} if ready is None else {"code": ready.code(names[:-2])}
        return self._found | code | {
            "target": spelled(self._target),
            "node": self._node(self._target),
            "targets": self._targets(self._target),
            "every": self._every(self._target),
            "typing": template(spelled(self._target), names),
            "effect": self._effect,
            "optimizer": "" if optimizer is None else type(optimizer).__name__,
        }

    def ran(self) -> None:
        """The same is checked in the new run, if it is still there."""
        self._effect = {}
        target = self._target
        if isinstance(target, OfCell) and target.path not in self.bench.experiment.program.cells:
            self.reset()
        elif target is not None:
            self._check(target)

    def reset(self) -> None:
        """Nothing is looked at."""
        self._target = self._found = self._good = self._refused = None
        self._effect = {}

    def act(self, message: Message) -> None:
        """``check`` (of ``where`` or the selected node), ``use`` (of a rule by name), ``train``."""
        do = message.do
        if do == "check":
            self.check(message.get("where", str, None), message.get("call", int, 1))
        elif do == "use":
            call = self._target.call if self._target is not None else 1
            self.use(message.get("rule", str), message.get("where", str), call, message.get("every", bool, False))
        elif do == "train":
            self._train_and_tell(message.raw("steps"), message.raw("rate"))
        else:
            super().act(message)

    def _train_and_tell(self, steps: Any, rate: Any) -> None:
        """What goes wrong is told in its place."""
        try:
            self.train(steps, rate=rate)
        except Exception as error:
            if self._found is None:  # there is no place yet
                raise
            logger.exception("a training in the rule lab failed")
            self._effect = {"error": told_in_full(error)}
            self.bench.show()

    # Targets ----------------------------------------------------------------------------------------------

    def _find(self, where: str | None, call: int) -> Target:
        experiment = self.bench.experiment
        if where is None or (where not in experiment.program.cells and where in self.bench.view["nodes"]):
            return self._drawn(self.bench.selected if where is None else where)
        known = self._target
        if known is not None and where == spelled(known) and call == known.call:
            return known
        return find(experiment, self.bench.outcome.recorder, where, call)

    def _drawn(self, node: str) -> Target:
        """An op that is drawn for itself, else the Cell that the node belongs to."""
        drawn = self.bench.steps.scene.nodes.get(node)
        if drawn is not None and drawn.call is None and len(drawn.ops) == 1:
            spot = self._spots().get(drawn.ops[0])
            if spot is not None:
                return spot
        return OfCell(*self.bench.cell_of(node))

    def _spots(self) -> dict[int, Spot]:
        return dict(spots_of(self.bench.outcome.recorder, self.bench.experiment.program))

    def _takes_no_rule(self, spot: Spot) -> str:
        """Why no rule can act at an op; "" if one can, or if it did not run."""
        number = next((n for n, s in self._spots().items() if s == spot), None)
        return "" if number is None else takes_no_rule(self.bench.outcome.recorder, number)

    def _node(self, target: Target) -> str:
        """The node that is drawn for a target, or ""."""
        scene, calls = self.bench.steps.scene, self.bench.outcome.document["calls"]
        if isinstance(target, OfCell):
            here = [c["id"] for c in calls if (c["path"], c["call"]) == target]
            return scene.call_nodes.get(here[0], ("", ""))[1] if here else ""
        number = next((n for n, spot in self._spots().items() if spot == target), None)
        return "" if number is None else scene.op_nodes.get(number, "")

    def _targets(self, target: Target) -> list[dict[str, Any]]:
        """The Cell and the ops in the same call of it."""
        recorder, program = self.bench.outcome.recorder, self.bench.experiment.program
        found: list[tuple[Target, str]] = []
        if target.path in program.cells:
            found.append((OfCell(target.path, target.call), f"Cell {target.path or program.title}"))
        inside = (self._found or {}).get("inside", ()) if isinstance(target, OfCell) else ()
        found += [(OfCell(path, 1), f"Cell {path}") for path in inside[:MOST_TARGETS] if path in program.cells]
        for number, spot in self._spots().items():
            if spot[:2] == target[:2] and len(found) < MOST_TARGETS:
                nth = f" {spot.nth}" if spot.nth > 1 else ""
                found.append((spot, say("lab.the_op", op=recorder.ops[number].op.label + nth)))
        if target not in [t for t, _ in found]:
            found.append((target, spelled(target)))
        return [{"id": spelled(t), "label": label} for t, label in found]

    def _every(self, target: Target) -> dict[str, Any] | None:
        """How many ops of this name there are, and whether all have the rule."""
        if isinstance(target, OfCell):
            return None
        count = sum(spot.op == target.op for spot in self._spots().values())
        on = self.bench.experiment.op_rules.is_of_kind(target)
        return {"count": count, "on": on, "label": say("lab.every", count=count)} if count > 1 or on else None

    def _names(self, target: Target) -> list[str] | None:
        return argument_names(self.bench.experiment, self.bench.outcome.recorder, target)

    # Rules ------------------------------------------------------------------------------------------------

    def _named(self, target: Target, rule: str) -> str:
        """The id of the rule that is called so."""
        experiment = self.bench.experiment
        if isinstance(target, OfCell):
            return experiment.rules.named(target.path, rule)
        return experiment.op_rules.find(target.op, rule).id

    def _add(self, target: Target, function: Any, name: str | None) -> str:
        """Offer a typed rule from now on, under its name."""
        own = getattr(function, "__name__", "")
        known = name or (own if own.isidentifier() else say("lab.typed"))
        if isinstance(target, OfCell):
            self.bench.experiment.rules.add(target.path, known, function)
        elif known in (ENGINE, OWN):
            raise TypeError(say("lens.rule_kind", path=spelled(target), name=known))
        else:
            self.bench.experiment.op_rules.add(target.op, Choice(known, function))
        return known

    def _switch(self, target: Target, rule: str, every: bool) -> str:
        """Change the rule; returns the line of code that this stands for."""
        experiment = self.bench.experiment
        if isinstance(target, OfCell):
            return experiment.use_rule(target.path, rule)
        choice = experiment.op_rules.find(target.op, rule)
        experiment.op_rules.use(target, None if choice is BY_ENGINE else choice, every)
        also = ", every=True" if every else ""
        return f"# explorer.rule_lab.use({choice.id!r}, {spelled(target)!r}{also})"

    def _without(self, target: Target) -> AbstractContextManager[None]:
        experiment = self.bench.experiment
        if isinstance(target, OfCell):
            return experiment.rules.without(target.path)
        return experiment.op_rules.without(target)

    def _label(self, target: Target) -> str:
        experiment = self.bench.experiment
        if isinstance(target, OfCell):
            return experiment.rules.label(experiment.rules.in_use(target.path))
        return (experiment.op_rules.at(target) or BY_ENGINE).label

    def _trained(self, target: Target, steps: int, optimizer: Any, rate: float) -> dict[str, Any]:
        optimizer = self.bench.optimizer if optimizer is None else optimizer
        return compare_training(
            self.bench.experiment, lambda: self._without(target), self._label(target), steps, optimizer, rate
        )

    # Checking ---------------------------------------------------------------------------------------------

    def _look_at(self, target: Target) -> dict[str, Any]:
        self._target = target
        found = self._check(target)
        self._effect = {}
        self.bench.open_panel(self.name)
        return found

    def _check(self, target: Target) -> dict[str, Any]:
        """Check the rule in use; of one that fails it shows the failure above the last good result."""
        return self._keep(self._result(target, self._log))

    def _result(self, target: Target, log: Callable[[Exception], None], rule: str | None = None) -> dict[str, Any]:
        """The check of a rule, by default of the one in use."""
        experiment, recorder = self.bench.experiment, self.bench.outcome.recorder
        if isinstance(target, OfCell):
            found = check_rule(experiment, target.path, recorder, target.call, log, rule)
        else:
            found = check_op(experiment, target, recorder, log, rule)
        return found | {"for": spelled(target), "stale": None}

    def _keep(self, found: dict[str, Any]) -> dict[str, Any]:
        self._refused = None
        if not found["failed"]:
            self._good = self._found = found
            return found
        good = self._good
        if good is not None and good["for"] == found["for"]:
            found = found | {"stale": evidence(good)}
        self._found = found
        return found

    def say_again(self) -> None:
        """The check says the same in other words, and so do the last good one, what was refused, and the trainings."""
        target, good, refused = self._target, self._good, self._refused
        if target is None:
            return
        if good is not None and good["for"] == spelled(target):
            again = self._result(target, ignored, good["rule"] or None)
            self._good = good if again["failed"] else again  # another rule may have its name by now
        found = self._keep(self._result(target, ignored))  # the log has it already
        if refused is not None:
            self._found = refusal(found, refused, self._misfit(target, refused))
            self._refused = refused
        if "text" in self._effect:
            self._effect = told(self._label(target), self._effect)

    def _misfit(self, target: Target, function: Any) -> str:
        """Why a function cannot be called as a rule there; "" if it can."""
        return misfit(function, self._names(target), bound=isinstance(target, OfCell))

    def _refuse(self, target: Target, function: Any, why: str) -> dict[str, Any]:
        """A rule that cannot even be called is told as one that failed; the one before stays in use."""
        logger.error("a rule in the rule lab cannot be called", exc_info=TypeError(why))
        self._found = refusal(self._look_at(target), function, why)
        self._refused = function
        self.bench.show()
        return self._found

    def _log(self, error: Exception) -> None:
        if self.bench.error is None:  # else the run has told it
            logger.error("a rule in the rule lab failed", exc_info=error)


class RuleLab(Workbench):
    """The rule lab as a widget of its own; arguments as for :class:`Explorer`."""

    parts = ("header", "stage")
    panel_types = (RuleLabPanel,)

    rule_lab: RuleLabPanel
