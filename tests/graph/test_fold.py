"""Folding: which nodes, edges and frames stand for a program, and when they know what they show."""

from __future__ import annotations

import numpy as np
import pytest
from graph import documents as d

from teachcell.graph import fold
from teachcell.texts import set_language

DOCUMENTS = {name: make() for name, make in d.PROGRAMS.items()}


@pytest.fixture(params=DOCUMENTS, name="document")
def _document(request):
    return DOCUMENTS[request.param]


@pytest.fixture(params=["closed", "open"], name="scene")
def _scene(request, document):
    return fold(document, d.all_calls(document) if request.param == "open" else ())


def titles(scene, **fields):
    return [n.title for n in scene.nodes.values() if all(getattr(n, k) == v for k, v in fields.items())]


def edge(scene, source, target):
    return next(e for e in scene.edges.values() if (e.source, e.target) == (source, target))


# Every program


def test_every_event_points_at_something_drawn(document, scene):
    for event in document["events"]:
        assert scene.node_of(event) in scene.nodes.keys() | scene.frames.keys()


def test_every_op_is_drawn_exactly_once(document, scene):
    ops = [op for node in scene.nodes.values() for op in node.ops]
    assert sorted(ops) == [op["id"] for op in document["ops"]]


def test_edges_join_drawn_nodes_and_point_forward(scene):
    order = {name: index for index, name in enumerate(scene.nodes)}
    assert len({(e.source, e.target, e.value) for e in scene.edges.values()}) == len(scene.edges)
    for e in scene.edges.values():
        assert order[e.source] < order[e.target]


def test_frames_nest(scene):
    for node in scene.nodes.values():
        assert node.frame is None or node.frame in scene.frames
    for frame in scene.frames.values():
        assert frame.parent is None or frame.parent in scene.frames


def test_times_follow_the_data(document, scene):
    count = len(document["events"])
    for node in scene.nodes.values():
        assert node.value_at == -1 if node.is_leaf else 0 <= node.value_at < count
        assert node.grad_at is None or node.value_at < node.grad_at < count
    for e in scene.edges.values():
        if e.grad:
            assert scene.nodes[e.target].value_at <= e.grad_at < count


def test_a_backward_event_feeds_the_edges_into_its_node(document, scene):
    for event in document["events"]:
        for name in scene.edges_of(event):
            e = scene.edges[name]
            near = e.source if event["kind"] == "forward" else e.target
            assert near == scene.node_of(event)


# The MLP of the pictures


def test_a_closed_net_hides_parameters_and_shows_single_op_cells_as_ops():
    scene = fold(d.mlp())
    assert titles(scene) == ["x", "fc1", "relu", "dropout", "fc2", "labels", "loss"]
    assert [n.kind for n in scene.nodes.values()] == ["input", "cell", "op", "op", "cell", "input", "op"]
    assert [n.foldable for n in scene.nodes.values()] == [False, True, False, False, True, False, False]
    assert scene.nodes["op2"].subtitle == "ReLU (32, 128)"


def test_an_open_cell_is_a_frame_with_its_parameters_beside_their_users():
    scene = fold(d.mlp(), {4})
    (frame,) = scene.frames.values()
    assert (frame.id, frame.title, frame.subtitle) == ("call4", "fc2", "Dense · 128 → 10")
    assert titles(scene, frame="call4") == ["weight", "matmul", "bias", "bias_add"]
    assert titles(scene, kind="parameter", beside="op4") == ["weight"]
    assert edge(scene, "value8", "op4").grad_label == "∂W (10, 128)"


def test_times_of_the_open_mlp():
    scene = fold(d.mlp(), {4})
    assert [n.value_at for n in scene.nodes.values() if n.kind in ("op", "cell")] == [1, 2, 3, 4, 5, 6]
    assert scene.nodes["op6"].grad_at == 7  # the seed is known when the sweep begins
    assert scene.nodes["op4"].grad_at == 8
    assert scene.nodes["value8"].grad_at == edge(scene, "value8", "op4").grad_at == 9
    assert scene.nodes["value1"].grad_at is None  # labels


def test_labels_stand_beside_the_loss_without_strips():
    labels = fold(d.mlp()).nodes["value1"]
    assert (labels.beside, labels.slim, labels.subtitle) == ("op6", True, "(32,)")


def test_hooks_and_mode_become_pills():
    kinds = {"forward_pre": "▷", "backward": "◀"}
    hooks = [{"kind": kind, "glyph": glyph, "name": "h", "code": None} for kind, glyph in kinds.items()]
    scene = fold(d.mlp(hooks), {4})
    assert [p.text for p in scene.frames["call4"].pills] == ["2 hooks"]
    assert [p.text for p in scene.nodes["op3"].pills] == ["training"]
    assert not scene.nodes["op2"].pills
    assert [p.text for p in fold(d.mlp(hooks[:1])).nodes["call4"].pills] == ["▷ pre-hook"]


def test_the_mode_is_told_where_it_matters():
    document = d.mlp()
    for call in document["calls"]:
        if call["path"] in ("fc1", "dropout", "loss"):
            call["training"] = False
    scene = fold(document)
    told = {n.title: p.text for n in scene.nodes.values() for p in n.pills}
    assert told == {"dropout": "predicting"}


def test_rules_are_told_by_their_names():
    document = d.mlp()
    document["calls"][1] |= {"rule_id": "own", "rule": "自带"}
    document["calls"][2] |= {"rule_id": "too large bprop", "rule": "too large bprop"}
    scene = fold(document)
    assert [p.text for p in scene.nodes["call1"].pills] == ["自带"]
    assert [p.text for p in scene.nodes["op2"].pills] == ["bprop: too large bprop"]


def test_hooks_of_an_open_cell_point_at_its_frame_those_of_the_program_at_its_ends():
    document = d.mlp()
    scene = fold(document, {4})
    hook = {"kind": "hook", "name": "h", "replaced": False}
    assert scene.node_of(hook | {"hook": "forward", "call": 4}) == "call4"
    assert scene.node_of(hook | {"hook": "forward_pre", "call": 0}) == "call1"
    assert scene.node_of(hook | {"hook": "forward", "call": 0}) == "op6"
    assert scene.node_of(hook | {"hook": "backward_pre", "call": 0}) == "op6"


# Shapes of programs


def test_numbers_are_not_drawn_and_a_value_used_twice_has_two_edges():
    scene = fold(d.diamond())
    assert titles(scene) == ["x", "sin", "y", "multiply", "power", "add"]
    assert [e.target for e in scene.edges.values() if e.source == "value0"] == ["op0", "op2"]


def test_one_edge_for_a_value_used_twice_by_one_op():
    scene = fold(d.vectors())
    assert [(e.source, e.target) for e in scene.edges.values() if e.target == "op1"] == [("op0", "op1")]


def test_several_outputs_of_one_op_are_one_node():
    net = d.Program("split")
    x = net.input("x", 6, 4)
    a, b = net.op("split", "Split", [x], (3, 4), (3, 4))
    scene = fold(net.finish(net.op("add", "Add", [a, b], (3, 4))))
    assert scene.nodes["op0"].subtitle == "Split 2 outputs (3, 4)"
    assert len([e for e in scene.edges.values() if (e.source, e.target) == ("op0", "op1")]) == 2


def test_a_parameter_with_two_users_is_repeated_by_name():
    scene = fold(d.called_twice(), {1, 3})
    weights = [n for n in scene.nodes.values() if n.title == "weight"]
    assert [(n.id, n.slim, n.value) for n in weights] == [("value1", False, 1), ("value1@op3", True, 1)]
    assert [p.text for p in scene.frames["call3"].pills] == ["call 2 of 2"]
    first, second = (edge(scene, n.id, n.beside) for n in weights)
    assert second.grad_at < first.grad_at == scene.nodes["value1"].grad_at  # both parts have arrived


def test_an_own_bprop_sends_gradients_past_the_inside_of_its_cell():
    net = d.Program("net", training=True)
    x = net.input("x", 2, 3)
    call = net.enter("own", "Own", [x], rule=("own", "own bprop"))
    y = net.op("tanh", "Tanh", [net.op("exp", "Exp", [x], (2, 3))], (2, 3))
    document = net.finish(net.leave(y), own_rules={call})
    closed, opened = fold(document), fold(document, {call})
    assert [p.text for p in closed.nodes["call1"].pills] == ["own bprop"]
    assert edge(closed, "value0", "call1").grad and edge(opened, "value0", "op0").grad
    assert not edge(opened, "op0", "op1").grad
    bprop = document["events"][-1]
    assert opened.node_of(bprop) == "call1"
    assert opened.edges_of(bprop) == [edge(opened, "value0", "op0").id]


def test_scissors_stand_on_the_edge_where_the_gradient_is_cut():
    net = d.Program("cut")
    x = net.input("x", 4)
    y = net.op("exp", "Exp", [x], (4,))
    stopped = net.op("stop_gradient", "StopGradient", [y], (4,))
    document = net.finish(net.op("sum", "Sum", [stopped]))
    net.state(x, "cut", why="stop_gradient")
    net.state(y, "cut", why="stop_gradient")
    net.state(stopped, "not needed")
    scene = fold(document)
    assert [(e.source, e.cut) for e in scene.edges.values() if e.cut is not None] == [("op0", "stop_gradient")]
    assert not any(e.grad for e in scene.edges.values())


def test_new_data_from_a_hook_continues_the_line_that_it_cuts():
    scene = fold(d.cut_by_hook())
    assert titles(scene) == ["x", "fc1", "relu", "fc2", "sum"]
    assert "clip_np" in edge(scene, "call1", "op2").cut
    assert [e.cut is None for e in scene.edges.values()].count(False) == 1


def test_a_failed_op_is_marked_and_knows_no_value():
    net = d.Program("broken")
    net.op("matmul", "MatMul", [net.input("x", 4)], (4,))
    document = net.finish(len(net.values) - 1, backward=False)
    document["ops"][0] |= {"error": "shapes (4,) and (3,)", "outputs": []}
    document["events"].clear()
    node = fold(document).nodes["op0"]
    assert node.failed and node.value is None and node.value_at is None
    assert [p.mark for p in node.pills] == [True]


def test_many_leaves_at_one_node_are_summed_up():
    net = d.Program("wide")
    many = [net.input(f"x{i}", 3) for i in range(40)]
    scene = fold(net.finish(net.op("concat", "Concat", many, (120,))))
    assert titles(scene, beside="op0") == ["x1", "x2", "x3", "x4", "x5", "34 more"]


def test_an_input_that_nothing_uses_is_still_there():
    net = d.Program("idle")
    net.input("spare", 3)
    scene = fold(net.finish(net.op("exp", "Exp", [net.input("x", 3)], (3,))))
    assert titles(scene) == ["spare", "x", "exp"]


def test_a_call_that_ran_nothing_points_near():
    net = d.Program("identity")
    y = net.op("exp", "Exp", [net.input("x", 3)], (3,))
    net.enter("same", "Identity", [y])
    net.hook("forward", "h")
    net.leave(y)
    document = net.finish(y)
    assert fold(document, {1}).node_of(document["events"][1]) == "op0"
    assert not fold(document, {1}).frames


# Size


def test_sixty_ops_are_all_drawn():
    assert len(fold(d.chain(60)).nodes) == 61


def test_long_chains_fold_their_middle():
    scene = fold(d.mixed(5000))
    assert len(scene.nodes) <= 200
    (run,) = [n for n in scene.nodes.values() if n.id.startswith("ops")]
    shown = sum(n.kind == "op" for n in scene.nodes.values())
    assert (run.title, run.foldable) == (f"{5000 - shown} ops", False)


def test_opening_a_long_cell_in_a_big_net_still_shows_its_inside():
    net = d.Program("net", training=True)
    y = net.input("x", 3)
    for i in range(12):
        net.enter(f"part{i}", "Part", [y])
        for size in range(300):
            y = net.op("tanh", "Tanh", [y], (size,))
        net.leave(y)
    scene = fold(net.finish(y), {3})
    assert list(scene.frames) == ["call3"]
    assert len(titles(scene, frame="call3")) > 50


def test_more_open_cells_than_fit_are_closed_from_the_inside():
    document = d.deep()
    scene = fold(document, d.all_calls(document))
    assert 40 <= len(scene.nodes) <= 200
    assert {frame.parent for frame in scene.frames.values()} == {None}


def test_texts_come_in_chinese():
    set_language("zh")
    try:
        assert [p.text for p in fold(d.mlp()).nodes["op3"].pills] == ["训练"]
    finally:
        set_language("en")


def test_a_constant_without_a_name_is_called_what_it_holds():
    net = d.Program("constants")
    x = net.input("x", 2, 3)
    given = [np.full((1,), 0.5), np.ones((2, 3)), np.arange(3.0), np.full((2,), np.nan), np.ones((0,))]
    constants = [net.constant(array) for array in given]
    scene = fold(net.finish(net.op("mix", "Mix", [x, *constants, net.constant(np.ones(2), "mask")], (2, 3))))
    told = [(node.title, node.subtitle) for node in scene.nodes.values() if node.kind == "constant"]
    assert {("0.5", "const"), ("all 1", "(2, 3)"), ("(3,)", "const")} <= set(told)
    assert {"(2,)", "(0,)"} <= {title for title, _ in told}


def test_several_numbers_of_one_op_are_counted():
    net = d.Program("numbers")
    x = net.input("x", 2, 3)
    a, b = net.op("node", "IFNode", [x], (), ())
    scene = fold(net.finish(net.op("add", "Add", [a, b], ())))
    assert scene.nodes["op0"].subtitle == "IFNode 2 outputs"
