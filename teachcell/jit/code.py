"""Code: the steps of a plan as one Python function, a line per step.

Straight lines with local names are the cheapest way to run kernels: about 0.25 µs a step beside the kernel's own time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..core.tensor import Tensor, wrap
from ..core.written import as_output
from ..kernels.losses import cross_entropy, cross_entropy_of
from .buffers import COPIES, Buffers
from .callables import Whole
from .fold import folded
from .form import guarded_form
from .plan import ARGUMENT, CONSTANT, TENSOR, VALUE, Assign, Given, Read, Slot, Step, same, slots_in, with_slots

_FILE = "<jit plan>"
_LARGE = 1 << 14  # bytes: what is larger is let go after its last use


class _Miss:
    def __repr__(self) -> str:
        return "MISS"


MISS = _Miss()  # what a run gives that turns out not to be like the captured one


def needed(steps: list[Any], wanted: Iterable[Slot]) -> list[Any]:
    """The steps without those whose results nobody looks at."""
    alive = set(wanted)
    kept = []
    for step in reversed(steps):
        if isinstance(step, Assign):
            alive.add(step.slot)
        elif isinstance(step, Read):
            if step.slot not in alive and not step.slot.touched:
                continue
        elif step.guards or step.writes or step.draws or guarded_form(step) or any(s in alive for _, s in step.outs):
            alive.update(step.inputs)
        else:
            continue
        kept.append(step)
    return kept[::-1]


class Code:
    """Writes the function.

    Args:
        steps: what to do.
        returned: the result, with slots for its arrays.
        residuals: slots that the way back needs.
        outputs: slots of the result that a gradient may arrive at; None: no way back follows. With a way back all
            arrays live on, and none is put in a buffer.
    """

    def __init__(self, steps: list[Any], returned: Any, residuals: list[Slot], outputs: list[Slot] | None):
        self.returned, self.residuals, self.outputs = returned, residuals, outputs
        wanted = [*_slots(returned), *residuals]
        self.steps = needed(steps, wanted)
        self.steps, left_out = folded(self.steps, [*self._kept(), *residuals])
        self.steps = needed(self.steps, wanted) if left_out else self.steps
        self.scope: dict[str, Any] = {
            "MISS": MISS, "wrap": wrap, "same": same, "errstate": np.errstate, "copyto": np.copyto,
        }  # fmt: skip
        self.lines: list[str] = []
        self.first_write = sys.maxsize  # the line that changes something outside
        self.calls: dict[int, Step] = {}  # by line
        self._names: dict[int, str] = {}
        self._scalars: dict[Any, np.ndarray] = {}
        self._buffers = Buffers(self.steps, None)
        self._quiet = False

    def function(self) -> Callable[[Sequence[Tensor]], Any]:
        """``run(tensors)``: the result or MISS; where a way back follows, (result, residuals, Tensors to link)."""
        self._buffers = Buffers(self.steps, self._kept() if self.outputs is None else None)
        self._body()
        result = self._result(self.returned)
        if self.outputs is not None:
            linked = "".join(f"t_{slot.name}, " for slot in self.outputs)
            result = f"{result}, {self._tuple(self.residuals)}, ({linked})"
        return self._compiled("tensors", f"return {result}")

    def backward(self, residuals: list[Slot], seeds: list[Slot]) -> Callable[[tuple[Any, ...], Any], tuple[Any, ...]]:
        """``back(residuals, seeds)``: a gradient or None per leaf."""
        self._body()
        self.lines[:0] = [f"{self._names_of(residuals)} = residuals", f"{self._names_of(seeds)} = seeds"]
        found = [None if g is None else self._fresh(g) for g in self.returned]
        return self._compiled("residuals, seeds", f"return ({''.join(f'{g}, ' for g in found)})")

    def _kept(self) -> list[Slot]:
        """Arrays that somebody may hold after the run."""
        assigned = [step.slot for step in self.steps if isinstance(step, Assign)]
        held = [s for step in self.steps if isinstance(step, Step) and step.holds for s in step.inputs]
        return [*_slots(self.returned), *assigned, *held]

    def _compiled(self, parameters: str, last: str) -> Any:
        body = [*self.lines, last] if not self._quiet else [*self.lines, f"    {last}"]
        source = f"def plan({parameters}):\n" + "".join(f"    {line}\n" for line in body)
        exec(compile(source, _FILE, "exec"), self.scope)
        return self.scope["plan"]

    # Lines -------------------------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self.lines.append(f"    {text}" if self._quiet else text)

    def _body(self) -> None:
        last = _last_uses(self.steps, [*_slots(self.returned), *self.residuals])
        for i, step in enumerate(self.steps):
            if step in self._buffers.done:
                continue
            if isinstance(step, Step) and step.quiet != self._quiet:
                if step.quiet:
                    self._line("with errstate(all='ignore'):")
                self._quiet = step.quiet
            if isinstance(step, Read):
                self._read(step)
            elif isinstance(step, Assign):
                self.first_write = min(self.first_write, len(self.lines))
                self._line(f"{self._handle(step.target)}._array = {self._fresh(step.slot)}")
            elif step.guards:
                self._guard(step)
            else:
                if step.writes:  # an assignment that fails has written nothing
                    whole = isinstance(step.function, Whole)
                    self.first_write = min(self.first_write, len(self.lines) + (not whole))
                self._call(step)
            dead = [slot.name for slot in last.get(i, ()) if self._buffers.of(slot) is None]
            if dead:
                self._line(f"del {', '.join(dead)}")

    def _read(self, step: Read) -> None:
        slot = step.slot
        handle = self._handle(slot)
        self._line(f"{slot.name} = {handle}._array")
        if slot.touched and step.earlier is None:
            form, name, dtype = slot.value, slot.name, self._constant(slot.value.dtype)
            other = f"{name}.dtype is not {dtype} and {name}.dtype != {dtype}"
            self._line(f"if {name}.shape != {form.shape} or {name}.strides != {form.strides} or {other}: return MISS")
            self._line(f"if {handle}._extra is not None and {handle}._extra.hooks: return MISS")

    def _handle(self, slot: Slot) -> str:
        """The Tensor outside that a slot's array is looked up in."""
        return f"tensors[{slot.number}]" if slot.kind == ARGUMENT else self._constant(slot.tensor)

    def _guard(self, step: Step) -> None:
        asked = f"{self._constant(step.function)}({self._value(step.args[0])})"
        if type(step.expected) is bool:
            self._line(f"if {'not ' if step.expected else ''}{asked}: return MISS")
        else:
            self._line(f"if not same({asked}, {self._constant(step.expected)}): return MISS")

    def _call(self, step: Step) -> None:
        given = [self._operand(step, arg) for arg in step.args] + [
            f"{k}={self._value(v)}" for k, v in step.kwargs.items()
        ]
        # The method takes 0.1 µs less than the function.
        as_method = (
            step.function is np.dot and not step.kwargs and all(type(a) is Slot and a.is_array for a in step.args)
        )
        self.calls[len(self.lines)] = step
        function = self._constant(np.ndarray.dot if as_method else _function_of(step))
        turned = step.function is np.ndarray.transpose and not step.kwargs and len(step.args) == 1
        buffer = self._buffers.of(step.outs[0][1]) if step.outs else None
        over = self._buffers.over(step.outs[0][1]) if step.outs else None
        if buffer is not None and step.label in COPIES:
            self._line(f"copyto({self._constant(buffer)}, {given[0]}, 'unsafe')")
        elif buffer is not None:
            given.append(as_output(step.function, self._constant(buffer)))
            self._line(f"{function}({', '.join(given)})")
        elif over is not None:
            given.append(as_output(step.function, over.name))
            self._line(f"{step.outs[0][1].name} = {function}({', '.join(given)})")
        elif turned and step.inputs[0].is_array:
            self._line(f"{step.outs[0][1].name} = {given[0]}.T")
        elif len(step.outs) == 1 and step.outs[0][0] == ():
            self._line(f"{step.outs[0][1].name} = {function}({', '.join(given)})")
        else:
            self._line(f"r = {function}({', '.join(given)})")
            for path, slot in step.outs:
                self._line(f"{slot.name} = r{''.join(f'[{part!r}]' for part in path)}")
            if step.outs:
                self._line("del r")
        for slot in guarded_form(step):
            self._line(f"if {slot.name}.shape != {self._constant(slot.value.shape)}: return MISS")

    # Expressions -------------------------------------------------------------------------------------------------

    def _constant(self, value: Any) -> str:
        """The name under which the function knows an object."""
        name = self._names.get(id(value))
        if name is None:
            name = self._names[id(value)] = f"k{len(self._names)}"
            self.scope[name] = value
        return name

    def _value(self, value: Any) -> str:
        kind = type(value)
        if kind is Slot:
            array = value.value if value.kind == CONSTANT else self._buffers.of(value)
            return value.name if array is None else self._constant(array)
        if kind in (tuple, list, dict):
            return self._container(value, self._value)
        return repr(value) if value is None or kind is bool or kind is int or kind is str else self._constant(value)

    def _container(self, value: Any, inner: Callable[[Any], str]) -> str:
        """A tuple, list or dict, its members as ``inner`` writes them."""
        if type(value) is tuple:
            return f"({''.join(f'{inner(v)}, ' for v in value)})"
        if type(value) is list:
            return f"[{', '.join(map(inner, value))}]"
        return f"{{{', '.join(f'{self._value(k)}: {inner(v)}' for k, v in value.items())}}}"

    def _operand(self, step: Step, value: Any) -> str:
        """An argument; ufuncs take a number as an array without axes 0.15 µs faster than as a NumPy scalar."""
        if isinstance(value, np.generic) and isinstance(step.function, np.ufunc):
            value = self._scalars.setdefault((value.dtype, value.tobytes()), np.asarray(value))
        return self._value(value)

    def _fresh(self, slot: Slot) -> str:
        """An array for somebody outside: a constant is copied each time."""
        return f'{self._value(slot)}.copy("K")' if slot.root.kind == CONSTANT else slot.name

    def _result(self, value: Any) -> str:
        kind = type(value)
        if kind is Slot:
            return self._tensor(value)
        if kind is Given:
            return f"tensors[{value.number}]"
        if kind in (tuple, list, dict):
            return self._container(value, self._result)
        return self._value(value)

    def _tensor(self, slot: Slot) -> str:
        if self.outputs is not None and slot in self.outputs:
            self._line(f"t_{slot.name} = wrap({self._fresh(slot)})")
            return f"t_{slot.name}"
        return f"wrap({self._fresh(slot)})"

    @staticmethod
    def _names_of(slots: list[Slot]) -> str:
        """Names to unpack a tuple into; a constant is known already."""
        return f"[{', '.join(slot.name for slot in slots)}]"

    def _tuple(self, slots: list[Slot]) -> str:
        return f"({''.join(f'{self._value(slot)}, ' for slot in slots)})"


def _function_of(step: Step) -> Callable[..., Any]:
    """A step's function, or one made for arrays of the forms that it is given."""
    if step.function is not cross_entropy:
        return step.function
    args, kwargs = with_slots((step.args, step.kwargs), lambda v: v.value if type(v) is Slot else v)
    return cross_entropy_of(*args, **kwargs) or step.function


def line_of(error: BaseException) -> int:
    """The line of a plan's function in which an error was raised, as :attr:`Code.first_write` counts."""
    found, at = 0, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == _FILE:
            found = at.tb_lineno
        at = at.tb_next
    return found - 2


def _slots(value: Any) -> list[Slot]:
    return list(slots_in(value))


def _last_uses(steps: list[Any], kept: list[Slot]) -> dict[int, list[Slot]]:
    """The arrays that a step is the last to use, by the step's number.

    Those that are large, and those of Tensors outside: an optimizer writes in place what nobody else holds, which
    takes half the time of a step.
    """
    at: dict[Slot, int] = {}
    for i, step in enumerate(steps):
        slots = step.inputs + [slot for _, slot in step.outs] if isinstance(step, Step) else [step.slot]
        at.update(dict.fromkeys(slots, i))
    last: dict[int, list[Slot]] = {}
    for slot, i in at.items():
        large = slot.kind == VALUE and getattr(slot.value, "nbytes", 0) >= _LARGE
        if slot not in kept and (large or slot.root.kind == TENSOR):
            last.setdefault(i, []).append(slot)
    return last
