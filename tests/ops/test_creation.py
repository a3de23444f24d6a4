"""New Tensors, windows, and facts about Tensors: values, dtypes and class forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import windows

import teachcell as tc
from teachcell import Tensor, grad, ops


def test_dtypes_of_new_tensors() -> None:
    x = Tensor([[1, 2]], tc.int32)
    assert (ops.full_like(x, 7.9).tolist(), ops.full_like(x, 7.5, dtype=tc.float16).dtype) == ([[7, 7]], tc.float16)
    for new in (x.new_zeros((2,)), x.new_ones(3), x.new_full((1,), 4), x.new_empty((1,))):
        assert new.dtype is tc.int32
    assert x.new_ones((2,), dtype=tc.float32).tolist() == [1.0, 1.0]
    assert (ops.eye(2, 3, tc.int32).tolist(), ops.eye(2).dtype) == ([[1, 0, 0], [0, 1, 0]], tc.float32)
    assert ops.arange(Tensor(1), Tensor(4)).tolist() == [1, 2, 3] and ops.arange(5, 0, -2).tolist() == [5, 3, 1]
    assert ops.arange(0, 1, 0.25).dtype is tc.float32 and ops.arange(3, dtype=tc.float16).dtype is tc.float16
    assert (ops.range(0, 6, 2).tolist(), ops.Range()(0, 2).dtype) == ([0, 2, 4], tc.int64)
    assert (ops.linspace(1, 5, 3).tolist(), ops.linspace(1, 5, 3).dtype) == ([1, 3, 5], tc.float32)
    assert ops.linspace(Tensor(np.float64(0)), 1, 3).dtype is tc.float64
    assert ops.logspace(0, 3, 4, 2, dtype=tc.int32).tolist() == [1, 2, 4, 8]
    assert ops.zeros([2, 1]).shape == ops.zeros(Tensor([2, 1])).shape == ops.ones(np.array([2, 1])).shape == (2, 1)
    assert ops.tril_indices(2, 3).dtype is tc.int64 and ops.triu_indices(2, 2, 1, dtype=tc.int32).tolist() == [[0], [1]]


def test_class_forms() -> None:
    assert ops.Zeros()((2,), tc.float16).dtype is tc.float16 and ops.Ones()(2).tolist() == [1, 1]
    assert ops.Fill()(tc.int32, (2,), 1).tolist() == [1, 1]
    assert ops.FillV2()((2,), Tensor(3.5)).tolist() == [3.5, 3.5] and ops.FillV2()(Tensor([1, 2]), 3).shape == (1, 2)
    assert ops.OnesLike()(Tensor([2])).tolist() == [1] and ops.ZerosLike()(Tensor([2.5])).tolist() == [0.0]
    assert ops.Eye()(2, 2, tc.bool_).tolist() == [[True, False], [False, True]]
    assert ops.LinSpace()(Tensor(1.0), Tensor(2.0), 2).tolist() == [1, 2]
    assert ops.LogSpace(3, 10)(Tensor(1.0), Tensor(3.0)).tolist() == [10, 100, 1000]


def test_ends_of_linspace_are_exact_and_get_gradients() -> None:
    start, end = Tensor(0.1), Tensor(0.7)
    numbers = ops.linspace(start, end, 7)
    assert numbers[0] == start and numbers[-1] == end
    assert [g.item() for g in grad(lambda a, b: ops.linspace(a, b, 3).sum(), (0, 1))(start, end)] == [1.5, 1.5]
    got = grad(lambda a: ops.logspace(a, 1.0, 2).sum())(Tensor(2.0))
    np.testing.assert_allclose(got.asnumpy(), 100 * np.log(10), rtol=1e-5)


@pytest.mark.parametrize("length", [0, 1, 2, 5, 8])
@pytest.mark.parametrize("periodic", [True, False])
def test_windows_beside_scipy(length: int, periodic: bool) -> None:
    for got, want in (
        (ops.hamming_window(length, periodic), windows.hamming(length, not periodic)),
        (ops.hann_window(length, periodic), windows.hann(length, not periodic)),
        (ops.blackman_window(length, periodic), windows.blackman(length, not periodic)),
        (ops.bartlett_window(length, periodic), windows.bartlett(length, not periodic)),
        (ops.kaiser_window(length, periodic, 5.0), windows.kaiser(length, 5.0, not periodic)),
        (ops.HammingWindow(periodic, 0.5, 0.5)(Tensor(length)), windows.general_hamming(length, 0.5, not periodic)),
        (ops.BlackmanWindow(periodic)(Tensor([length])), windows.blackman(length, not periodic)),
        (ops.BartlettWindow(periodic)(length), windows.bartlett(length, not periodic)),
    ):
        np.testing.assert_allclose(got.asnumpy(), want, atol=1e-6)


def test_dtypes_of_windows() -> None:
    assert ops.hamming_window(3).dtype is tc.float32 and ops.hann_window(3, dtype=tc.float16).dtype is tc.float16
    assert ops.hann_window(3).dtype is ops.kaiser_window(3).dtype is tc.float64


def test_facts() -> None:
    x = Tensor(np.ones((2, 3), np.float16))
    assert ops.shape(x) == ops.Shape()(x) == (2, 3)
    assert ops.size(x) == ops.numel(x) == ops.Size()(x) == x.numel() == x.nelement() == 6
    assert ops.rank(x) == ops.Rank()(x) == x.ndimension() == 2
    assert ops.dtype(x) is ops.DType()(x) is tc.float16
    assert (ops.dyn_shape(x).tolist(), ops.TensorShape()(x).dtype) == ([2, 3], tc.int64)
    assert ops.is_tensor(x) and ops.is_tensor(tc.Parameter(x)) and not ops.is_tensor([1])


def test_small_conversions() -> None:
    assert (ops.scalar_to_tensor(2).dtype, ops.ScalarToTensor()(True, tc.int32).item()) == (tc.float32, 1)
    assert ops.scalar_cast(2.7, tc.int64) == 2 and ops.ScalarCast()(1, tc.float64) == 1.0
    assert (ops.tuple_to_array((1, 2)).dtype, ops.TupleToArray()((1.0, 2.0)).dtype) == (tc.int32, tc.float32)
    assert ops.make_tuple(1, "a") == (1, "a") and ops.InvertPermutation()((2, 0, 1)) == (1, 2, 0)
    kept, places = ops.ListDiff()(Tensor([1, 2, 3, 4]), Tensor([2, 4]))
    assert (kept.tolist(), places.tolist(), places.dtype) == ([1, 3], [0, 2], tc.int32)
    ends, numbers = ops.RaggedRange(Tsplits=tc.int32)(Tensor([2, 5]), Tensor([3, 8]), Tensor([1, 1]))
    assert (ends.tolist(), numbers.tolist(), numbers.dtype) == ([0, 1, 4], [2, 5, 6, 7], tc.int64)
