"""Names that are left out are left out, and what stands for them exists."""

from __future__ import annotations

import teachcell as tc
import teachcell_widgets
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
