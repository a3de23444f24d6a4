"""CellDict: Cells by name."""

from __future__ import annotations

import pytest

from teachcell import nn


def test_it_is_a_dict_of_registered_cells() -> None:
    cells = nn.CellDict([["fc", nn.Dense(2, 2)], ["act", nn.ReLU()]])
    cells["out"] = nn.Dense(2, 1)
    assert cells.keys() == ["fc", "act", "out"] == list(cells)
    assert [p.name for p in cells.get_parameters()] == ["fc.weight", "fc.bias", "out.weight", "out.bias"]
    assert [type(v).__name__ for _, v in cells.items()] == ["Dense", "ReLU", "Dense"]
    del cells["act"]
    assert "act" not in cells and not hasattr(cells, "act") and len(cells) == 2
    assert isinstance(cells.pop("out"), nn.Dense) and cells.keys() == ["fc"]
    cells["act"] = nn.Tanh()
    assert [type(v).__name__ for v in cells.values()] == ["Dense", "Tanh"]


@pytest.mark.parametrize("name", ["", "a.b", "keys", "training"])
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(KeyError, match="cannot be a new name"):
        nn.CellDict()[name] = nn.ReLU()


def test_a_missing_name_a_non_cell_and_a_call_are_errors() -> None:
    cells = nn.CellDict({"act": nn.ReLU()})
    with pytest.raises(KeyError):
        cells["zzz"]
    with pytest.raises(TypeError, match="Cell is needed, got int"):
        cells["x"] = 3  # type: ignore[assignment]
    with pytest.raises(NotImplementedError):
        cells(1)


def test_cells_added_to_an_attached_dict_have_full_names_and_all_can_be_taken_out() -> None:
    net = nn.Cell()
    net.d = nn.CellDict()
    net.d["late"] = nn.Dense(1, 1)
    assert [p.name for p in net.get_parameters()] == ["d.late.weight", "d.late.bias"]
    net.d.clear()
    assert len(net.d) == 0 and not hasattr(net.d, "late")
