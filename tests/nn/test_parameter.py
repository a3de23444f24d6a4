"""Parameter, ParameterTuple and seeds."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor
from teachcell.common.initializer import initializer


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (Tensor([1, 2]), "int64", (2,)), (np.zeros((2, 1)), "float64", (2, 1)), ([1.0, 2.0], "float32", (2,)),
        (2.0, "float32", ()), (2, "int32", ()), (initializer("ones", [1, 3], tc.float16), "float16", (1, 3)),
    ],
)  # fmt: skip
def test_construction(data: Any, dtype: str, shape: tuple[int, ...]) -> None:
    p = Parameter(data, name="p")
    assert isinstance(p, Tensor) and issubclass(Parameter, Tensor)
    assert (p.dtype.name, p.shape, p.requires_grad) == (dtype, shape, True)


def test_construction_refused() -> None:
    for data, kind in ((True, ValueError), (None, TypeError), ("a", TypeError), ((1.0,), TypeError)):
        with pytest.raises(kind, match="a Parameter cannot be made of"):
            Parameter(data, name="p")


def test_text_is_one_line_and_the_same_for_str_and_repr() -> None:
    p = Parameter(Tensor(np.arange(6).reshape(2, 3)), name="x", requires_grad=False)
    assert str(p) == repr(p) == "Parameter (name=x, shape=(2, 3), dtype=Int64, requires_grad=False)"
    assert f"{Parameter(2.0, 'z')}" == "Parameter (name=z, shape=(), dtype=Float32, requires_grad=True)"


def test_data_are_its_own() -> None:
    source = Tensor([1.0])
    array = np.ones(1, np.float32)
    p, q = Parameter(source, name="p"), Parameter(array, name="q")
    (
        source[0],
        array[0],
    ) = 9.0, 9.0
    assert (p.item(), q.item()) == (1.0, 1.0)
    p.set_data(source)
    p[0] = 5.0
    assert source.item() == 9.0


def test_names() -> None:
    p = Parameter(1.0, name="  w.a ")
    assert p.name == "w.a"
    p.name = "v"
    assert p.name == "v" and Parameter(1.0).name != Parameter(1.0).name
    for bad in (3, ["a"]):
        with pytest.raises(ValueError, match="name must be a str or None"):
            Parameter(1.0, name=bad)  # type: ignore[arg-type]
    for bad in (1, "yes", None):
        with pytest.raises(TypeError, match="requires_grad must be True or False"):
            p.requires_grad = bad  # type: ignore[assignment]


def test_set_data() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p", requires_grad=False)
    assert p.set_data(Tensor([3, 4])) is p and (p.tolist(), p.dtype, p.name) == ([3.0, 4.0], tc.float32, "p")
    whole = Parameter(Tensor([1, 2]), name="w")
    whole.set_data(Tensor([1.9, -1.9]))
    assert whole.tolist() == [1, -1]
    for bad in ([1.0, 2.0], np.ones(2), "a", None):
        with pytest.raises(TypeError, match="set_data of 'p' takes a Tensor or a number"):
            p.set_data(bad)
    with pytest.raises(TypeError, match="got float"):
        Parameter(1, name="i").set_data(1.5)
    for bad_shape in (Tensor([1.0]), Tensor([[1.0, 2.0]])):
        with pytest.raises(ValueError, match=r"'p' has shape \(2,\), the new value"):
            p.set_data(bad_shape)
    assert p.tolist() == [3.0, 4.0]
    p.set_data(Tensor([1.0, 2.0, 3.0]), slice_shape=True)
    assert p.shape == (3,)
    q = Parameter(Tensor([1.0]), name="q").set_data(Tensor([1.0, 2.0]), slice_shape=True)
    assert tc.grad(lambda: q * 2, None, q)().tolist() == [2.0, 2.0]


def test_clones() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p", requires_grad=False)
    twin, ones = p.clone(), p.clone("ones")
    assert (twin.name, twin.tolist(), twin.requires_grad) == ("p", [1.0, 2.0], False) and ones.tolist() == [1.0, 1.0]
    assert p.clone(0.5).tolist() == [0.5, 0.5] and type(p.copy()) is type(copy.copy(p)) is Parameter
    with pytest.raises(ValueError, match="unknown initializer 'nothing'"):
        p.clone("nothing")


def test_arithmetic_gives_plain_tensors() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    for result in (p + 1, p[0], p > 1, p.astype(tc.float16), -p, p.T, p.reshape(2, 1)):
        assert type(result) is Tensor
    q = p
    q += 1
    assert type(q) is Tensor and p.tolist() == [1.0, 2.0]
    p[0] = 5
    assert (type(p), p.tolist(), p.name) == (Parameter, [5.0, 2.0], "p")


def test_tuples() -> None:
    x, y = Parameter(1.0, name="x"), Parameter(Tensor([2]), name="y", requires_grad=False)
    group = ParameterTuple((x, y))
    assert isinstance(group, tuple) and group[0] is x and type(group[:1]) is tuple
    assert repr(group) == f"({x!r}, {y!r})"
    twins = group.clone("copy")
    assert [p.name for p in twins.clone("more")] == ["more.copy.x", "more.copy.y"]
    twins[0].set_data(5.0)
    assert x.item() == 1.0 and not twins[1].requires_grad
    assert [p.tolist() for p in group.clone("ones", init="ones")] == [1.0, [1]]
    assert len(ParameterTuple([x, x])) == 2 and ParameterTuple(p for p in [x]) == (x,)
    for bad in ([Tensor([1.0])], [1], "ab"):
        with pytest.raises(TypeError, match="holds Parameters only"):
            ParameterTuple(bad)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ParameterTuple(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two different Parameters are named 'x'"):
        ParameterTuple([x, Parameter(2.0, name="x")])
    with pytest.raises(TypeError):
        ParameterTuple([Parameter(1.0, "a")]).clone(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        ParameterTuple([Parameter(1.0, "a")]).clone("")


# Seeds --------------------------------------------------------------------------------------------------------------


def test_the_seed_is_numpys_too() -> None:
    tc.set_seed(7)
    drawn = np.random.rand()
    assert drawn == np.random.RandomState(7).rand()
    tc.set_seed(2**32 + 7)  # NumPy takes 32 bits
    assert np.random.rand() == drawn


def test_seeds() -> None:
    def draw() -> list[float]:
        return initializer("normal", 3).tolist()

    tc.set_seed(3)
    first, second = draw(), draw()
    tc.set_seed(3)
    assert (draw(), draw()) == (first, second) and first != second and tc.get_seed() == 3
    tc.set_seed(4)
    assert draw() != first
    for bad, kind in ((-1, ValueError), (1.0, TypeError), ("1", TypeError), (True, TypeError)):
        with pytest.raises(kind, match="a seed is an int >= 0"):
            tc.set_seed(bad)  # type: ignore[arg-type]
