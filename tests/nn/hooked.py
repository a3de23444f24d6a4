"""Small Cells, and listeners to their hooks."""

from __future__ import annotations

from typing import Any

from teachcell import Parameter, Tensor, nn


class Sum(nn.Cell):
    """x + 2 y, with y optional."""

    def construct(self, x: Tensor, y: Any = None) -> Any:
        return x if y is None else x + 2 * y


class Affine(nn.Cell):
    """w · x with w = 3."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return self.w * x


X, Y = Tensor([1.0]), Tensor([2.0])


def values(gradients: Any) -> Any:
    """Gradient tuples as plain numbers."""
    assert type(gradients) is tuple
    return tuple(None if g is None else g.tolist() for g in gradients)


class Listener:
    def __init__(self) -> None:
        self.heard: list[Any] = []

    def newer(self, cell: Any, grad_input: Any, grad_output: Any) -> None:
        self.heard.append((cell, values(grad_input), values(grad_output)))

    def older(self, cell_id: Any, grad_input: Any, grad_output: Any) -> None:
        self.heard.append((cell_id, values(grad_input), values(grad_output)))

    def __call__(self, cell_id: Any, a: Any, b: Any) -> None:
        self.older(cell_id, a, b)
