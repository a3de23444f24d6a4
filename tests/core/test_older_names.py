"""Names in the places where MindSpore's users look for them."""

from __future__ import annotations

import importlib

import numpy as np

import teachcell as tc
from teachcell import Tensor


def test_modules() -> None:
    for name in ("composite", "functional", "operations"):
        module = importlib.import_module(f"teachcell.ops.{name}")
        assert module is tc.ops and getattr(tc.ops, name) is tc.ops
    assert importlib.import_module("teachcell.common.dtype").float32 is tc.float32
    assert importlib.import_module("teachcell.common.tensor").Tensor is Tensor
    assert tc.common.dtype.int32 is tc.int32 and tc.context.set_context is tc.set_context


def test_kinds_of_numbers() -> None:
    assert tc.dtype_to_nptype(tc.float16) is np.float16
    assert [tc.dtype_to_pytype(d) for d in (tc.bool_, tc.uint8, tc.float64)] == [bool, int, float]
    assert [tc.pytype_to_dtype(k) for k in (int, float, bool, np.float32, list)] == [
        tc.int64, tc.float64, tc.bool_, tc.float32, tc.list_,
    ]  # fmt: skip
    assert [tc.get_py_obj_dtype(v) for v in (1, 1.5, [1], Tensor([1.0]))] == [
        tc.int64, tc.float64, tc.list_, tc.float32,
    ]  # fmt: skip
    assert (tc.half, tc.double, tc.long, tc.ubyte, tc.byte) == (tc.float16, tc.float64, tc.int64, tc.uint8, tc.int8)


def test_tensors() -> None:
    assert tc.tensor([1.0], tc.float16).dtype is tc.float16 and tc.is_tensor(tc.tensor(1)) and not tc.is_tensor(1)
    array = np.zeros(2)
    tc.from_numpy(array)[0] = 1.0
    assert array.tolist() == [1.0, 0.0]


def test_what_a_compiler_would_want_is_accepted() -> None:
    tc.set_device("CPU")
    tc.set_deterministic(True)
    tc.launch_blocking()
    assert tc.mutable((1, 2)) == (1, 2) and tc.jit_class(int) is int and tc.get_jit_config() == {}

    @tc.constexpr
    def one() -> int:
        return 1

    @tc.lazy_inline(policy="front")
    def two() -> int:
        return 2

    assert (one(), two()) == (1, 2)
    net = tc.nn.ReLU()
    net.set_jit_config(tc.JitConfig(jit_level="O1"))
    assert net(Tensor([-1.0])).tolist() == [0.0]


def test_metrics_are_found_under_nn_too() -> None:
    from teachcell.nn import Accuracy  # type: ignore[attr-defined]

    assert Accuracy is tc.train.Accuracy and tc.nn.get_metric_fn("mae").__class__ is tc.MAE
    assert issubclass(tc.nn.CosineSimilarity, tc.nn.Cell)
