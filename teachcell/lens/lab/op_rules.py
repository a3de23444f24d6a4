"""Rules of ops: a learner's or a ready rule in the place of the engine's, at one op or at all of a kind.

Nothing is changed in the ops themselves: when a run has gone forward, the Nodes that are meant get a twin of their op
with the other rule, and the sweep finds it there. Other runs, and other widgets, never see it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ...core.errors import kinds_of
from ...core.gradients import arrived
from ...core.modes import keeping_all
from ...core.op import OPS, Op
from ...core.tensor import Tensor
from ...nn.custom_bprop import checked_gradient
from ...texts import say
from ..program import Program
from ..rules import ENGINE
from ..unknown import UnknownName
from ..watch.recorder import Recorder
from .kinks import AtKinks, conventions
from .ready import READY, Ready, ready_id
from .spots import Spot, SpotNodes, spots_of


@dataclass(frozen=True, eq=False)
class Choice:
    """A rule that was chosen: what it is called in code, and the function; None: the engine's."""

    id: str
    function: Callable[..., Any] | None

    @property
    def label(self) -> str:
        """The name a reader sees."""
        if self.function is None:
            return say("lens.rule_engine")
        if isinstance(self.function, AtKinks):
            return self.function.label
        ready = READY.get(self.id)
        return ready.label if ready is not None and ready.function is self.function else self.id


BY_ENGINE = Choice(ENGINE, None)


def choice_of(ready: Ready) -> Choice:
    """A ready variant as a choice."""
    return Choice(ready.id, ready.function)


class OpRule:
    """A joint rule (see ``core.op``) that calls a function as a Cell calls its bprop: (inputs…, out, dout).

    An attribute of the op, an axis say, reaches the function if its signature has a keyword of that name.

    Args:
        op: the op that it answers for.
        choice: the rule.
        number: of the op in the run.
    """

    def __init__(self, op: Op, choice: Choice, number: int = -1):
        assert choice.function is not None
        self.op, self.choice, self.number = op, choice, number
        self.__wrapped__ = self._function = choice.function
        self._name = f"{op.label} · {getattr(choice.function, '__name__', choice.id)}"
        self._keywords = keywords_of(choice.function)

    def __call__(
        self, F: Any, gradient: Any, out: Any, wanted: Sequence[bool], *inputs: Any, **attrs: Any
    ) -> list[Tensor | None]:
        several = self.op.outputs != 1
        dout = tuple(arrived(gradient, out)) if several else gradient
        given = attrs if self._keywords is None else {k: v for k, v in attrs.items() if k in self._keywords}
        result = self._function(*inputs, tuple(out) if several else out, dout, **given)
        return self._sorted(result, inputs)

    def _sorted(self, result: Any, inputs: Sequence[Any]) -> list[Tensor | None]:
        """One gradient or None per input."""
        if isinstance(result, Tensor):
            result = (result,)
        if not isinstance(result, (tuple, list)):
            raise TypeError(say("errors.bprop_return", rule=self._name, got=kinds_of(result), wanted=len(inputs)))
        if len(result) != len(inputs):
            raise RuntimeError(say("errors.bprop_count", rule=self._name, got=len(result), wanted=len(inputs)))
        pairs = enumerate(zip(result, inputs, strict=True))
        return [checked_gradient(self._name, g, x, i) if isinstance(x, Tensor) else None for i, (g, x) in pairs]


def keywords_of(function: Any) -> set[str] | None:
    """The keywords that a rule takes beside what comes in order; None: any."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return set()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return {p.name for p in parameters if p.kind is p.KEYWORD_ONLY or p.default is not p.empty}


def twin_of(op: Op, choice: Choice, number: int = -1) -> Op:
    """``op`` with another backward rule; its card has the formula of its value alone."""
    lines = op.card

    def of_value(**attrs: Any) -> Sequence[str]:
        return (lines(**attrs) if callable(lines) else lines)[:1]

    return replace(
        op, rules=OpRule(op, choice, number), boxed=True, keeps_inputs=True, keeps_output=True, card=of_value,
        kinks=(), source="", add_into=None, step=None, second_step=None, observed_step=None,
    )  # fmt: skip


def rule_in(op: Op) -> OpRule | None:
    """The rule that was put into an op's twin; None in an op of the engine."""
    return op.rules if isinstance(op.rules, OpRule) else None


def engine_op(op: Op) -> Op:
    """The op itself, of a twin with another rule."""
    rule = rule_in(op)
    return op if rule is None else rule.op


class OpRules:
    """Which ops of a program have other rules than the engine's."""

    def __init__(self) -> None:
        self._typed: dict[str, dict[str, Choice]] = {}  # by the op's name, then by their own
        self._at: dict[Spot, Choice | None] = {}  # None: the engine's, whatever its kind has
        self._of_kind: dict[str, Choice] = {}

    def __bool__(self) -> bool:
        return bool(self._at or self._of_kind)

    def add(self, op: str, choice: Choice) -> None:
        """One more rule to choose from for ops of a name, or another under the same name."""
        self._typed.setdefault(op, {})[choice.id] = choice

    def offered(self, op: Op, attrs: Any, ready: Sequence[str]) -> list[Choice]:
        """The rules to choose from for an op, the engine's first, then those that differ from it at kinks alone."""
        kinks = [Choice(id, rule) for id, rule in conventions(op, attrs).items()]
        return [BY_ENGINE, *kinks, *self._typed.get(op.name, {}).values(), *(choice_of(READY[id]) for id in ready)]

    def find(self, op: str, rule: str) -> Choice:
        """The rule of a name, in code or as it is shown.

        Raises:
            KeyError: there is none.
        """
        typed, id = self._typed.get(op, {}), ready_id(rule)
        kinks = conventions(OPS[op], None) if op in OPS else {}
        if rule in typed or rule in (BY_ENGINE.id, BY_ENGINE.label):
            return typed.get(rule, BY_ENGINE)
        if rule in kinks:
            return Choice(rule, kinks[rule])
        if id in READY:
            return choice_of(READY[id])
        known = ", ".join([BY_ENGINE.id, *kinks, *typed, *READY])
        raise UnknownName(say("lens.no_rule", path=op, rule=rule, known=known))

    def use(self, spot: Spot, choice: Choice | None, every: bool = False) -> None:
        """Give the op at a spot, or every op of its name, another rule; None gives back the engine's."""
        if every:
            for other in [s for s in self._at if s.op == spot.op]:
                del self._at[other]
            self._of_kind.pop(spot.op, None)
            if choice is not None:
                self._of_kind[spot.op] = choice
        elif choice is None and spot.op not in self._of_kind:
            self._at.pop(spot, None)
        else:
            self._at[spot] = choice

    def at(self, spot: Spot) -> Choice | None:
        """The rule chosen for an op; None: the engine's."""
        return self._at[spot] if spot in self._at else self._of_kind.get(spot.op)

    def is_of_kind(self, spot: Spot) -> bool:
        """Whether an op has its rule because every op of its name has it."""
        return spot not in self._at and spot.op in self._of_kind

    def clear(self) -> None:
        """The engine's rules everywhere."""
        self._at.clear()
        self._of_kind.clear()

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Inside, what is run forward keeps every value, and the ops that are meant are recorded even if the engine
        has no rule for them."""
        kinds = {s.op for s in self._at} | set(self._of_kind)
        with ExitStack() as stack:
            stack.enter_context(keeping_all())
            for op in map(OPS.get, kinds):
                if op is not None and op.rules is None:
                    stack.enter_context(op.override((None,) * (op.arity or 0)))
            yield

    def put_in(self, nodes: SpotNodes, recorder: Recorder | None = None, program: Program | None = None) -> None:
        """The forward pass is done: give the Nodes that are meant their rules, and let a recorder of it know."""
        if not self:
            return
        numbers = {}
        if recorder is not None and program is not None:
            numbers = {spot: number for number, spot in spots_of(recorder, program)}
        for spot, (node, op) in nodes.found.items():
            choice = self.at(spot)
            if choice is not None and choice.function is not None:
                node.op = twin_of(op, choice, numbers.get(spot, -1))
                if recorder is not None and spot in numbers:
                    recorder.ops[numbers[spot]].op = node.op

    @contextmanager
    def without(self, spot: Spot) -> Iterator[None]:
        """Inside, the rule chosen for an op (or for all of its name, if that is how it got it) is the engine's."""
        kept = dict(self._at), dict(self._of_kind)
        self.use(spot, None, every=self.is_of_kind(spot))
        try:
            yield
        finally:
            self._at, self._of_kind = kept
