"""Diagonals, triangles and bands of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define
from ...core.dtypes import as_dtype, int32, int64
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import diagonal as K
from ...kernels.arguments import one_axis, sizes_of, with_axes
from ...texts import say
from .scatter import written

tril = define(
    "tril", K.tril, (lambda F, g, out, x, diagonal=0: F.tril(g, diagonal),),
    keeps="", primitive="Tril", methods=("tril",), card=("y = x {up_to_diagonal}", "∂x = g {up_to_diagonal}"),
    source="{linear_map}",
)  # fmt: skip
triu = define(
    "triu", K.triu, (lambda F, g, out, x, diagonal=0: F.triu(g, diagonal),),
    keeps="", primitive="Triu", methods=("triu",), card=("y = x {from_diagonal}", "∂x = g {from_diagonal}"),
    source="{linear_map}",
)  # fmt: skip
matrix_band_part = define(
    "matrix_band_part", K.matrix_band_part,
    (lambda F, g, out, x, lower, upper: F.matrix_band_part(g, lower, upper),),
    called=("x",), keeps="", primitive="MatrixBandPart", init=(), card=("y = x {in_band}", "∂x = g {in_band}"),
    source="{linear_map}",
)  # fmt: skip


def _diagonal_rule(F: Any, g: Any, out: Any, x: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    flat = F.put(g, (int(np.prod(x.shape)),), K.diagonal_places(x.shape, offset, dim1, dim2))
    return F.reshape(flat, x.shape)


diagonal = define(
    "diagonal", K.diagonal, (_diagonal_rule,), keeps="",
    undo=lambda base, new, **where: _written_flat(base, K.diagonal_places(base.shape, **where), new),
    card=("y = {diagonal_of} x", "∂x = g {on_diagonal}"), source="{linear_map}",
)  # fmt: skip
diag_embed = define(
    "diag_embed", K.diag_embed, (lambda F, g, out, x, offset=0, dim1=-2, dim2=-1: F.diagonal(g, offset, dim1, dim2),),
    keeps="", card=("y = x {on_diagonal}", "∂x = {diagonal_of} g"), source="{linear_map}",
)  # fmt: skip


@public(methods=("diagonal",))
def _diagonal(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of two axes as a last axis, as a view."""
    return diagonal(self, offset, axis1, axis2)


@public("diag", methods=("diag",), primitive="Diag")
def diag(input: Any) -> Tensor:
    """A matrix with the elements on its diagonal; of an input of shape s the result has shape s + s."""
    x = operand(input)
    return T.reshape(diagflat(x), x.shape * 2)


@public("diagflat", methods=("diagflat",))
def diagflat(input: Any, offset: int = 0) -> Tensor:
    """A matrix with all elements, flattened, on one diagonal."""
    return diag_embed(T.reshape(input, (-1,)), offset)


@public(primitive="DiagPart")
def _diag_part(x: Any) -> Tensor:
    """The reverse of ``Diag``: of an input of shape s + s the elements whose two halves of the index agree."""
    x = operand(x)
    half = x.shape[: x.ndim // 2]
    if x.shape != half * 2:
        raise ValueError(say("errors.two_halves", shape=x.shape))
    side = int(np.prod(half))
    return T.reshape(diagonal(T.reshape(x, (side, side))), half)


@public("diagonal_scatter", methods=("diagonal_scatter",))
def diagonal_scatter(input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A copy of ``input`` with ``src`` on the diagonal of two axes."""
    x = operand(input)
    return _written_flat(x, K.diagonal_places(x.shape, offset, dim1, dim2), src)


@public(methods=("fill_diagonal",), primitive="FillDiagonal", init=("fill_value", "wrap"))
def _fill_diagonal(input: Any, fill_value: float, wrap: bool = False) -> Tensor:
    """A copy with one value on the main diagonal; ``wrap`` begins a new one below that of a tall matrix."""
    x = operand(input)
    at = K.filled_places(x.shape, wrap)
    return _written_flat(x, at, np.full(at.shape, fill_value, x._array.dtype))


def _written_flat(x: Tensor, at: np.ndarray, src: Any) -> Tensor:
    """A copy of x with ``src`` at flat places."""
    return T.reshape(written(T.reshape(x, (-1,)), at, src), x.shape)


# Several diagonals at once ---------------------------------------------------------------------------------------


def _range(k: Any) -> tuple[int, int]:
    numbers = sizes_of(k)
    return numbers[0], numbers[-1]


@public("matrix_diag_part")
def matrix_diag_part(x: Any, k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """The diagonals k[0] … k[1] of every matrix as rows, the highest first; one diagonal for an int ``k``.

    Args:
        x: (…, m, n).
        k: number of the diagonal (0: the main one, > 0: above it), or the lowest and the highest.
        padding_value: stands where a diagonal is shorter than the longest.
        align: whether shorter ones stand to the ``"RIGHT"`` or ``"LEFT"``: those above, then those below.
    """
    x = operand(x)
    rows, columns, exists = K.diagonals(*_matrix(x), _range(k), align)
    found = T.getitem(x, index=(..., rows, columns))
    if not exists.all():
        found = T.select(wrap(exists), found, operand(padding_value).astype(x.dtype))
    return T.getitem(found, index=(..., 0, slice(None))) if len(exists) == 1 else found


@public("matrix_set_diag")
def matrix_set_diag(x: Any, diagonal: Any, k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """A copy of every matrix with its diagonals k[0] … k[1] taken from rows as ``matrix_diag_part`` gives them."""
    x, given = operand(x), operand(diagonal)
    rows, columns, exists = K.diagonals(*_matrix(x), _range(k), align)
    wanted = x.shape[:-2] + (exists.shape if len(exists) > 1 else exists.shape[1:])
    if given.shape != wanted:
        raise ValueError(say("errors.updates_shape", wanted=wanted, got=given.shape))
    given = T.reshape(given.astype(x.dtype), x.shape[:-2] + exists.shape)
    return T.setitem(x, T.getitem(given, index=(..., exists)), index=(..., rows[exists], columns[exists]))


@public("matrix_diag")
def matrix_diag(
    x: Any, k: Any = 0, num_rows: int = -1, num_cols: int = -1, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Matrices with the rows of ``x`` as diagonals k[0] … k[1] (see ``matrix_diag_part``).

    Args:
        x: (…, diagonals, longest), or (…, longest) for one diagonal.
        k: number of the diagonal, or the lowest and the highest.
        num_rows, num_cols: size of the matrices; −1: as small as can be, square where both are open.
        padding_value: stands elsewhere.
        align: where in their rows shorter diagonals stand.
    """
    x, (low, high) = operand(x), _range(k)
    one_axis(-1 if low == high else -2, x.ndim)
    rows, columns, longest = int(num_rows), int(num_cols), x.shape[-1]
    fewest = longest - min(high, 0), longest + max(low, 0)
    if rows < 0 and columns < 0:
        fewest = (max(fewest),) * 2
    rows, columns = fewest[0] if rows < 0 else rows, fewest[1] if columns < 0 else columns
    lead = x.shape[: -1 if low == high else -2]
    blank = np.full((*lead, rows, columns), operand(padding_value).item(), x._array.dtype)
    return matrix_set_diag(wrap(blank), x, (low, high), align)


@public(primitive="MatrixDiagPartV3", init=("align",))
def _matrix_diag_part(x: Any, k: Any, padding_value: Any, align: str = "RIGHT_LEFT") -> Tensor:
    """``matrix_diag_part``."""
    return matrix_diag_part(x, k, padding_value, align)


@public(primitive="MatrixDiagV3", init=("align",))
def _matrix_diag(
    x: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, align: str = "RIGHT_LEFT"
) -> Tensor:  # fmt: skip
    """``matrix_diag``."""
    return matrix_diag(x, k, num_rows, num_cols, padding_value, align)


@public(primitive="MatrixSetDiagV3", init=("align",))
def _matrix_set_diag(x: Any, diagonal: Any, k: Any, align: str = "RIGHT_LEFT") -> Tensor:
    """``matrix_set_diag``."""
    return matrix_set_diag(x, diagonal, k, align)


def _matrix(x: Tensor) -> tuple[int, int]:
    with_axes("x", x, 2)
    return x.shape[-2], x.shape[-1]


# Indices of triangles --------------------------------------------------------------------------------------------


@public("tril_indices")
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = int64) -> Tensor:
    """(2, n): rows and columns of the elements up to a diagonal of a (row, col) matrix."""
    return wrap(np.array(np.tril_indices(row, offset, col), as_dtype(dtype).numpy))


@public("triu_indices")
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = int64) -> Tensor:
    """(2, n): rows and columns of the elements from a diagonal on of a (row, col) matrix."""
    return wrap(np.array(np.triu_indices(row, offset, col), as_dtype(dtype).numpy))


@public(primitive="TrilIndices", init=("row", "col", "offset", "dtype"))
def _tril_indices(row: int, col: int, offset: int = 0, dtype: Any = int32) -> Tensor:
    """``tril_indices`` in Int32."""
    return tril_indices(row, col, offset, dtype=dtype)


@public(primitive="TriuIndices", init=("row", "col", "offset", "dtype"))
def _triu_indices(row: int, col: int, offset: int = 0, dtype: Any = int32) -> Tensor:
    """``triu_indices`` in Int32."""
    return triu_indices(row, col, offset, dtype=dtype)
