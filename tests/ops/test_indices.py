"""Reading and writing at indices beyond the generated tests: methods, class forms, repeated places, Parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, gradcheck, ops
from teachcell.core.public import FUNCTIONS, PRIMITIVES


def matrix() -> Tensor:
    return Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def test_gather_in_all_its_forms() -> None:
    x = matrix()
    assert ops.Gather()(x, Tensor([0, 2]), 1).tolist() == x.gather(Tensor([0, 2]), 1).tolist() == [[1, 3], [4, 6]]
    assert ops.Gather(1)(x, Tensor([[0], [2]]), 1).tolist() == [[1], [6]]
    assert x.gather(1, Tensor([[0], [2]])).tolist() == x.gather(dim=1, index=Tensor([[0], [2]])).tolist() == [[1], [6]]
    assert ops.GatherD()(x, 1, Tensor([[0], [2]])).tolist() == ops.gather_d(x, 1, [[0], [2]]).tolist() == [[1], [6]]
    assert x.gather_elements(0, Tensor([[1, 0, 1]])).tolist() == [[4, 2, 6]]
    assert ops.GatherNd()(x, Tensor([[0, 1]])).tolist() == x.gather_nd(Tensor([[0, 1]])).tolist() == [2]
    assert x.index_select(1, Tensor([2, 2])).tolist() == [[3, 3], [6, 6]]
    assert x.take(Tensor([5, 9])).tolist() == [6, 6] and x.take(Tensor([4]), 1, mode="wrap").tolist() == [[2], [5]]
    assert ops.EmbeddingLookup()(x, Tensor([1, 2]), 1).tolist() == [[1, 2, 3], [4, 5, 6]]
    assert ops.EmbeddingLookup()(x, Tensor([-1, 1])).tolist() == [[0, 0, 0], [4, 5, 6]]
    assert ops.ReverseSequence(seq_dim=1)(x, Tensor([2, 1])).tolist() == [[2, 1, 3], [4, 5, 6]]
    assert ops.MaskedSelect()(x, x > 4).tolist() == x.masked_select(x > 4).tolist() == [5, 6]
    assert Tensor([0, 1]).choose([Tensor([1.0, 2.0]), Tensor([10.0, 20.0])]).tolist() == [1, 20]
    with pytest.raises(IndexError, match="index 9"):
        x.take(Tensor([9]), mode="raise")


def test_indices_that_compute_are_constants() -> None:
    x = Tensor([3.0, 1.0, 2.0])
    assert grad(lambda t: ops.gather(t, t.argmax(), 0) * t.sum())(x).tolist() == [9, 3, 3]
    assert grad(lambda t: ops.gather(t, ops.cast(t, tc.int32) - 1, 0).sum())(x).tolist() == [1, 1, 1]


def test_the_padding_row_of_an_embedding_gets_no_gradient() -> None:
    table, words = Tensor(np.ones((3, 2))), Tensor([[0, 2], [2, 1]])
    assert grad(lambda w: ops.embedding(words, w).sum())(table).tolist() == [[1, 1], [1, 1], [2, 2]]
    assert grad(lambda w: ops.embedding(words, w, -1).sum())(table).tolist() == [[1, 1], [1, 1], [0, 0]]


def test_one_hot() -> None:
    hot = ops.one_hot(Tensor([0, 2, 5]), 3, Tensor(0.9, tc.float16), 0.1)
    assert hot.dtype is tc.float16 and np.allclose(hot.asnumpy()[2], 0.1, atol=1e-3)
    assert ops.OneHot(axis=0)(Tensor([1]), 2, Tensor(1.0), Tensor(0.0)).tolist() == [[0], [1]]
    slopes = grad(lambda a, b: ops.one_hot(Tensor([0, 2, 5]), 3, a, b).sum(), (0, 1))(Tensor(1.0), Tensor(0.0))
    assert [s.item() for s in slopes] == [2, 7]


def test_nonzero() -> None:
    x = Tensor([[1, 0], [0, 2]])
    assert (ops.NonZero()(x).tolist(), x.nonzero().dtype) == ([[0, 0], [1, 1]], tc.int64)
    assert [t.tolist() for t in ops.nonzero(Tensor(3.0), as_tuple=True)] == [[0]]
    assert ops.argwhere(Tensor(0)).shape == (0, 0)


# Writing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["update", "add", "sub", "mul", "div", "max", "min"])
def test_scatter_in_all_its_forms(how: str) -> None:
    """By coordinates, along an axis, by rows; as object, method and in place: one result."""
    title = how.capitalize()
    x, at, new = matrix(), Tensor([[0, 1], [1, 2], [0, 1]]), Tensor([5.0, 2.0, 0.5])
    want = FUNCTIONS[f"tensor_scatter_{how}"](x, at, new)
    assert PRIMITIVES[f"TensorScatter{title}"]()(x, at, new).tolist() == want.tolist()
    for write in (FUNCTIONS[f"scatter_nd_{how}"], PRIMITIVES[f"ScatterNd{title}"](use_locking=False)):
        p, t = Parameter(matrix()), matrix()
        assert write(p, at, new).tolist() == p.tolist() == want.tolist() and type(write(t, at, new)) is Tensor
        assert t.tolist() == want.tolist()
    rows = FUNCTIONS[f"tensor_scatter_{how}"](x, Tensor([[1]]), Tensor([[0.5, 5.0, 7.0]]))
    for write in (FUNCTIONS[f"scatter_{how}"], PRIMITIVES[f"Scatter{title}"]()):
        assert write(Parameter(matrix()), Tensor([1]), Tensor([[0.5, 5.0, 7.0]])).tolist() == rows.tolist()
    if how != "update":
        assert getattr(x, f"scatter_{how}")(at, new).tolist() == want.tolist()


def test_scatter_along_an_axis() -> None:
    x, at = matrix(), Tensor([[0, 2]])
    for written in (x.scatter(1, at, Tensor([[9.0, 8.0]])), ops.scatter(x, 1, at, Tensor([[9.0, 8.0]]))):
        assert written.tolist() == [[9, 2, 8], [4, 5, 6]]
    assert x.scatter(1, at, 7.0)[0].tolist() == [7, 2, 7] and x.scatter(1, at, 1.0, "add")[0].tolist() == [2, 2, 4]
    assert x.scatter_add(1, at, Tensor([[1.0, 1.0]]))[0].tolist() == [2, 2, 4]
    assert x.scatter_add(dim=1, index=at, src=Tensor([[1.0, 1.0]]))[0].tolist() == [2, 2, 4]
    assert ops.ScatterAddWithAxis(1)(x, at, Tensor([[1.0, 1.0]]))[0].tolist() == [2, 2, 4]
    assert ops.TensorScatterElements(1, "add")(x, Tensor([[1, 1]]), Tensor([[1.0, 1.0]]))[0].tolist() == [1, 4, 3]
    assert gradcheck(lambda a, b: ops.scatter(a, 1, at, b) ** 2, x, Tensor([[9.0, 8.0]]), order=2)


def test_of_two_values_for_one_place_the_last_stays_and_gets_the_gradient() -> None:
    at = Tensor([[0, 0], [0, 0]])
    slopes = grad(lambda x, u: ops.tensor_scatter_update(x, at, u).sum(), (0, 1))(matrix(), Tensor([7.0, 8.0]))
    assert slopes[0].tolist() == [[0, 1, 1], [1, 1, 1]] and slopes[1].tolist() == [0, 1]


def test_equal_values_share_the_gradient_of_an_extremum() -> None:
    at = Tensor([[0], [0], [1]])
    x, u = Tensor([1.0, 3.0]), Tensor([2.0, 2.0, 3.0])
    slopes = grad(lambda x, u: ops.tensor_scatter_max(x, at, u).sum(), (0, 1))(x, u)
    assert slopes[0].tolist() == [0, 0.5] and slopes[1].tolist() == [0.5, 0.5, 0.5]


def test_whole_slices() -> None:
    x, rows = matrix(), Tensor([[1.0, 1.0, 1.0]])
    assert ops.index_add(x, Tensor([1]), rows, 0).tolist() == [[1, 2, 3], [5, 6, 7]]
    assert x.index_add(0, Tensor([1]), rows, alpha=2)[1].tolist() == [6, 7, 8] and x.tolist() == matrix().tolist()
    assert x.index_add(Tensor([1]), rows, 0)[1].tolist() == ops.InplaceAdd(1)(x, rows)[1].tolist() == [5, 6, 7]
    assert ops.InplaceSub((1,))(x, rows)[1].tolist() == [3, 4, 5]
    assert ops.InplaceUpdate(1)(x, rows)[1].tolist() == ops.InplaceUpdateV2()(x, (1,), rows)[1].tolist() == [1, 1, 1]
    assert x.inplace_update(rows, 0)[0].tolist() == [1, 1, 1]
    p = Parameter(matrix())
    assert ops.IndexAdd(axis=0)(p, Tensor([1]), rows).tolist() == p.tolist() == [[1, 2, 3], [5, 6, 7]]
    assert ops.InplaceIndexAdd(axis=0)(p, Tensor([1]), rows)[1].tolist() == p.tolist()[1] == [6, 7, 8]
    for filled in (ops.IndexFill()(x, 1, Tensor([0]), Tensor(9.0)), x.index_fill(1, 0, 9)):
        assert filled.tolist() == [[9, 2, 3], [9, 5, 6]]
    assert gradcheck(lambda t, v: ops.index_fill(t, 1, Tensor([0, 2]), v) ** 2, x, Tensor(0.5), order=2)


def test_by_numpy_s_index_and_by_masks() -> None:
    x, at = matrix(), (Tensor([0, 0]), Tensor([1, 1]))
    assert x.index_put(at, Tensor([9.0, 8.0]), accumulate=True)[0].tolist() == [1, 19, 3]
    assert x.index_put((Tensor([1]),), 0.0).tolist() == [[1, 2, 3], [0, 0, 0]]
    assert ops.IndexPut(accumulate=1)(x, Tensor([9.0, 8.0]), at)[0].tolist() == [1, 19, 3]
    values = Tensor([9.0, 8.0, 7.0])
    for written in (x.masked_scatter(x > 4, values), ops.MaskedScatter()(x, x > 4, values)):
        assert written.tolist() == [[1, 2, 3], [4, 9, 8]]
    slopes = grad(lambda a, b: a.masked_scatter(a > 4, b).sum(), (0, 1))(x, values)
    assert slopes[0].tolist() == [[1, 1, 1], [1, 0, 0]] and slopes[1].tolist() == [1, 1, 0]


@pytest.mark.parametrize("shape", [(7, 11, 2), (5, 2), (2, 2), (3,)])
@pytest.mark.parametrize("accumulate", [False, True])
def test_values_with_axes_too_many_are_refused(shape: tuple[int, ...], accumulate: bool) -> None:  # no crash in NumPy
    x = ops.zeros((2, 3))
    with pytest.raises(ValueError, match="SetItem failed|ScatterAdd failed"):
        x.index_put((slice(None), 1), ops.ones(shape), accumulate)
    assert x.index_put((slice(None), 1), ops.ones((1, 1, 2)), accumulate).tolist() == [[0, 1, 0], [0, 1, 0]]


def test_dtypes_of_what_is_written() -> None:
    x = Tensor([1, 2, 3], tc.int32)
    assert ops.tensor_scatter_add(x, Tensor([[0]]), Tensor([1.9])).tolist() == [2, 2, 3]
    half = Tensor([1.0, 2.0], tc.float16)
    for how in ("add", "mul", "max"):
        assert FUNCTIONS[f"tensor_scatter_{how}"](half, Tensor([[0], [0]]), Tensor([2.0, 3.0])).dtype is tc.float16
    slopes = grad(lambda a, b: ops.tensor_scatter_add(a, Tensor([[0]]), b).sum(), (0, 1))(half, Tensor([1.0]))
    assert [s.dtype for s in slopes] == [tc.float16, tc.float32]


def test_a_parameter_takes_the_value_over_without_a_gradient() -> None:
    p, u = Parameter(Tensor([1.0, 2.0]), name="p"), Tensor([3.0])

    def count(x: Tensor) -> Tensor:
        return ops.scatter_add(p, Tensor([0]), x).sum()

    assert grad(count)(u).tolist() == [0] and p.tolist() == [4, 2]


# Segments ----------------------------------------------------------------------------------------------------------


def test_empty_segments_give_what_changes_nothing() -> None:
    x, ids = Tensor([1.0, 2.0, 4.0]), Tensor([0, 0, 2])
    assert ops.unsorted_segment_sum(x, ids, 4).tolist() == [3, 0, 4, 0]
    assert ops.UnsortedSegmentProd()(x, ids, 4).tolist() == [2, 1, 4, 1]
    for dtype in (tc.float16, tc.float32, tc.int32):
        info: Any = np.finfo(dtype.numpy) if dtype is not tc.int32 else np.iinfo(dtype.numpy)
        for function, empty in ((ops.unsorted_segment_max, info.min), (ops.unsorted_segment_min, info.max)):
            found = function(x.astype(dtype), ids, 4)
            assert found.dtype is dtype and found[1].item() == found[3].item() == empty


def test_segments_of_sorted_rows() -> None:
    x, ids = Tensor([[-1.0], [-2.0], [-3.0], [-4.0]]), Tensor([0, 0, 2, 3])
    for name, want in {
        "SegmentSum": [-3, 0, -3, -4], "SegmentMean": [-1.5, 0, -3, -4], "SegmentMax": [-1, 0, -3, -4],
        "SegmentMin": [-2, 0, -3, -4], "SegmentProd": [2, 1, -3, -4],
    }.items():  # fmt: skip
        op = PRIMITIVES[name]()
        assert op(x, ids).asnumpy().ravel().tolist() == want, name
        assert gradcheck(lambda t, op=op: op(t, ids) ** 2, x, order=2)


def test_equal_values_of_a_segment_share_the_gradient_of_its_extremum() -> None:
    slope = grad(lambda x: ops.unsorted_segment_max(x, Tensor([0, 0, 0, 1]), 2).sum())
    assert slope(Tensor([2.0, 2.0, 1.0, 5.0])).tolist() == [0.5, 0.5, 0, 1]
