"""Names in the places where MindSpore's users look for them."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor


def test_modules() -> None:
    for name in ("composite", "functional", "operations", "primitive", "function", "auto_generate"):
        module = importlib.import_module(f"teachcell.ops.{name}")
        assert module.Add is tc.ops.Add and getattr(tc.ops, name) is module and dir(module) == dir(tc.ops)
    assert importlib.import_module("teachcell.common.dtype").float32 is tc.float32
    assert importlib.import_module("teachcell.common.tensor").Tensor is Tensor
    assert tc.common.dtype.int32 is tc.int32 and tc.context.set_context is tc.set_context


@pytest.mark.parametrize("module, name", [
    ("common.api", "jit"), ("common.seed", "set_seed"), ("nn.dynamic_lr", "cosine_decay_lr"),
    ("nn.layer", "Dense"), ("nn.layer.activation", "get_activation"), ("nn.layer.normalization", "BatchNorm2d"),
    ("nn.learning_rate_schedule", "LearningRateSchedule"), ("nn.loss", "MSELoss"), ("nn.loss.loss", "LossBase"),
    ("nn.metrics", "Accuracy"), ("nn.optim.momentum", "Momentum"), ("nn.optim.optimizer", "Optimizer"),
    ("nn.wrap", "WithLossCell"), ("nn.wrap.cell_wrapper", "TrainOneStepCell"),
    ("nn.wrap.loss_scale", "TrainOneStepWithLossScaleCell"), ("ops.function.grad.grad_func", "custom_vjp"),
    ("ops.function.math_func", "matmul"), ("train.serialization", "load_checkpoint"), ("amp", "all_finite"),
])  # fmt: skip
def test_names_are_found_where_mindspore_defines_them(module: str, name: str) -> None:
    found = getattr(importlib.import_module(f"teachcell.{module}"), name)
    assert found is getattr(importlib.import_module("teachcell." + module.partition(".")[0]), name)


@pytest.mark.parametrize("statement, said", [
    ("from teachcell import dataset", "Model.train"), ("from teachcell.dataset import GeneratorDataset", "Model.train"),
    ("import teachcell.dataset.vision", "Model.train"), ("import teachcell.numpy as mnp", "ops"),
    ("from teachcell import mint", "ops"), ("from teachcell.communication import init", "CPU"),
    ("from teachcell.ops import Primitive", "nn.Cell.bprop"), ("from teachcell.ops.operations import AllReduce", "CPU"),
])  # fmt: skip
def test_an_import_of_what_is_left_out_says_why(statement: str, said: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=said):
        exec(statement)
    assert not hasattr(tc, "dataset")
    assert not hasattr(importlib.import_module("teachcell.nn.optim"), "nope")  # though there is no teachcell.optim


def test_an_import_of_what_nobody_has_is_pythons_own_error() -> None:
    with pytest.raises(ModuleNotFoundError, match="No module named 'teachcell.nope'"):
        importlib.import_module("teachcell.nope")


@pytest.mark.parametrize("statement", [
    "import teachcell.nn.layer.conv as found; found.Conv2d", "from teachcell.nn.layer import conv as found",
    "import teachcell.nn.layer.conv; found = teachcell.nn.layer.conv",
    "from teachcell.ops.operations import nn_ops as found",
])  # fmt: skip
def test_a_module_in_one_of_another_name_is_imported_in_every_way(statement: str) -> None:
    names: dict[str, Any] = {}
    exec(statement, names)
    assert names["found"].__all__ in (tc.nn.__all__, tc.ops.__all__)


def test_a_module_of_another_name_adds_nothing_to_the_package() -> None:
    assert not hasattr(tc.nn, "conv") and importlib.util.find_spec("teachcell.nn.layer.conv")
    assert tc.ops.function.grad is tc.ops.grad
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("teachcell.nn.layer.cell")  # of the package's files each has one name


def test_kinds_of_numbers() -> None:
    assert tc.dtype_to_nptype(tc.float16) is np.float16
    assert [tc.dtype_to_pytype(d) for d in (tc.bool_, tc.uint8, tc.float64)] == [bool, int, float]
    assert [tc.pytype_to_dtype(k) for k in (int, float, bool, np.float32, list)] == [
        tc.int64, tc.float64, tc.bool_, tc.float32, tc.list_,
    ]  # fmt: skip
    assert [tc.get_py_obj_dtype(v) for v in (1, 1.5, [1], Tensor([1.0]))] == [
        tc.int64, tc.float64, tc.list_, tc.float32,
    ]  # fmt: skip
    assert [getattr(tc, name) for name in ("int", "float", "bool")] == [tc.int32, tc.float32, tc.bool_]
    assert (tc.int_, tc.float_, tc.intp, tc.uintp) == (tc.int32, tc.float32, tc.int64, tc.uint64)
    assert "int" not in tc.__all__ and tc.dtype.Type is type(tc.int8) and tc.float16 in tc.dtype.float_type
    assert set(tc.dtype.int_type + tc.dtype.uint_type + tc.dtype.float_type) == set(tc.dtype.number_type)
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

    @tc.ops.constexpr
    def one() -> int:
        return 1

    @tc.lazy_inline(policy="front")
    def two() -> int:
        return 2

    assert (one(), two()) == (1, 2) and tc.constexpr is tc.ops.constexpr
    assert tc.nn.Dropout(p=0.5, dtype=tc.float32).p == 0.5
    net = tc.nn.ReLU()
    net.set_jit_config(tc.JitConfig(jit_level="O1"))
    assert net(Tensor([-1.0])).tolist() == [0.0]


def test_metrics_are_found_under_nn_too() -> None:
    from teachcell.nn import Accuracy  # type: ignore[attr-defined]

    assert Accuracy is tc.train.Accuracy and tc.nn.get_metric_fn("mae").__class__ is tc.MAE
    assert issubclass(tc.nn.CosineSimilarity, tc.nn.Cell)
