"""Embedding and EmbeddingLookup: rows, gradients, first values, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, nn
from teachcell.common.initializer import initializer

TABLE = np.arange(15, dtype=np.float32).reshape(5, 3)
IDS = Tensor([[0, 2], [4, 2]])


@pytest.mark.parametrize("use_one_hot", [False, True])
def test_rows_and_their_gradients(use_one_hot: bool) -> None:
    layer = nn.Embedding(5, 3, use_one_hot, Tensor(TABLE))
    assert [(p.name, p.shape) for p in layer.trainable_params()] == [("embedding_table", (5, 3))]
    assert np.array_equal(layer(IDS).asnumpy(), TABLE[IDS.asnumpy()])
    weights = Tensor(np.array([[[1.0], [2.0]], [[3.0], [4.0]]], np.float32))
    gradient = grad(lambda ids: (layer(ids) * weights).sum(), None, layer.embedding_table)(IDS)
    assert gradient.tolist() == [[1] * 3, [0] * 3, [6] * 3, [0] * 3, [3] * 3]
    for ids in (Tensor(3), Tensor([3], tc.int32), Tensor([3], tc.uint8), [3], 3):
        assert np.array_equal(layer(ids).asnumpy().reshape(-1), TABLE[3])
    assert layer(Tensor(np.zeros((0, 2), int))).shape == (0, 2, 3)


def test_second_order_goes_through_the_rows() -> None:
    layer = nn.Embedding(5, 3)
    twice = grad(lambda scale: grad(lambda s: (layer(IDS) * s).square().sum())(scale))(Tensor(2.0))
    assert twice.item() == pytest.approx(2 * (layer(IDS).asnumpy() ** 2).sum(), rel=1e-5)
    by_table = grad(lambda s: (layer(IDS) * s).square().sum(), 0, layer.embedding_table)
    mixed = grad(lambda s: by_table(s)[1].sum())(Tensor(2.0))  # of 2 · s² · row, by s
    assert mixed.item() == pytest.approx(8 * layer(IDS).asnumpy().sum(), rel=1e-4)


def test_first_values() -> None:
    tc.set_seed(3)
    layer = nn.Embedding(100, 50, padding_idx=7)
    table = layer.embedding_table.asnumpy()
    assert not table[7].any() and np.delete(table, 7, 0).std() == pytest.approx(0.01, rel=0.05)
    source = Tensor(TABLE)
    given = nn.Embedding(5, 3, embedding_table=source, padding_idx=1)
    assert given.embedding_table[1].tolist() == [0, 0, 0] and source[1].tolist() == [3, 4, 5]
    assert nn.Embedding(2, 2, embedding_table="ones", dtype=tc.float16).embedding_table.dtype is tc.float16
    assert nn.Embedding(2, 2, embedding_table=initializer(0.5, (2, 2)))(Tensor([1])).tolist() == [[0.5, 0.5]]
    assert repr(layer).startswith("Embedding(vocab_size=100, embedding_size=50, use_one_hot=False, embedding_table=Par")
    assert repr(layer).endswith("dtype=Float32, padding_idx=7)")


def test_lookups_give_zeros_outside_of_the_table() -> None:
    layer = nn.EmbeddingLookup(5, 3, param_init=Tensor(TABLE))
    assert layer(Tensor([7, 1, -1])).tolist() == [[0, 0, 0], [3, 4, 5], [0, 0, 0]]
    gradient = grad(lambda ids: layer(ids).sum(), None, layer.embedding_table)(Tensor([7, 1, 1]))
    assert gradient.tolist() == [[0] * 3, [2] * 3, [0] * 3, [0] * 3, [0] * 3]
    assert repr(layer) == "EmbeddingLookup(vocab_size=5, embedding_size=3, max_norm=None)"


def test_the_longest_row_of_a_lookup() -> None:
    layer = nn.EmbeddingLookup(4, 2, Tensor(np.array([[1, 2], [3, 4], [0.5, 0.5], [0, 0]])), max_norm=2.0)
    rows = layer(Tensor([0, 1, 2, 3])).asnumpy()
    np.testing.assert_allclose(rows, [[0.8944272, 1.7888544], [1.2, 1.6], [0.5, 0.5], [0, 0]], atol=1e-6)
    gradient = grad(lambda ids: layer(ids).sum(), None, layer.embedding_table)(Tensor([1, 2, 3])).asnumpy()
    np.testing.assert_allclose(gradient[2:], 1)
    # of x / |x| · 2, summed: 2 · (1 / 5 − x · 7 / 125)
    np.testing.assert_allclose(gradient[1], 2 * (1 / 5 - np.array([3, 4]) * 7 / 125), rtol=1e-5)


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: nn.Embedding(0, 2), ValueError, "Embedding: vocab_size must be a positive int, got 0"),
        (lambda: nn.EmbeddingLookup(2, 0), ValueError, "EmbeddingLookup: embedding_size must be a positive int"),
        (lambda: nn.Embedding(5, 2, padding_idx=5), ValueError, r"Embedding.padding_idx must .*\[0, 5\), got 5"),
        (lambda: nn.Embedding(5, 2, padding_idx=-1), ValueError, "padding_idx"),
        (lambda: nn.Embedding(5, 2, embedding_table=Tensor([1.0])), ValueError, "the Tensor has shape"),
        (lambda: nn.Embedding(5, 2)(Tensor([1.0])), TypeError, r"Embedding: ids must be ints, got \(1,\) float32"),
        (lambda: nn.Embedding(5, 2)(Tensor([True])), TypeError, "ids must be ints"),
        (lambda: nn.Embedding(5, 2)(Tensor([1, 5])), IndexError, "the id 5 is no row of a table with vocab_size = 5"),
        (lambda: nn.Embedding(5, 2)(Tensor([-1, 2])), IndexError, "the id -1"),
        (lambda: nn.EmbeddingLookup(5, 2)(Tensor([1.0])), TypeError, "EmbeddingLookup: ids must be ints"),
        (lambda: nn.EmbeddingLookup(5, 2, max_norm=0.0), ValueError, "EmbeddingLookup.max_norm must"),
    ],
)
def test_tables_refuse(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make()
