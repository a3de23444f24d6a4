"""What a Cell registers, under which names, and what each kind of attribute may become."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor, nn


def p(value: float = 1.0, name: str | None = None) -> Parameter:
    return Parameter(Tensor([value]), name=name)


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = p(name="given")
        self.fc = nn.Dense(1, 1)
        self.plain = 3

    def construct(self, x: Tensor) -> Tensor:
        return self.fc(x) * self.w


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.scale = p(name="own")
        self.a = Block()
        self.b = Block()


def names(cell: nn.Cell) -> list[str]:
    return [q.name for q in cell.get_parameters()]


def paths(cell: nn.Cell) -> list[str]:
    return [path for path, _ in cell.parameters_and_names()]


# Names -----------------------------------------------------------------------------------------------------------


def test_names_are_prefixed_when_a_cell_is_attached_and_paths_are_computed() -> None:
    block = Block()
    assert names(block) == ["given", "fc.weight", "fc.bias"] and paths(block) == ["w", "fc.weight", "fc.bias"]
    net = Net()
    assert names(net) == ["own", "a.w", "a.fc.weight", "a.fc.bias", "b.w", "b.fc.weight", "b.fc.bias"]
    assert paths(net) == ["scale", *names(net)[1:]]
    assert list(net.parameters_dict()) == names(net)
    assert [path for path, _ in net.cells_and_names()] == ["", "a", "a.fc", "b", "b.fc"]


def test_what_is_added_later_inside_has_a_complete_path_only() -> None:
    net = Net()
    net.a.late = nn.Dense(1, 1)
    assert "late.weight" in names(net) and "a.late.weight" in paths(net)
    net.update_parameters_name()
    assert names(net) == paths(net)
    net.update_parameters_name("top.")
    assert names(net)[0] == "top.scale"


def test_attaching_again_renames_for_everybody() -> None:
    net, block = Net(), Block()
    net.c = block
    assert names(block)[0] == "c.w"
    other = Net()
    other.d = block
    assert names(net)[-3:] == ["d.w", "d.fc.weight", "d.fc.bias"]


def test_without_prefixes() -> None:
    class Bare(nn.Cell):
        def __init__(self) -> None:
            super().__init__(auto_prefix=False)
            self.fc = nn.Dense(1, 1)

    net = Bare()
    assert names(net) == ["weight", "bias"] and paths(net) == ["fc.weight", "fc.bias"]
    net.insert_child_to_cell("more", nn.Dense(1, 1))
    with pytest.raises(ValueError, match="two different Parameters are named 'weight'"):
        net.check_names()


def test_unnamed_parameters_take_the_attribute_s_name() -> None:
    net = nn.Cell()
    net.one, net.two = Parameter(1.0), p(name="  kept ")
    assert names(net) == ["one", "kept"]
    net.insert_param_to_cell("three", Parameter(1.0))
    assert names(net)[-1] == "three"


def test_shared_objects_appear_once_under_the_first_path() -> None:
    net = nn.Cell()
    shared = nn.Dense(1, 1)
    net.first, net.second = shared, shared
    net.tied = nn.Dense(1, 1)
    net.tied.weight = shared.weight
    assert paths(net) == ["first.weight", "first.bias", "tied.bias"]
    assert [c for c, _ in net.cells_and_names()] == ["", "first", "tied"]
    assert list(net.name_cells()) == ["first", "tied"]


# Assignment: each kind of value over each kind of attribute ------------------------------------------------------


def fresh() -> nn.Cell:
    cell = nn.Cell()
    cell.param, cell.child, cell.plain = p(1.0, "param"), nn.ReLU(), 3
    return cell


def test_over_a_parameter() -> None:
    cell = fresh()
    held = cell.param
    cell.param = Tensor([5])
    assert cell.param is held and held.tolist() == [5.0] and held.dtype is tc.float32
    replacement = p(7.0)
    cell.param = replacement
    assert cell.param is replacement and names(cell) == ["param"]
    cell.param = None
    assert cell.param is None and names(cell) == []
    cell.param = p(8.0, "again")
    assert names(cell) == ["again"]


@pytest.mark.parametrize("value", [2.0, "text", np.ones(1), [1.0], print])
def test_over_a_parameter_refused(value: Any) -> None:
    cell = fresh()
    with pytest.raises(TypeError, match=r"Cell\.param holds a Parameter; assign a Tensor"):
        cell.param = value
    with pytest.raises(KeyError, match="already holds a Parameter"):
        cell.param = nn.ReLU()
    assert cell.param.tolist() == [1.0]


def test_over_a_cell() -> None:
    cell = fresh()
    cell.child = nn.Dense(1, 1)
    assert names(cell) == ["param", "child.weight", "child.bias"]
    cell.child = None
    assert cell.child is None and list(cell.name_cells()) == []
    cell.child = nn.Tanh()
    assert list(cell.name_cells()) == ["child"]


@pytest.mark.parametrize("value", [2.0, Tensor([1.0]), print, "text"])
def test_over_a_cell_refused(value: Any) -> None:
    cell = fresh()
    with pytest.raises(TypeError, match=r"Cell\.child holds a Cell; assign a Cell or None to it"):
        cell.child = value
    with pytest.raises(KeyError, match="already holds a Cell"):
        cell.child = p()
    assert type(cell.child) is nn.ReLU


def test_over_a_plain_value() -> None:
    cell = fresh()
    for value in (4, "text", None, [1], print):
        cell.plain = value
        assert cell.plain is value
    cell.plain = p(2.0)
    assert names(cell) == ["param", "plain"]
    other = fresh()
    other.plain = nn.Tanh()
    assert list(other.name_cells()) == ["child", "plain"]


def test_replacing_keeps_the_place_in_the_order() -> None:
    cell = nn.Cell()
    cell.a, cell.b, cell.c, cell.d = p(), p(), nn.ReLU(), nn.Tanh()
    cell.a, cell.c = p(), nn.Sigmoid()
    assert names(cell) == ["a", "b"] and list(cell.name_cells()) == ["c", "d"]


def test_deleting() -> None:
    cell = fresh()
    del cell.param, cell.child, cell.plain
    assert names(cell) == [] and list(cell.name_cells()) == [] and not hasattr(cell, "plain")
    with pytest.raises(AttributeError, match="Cell has no attribute 'param'"):
        del cell.param
    with pytest.raises(AttributeError, match="Cell has no attribute 'param'"):
        _ = cell.param
    assert getattr(cell, "param", "default") == "default"
    cell.param = nn.ReLU()
    assert list(cell.name_cells()) == ["param"]


def test_plain_containers_do_not_register() -> None:
    cell = nn.Cell()
    cell.some, cell.more = [p(1.0, "a"), p(2.0, "b")], {"a": nn.ReLU()}
    assert names(cell) == [] and list(cell.name_cells()) == []
    with pytest.raises(ValueError, match="named 'a'"):
        cell.some = [p(1.0, "a"), p(2.0, "a")]
    cell.group = ParameterTuple([p(1.0, "u"), p(2.0, "v")])
    assert names(cell) == ["u", "v"] and cell.u is cell.group[0] and type(cell.group) is ParameterTuple


def test_insertion() -> None:
    cell = fresh()
    for bad in ("", "a.b", "plain", "trainable_params"):
        with pytest.raises(KeyError, match="empty, has a dot, or is taken"):
            cell.insert_child_to_cell(bad, nn.ReLU())
        with pytest.raises(KeyError, match="empty, has a dot, or is taken"):
            cell.insert_param_to_cell(bad, p())
    with pytest.raises(KeyError):
        cell.insert_child_to_cell("param", nn.ReLU())
    with pytest.raises(KeyError):
        cell.insert_param_to_cell("child", p())
    with pytest.raises(TypeError, match="a name must be a str, got int"):
        cell.insert_child_to_cell(1, nn.ReLU())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Cell is needed, got Tensor"):
        cell.insert_child_to_cell("new", Tensor([1.0]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Parameter is needed, got Tensor"):
        cell.insert_param_to_cell("new", Tensor([1.0]))  # type: ignore[arg-type]
    cell.insert_param_to_cell("param", p(9.0, "re"))
    assert cell.param.tolist() == [9.0]


def test_a_name_that_holds_none_is_free() -> None:
    net = Net()
    net.a = None  # type: ignore[assignment]
    net.insert_child_to_cell("a", nn.ReLU())
    assert isinstance(net.a, nn.ReLU)


def test_a_dotted_name_only_where_it_is_allowed() -> None:
    cell = nn.Cell()
    with pytest.raises(KeyError, match="has a dot"):
        cell.insert_param_to_cell("a.b", p())
    cell.insert_param_to_cell("a.b", p(), check_name_contain_dot=False)
    assert paths(cell) == ["a.b"]
    with pytest.raises(KeyError, match="taken"):
        cell.insert_param_to_cell("cells", p(), check_name_contain_dot=False)


def test_super_init_comes_first() -> None:
    class Early(nn.Cell):
        def __init__(self, value: Any) -> None:
            self.thing = value

        def construct(self, x: Tensor) -> Tensor:
            return x * self.thing

    for value in (p(), nn.ReLU(), ParameterTuple([])):
        with pytest.raises(AttributeError, match=r"Early: call super\(\).__init__\(\)"):
            Early(value)
    with pytest.raises(AttributeError, match=r"Early: call super\(\).__init__\(\)"):
        Early(3)(Tensor([1.0]))


# Walks -----------------------------------------------------------------------------------------------------------


def test_walks() -> None:
    net = Net()
    net.a.w.requires_grad = False
    assert [q.name for q in net.untrainable_params()] == ["a.w"]
    assert len(net.trainable_params()) == 6 and [q.name for q in net.trainable_params(recurse=False)] == ["own"]
    assert [q.name for q in net.get_parameters(expand=False)] == ["own"]
    assert type(net.get_parameters()).__name__ == "generator" and type(net.parameters_dict()) is OrderedDict
    assert [n for n, _ in net.parameters_and_names("x")] == ["x.scale", *[f"x.{n}" for n in names(net)[1:]]]
    visited: list[str] = []
    assert net.apply(lambda cell: visited.append(type(cell).__name__)) is net
    assert visited == ["Dense", "Block", "Dense", "Block", "Net"]
    assert list(net.cells()) == [net.a, net.b]


# Containers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [nn.SequentialCell, nn.CellList])
def test_numbered_containers_are_used_like_lists(kind: Any) -> None:
    box = kind([nn.Dense(1, 1), nn.ReLU()])
    last = nn.Dense(1, 1)
    assert box.append(last) is box and len(box) == 3 and box[-1] is last is box[2]
    assert [type(c).__name__ for c in box] == ["Dense", "ReLU", "Dense"]
    assert names(box) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert type(box[1:]) is kind and len(box[1:]) == 2 and last in list(box)
    box[1] = nn.Tanh()
    assert type(box[1]) is nn.Tanh
    del box[0]
    assert [type(c).__name__ for c in box] == ["Tanh", "Dense"] and paths(box) == ["1.weight", "1.bias"]
    box.insert(0, nn.Dense(1, 1, has_bias=False))
    assert paths(box) == ["0.weight", "2.weight", "2.bias"] == names(box)
    box.extend([nn.ReLU(), nn.ReLU()])
    assert len(box) == 5
    for bad in (9, -9):
        with pytest.raises(IndexError, match=rf"index {bad} is out of range for 5 Cells"):
            box[bad]
    with pytest.raises(TypeError, match="chosen by an int or a slice, got str"):
        box["0"]
    for add in (box.append, lambda c: box.insert(0, c), lambda c: box.__setitem__(0, c)):
        with pytest.raises(TypeError, match="a Cell is needed, got int"):
            add(3)


def test_sequences_run_in_order_under_numbers_or_names() -> None:
    named = nn.SequentialCell(OrderedDict(up=nn.Dense(1, 1, "ones", "ones"), act=nn.ReLU()))
    assert paths(named) == ["up.weight", "up.bias"] and named(Tensor([[-3.0]])).item() == 0.0
    assert nn.SequentialCell(nn.Tanh(), nn.Tanh())(Tensor([1.0])).item() == pytest.approx(np.tanh(np.tanh(1.0)))
    assert named[0] is named.up and nn.SequentialCell()(Tensor([2.0])).item() == 2.0
    with pytest.raises(NotImplementedError, match="a CellList cannot be called"):
        nn.CellList([nn.ReLU()])(Tensor([1.0]))


def test_cells_in_an_attached_container_have_full_names() -> None:
    class Deep(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.CellList([nn.Dense(1, 1)])
            self.seq = nn.SequentialCell(nn.Dense(1, 1))

    net = Deep()
    net.layers.append(nn.Dense(1, 1, has_bias=False))
    net.seq.append(nn.Dense(1, 1, has_bias=False))
    net.seq[0] = nn.Dense(1, 1, has_bias=False)
    assert names(net) == ["layers.0.weight", "layers.0.bias", "layers.1.weight", "seq.0.weight", "seq.1.weight"]


# Copies and text -------------------------------------------------------------------------------------------------


def test_a_part_of_a_sequence_keeps_the_names() -> None:
    sequence = nn.SequentialCell(nn.Dense(1, 1), nn.ReLU(), nn.Dense(1, 1))
    before = names(sequence)
    part = sequence[1:]
    assert names(part) == paths(part) == ["2.weight", "2.bias"] and names(sequence) == before
    part.append(nn.Tanh())
    assert list(part.name_cells()) == ["1", "2", "3"]


def test_deleting_and_inserting_by_position() -> None:
    cells = nn.CellList([nn.Dense(1, 1), nn.ReLU(), nn.Dense(1, 1)])
    for index in (4, -4):
        with pytest.raises(IndexError):
            cells.insert(index, nn.Tanh())
    cells.insert(3, nn.Tanh())
    del cells[0:2]
    assert [c.cls_name for c in cells] == ["Dense", "Tanh"] and names(cells) == ["0.weight", "0.bias"]
    cells += [nn.ReLU()]
    assert len(cells) == 3
    named = nn.SequentialCell(OrderedDict(a=nn.ReLU(), b=nn.Tanh()))
    del named[0]
    assert list(named.name_cells()) == ["b"]


def test_deep_copies_are_independent() -> None:
    net = Net()
    twin = copy.deepcopy(net)
    assert names(twin) == names(net) and paths(twin) == paths(net)
    twin.a.fc.weight[0, 0] = 99.0
    assert net.a.fc.weight.item() != 99.0 and twin.a is not net.a
    twin.a = nn.ReLU()
    assert type(net.a) is Block


def test_pickles_keep_values_names_and_modes() -> None:
    net = nn.SequentialCell(nn.Dense(2, 1), nn.BatchNorm1d(1), nn.Dropout(0.5)).set_train()
    twin = pickle.loads(pickle.dumps(net))
    assert names(twin) == names(net) and twin[2].training
    x = Tensor([[1.0, 2.0]])
    assert twin.set_train(False)(x).tolist() == net.set_train(False)(x).tolist()


def test_text() -> None:
    class Odd(nn.Cell):
        def extend_repr(self) -> str:
            return "two\nlines"

    net = nn.SequentialCell(OrderedDict(a=nn.Dense(2, 3, activation="relu"), b=Odd(), c=nn.Dropout(p=0.25)))
    assert (
        repr(net)
        == str(net)
        == (
            "SequentialCell(\n"
            "  (a): Dense(\n"
            "    input_channels=2, output_channels=3, has_bias=True, activation=ReLU()\n"
            "    (activation): ReLU()\n"
            "  )\n"
            "  (b): Odd(\n"
            "    two\n"
            "    lines\n"
            "  )\n"
            "  (c): Dropout(p=0.25)\n"
            ")"
        )
    )
    assert repr(nn.Cell()) == "Cell()" and repr(nn.Dense(1, 1, has_bias=False)).endswith("output_channels=1)")


def test_text_shows_each_name_of_a_child_and_none() -> None:
    net = nn.Cell()
    net.a = net.b = nn.ReLU()
    net.c = nn.Tanh()
    net.c = None
    assert repr(net) == "Cell(\n  (a): ReLU()\n  (b): ReLU()\n  (c): None\n)"
    assert list(net.name_cells()) == ["a"]
