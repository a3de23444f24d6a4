"""Tensor: construction, text, Python's protocols, copies."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, ops
from teachcell.common.initializer import Constant, Normal, One, Zero
from teachcell.kernels import precision


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (3, "int64", ()), (2.5, "float32", ()), (True, "bool", ()), ([1, 2], "int64", (2,)), ([True, 2], "int64", (2,)),
        ([1, 2.0], "float32", (2,)), ([], "float32", (0,)), ([[]], "float32", (1, 0)), (((1,), (3,)), "int64", (2, 1)),
        ([np.int32(1)], "int64", (1,)), (np.float64(1), "float64", ()), (np.int8(1), "int8", ()),
        ([np.float64(1)], "float32", (1,)),
        (np.zeros((2, 1), np.float16), "float16", (2, 1)), ([Tensor([1.0]), Tensor([2.0])], "float32", (2, 1)),
    ],
)  # fmt: skip
def test_construction(data: Any, dtype: str, shape: tuple[int, ...]) -> None:
    tensor = Tensor(data)
    assert (tensor.dtype.name, tensor.shape) == (dtype, shape)


def test_a_given_dtype_converts() -> None:
    assert Tensor([1.9, -1.9], tc.int32).tolist() == [1, -1]
    assert Tensor([0.0, 0.5], tc.bool_).tolist() == [False, True]
    assert Tensor(Tensor([1]), tc.float64).dtype is tc.float64


@pytest.mark.parametrize("data", ["text", None, [[1, 2], [3]], {"a": 1}, [None], ["a"], object()])
def test_what_is_not_numbers_is_refused(data: Any) -> None:
    with pytest.raises(TypeError):
        Tensor(data)


def test_a_dtype_must_be_one() -> None:
    for bad in ("float32", "nothing", 3):
        with pytest.raises(TypeError, match="is not a data type"):
            Tensor([1.0], bad)


def test_tensors_copy_what_they_are_made_of() -> None:
    array = np.array([1.0, 2.0])
    tensor, shared = Tensor(array), Tensor.from_numpy(array)
    again = Tensor(tensor)
    array[0] = 9
    assert (tensor[0].item(), shared[0].item(), again[0].item()) == (1.0, 9.0, 1.0)
    shared[1] = 7.0
    assert array[1] == 7.0
    seen = tensor.asnumpy()
    tensor[1] = 5.0
    assert seen.tolist() == [1.0, 5.0]
    with pytest.raises(TypeError):
        Tensor.from_numpy([1.0])  # type: ignore[arg-type]


def test_an_initializer_may_fill_it() -> None:
    assert Tensor(shape=(2, 1), dtype=tc.float16, init=One()).init_data().tolist() == [[1.0], [1.0]]
    for init in (One(), Zero(), Constant(3), Normal()):
        assert Tensor(shape=2, init=init).dtype is tc.float32


def test_facts() -> None:
    x = Tensor(np.zeros((2, 3), np.float32))
    facts = (x.shape, x.ndim, x.dim(), x.size, x.itemsize, x.nbytes, x.strides, len(x))
    assert facts == ((2, 3), 2, 2, 6, 4, 24, (12, 4), 2)


# Text ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ([1.0, -2.5], "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00, -2.50000000e+00])"),
        (
            [[1.0, 2.0], [3.0, 4.0]],
            "Tensor(shape=[2, 2], dtype=Float32, value=\n"
            "[[ 1.00000000e+00,  2.00000000e+00],\n [ 3.00000000e+00,  4.00000000e+00]])",
        ),
        (
            [[[1], [20]], [[3], [4]]],
            "Tensor(shape=[2, 2, 1], dtype=Int64, value=\n[[[ 1],\n  [20]],\n [[ 3],\n  [ 4]]])",
        ),
        ([True, False], "Tensor(shape=[2], dtype=Bool, value= [ True, False])"),
        (np.array([1.5], np.float16), "Tensor(shape=[1], dtype=Float16, value= [ 1.5000e+00])"),
        ([float("nan"), float("-inf")], "Tensor(shape=[2], dtype=Float32, value= [            nan,            -inf])"),
        (3.0, "Tensor(shape=[], dtype=Float32, value= 3)"),
        (1e-7, "Tensor(shape=[], dtype=Float32, value= 1e-07)"),
        (7, "Tensor(shape=[], dtype=Int64, value= 7)"),
        ([], "Tensor(shape=[0], dtype=Float32, value= [])"),
        (np.array([1e-300, 2.0]), "Tensor(shape=[2], dtype=Float64, value= [1.00000000e-300,  2.00000000e+00])"),
        ([1] * 25, f"Tensor(shape=[25], dtype=Int64, value= [{', '.join('1' * 24)}, \n 1])"),
        ([True] * 12, f"Tensor(shape=[12], dtype=Bool, value= [ {',  '.join(['True'] * 12)}\n ])"),
        ([list(range(7))], "Tensor(shape=[1, 7], dtype=Int64, value=\n[[0, 1, 2 ... 4, 5, 6]])"),
        (
            [[i] for i in range(10)],
            "Tensor(shape=[10, 1], dtype=Int64, value=\n[[0],\n [1],\n [2],\n ...\n [7],\n [8],\n [9]])",
        ),
    ],
)
def test_repr(data: Any, text: str) -> None:
    assert repr(Tensor(data)) == text


def test_long_tensors_are_abbreviated_without_commas_around_the_dots() -> None:
    assert "   2 ... 1997, " in repr(ops.arange(2000))
    assert len(repr(Tensor(np.zeros((2000, 2000))))) < 1500


def test_str_is_numpy_s_and_format_specs_say_what_to_do() -> None:
    assert str(Tensor([1.0, 2.5])) == "[1.  2.5]" == f"{Tensor([1.0, 2.5])}"
    with pytest.raises(TypeError, match=r"t\.item\(\):\.3f"):
        _ = f"{Tensor(2.5):.3f}"


# Python's protocols --------------------------------------------------------------------------------------------


def test_one_element_is_a_number() -> None:
    x = Tensor([[3.7]])
    assert (int(x), float(x), bool(x), x.item()) == (3, pytest.approx(3.7), True, pytest.approx(3.7))
    assert ["a", "b", "c"][Tensor(1)] == "b" and type(Tensor(2).item()) is int
    for convert in (int, float, bool, Tensor.item):
        with pytest.raises(ValueError, match=r"shape \(2,\)"):
            convert(Tensor([1.0, 2.0]))
    with pytest.raises(TypeError, match="Float32"):
        ["a"][Tensor(0.0)]


def test_iteration_membership_and_length() -> None:
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    first, second = x
    assert (first.tolist(), second.tolist(), sum(x).tolist()) == ([1, 2], [3, 4], [4, 6])  # type: ignore[call-overload]
    assert 3.0 in x and 5.0 not in x
    for use in (len, iter):
        with pytest.raises(TypeError, match=r"use \.item\(\)"):
            use(Tensor(3.0))  # type: ignore[operator]


def test_numpy_protocol() -> None:
    x = Tensor([1.0, 2.0])
    assert np.array(x).tolist() == [1.0, 2.0] and np.asarray(x, np.float64).dtype == np.float64
    assert not np.shares_memory(np.array(x, copy=True), x.asnumpy())


def test_numpy_functions_on_tensors_are_recorded() -> None:
    weights = np.array([3.0, 4.0], np.float32)
    x = Tensor([1.0, 2.0])
    assert np.isnan(x).tolist() == [False, False]  # no op here: NumPy's own, an ndarray
    assert isinstance(weights + x, Tensor) and (np.array([1, 2]) @ Tensor([1, 2])).item() == 5
    for f in (lambda x: np.sin(x).sum(), lambda x: (weights * x).sum(), lambda x: np.multiply(x, weights).sum()):
        assert np.allclose(grad(f)(x).asnumpy(), np.cos(x.asnumpy()) if f(x).item() < 5 else weights)
    total = np.ones(2, np.float32)
    total += x
    assert total.tolist() == [2.0, 3.0]
    assert np.add(total, total, where=Tensor([True, False]), out=np.zeros(2)).tolist() == [4.0, 0.0]
    with pytest.raises(TypeError, match="add"):
        np.add(total, total, out=x)


def test_hash_is_identity() -> None:
    x, y = Tensor([1.0]), Tensor([1.0])
    assert {x: "x", y: "y"}[x] == "x" and len({x, y, Parameter(1.0, "p")}) == 3


def test_the_method_copy_is_differentiated() -> None:
    x = Tensor([1.0, 2.0])

    def f(x: Tensor) -> Tensor:
        y = x.copy()
        y[0] = 3.0
        return (x.copy() * y).sum()

    assert grad(f)(x).tolist() == [3.0, 4.0] and x.tolist() == [1.0, 2.0]
    assert grad(grad(lambda x: x.copy() ** 3))(x).tolist() == [6.0, 12.0]


def test_copies_leave_the_graph_behind() -> None:
    kept: list[Any] = []

    def f(x: Tensor) -> Tensor:
        y = x * 2
        kept.extend([copy.deepcopy(y), copy.copy(y), pickle.loads(pickle.dumps(y))])
        return y.sum()

    grad(f)(Tensor([1.0, 2.0]))
    for twin in kept:
        assert twin._node is None and (twin.tolist(), twin.dtype) == ([2.0, 4.0], tc.float32)
    p = Parameter(Tensor([1.0]), name="w", requires_grad=False)
    for twin in (copy.deepcopy(p), pickle.loads(pickle.dumps(p)), p.clone()):
        assert (type(twin), twin.name, twin.requires_grad, twin.tolist()) == (Parameter, "w", False, [1.0])
        twin[0] = 5.0
    assert p.item() == 1.0


def test_deep_copies_keep_shared_tensors_shared() -> None:
    x = Tensor([1.0])
    a, b = copy.deepcopy([x, x])
    assert a is b and a is not x


def test_a_tensor_is_freed_at_once() -> None:
    x = Tensor([1.0])
    ref = weakref.ref(x)
    gc.disable()
    try:
        del x
        assert ref() is None
    finally:
        gc.enable()


def test_rebinding_operators_leave_other_names_alone() -> None:
    x = Tensor([1])
    y = x
    y += 0.5
    assert (x.tolist(), x.dtype, y.tolist(), y.dtype) == ([1], tc.int64, [1.5], tc.float32)


def test_values_of_functions_can_be_used_without_the_graph() -> None:
    value, _ = tc.value_and_grad(lambda x: [x * 2, {"a": x * 3}, "text"])(Tensor([1.0]))
    assert value[0]._node is None and value[1]["a"]._node is None and value[2] == "text"


def test_an_array_taken_out_of_a_differentiated_tensor_is_noticed() -> None:
    def outside(x: Tensor) -> Tensor:
        return Tensor(np.array([3.0, 4.0], np.float32).dot(x)) * 1.0  # type: ignore[call-overload]

    with pytest.warns(UserWarning, match=r"asnumpy\(\)") as notes:
        assert grad(outside)(Tensor([1.0, 2.0])).tolist() == [0.0, 0.0]
    assert notes[0].filename == __file__
    grad(lambda x: x * float(x.asnumpy().max()))(Tensor([1.0]))  # asked for in so many words: no warning
    np.array(Tensor([1.0]))


def test_an_explicit_dtype_keeps_all_digits() -> None:
    assert Tensor(0.1, tc.float64).item() == 0.1 and Tensor([16777217, 0.5], tc.int64).tolist() == [16777217, 0]


def test_equality_with_what_is_no_value_is_plain_false() -> None:
    x = Tensor([1, 2])
    for other in (None, "a", {}, object()):
        assert (x == other) is False and (x != other) is True
    assert (x == [1, 3]).tolist() == [True, False]


def test_numbers_beside_arrays_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "_MOST_NUMBERS", 10)
    x = Tensor(np.ones(2, np.float16))
    for i in range(1, 100):  # a learning rate may be another in every step
        assert (x * i).asnumpy().tolist() == [i, i]
    kept = precision.NUMBERS[x.asnumpy().dtype.num]
    assert 99 in kept and len(kept) <= 10
