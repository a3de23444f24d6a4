"""What all optimizers share: groups of Parameters, rates, weight decay, loss scale, state, and the step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core import tracing
from ...core.errors import kinds_of
from ...core.events import OBSERVERS
from ...core.owned import writable
from ...core.tensor import Tensor
from ...kernels import update as K
from ...kernels.arguments import number_in
from ...texts import say
from ..cell import Cell
from ..parameter import Parameter, ParameterTuple
from .joint import Joints

Array = np.ndarray
Formula = tuple[Callable[..., None], tuple[Sequence[Parameter], ...], tuple[Any, ...]]
_FLOAT32 = np.dtype(np.float32)
_OURS = __name__.partition(".")[0] + "."


class Bunch(NamedTuple):
    """Parameters that one call of a formula changes: of one group, alike in decay and dtype."""

    group: int
    decayed: bool
    centred: bool
    dtype: np.dtype  # of the step
    members: tuple[int, ...]  # positions
    parameters: tuple[Parameter, ...]
    complete: bool  # whether these are all
    simple: bool  # whether ``K.fitting`` has nothing to do


class Optimizer(Cell):
    """The base of optimizers: a subclass says with :meth:`formula` what Parameters become, or with :meth:`updated`
    what one of them becomes.

    Args:
        learning_rate: step size: a number, a list or 1-d Tensor with one entry per step (the last one stays), or a
            schedule Cell, called with the step (from 0, Int32).
        parameters: Parameters to train; or groups, dicts with ``"params"`` and, where they differ from the other
            arguments, ``"lr"``, ``"weight_decay"``, ``"grad_centralization"``. A dict ``{"order_params": [...]}``
            gives the order in which gradients come.
        weight_decay: each gradient grows by weight_decay · p; without groups not that of Parameters whose name has
            "beta" or "gamma" in it. A number or a schedule Cell.
        loss_scale: gradients are divided by it.

    Attributes:
        parameters: the Parameters in the order of the gradients.
        learning_rate: a Parameter with the rate (assign to it to change it), the schedule, or a list of either for
            groups that differ.
        global_step: number of steps done, an Int32 Parameter of shape (1,).
        is_group, is_group_lr: whether there are groups; whether their rates differ.
        dynamic_lr: whether a rate changes with the step.

    Raises:
        ValueError: no Parameters, one of them twice, two of one name, a rate or decay out of range.
        TypeError: what is no Parameter, number, list or schedule.
    """

    decouples_decay = False  # does the formula see to the weight decay itself?

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0):
        super().__init__(auto_prefix=False)
        groups = _groups(parameters, learning_rate, weight_decay)
        members = _ordered([p for group in groups for p in group["params"]], parameters)
        self.loss_scale = number_in("loss_scale", loss_scale, "(0, ∞)")
        self.__dict__["parameters"] = members
        self._shapes: tuple[Any, ...] = (None,) * len(members)  # of what is kept between steps
        self.global_step = Parameter(np.zeros(1, np.int32), name="global_step", requires_grad=False)
        self._joints = Joints()
        self._settle(groups)

    parameters: ParameterTuple
    learning_rate: Any

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "parameters":  # what is kept between steps belongs to these
            raise AttributeError(say("errors.optimizer_fixed", cls=type(self).__name__))
        super().__setattr__(name, value)

    def _settle(self, groups: list[dict[str, Any]]) -> None:
        """Keep the rates and decays of the groups, by Parameter."""
        rates = [_rate(group["lr"], "learning_rate", i) for i, group in enumerate(groups)]
        decays = [_rate(group["weight_decay"], "weight_decay", i) for i, group in enumerate(groups)]
        shared = all(group["lr"] is groups[0]["lr"] for group in groups)
        self.learning_rate = rates[0] if shared else rates
        self.is_group, self.is_group_lr = bool(groups[0]["own_decay"]), not shared
        self.dynamic_lr = any([isinstance(rate, Cell) or rate._array.ndim for rate in rates])
        self.weight_decay = [group["weight_decay"] for group in groups]
        if len(groups) == 1:
            self.weight_decay = groups[0]["weight_decay"]
        of = {id(p): i for i, group in enumerate(groups) for p in group["params"]}
        self._group_of = [of[id(p)] for p in self.parameters]
        self._rates, self._decays = [rates[0]] * len(groups) if shared else rates, decays
        self._centred = [group["grad_centralization"] for group in groups]
        self._decaying = any([isinstance(decay, Cell) or decay._array.any() for decay in decays])
        self._decayed = [
            bool(groups[i]["own_decay"] or not ("beta" in p.name or "gamma" in p.name))
            for p, i in zip(self.parameters, self._group_of, strict=True)
        ]
        self._bunch_anew()

    def _bunch_anew(self) -> None:
        """Put the Parameters, which have the dtypes that they have now, in bunches."""
        self._dtypes = tuple([_working(p._array.dtype) for p in self.parameters])
        self._bunches = self._bunched(self._decayed)

    def _bunched(self, decayed: Sequence[bool]) -> list[Bunch]:
        """All Parameters in bunches, if these are those to which a weight decay applies."""
        members: dict[tuple[int, bool, np.dtype], list[int]] = {}
        for i, (group, decays, dtype) in enumerate(zip(self._group_of, decayed, self._dtypes, strict=True)):
            members.setdefault((group, decays and self._decaying, dtype), []).append(i)
        found = []
        for (group, decays, dtype), where in members.items():
            parameters = tuple([self.parameters[i] for i in where])
            simple = all(K.simple(p._array) for p in parameters)
            complete, centred = len(where) == len(self.parameters), self._centred[group]
            found.append(Bunch(group, decays, centred, dtype, tuple(where), parameters, complete, simple))
        return found

    def state(self, name: str, fill: float = 0.0) -> ParameterTuple:
        """Values to keep per Parameter between steps: Parameters called ``name.<that of the Parameter>``."""
        kept = ParameterTuple(
            Parameter(np.full_like(p._array, fill, dtype), name=f"{name}.{p.name}", requires_grad=False)
            for p, dtype in zip(self.parameters, self._dtypes, strict=True)
        )
        setattr(self, name, kept)
        self._shapes = tuple([p.shape for p in kept])
        return kept

    def get_lr(self) -> Any:
        """The learning rate of the next step, a Tensor; a tuple, one per Parameter, where groups differ."""
        step = int(self.global_step._array[0])
        if not isinstance(self.learning_rate, list):
            return Tensor(np.float32(_at(self._rates[0], step)))
        return tuple(Tensor(np.float32(_at(self._rates[i], step))) for i in self._group_of)

    def get_weight_decay(self) -> Any:
        """The weight decay of the next step: a number, or a list with one per group."""
        step = int(self.global_step._array[0])
        found = [_at(decay, step) for decay in self._decays]
        return found[0] if len(found) == 1 else found

    # For a ``construct`` of one's own, in this order: gradients of a scaled loss, Tensors or tuples of them ---------

    def flatten_gradients(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients as they are."""
        return gradients

    def decay_weight(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The gradients with weight decay."""
        step = int(self.global_step._array[0])
        amounts = [_at(decay, step) * self.loss_scale for decay in self._decays]
        rows = zip(self._counted(gradients), self.parameters, self._group_of, self._decayed, strict=True)
        return tuple([g + (p * amounts[i]).astype(g.dtype) if decays and amounts[i] else g for g, p, i, decays in rows])

    def gradients_centralization(self, gradients: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The gradients, where a group asks for ``grad_centralization`` without their mean over all but axis 0."""
        found = []
        for g, group in zip(self._counted(gradients), self._group_of, strict=True):
            centred = self._centred[group] and g.ndim > 1
            found.append(g - g.mean(tuple(range(1, g.ndim)), keep_dims=True) if centred else g)
        return tuple(found)

    def scale_grad(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients without the factor of the loss."""
        return gradients if self.loss_scale == 1 else tuple([g / self.loss_scale for g in gradients])

    def get_lr_parameter(self, param: Any) -> Any:
        """The Parameter or schedule with the rate of a Parameter; a list for several. ValueError for a stranger."""
        several = isinstance(param, (tuple, list))
        group_of = {id(p): i for p, i in zip(self.parameters, self._group_of, strict=True)}
        asked = param if several else (param,)
        for p in asked:
            if id(p) not in group_of:
                raise ValueError(say("errors.optimizer_stranger", name=getattr(p, "name", type(p).__name__)))
        found = [self._rates[group_of[id(p)]] for p in asked]
        return found if several else found[0]

    # The step ------------------------------------------------------------------------------------------------------

    def construct(self, gradients: Sequence[Tensor]) -> bool:
        """One step. ``gradients`` stand in the order of ``parameters``; if one does not fit, none moves."""
        self._move(*self._checked(gradients))
        return True

    @tracing.whole
    def _move(self, gs: list[Array], casts: bool) -> None:
        """The step, with what :meth:`_checked` found."""
        step = int(self.global_step._array[0])
        if self._moved_at_once(gs, step, casts):
            return
        rates = [_at(rate, step) for rate in self._rates]
        decays = [_at(decay, step) for decay in self._decays] if self._decaying else []
        for observer in [*OBSERVERS]:
            observer.before_move(self.parameters)
        move = self._together if getattr(self.updated, "__func__", None) is Optimizer.updated else self._singly
        for bunch in self._bunches:
            decay = decays[bunch.group] if bunch.decayed else 0.0
            given = gs if bunch.complete else [gs[i] for i in bunch.members]
            move(bunch, given, rates[bunch.group], step + 1, decay, casts)
        self.global_step._array = np.array([step + 1], np.int32)

    def _moved_at_once(self, gs: list[Array], step: int, casts: bool) -> bool:
        """Do the step by ``joint.py``, if all arrays lie side by side for it; False: nothing is done."""
        bunch = self._bunches[0]
        rate = self._rates[bunch.group]
        if casts or tracing.current or type(rate) is not Parameter or rate._array.ndim or not self._plain(bunch):
            return False
        formula, kept, numbers = self.formula(float(rate._array), step + 1, 0.0)
        joint = self._joints.found(bunch, kept, formula, numbers)
        if joint is None:
            return False
        for observer in [*OBSERVERS]:
            observer.before_move(self.parameters)
        joint.move(gs)
        self.global_step._array = np.array([step + 1], np.int32)
        return True

    def _plain(self, bunch: Bunch) -> bool:
        """Whether a bunch's step is a formula of ours on gradients as they come."""
        own = self.__dict__
        usual = type(self).updated is Optimizer.updated and "updated" not in own and "formula" not in own
        adjusted = bunch.decayed or bunch.centred or self.loss_scale != 1
        return usual and not adjusted and type(self).__module__.startswith(_OURS)

    def _counted(self, gradients: Any) -> Sequence[Tensor]:
        """The gradients, once there is a Tensor for each Parameter."""
        if not isinstance(gradients, (tuple, list)) or not all([isinstance(g, Tensor) for g in gradients]):
            raise TypeError(say("errors.optimizer_gradients", got=kinds_of(gradients)))
        if len(gradients) != len(self.parameters):
            raise ValueError(say("errors.optimizer_count", got=len(gradients), wanted=len(self.parameters)))
        return gradients

    def _checked(self, gradients: Any) -> tuple[list[Array], bool]:
        """Gradients as arrays of the step's dtypes, once all are seen to fit; and whether any Parameter is of another
        dtype than its step."""
        self._counted(gradients)
        found, casts = [], False
        for p, gradient, dtype, kept in zip(self.parameters, gradients, self._dtypes, self._shapes, strict=True):
            array, g = p._array, gradient._array
            shape = array.shape
            if g.shape != shape:
                raise ValueError(say("errors.assign_shape", name=p.name, shape=shape, got=gradient.shape))
            if shape != kept and kept is not None:
                raise ValueError(say("errors.optimizer_shape", name=p.name, shape=shape, kept=kept))
            if array.dtype is not dtype and array.dtype != dtype:
                if _working(array.dtype) != dtype:
                    self._bunch_anew()
                    return self._checked(gradients)
                casts = True
            found.append(g if g.dtype is dtype else g.astype(dtype, copy=False))
        return found, casts

    def _together(self, bunch: Bunch, gs: Sequence[Array], lr: float, t: int, decay: float, casts: bool) -> None:
        """A step of a bunch by :meth:`formula`: one call, 16 µs for six tiny ones; one for each took 28."""
        formula, states, numbers = self.formula(lr, t, decay)
        if not bunch.complete:
            states = tuple([[state[i] for i in bunch.members] for state in states])
        ps = writable(bunch.parameters)
        if casts:
            ps = [p.astype(bunch.dtype) for p in ps]
        rows: K.Rows = zip(ps, *map(writable, states), gs, strict=True)
        if not bunch.simple:
            rows = K.fitting(formula, rows, parts=not bunch.centred)
        rows = self._adjusted(bunch, rows, decay)
        formula(rows, bunch.dtype, *numbers)
        if casts:
            for p, value in zip(bunch.parameters, ps, strict=True):
                p._array = value.astype(p._array.dtype, copy=False)

    def _singly(self, bunch: Bunch, gs: Sequence[Array], lr: float, t: int, decay: float, casts: bool) -> None:
        """A step of a bunch by :meth:`updated`."""
        for i, p, given in zip(bunch.members, bunch.parameters, gs, strict=True):
            array = writable((p,))[0].astype(bunch.dtype, copy=False)
            ((_, g),) = self._adjusted(bunch, ((array, given),), decay)
            p._array = np.asarray(self.updated(i, array, g, lr, t, decay), p._array.dtype)

    def _adjusted(self, bunch: Bunch, rows: K.Rows, decay: float) -> K.Rows:
        """Rows with gradients as formulas get them."""
        if self.decouples_decay:
            decay = 0.0
        if decay or bunch.centred or self.loss_scale != 1:
            return K.prepared(rows, bunch.dtype, self.loss_scale, decay, bunch.centred)
        return rows

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """What a step does, alike for all Parameters: a subclass says it here, or in :meth:`updated`.

        Args:
            lr, decay, t: as for :meth:`updated`.

        Returns:
            A formula as those of ``kernels/update.py`` are, called with rows ``(p, kept, …, g)``, their dtype and the
            numbers; what is kept, as :meth:`state` gave it; the numbers. ``p`` and what is kept are written into.
        """
        raise NotImplementedError

    def updated(self, i: int, p: Array, g: Array, lr: float, t: int, decay: float) -> Array:
        """What Parameter ``i`` becomes: a new array, or ``p`` written into. By default what :meth:`formula` says.

        Args:
            i: its position.
            p: its value, at least float32, in an array that nobody else looks at.
            g: its gradient, of the same dtype, weight decay included unless ``decouples_decay``; not to be changed.
            lr, decay: numbers.
            t: number of the step, from 1.
        """
        formula, states, numbers = self.formula(lr, t, decay)
        kept = writable([state[i] for state in states])
        formula(K.fitting(formula, ((p, *kept, g),)), p.dtype, *numbers)
        return p


def _working(dtype: np.dtype) -> np.dtype:
    """The type in which a step is computed: float16 would lose small steps."""
    return _FLOAT32 if dtype.char == "e" else dtype


def _groups(parameters: Any, lr: Any, weight_decay: Any) -> list[dict[str, Any]]:
    """The Parameters as groups with all entries filled in."""
    if isinstance(parameters, Tensor) or not isinstance(parameters, Iterable):
        raise TypeError(say("errors.optimizer_parameters", got=type(parameters).__name__))
    given = list(parameters)
    if not given:
        raise ValueError(say("errors.optimizer_empty"))
    if not all(isinstance(entry, Mapping) for entry in given):
        defaults = {"lr": lr, "weight_decay": weight_decay, "grad_centralization": False, "own_decay": False}
        return [{"params": given, **defaults}]
    groups = []
    for entry in given:
        unknown = set(entry) - {"params", "lr", "weight_decay", "grad_centralization", "order_params"}
        if unknown or not ("params" in entry or "order_params" in entry):
            raise ValueError(say("errors.optimizer_group", got=sorted(entry)))
        if "params" in entry:
            if not isinstance(entry["params"], Iterable):
                raise TypeError(say("errors.optimizer_parameters", got=type(entry["params"]).__name__))
            groups.append({
                "params": list(entry["params"]), "lr": entry.get("lr", lr),
                "weight_decay": entry.get("weight_decay", weight_decay), "own_decay": True,
                "grad_centralization": bool(entry.get("grad_centralization", False)),
            })  # fmt: skip
    return groups


def _ordered(members: Iterable[Any], parameters: Any) -> ParameterTuple:
    """All Parameters, in the order that gradients have."""
    found = ParameterTuple(members)
    if not found:
        raise ValueError(say("errors.optimizer_empty"))
    if len(set(map(id, found))) != len(found):
        raise ValueError(say("errors.optimizer_twice"))
    order = next((e["order_params"] for e in parameters if isinstance(e, Mapping) and "order_params" in e), None)
    if order is None:
        return found
    order = ParameterTuple(order)
    if set(map(id, order)) != set(map(id, found)) or len(order) != len(found):
        raise ValueError(say("errors.optimizer_order"))
    return order


def _rate(value: Any, name: str, group: int) -> Any:
    """A rate as it is kept: a schedule Cell, or a Parameter with one number or one per step."""
    if isinstance(value, Cell):
        return value
    if isinstance(value, (bool, str)) or value is None:
        raise TypeError(say("errors.optimizer_rate", name=name, got=repr(value)))
    if not isinstance(value, (int, float, list, tuple, Tensor, np.ndarray, np.number)) and isinstance(value, Iterable):
        value = list(value)
    try:
        array = np.array(value._array if isinstance(value, Tensor) else value, np.float32)
    except (TypeError, ValueError):
        raise TypeError(say("errors.optimizer_rate", name=name, got=repr(value))) from None
    if array.ndim > 1 or not array.size or not (np.isfinite(array) & (array >= 0)).all():
        raise ValueError(say("errors.optimizer_value", name=name, got=repr(value)))
    return Parameter(array, name=name if not group else f"{name}_group_{group}", requires_grad=False)


def _at(rate: Any, step: int) -> float:
    """A rate at a step."""
    if isinstance(rate, Parameter):
        values = rate._array
        return float(values if not values.ndim else values[min(step, len(values) - 1)])
    found = rate(Tensor(np.int32(step)))
    return float(found.item() if isinstance(found, Tensor) else found)
