"""Tables of vectors: one row per word of a vocabulary."""

from __future__ import annotations

from typing import Any

from ... import ops
from ...core.dtypes import float32
from ...core.errors import describe
from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels.arguments import in_interval
from ...texts import say
from ..cell import Cell
from ..initializer import initializer
from ..parameter import Parameter
from .algebra import clipped
from .checks import positive_int


class Embedding(Cell):
    """The rows of a table at the integers of the input; a row that is asked for often adds up its gradients.

    Args:
        vocab_size: number of rows.
        embedding_size: length of a row.
        use_one_hot: multiply one-hot vectors with the table instead of taking its rows; the result is the same.
        embedding_table: Tensor, name or number; by default normal with standard deviation 0.01.
        dtype: data type of the table.
        padding_idx: a row that is 0 at first.

    Attributes:
        embedding_table: (vocab_size, embedding_size).
    """

    def __init__(
        self, vocab_size: int, embedding_size: int, use_one_hot: bool = False, embedding_table: Any = "normal",
        dtype: Any = float32, padding_idx: int | None = None,
    ):  # fmt: skip
        super().__init__()
        self.vocab_size = positive_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = positive_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot, self.dtype, self.padding_idx = use_one_hot, dtype, padding_idx
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            if not isinstance(padding_idx, int) or not 0 <= padding_idx < vocab_size:
                name, interval = "Embedding.padding_idx", f"[0, {vocab_size})"
                raise ValueError(say("errors.interval", name=name, interval=interval, got=repr(padding_idx)))
            table._array[padding_idx] = 0
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Tensor) -> Tensor:
        """(…) to (…, embedding_size)."""
        indices = checked_ids("Embedding", ids, self.vocab_size)
        if self.use_one_hot:
            hot = ops.one_hot(indices, self.vocab_size).astype(self.embedding_table.dtype)
            return T.matmul(hot, self.embedding_table)
        return T.gather(self.embedding_table, indices, axis=0)

    def extend_repr(self) -> str:
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


def checked_ids(cls: str, ids: Any, size: int | None) -> Tensor:
    """The ids as a Tensor of ints, all of them rows of a table of ``size`` rows (None: of any)."""
    indices = operand(ids)
    array = indices._array
    if array.dtype.kind not in "iu":
        raise TypeError(say("errors.embedding_ids", cls=cls, got=describe(array)))
    if size is not None and array.size and not 0 <= array.min() <= array.max() < size:
        wrong = array[(array < 0) | (array >= size)][0]
        raise IndexError(say("errors.embedding_range", cls=cls, got=wrong, size=size))
    return indices


class EmbeddingLookup(Cell):
    """The rows of a table at the integers of the input, zeros where there is no such row.

    Args:
        vocab_size: number of rows.
        embedding_size: length of a row.
        param_init: Tensor, name or number; by default normal with standard deviation 0.01.
        target, slice_mode, manual_shapes, sparse: accepted for old code; without effect.
        max_norm: rows that are longer are scaled down to this length when they are taken.
        dtype: data type of the table.

    Attributes:
        embedding_table: (vocab_size, embedding_size).
    """

    def __init__(
        self, vocab_size: int, embedding_size: int, param_init: Any = "normal", target: str = "CPU",
        slice_mode: str = "batch_slice", manual_shapes: Any = None, max_norm: float | None = None,
        sparse: bool = True, dtype: Any = float32,
    ):  # fmt: skip
        super().__init__()
        self.vocab_size = positive_int("EmbeddingLookup", "vocab_size", vocab_size)
        self.embedding_size = positive_int("EmbeddingLookup", "embedding_size", embedding_size)
        if max_norm is not None:
            in_interval("EmbeddingLookup.max_norm", max_norm, "(0, ∞)")
        self.max_norm = max_norm
        table = initializer(param_init, (vocab_size, embedding_size), dtype)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, indices: Tensor) -> Tensor:
        """(…) to (…, embedding_size)."""
        rows = ops.EmbeddingLookup()(self.embedding_table, checked_ids("EmbeddingLookup", indices, None))
        return rows if self.max_norm is None else clipped(rows, -1, self.max_norm)

    def extend_repr(self) -> str:
        return f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, max_norm={self.max_norm}"
