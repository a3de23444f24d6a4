"""The per-op path: what an operator, its record, its gradient and a Cell around it cost, in NumPy calls.

Everything is a multiplication of two 8 x 8 float32 arrays or a Cell that returns its input, so that the
arithmetic is small and known.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np

from teachcell import Tensor, grad, nn

from .timing import Measurement, Timer, measure, timer

LENGTH = 100  # ops in a chain, and Cells in a stack: what a call of grad costs besides is spread over them
_random = np.random.RandomState(0)
X = (0.5 * _random.randn(8, 8)).astype(np.float32)
Y = _random.uniform(0.99, 1.01, (8, 8)).astype(np.float32)  # 100 times as a factor it neither vanishes nor explodes


def kernel(repeats: int) -> float:
    """The raw NumPy call."""
    multiply, x, y = np.multiply, X, Y
    started = process_time()
    for _ in range(repeats):
        multiply(x, y)
    return process_time() - started


def forward(repeats: int) -> float:
    """The operator on Tensors that nobody differentiates."""
    x, y = Tensor(X), Tensor(Y)
    started = process_time()
    for _ in range(repeats):
        x * y
    return process_time() - started


class Chain:
    """h · y · y · … differentiated by h, with the two directions timed apart."""

    def __init__(self) -> None:
        self.x, self.y = Tensor(X), Tensor(Y)
        self.forward_seconds = self.forward_ended = 0.0
        self.gradient = grad(self._run)

    def _run(self, h: Tensor) -> Tensor:
        y, started = self.y, process_time()
        for _ in range(LENGTH):
            h = h * y
        self.forward_ended = process_time()
        self.forward_seconds += self.forward_ended - started
        return h

    def forward(self, repeats: int) -> float:
        """CPU seconds of ``repeats`` recorded operators."""
        self.forward_seconds = 0.0
        calls = -(-repeats // LENGTH)
        for _ in range(calls):
            self.gradient(self.x)
        return self.forward_seconds * repeats / (calls * LENGTH)

    def backward(self, repeats: int) -> float:
        """CPU seconds of the reverse sweep over ``repeats`` operators, results included."""
        spent, calls = 0.0, -(-repeats // LENGTH)
        for _ in range(calls):
            self.gradient(self.x)
            spent += process_time() - self.forward_ended
        return spent * repeats / (calls * LENGTH)


class Same(nn.Cell):
    """A Cell with nothing inside."""

    def construct(self, x: Tensor) -> Tensor:
        return x


def cell_call(hook: Callable[[Same], object] | None = None) -> Timer:
    """Calls of a Cell that nobody differentiates."""
    cell, x = Same(), Tensor(X)
    if hook is not None:
        hook(cell)
    return timer(lambda: cell(x))


def cell_gradient(hook: Callable[[Same], object] | None = None) -> Timer:
    """Cells in a row, forward and backward, per Cell."""
    cell, x = Same(), Tensor(X)
    if hook is not None:
        hook(cell)

    def stack(h: Tensor) -> Tensor:
        for _ in range(LENGTH):
            h = cell(h)
        return h

    whole = timer(lambda: gradient(x))
    gradient = grad(stack)

    def seconds(repeats: int) -> float:
        calls = -(-repeats // LENGTH)
        return whole(calls) * repeats / (calls * LENGTH)

    return seconds


def timers() -> dict[str, Timer]:
    """Every part of the per-op path, the raw kernel first."""
    chain, x = Chain(), Tensor(X)
    trivial = grad(lambda x: x)
    return {
        "numpy": kernel,
        "operator, not recorded": forward,
        "operator, recorded": chain.forward,
        "backward of an operator": chain.backward,
        "grad of x -> x": timer(lambda: trivial(x)),
        "Cell": cell_call(),
        "Cell with a forward hook": cell_call(lambda cell: cell.register_forward_hook(lambda cell, x, y: None)),
        "Cell, forward and backward": cell_gradient(),
        "… with a backward hook": cell_gradient(
            lambda cell: cell.register_backward_hook(lambda cell, leaving, arriving: None)
        ),
    }


def check() -> None:
    """AssertionError unless what is timed also computes what it should."""
    found = grad(Chain()._run)(Tensor(X)).asnumpy()
    np.testing.assert_allclose(found, Y.astype(np.float64) ** LENGTH, rtol=1e-4)


def run(rounds: int) -> Measurement:
    """Time all of it."""
    return measure("One op on 8 x 8, and what stands around it", timers(), rounds)
