"""Whole Jacobians: ``jacrev`` row by row with sweeps back, ``jacfwd`` column by column forwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core.nested import Structure
from ..core.op import TENSORS as T
from ..core.tensor import Tensor, wrap
from .grad import Positions, check_function, checked_positions
from .products import Linearised, as_tensors, aux_of, outputs_of
from .recorded import Recorded, refuse_position

Blocks = list[list[Tensor]]  # by output, by position


def _basis(like: Tensor) -> Iterator[Tensor]:
    """The unit Tensors of a shape, in row-major order."""
    for i in range(like.size):
        unit = np.zeros(like.size, like._array.dtype)
        unit[i] = 1
        yield wrap(unit.reshape(like.shape))


def _stacked(parts: list[Tensor], axis: int, shape: tuple[int, ...], like: Tensor) -> Tensor:
    """Rows (axis 0) or columns (axis -1) as one Jacobian of ``shape``."""
    return T.reshape(T.stack(parts, axis=axis), shape) if parts else wrap(np.zeros(shape, like._array.dtype))


def _shaped(blocks: Blocks, outputs: Structure, position: Positions) -> Any:
    """By output as ``fn`` returned them; within that by position, bare for a single one."""
    several = isinstance(position, tuple) and len(position) > 1
    return outputs.filled([tuple(row) if several else row[0] for row in blocks])


def jacrev(fn: Callable[..., Any], grad_position: Positions = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the Jacobian of ``fn``, computed backwards: best for few outputs.

    Args:
        fn: function, Cell or any callable of Tensors.
        grad_position: position, or tuple of positions, of the arguments to differentiate by.
        has_aux: only the first output is differentiated; the result is ``(Jacobian, aux)``.

    Returns:
        Per output and position a Tensor of shape ``output.shape + input.shape``.

    Raises:
        TypeError, ValueError, RuntimeError: as :func:`teachcell.grad`.
    """

    def blocks_of(args: tuple[Any, ...], positions: tuple[int, ...]) -> tuple[Any, Blocks, Structure]:
        call = Recorded(fn, args, {}, positions, has_aux)
        blocks = []
        for k, output in enumerate(call.outputs):
            rows = []
            for unit in _basis(output):
                seeds = [T.zeros_like(t) for t in call.outputs]
                seeds[k] = unit
                rows.append(call.gradients(seeds).by_position)
            blocks.append([
                _stacked([row[j] for row in rows], 0, output.shape + args[p].shape, args[p])
                for j, p in enumerate(positions)
            ])  # fmt: skip
        return call.result, blocks, outputs_of(call.result[0] if has_aux else call.result)

    return _jacobian(fn, grad_position, has_aux, blocks_of)


def jacfwd(fn: Callable[..., Any], grad_position: Positions = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the Jacobian of ``fn``, computed forwards: best for few inputs.

    Arguments, result and errors are those of :func:`jacrev`.
    """

    def blocks_of(args: tuple[Any, ...], positions: tuple[int, ...]) -> tuple[Any, Blocks, Structure]:
        for p in positions:
            refuse_position(p, args)
        call = Linearised(fn, as_tensors(args, "jacfwd"), has_aux)
        by_position = []
        for p in positions:
            columns = []
            for unit in _basis(args[p]):
                direction = [T.zeros_like(t) for t in args]
                direction[p] = unit
                columns.append(call.push(tuple(direction)))
            by_position.append([
                _stacked([column[k] for column in columns], -1, output.shape + args[p].shape, args[p])
                for k, output in enumerate(call.outputs.tensors)
            ])  # fmt: skip
        return call.value, [list(row) for row in zip(*by_position, strict=True)], call.outputs

    return _jacobian(fn, grad_position, has_aux, blocks_of)


def _jacobian(fn: Any, position: Positions, has_aux: bool, blocks_of: Callable[..., Any]) -> Callable[..., Any]:
    check_function(fn, "grad")
    positions = checked_positions(position) or (0,)

    def jacobian(*args: Any) -> Any:
        value, blocks, outputs = blocks_of(args, positions)
        found = _shaped(blocks, outputs, position)
        return (found, aux_of(value)) if has_aux else found

    return jacobian
