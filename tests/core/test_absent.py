"""Names that are left out are left out, and what stands for them exists."""

from __future__ import annotations

import importlib.util
import sys

import pytest

import teachcell as tc
import teachcell_widgets
from teachcell import nn
from teachcell.core import absent

PLACES = {"ops": tc.ops, "nn": tc.nn, "Tensor": tc.Tensor, "teachcell": tc}


def test_names_that_exist_are_not_called_left_out() -> None:
    for name in absent._REASONS:
        place, _, short = name.rpartition(".")
        assert not any(hasattr(p, short) for p in ([PLACES[place]] if place else PLACES.values())), name


def test_tensor_names_cost_other_attributes_nothing() -> None:
    assert "__getattr__" not in vars(tc.Tensor)  # it would make every other attribute slower
    assert not hasattr(tc.Tensor([1.0]), "angle") and not hasattr(tc.Tensor, "backward")


def test_what_is_named_instead_exists() -> None:
    places = [*PLACES.values(), tc.common.initializer, teachcell_widgets]
    for name, near in absent._NEAREST.items():
        assert not near or any(hasattr(place, near) for place in places), (name, near)


@pytest.mark.parametrize(
    ("package", "name", "near"),
    [("teachcell.nn", "Linnear", "Linear"), ("teachcell.ops", "rellu", "relu"), ("teachcell", "Tensr", "Tensor")],
)
def test_from_import_tells_the_nearest_as_an_attribute_does(package: str, name: str, near: str) -> None:
    with pytest.raises(AttributeError) as attribute:
        getattr(sys.modules[package], name)
    with pytest.raises(ImportError) as imported:
        exec(f"from {package} import {name}")
    assert str(imported.value) == str(attribute.value) and f" Nearest: {near}" in str(imported.value)


@pytest.mark.parametrize("name", ["qqqqq", "_nothing"])
def test_from_import_of_what_is_like_nothing_is_left_to_python(name: str) -> None:
    for package in ("teachcell", "teachcell.nn", "teachcell.ops", "teachcell.nn.layers"):
        with pytest.raises(ImportError, match="cannot import name"):
            exec(f"from {package} import {name}")
        assert importlib.util.find_spec(f"{package}.{name}") is None


def test_the_nearest_attribute_of_a_cell_follows_the_cell_and_the_language() -> None:
    net = nn.Cell()

    def said(name: str) -> str:
        with pytest.raises(AttributeError) as raised:
            getattr(net, name)
        return str(raised.value)

    assert said("fcc") == "Cell has no attribute 'fcc'."
    net.fc = nn.ReLU()
    assert said("fcc") == "Cell has no attribute 'fcc'. Nearest: fc"
    tc.set_language("zh")
    try:
        assert said("fcc") == "Cell 没有属性 'fcc'。最接近的有：fc"
    finally:
        tc.set_language("en")
    assert said("_fc") == "Cell has no attribute '_fc'."
