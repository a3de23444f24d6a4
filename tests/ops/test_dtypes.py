"""The dtype of every result: promotion between Tensors, beside Python numbers, and what integers give."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, ops
from teachcell.core.dtypes import ALL, of_array
from teachcell.core.op import OPS
from teachcell.core.public import FUNCTIONS

RANK = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


def of(name: str, shape: tuple[int, ...] = (2,)) -> Tensor:
    return Tensor(np.ones(shape, name))


@pytest.mark.parametrize(("a", "b"), list(itertools.product(RANK, RANK)))
def test_tensors_meet_at_the_higher_rank(a: str, b: str) -> None:
    higher = "int16" if {a, b} == {"uint8", "int8"} else max(a, b, key=RANK.index)
    assert (of(a) + of(b)).dtype.name == higher
    assert (of(a) * of(b, ())).dtype.name == higher  # a 0-d Tensor counts like any other


@pytest.mark.parametrize("name", RANK)
def test_python_numbers_widen_only_to_a_higher_kind(name: str) -> None:
    x = of(name)
    floating = name.startswith("float")
    assert (x + True).dtype.name == name
    assert (x + 2).dtype.name == (("int64") if name == "bool" else name)
    assert (x + 1.5).dtype.name == (name if floating else "float32")
    assert (1.5 * x).dtype.name == (name if floating else "float32")
    assert (x > 0.5).dtype is tc.bool_
    for number in (np.float64(1.5), np.float32(1.5)):  # NumPy's numbers are numbers
        assert ((x * number).dtype, (number * x).tolist()) == ((1.5 * x).dtype, [1.5, 1.5])
    assert (x + np.int8(2)).dtype is (x + 2).dtype


def test_every_float_op_takes_integers_as_float32() -> None:
    for name in ("tanh", "sigmoid", "sqrt", "rsqrt", "exp", "log", "sin", "cos", "softmax", "log_softmax"):
        for dtype in ("int32", "int64", "bool"):
            x = of(dtype)
            got, want = FUNCTIONS[name](x), FUNCTIONS[name](Tensor([1.0, 1.0]))
            assert (got.dtype, got.tolist()) == (tc.float32, want.tolist()), (name, dtype)
    assert ops.mean(of("int64")).dtype is tc.float32
    assert ops.exp(2).dtype is tc.float32


WHOLE = [[3, 1, 0], [0, 2, 1]], [[1, 2, 0], [1, 0, 3]]
AS_FLOATS: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "mse_loss": ops.mse_loss, "l1_loss": ops.l1_loss, "huber_loss": ops.huber_loss,
    "smooth_l1_loss": ops.smooth_l1_loss, "sigmoid_cross_entropy": ops.SigmoidCrossEntropyWithLogits(),
    "binary_cross_entropy_with_logits": ops.binary_cross_entropy_with_logits,
    "hinge_embedding_loss": ops.hinge_embedding_loss, "soft_margin_loss": ops.soft_margin_loss,
    "margin_ranking_loss": lambda x, y: ops.margin_ranking_loss(x, y, Tensor(1)),
    "multi_margin_loss": lambda x, y: ops.multi_margin_loss(x, Tensor([0, 2]), p=2, margin=0.5),
    "cosine_embedding_loss": lambda x, y: ops.cosine_embedding_loss(x, y, Tensor([1, -1])),
    "triplet_margin_loss": lambda x, y: ops.triplet_margin_loss(x, y, y, 0.5),
    "dist": ops.dist, "cdist": ops.cdist, "pdist": lambda x, y: ops.pdist(x), "lerp": lambda x, y: ops.lerp(x, y, 0.5),
    "trapz": ops.trapz, "fast_gelu": lambda x, y: ops.fast_gelu(x),
    "affine_grid": lambda x, y: ops.affine_grid(ops.expand_dims(x, 0), (1, 1, 2, 2)),
    "batch_norm": lambda x, y: ops.batch_norm(x, y[0], y[1], eps=0.5), "kl_div": ops.kl_div,
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["uint8", "int32", "bool"])
@pytest.mark.parametrize("name", AS_FLOATS)
def test_losses_and_distances_of_whole_numbers_neither_wrap_around_nor_round(name: str, dtype: str) -> None:
    x, y = (Tensor(numbers).astype(dtype) for numbers in WHOLE)
    got, want = AS_FLOATS[name](x, y), AS_FLOATS[name](x.float(), y.float())
    assert got.dtype is want.dtype is tc.float32
    np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-6)


def test_integers_stay_where_the_result_is_whole() -> None:
    x = Tensor([7, -7], tc.int32)
    for got, want in ((x // 2, [3, -4]), (x % 3, [1, 2]), (-x, [-7, 7]), (abs(x), [7, 7]), (x * x, [49, 49])):
        assert (got.dtype, got.tolist()) == (tc.int32, want)
    for name in ("floor", "ceil", "round", "relu", "relu6", "square", "sign"):
        assert FUNCTIONS[name](x).dtype is tc.int32
    assert ((x / 2).dtype, (x / 2).tolist()) == (tc.float32, [3.5, -3.5])
    assert ((Tensor([2]) ** Tensor([3])).dtype, (Tensor([2]) ** Tensor([3])).item()) == (tc.int64, 8)
    assert x.sum().dtype is tc.int64 and of("bool").sum().item() == 2
    assert x.prod().dtype is tc.int64 and of("float16").sum().dtype is tc.float16
    assert x.argmax().dtype is tc.int64


def test_division_by_zero_and_overflow_are_values_without_warnings() -> None:
    zero, x = Tensor([0.0]), Tensor([-1.0, 0.0, 1.0])
    assert str((x / zero).tolist()) == "[-inf, nan, inf]"
    assert str((x // zero).tolist()) == "[-inf, nan, inf]"
    assert str((x % zero).tolist()) == "[nan, nan, nan]"
    assert str(ops.log(x).tolist()) == "[nan, -inf, 0.0]"
    assert str(ops.sqrt(x).tolist()) == "[nan, 0.0, 1.0]"
    assert str(ops.rsqrt(x).tolist()) == "[nan, inf, 1.0]"
    assert ops.exp(Tensor([1000.0, -1000.0])).tolist() == [np.inf, 0.0]
    assert (Tensor([10.0]) ** 100).tolist() == [np.inf]
    assert ops.sigmoid(Tensor([-1000.0, 1000.0])).tolist() == [0.0, 1.0]
    assert ops.softmax(Tensor([1000.0, 0.0])).tolist() == [1.0, 0.0]
    assert ops.log_softmax(Tensor([1000.0, 0.0])).tolist() == [0.0, -1000.0]
    assert ops.cross_entropy(Tensor([[1000.0, 0.0]]), Tensor([1])).item() == 1000.0


def test_nan_wins_in_extremes() -> None:
    x = Tensor([1.0, np.nan])
    assert str(ops.maximum(x, 2.0).tolist()) == "[2.0, nan]" == str(ops.minimum(x + 4, 2.0).tolist())
    assert np.isnan(x.max().item()) and np.isnan(x.min().item())


def test_casts() -> None:
    x = Tensor([1.9, -1.9, 0.0])
    assert x.astype("int32").tolist() == [1, -1, 0]
    assert x.astype(tc.bool_).tolist() == [True, True, False]
    assert ops.cast(x, tc.float16).dtype is tc.float16
    assert [t.dtype.name for t in (x.int(), x.long(), x.float(), x.half(), x.bool())] == [
        "int32", "int64", "float32", "float16", "bool",
    ]  # fmt: skip
    copy = x.astype(tc.float32)
    copy[0] = 5.0
    assert x[0].item() == pytest.approx(1.9)
    with pytest.raises(TypeError, match="int33"):
        x.astype("int33")


def test_creation() -> None:
    assert (ops.full((2,), 7.5).dtype, ops.full((2,), 7.5).tolist()) == (tc.float32, [7.5, 7.5])
    assert ops.full((2,), 7).dtype is tc.int64 and ops.full(2, True).dtype is tc.bool_
    assert ops.full((2,), 1, dtype=tc.float16).dtype is tc.float16
    assert ops.zeros((2, 1)).tolist() == [[0.0], [0.0]] and ops.ones(2, tc.int32).tolist() == [1, 1]
    assert ops.zeros_like(Tensor([1, 2])).dtype is tc.int64 and ops.ones_like(Tensor([2.5])).tolist() == [1.0]
    assert (ops.arange(3).dtype, ops.arange(3).tolist()) == (tc.int64, [0, 1, 2])
    assert (ops.arange(1, 2, 0.5).dtype, ops.arange(1, 2, 0.5).tolist()) == (tc.float32, [1.0, 1.5])
    assert ops.arange(0.0).shape == (0,) and ops.arange(0).dtype is tc.int64
    assert ops.fill(tc.float64, (1, 2), 20).tolist() == [[20.0, 20.0]]


def test_select_takes_numbers_and_promotes_its_values_only() -> None:
    mask, x = Tensor([True, False]), Tensor([1.0, 2.0], tc.float16)
    assert (ops.select(mask, x, 5).dtype, ops.select(mask, x, 5).tolist()) == (tc.float16, [1.0, 5.0])
    assert ops.where(mask, Tensor([1, 2]), x).dtype is tc.float16
    assert ops.masked_fill(x, mask, 9).tolist() == [9.0, 2.0]
    assert ops.masked_fill(Tensor([1, 2]), mask, 9.7).tolist() == [9, 2]


def test_a_threshold_given_as_a_wider_number_is_compared_in_the_tensor_s_own_dtype() -> None:
    x = Tensor([0.1, 0.2])  # float32 0.1 is a little more than 0.1
    for threshold in (0.1, np.float64(0.1), np.float32(0.1)):
        assert ops.gt(x, threshold).tolist() == [False, True]


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_dtypes_are_themselves(dtype: tc.dtype.DType) -> None:
    assert of_array(dtype.numpy) is dtype
    assert Tensor(np.zeros(1, dtype.numpy)).dtype is dtype
    assert str(dtype) == dtype.title and dtype.name == dtype.title.lower()


def test_data_types_without_a_counterpart_are_refused() -> None:
    for bad in (np.array(["a"]), np.array([1j]), np.array([object()])):
        with pytest.raises(TypeError):
            Tensor(bad)
    assert OPS["add"].promotes is True


def test_cast_as_an_object() -> None:
    assert ops.Cast()(Tensor([1.7, -0.2]), tc.int32).tolist() == [1, 0]


def test_overflow_is_a_value_without_a_warning_outside_of_strict_filters() -> None:
    lesson = "from teachcell import Tensor; x = Tensor([3e38]); print((x * 10 - x * 10).tolist(), (x + x).tolist())"
    run = subprocess.run([sys.executable, "-c", lesson], check=True, capture_output=True, text=True)
    assert run.stdout == "[nan] [inf]\n" and run.stderr == ""
