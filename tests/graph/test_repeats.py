"""Repetitions: what comes again and again is one node with a count, and each iteration can be drawn."""

from __future__ import annotations

import pytest
from graph import documents as d

from teachcell.graph import fold, search
from teachcell.graph.folding.repeats import _repetitions
from teachcell.texts import set_language

BLOCKS = 1  # the call around the blocks of d.stack


def drawn(document, opened=(), chosen=()):
    return [(n.title, *(p.text for p in n.pills)) for n in fold(document, opened, chosen).nodes.values()]


@pytest.mark.parametrize(
    ("letters", "found"),
    [
        ("a" * 61, [(0, 1, 61)]),
        ("a" * 60, []),
        ("x" + "ab" * 31 + "y", [(1, 2, 31)]),
        ("abc" * 21 + "ab" + "z", [(0, 3, 21)]),
        ("aab" * 30, [(0, 3, 30)]),
        ("a" * 70 + "b" * 70, [(0, 1, 70), (70, 1, 70)]),
        ("abcdefghijklmnopqrstuvw" * 3, []),  # three times is no repetition
        ("", []),
    ],
)
def test_repetitions_of_a_row(letters, found):
    assert _repetitions([ord(c) for c in letters], [False] * len(letters)) == found


def test_of_cells_fewer_are_enough():
    assert _repetitions([1] * 25, [True] * 25) == [(0, 1, 25)]
    assert _repetitions([1] * 24, [True] * 24) == []


def test_cells_of_one_kind_are_one_box_with_a_count():
    document = d.stack(50)
    assert drawn(document) == [("x",), ("blocks",), ("exp",)]
    scene = fold(document, {BLOCKS})
    (node,) = [n for n in scene.nodes.values() if n.is_repetition]
    assert (node.title, node.subtitle, node.foldable, node.frame) == ("50 × Block", "100 ops (3, 4)", True, "call1")
    assert node.ops == tuple(range(100)) and node.value == document["ops"][99]["outputs"][0]
    assert [title for title, *_ in drawn(d.stack(24), {BLOCKS})][1:4] == ["0", "1", "2"]


def test_the_chosen_iteration_is_drawn_and_the_others_keep_their_numbers():
    assert drawn(d.stack(50), {BLOCKS}, {20}) == [
        ("x",),
        ("10 × Block", "1 … 10 of 50"),
        ("10", "iteration 11 of 50"),
        ("39 × Block", "12 … 50 of 50"),
        ("exp",),
    ]
    assert drawn(d.stack(50), {BLOCKS}, {2})[1:3] == [("0", "iteration 1 of 50"), ("1", "iteration 2 of 50")]


def test_an_open_cell_stays_open_among_the_others():
    document = d.stack(50)
    scene = fold(document, {BLOCKS, 12})
    assert [f for f in scene.frames] == ["call1", "call12"]
    titles = [n.title for n in scene.nodes.values()]
    assert titles == ["x", "10 × Block", "tanh", "sin", "39 × Block", "exp"]


def test_a_loop_in_a_function_is_a_repetition_of_its_body():
    document = d.rnn(1250)
    scene = fold(document)
    (node,) = [n for n in scene.nodes.values() if n.is_repetition]
    assert node.title == "1250 × (MatMul, Add, Tanh)" and len(node.ops) == 5000
    assert len(fold(document, (), {4998}).nodes) < 30


@pytest.mark.parametrize("chosen", [(), (0,), (40, 90), tuple(range(0, 100, 10))])
def test_every_op_and_event_has_its_node(chosen):
    document = d.stack(50)
    scene = fold(document, {BLOCKS}, chosen)
    assert sorted(op for n in scene.nodes.values() for op in n.ops) == list(range(101))
    assert all(scene.node_of(event) in scene.nodes.keys() | scene.frames.keys() for event in document["events"])
    order = {name: i for i, name in enumerate(scene.nodes)}
    assert all(order[e.source] < order[e.target] for e in scene.edges.values())


@pytest.mark.parametrize("key", ["rule_id", "training"])
def test_an_iteration_unlike_the_others_is_not_hidden(key):
    document = d.stack(80)
    document["calls"][42][key] = "own"
    titles = [title for title, *_ in drawn(document, {BLOCKS})]
    assert titles == ["x", "40 × Block", "40", "39 × Block", "exp"]


def test_where_nan_begins_is_not_hidden():
    document = d.stack(80)
    document["values"][document["ops"][90]["outputs"][0]]["value_state"] = "nan starts"
    assert [title for title, *_ in drawn(document, {BLOCKS})] == ["x", "45 × Block", "45", "34 × Block", "exp"]


def test_pills_in_chinese():
    set_language("zh")
    try:
        assert drawn(d.stack(50), {BLOCKS}, {20})[1:3] == [
            ("10 × Block", "第 1 … 10 次，共 50 次"),
            ("10", "第 11/50 次"),
        ]
    finally:
        set_language("en")


def test_of_many_values_between_two_nodes_a_few_are_drawn():
    net = d.Program("wide", training=True)
    x = net.input("x", 3)
    net.enter("many", "Many", [x])
    made = [net.op("tanh", "Tanh", [x], (3,)) for _ in range(100)]
    net.leave(made[-1])
    net.enter("sum", "Sum", made)
    total = made[0]
    for value in made[1:]:
        total = net.op("add", "Add", [total, value], (3,))
    net.leave(total)
    scene = fold(net.finish(total))
    between = [e for e in scene.edges.values() if (e.source, e.target) == ("call1", "call2")]
    assert len(between) == 6


# Search


def test_search_finds_cells_ops_and_parameters_by_name_path_and_kind():
    document = d.stack(5)
    assert [m.call for m in search(document, "block")] == [1, 2, 3, 4, 5, 6]  # by path and by kind
    assert [m.call for m in search(document, "blocks.3")] == [5]
    assert [m.op for m in search(document, "SIN")] == [1, 3, 5, 7, 9]
    (found,) = search(document, " x ")[:1]
    assert (found.op, document["values"][found.value]["name"]) == (0, "x")
    assert search(document, "nothing") == search(document, "  ") == []


def test_a_cell_of_one_op_is_found_once():
    document = d.mlp()
    relu = search(document, "relu")
    assert len(relu) == 1 and relu[0].call is not None
