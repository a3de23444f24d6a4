"""Recurrent cells and layers: the plain unit, the GRU and the LSTM.

One formula per kind, written as a mix-in, serves both: a cell takes one step, a layer takes every step of a sequence,
layer above layer and in one or both directions. In the formulas a is what comes from the input, W_ih · x + b_ih, and
b what comes from the hidden state, W_hh · h + b_hh.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.dtypes import float32
from ...core.errors import describe, kinds_of
from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import one_of
from ...ops.arrays.split import split
from ...texts import say
from ..cell import Cell
from ..initializer import Uniform, initializer
from ..parameter import Parameter
from .checks import check_shape, positive_int
from .dropout import Dropout
from .weights import affine

State = tuple[Tensor, ...]
KINDS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


# The formulas -------------------------------------------------------------------------------------------------------


class _Plain:
    """h' = tanh(a + b), or relu  (Elman, 1990)."""

    gates = 1
    state_names: tuple[str, ...] = ("h",)
    nonlinearity: str

    def _step(self, a: Tensor, b: Tensor, state: State) -> State:
        return (getattr(T, self.nonlinearity)(a + b),)

    def _choose(self, nonlinearity: str) -> None:
        self.nonlinearity = one_of("nonlinearity", nonlinearity, ("tanh", "relu"))


class _Gru:
    """h' = (1 − z) · n + z · h with r, z = σ(a + b) and n = tanh(a + r · b), each gate with its rows of a and b.

    (Cho et al., 2014; here r meets b after the product.)
    """

    gates = 3
    state_names: tuple[str, ...] = ("h",)

    def _step(self, a: Tensor, b: Tensor, state: State) -> State:
        a_r, a_z, a_n = _split(a, 3)
        b_r, b_z, b_n = _split(b, 3)
        r = T.sigmoid(a_r + b_r)
        z = T.sigmoid(a_z + b_z)
        n = T.tanh(a_n + r * b_n)
        return ((1 - z) * n + z * state[0],)


class _Lstm:
    """c' = σ(f) · c + σ(i) · tanh(g), h' = σ(o) · tanh(c'), where i, f, g, o are the rows of a + b.

    (Hochreiter and Schmidhuber, 1997; Gers et al., 2000.)
    """

    gates = 4
    state_names: tuple[str, ...] = ("h", "c")

    def _step(self, a: Tensor, b: Tensor, state: State) -> State:
        i, f, g, o = _split(a + b, 4)
        c = T.sigmoid(f) * state[1] + T.sigmoid(i) * T.tanh(g)
        return T.sigmoid(o) * T.tanh(c), c


def _split(rows: Tensor, count: int) -> tuple[Tensor, ...]:
    """The last axis in ``count`` equal parts, one per gate."""
    return split(rows, rows.shape[-1] // count, -1)


# What cells and layers share ----------------------------------------------------------------------------------------


class _Recurrent(Cell):
    gates: int
    state_names: tuple[str, ...]

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool):
        super().__init__()
        cls = type(self).__name__
        self.input_size = positive_int(cls, "input_size", input_size)
        self.hidden_size = positive_int(cls, "hidden_size", hidden_size)
        self.has_bias = has_bias

    def _add_parameter(self, kind: str, suffix: str, inputs: int, dtype: Any) -> None:
        """``kind`` + ``suffix``, uniform within 1 / √hidden_size; None for a bias that is not wanted."""
        name = kind + suffix
        if kind.startswith("bias") and not self.has_bias:
            setattr(self, name, None)
            return
        columns = {"weight_ih": (inputs,), "weight_hh": (self.hidden_size,)}.get(kind, ())
        uniform = Uniform(1 / math.sqrt(self.hidden_size))
        values = initializer(uniform, (self.gates * self.hidden_size, *columns), dtype)
        setattr(self, name, Parameter(values, name=name))

    def _step(self, a: Tensor, b: Tensor, state: State) -> State:
        raise NotImplementedError

    def _next(self, x: Tensor, state: State, suffix: str = "") -> State:
        """One step of the unit whose Parameters end in ``suffix``: from (N, features) and its state to the next."""
        a = affine(x, getattr(self, f"weight_ih{suffix}"), getattr(self, f"bias_ih{suffix}"))
        b = affine(state[0], getattr(self, f"weight_hh{suffix}"), getattr(self, f"bias_hh{suffix}"))
        return self._step(a, b, state)

    def _checked_state(self, hx: Any, wanted: tuple[int, ...]) -> State:
        """The given state as a tuple of Tensors of the ``wanted`` shape."""
        state = (hx,) if len(self.state_names) == 1 else hx
        fits = isinstance(state, (tuple, list)) and len(state) == len(self.state_names)
        if not fits or not all(isinstance(s, Tensor) for s in state):
            names = ", ".join(self.state_names)
            wants = f"({names})" if len(self.state_names) > 1 else names
            raise TypeError(say("errors.recurrent_state", cls=type(self).__name__, wanted=wants, got=kinds_of(hx)))
        for name, s in zip(self.state_names, state, strict=True):
            check_shape(type(self).__name__, name, s, wanted)
        return tuple(state)


# Cells --------------------------------------------------------------------------------------------------------------


class _RecurrentCell(_Recurrent):
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = float32):
        super().__init__(input_size, hidden_size, has_bias)
        for kind in KINDS:
            self._add_parameter(kind, "", input_size, dtype)

    def construct(self, x: Tensor, hx: Any) -> Any:
        """(N, input_size) and the state, (N, hidden_size) each, to the next state."""
        check_shape(type(self).__name__, "x", x, ("N", self.input_size))
        after = self._next(x, self._checked_state(hx, (x.shape[0], self.hidden_size)))
        return after if len(after) > 1 else after[0]

    def extend_repr(self) -> str:
        return f"input_size={self.input_size}, hidden_size={self.hidden_size}, has_bias={self.has_bias}"


class RNNCell(_Plain, _RecurrentCell):
    """One step of the plain recurrent unit: h' = tanh(W_ih · x + b_ih + W_hh · h + b_hh)  (Elman, 1990).

    Args:
        input_size, hidden_size: numbers of features of x and of h.
        has_bias: whether there are b_ih and b_hh.
        nonlinearity: ``"tanh"`` or ``"relu"``.
        dtype: data type of the Parameters.

    Attributes:
        weight_ih: (hidden_size, input_size).
        weight_hh: (hidden_size, hidden_size).
        bias_ih, bias_hh: (hidden_size,), or None.
    """

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool = True, nonlinearity: str = "tanh",
        dtype: Any = float32,
    ):  # fmt: skip
        super().__init__(input_size, hidden_size, has_bias, dtype)
        self._choose(nonlinearity)


class GRUCell(_Gru, _RecurrentCell):
    """One step of the gated recurrent unit: r, z, n from x and h; h' = (1 − z) · n + z · h  (Cho et al., 2014).

    Args:
        input_size, hidden_size, has_bias, dtype: as of :class:`RNNCell`.

    Attributes:
        weight_ih, weight_hh, bias_ih, bias_hh: as of RNNCell with 3 · hidden_size rows, for r, z and n.
    """


class LSTMCell(_Lstm, _RecurrentCell):
    """One step of the LSTM: ``cell(x, (h, c))`` returns the next (h, c)  (Hochreiter and Schmidhuber, 1997).

    Args:
        input_size, hidden_size, has_bias, dtype: as of :class:`RNNCell`.

    Attributes:
        weight_ih, weight_hh, bias_ih, bias_hh: as of RNNCell with 4 · hidden_size rows, for i, f, g and o.
    """


# Layers -------------------------------------------------------------------------------------------------------------


class _RecurrentLayer(_Recurrent):
    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, dtype: Any = float32,
    ):  # fmt: skip
        super().__init__(input_size, hidden_size, has_bias)
        self.num_layers = positive_int(type(self).__name__, "num_layers", num_layers)
        self.batch_first, self.bidirectional = batch_first, bidirectional
        self.dropout_op = Dropout(p=dropout)
        self._directions = ("", "_reverse") if bidirectional else ("",)
        for kind in KINDS:
            for layer in range(num_layers):
                inputs = hidden_size * len(self._directions) if layer else input_size
                for direction in self._directions:
                    self._add_parameter(kind, f"_l{layer}{direction}", inputs, dtype)

    def construct(self, x: Tensor, hx: Any = None, seq_length: Any = None) -> tuple[Tensor, Any]:
        """(L, N, input_size) to the outputs (L, N, directions · hidden_size) and the last state.

        Args:
            x: the sequences.
            hx: the state at the start, (num_layers · directions, N, hidden_size); zeros by default.
            seq_length: lengths (N,) of the sequences: what stands behind is not read, and its outputs are 0.
        """
        axes = ("N", "L") if self.batch_first else ("L", "N")
        check_shape(type(self).__name__, "x", x, (*axes, self.input_size))
        count, batch = (x.shape[1], x.shape[0]) if self.batch_first else x.shape[:2]
        if not count:
            raise ValueError(say("errors.no_steps", cls=type(self).__name__, shape=x.shape))
        steps = [x[:, t] if self.batch_first else x[t] for t in range(count)]
        states = self._start(hx, batch)
        live = None if seq_length is None else self._live(seq_length, count, batch)
        last: list[State] = []
        for layer in range(self.num_layers):
            if layer and self.dropout_op.p:
                dropped = self.dropout_op(T.stack(steps))
                steps = [dropped[t] for t in range(count)]
            ways = []
            for direction in self._directions:
                outputs, state = self._run(steps, f"_l{layer}{direction}", states[len(last)], live)
                ways.append(outputs)
                last.append(state)
            steps = [T.concat(both, axis=-1) for both in zip(*ways, strict=True)] if len(ways) > 1 else ways[0]
        after = tuple(T.stack(parts) for parts in zip(*last, strict=True))
        return T.stack(steps, axis=int(self.batch_first)), after if len(after) > 1 else after[0]

    def _run(
        self, steps: Sequence[Tensor], suffix: str, state: State, live: Sequence[Tensor] | None
    ) -> tuple[list[Tensor], State]:
        """One unit over all steps: its outputs in the order of time, and its last state."""
        times = range(len(steps))
        outputs: list[Any] = [None] * len(steps)
        for t in reversed(times) if suffix.endswith("_reverse") else times:
            after = self._next(steps[t], state, suffix)
            if live is None:
                outputs[t] = after[0]
            else:
                outputs[t] = T.select(live[t], after[0], T.zeros_like(after[0]))
                after = tuple(T.select(live[t], new, old) for new, old in zip(after, state, strict=True))
            state = after
        return outputs, state

    def _start(self, hx: Any, batch: int) -> list[State]:
        """The state that each unit starts from, in the order of the units."""
        units = self.num_layers * len(self._directions)
        if hx is None:
            zeros = wrap(np.zeros((batch, self.hidden_size), self.weight_hh_l0._array.dtype))
            return [(zeros,) * len(self.state_names)] * units
        given = self._checked_state(hx, (units, batch, self.hidden_size))
        return [tuple(part[unit] for part in given) for unit in range(units)]

    def _live(self, seq_length: Any, steps: int, batch: int) -> list[Tensor]:
        """Per step the Bools (N, 1) that say which sequences have not ended."""
        lengths = operand(seq_length)._array
        if lengths.shape != (batch,) or lengths.dtype.kind not in "iu":
            raise ValueError(say("errors.seq_length", cls=type(self).__name__, got=describe(lengths), batch=batch))
        return [wrap(t < lengths[:, None]) for t in range(steps)]

    def extend_repr(self) -> str:
        facts = ("input_size", "hidden_size", "num_layers", "has_bias", "batch_first", "bidirectional")
        return ", ".join(f"{name}={getattr(self, name)}" for name in facts)


class RNN(_Plain, _RecurrentLayer):
    """Plain recurrent units over sequences, in one or more layers. :class:`RNNCell` has the formula.

    Args:
        input_size, hidden_size: numbers of features of x and of each direction's h.
        num_layers: number of layers; each reads the outputs of the one below.
        has_bias: whether there are biases.
        batch_first: whether x and the outputs are (N, L, …) instead of (L, N, …).
        dropout: probability of dropping, in training, on the outputs of each layer but the last; in [0, 1).
        bidirectional: whether a second unit runs from the end to the start; its outputs stand behind the first's.
        dtype: data type of the Parameters.
        nonlinearity: ``"tanh"`` or ``"relu"``.

    The Parameters of layer k are ``weight_ih_lk``, ``weight_hh_lk``, ``bias_ih_lk`` and ``bias_hh_lk``, those of the
    other direction end in ``_reverse``. Their shapes are those of the cell.
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, dtype: Any = float32, *,
        nonlinearity: str = "tanh",
    ):  # fmt: skip
        super().__init__(input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype)
        self._choose(nonlinearity)


class GRU(_Gru, _RecurrentLayer):
    """Gated recurrent units over sequences. :class:`RNN` has the arguments, :class:`GRUCell` the formula."""


class LSTM(_Lstm, _RecurrentLayer):
    """LSTM units over sequences; their state is a tuple (h, c). :class:`RNN` has the arguments."""
