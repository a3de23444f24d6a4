"""Layout: everything has a place inside the picture, nothing lies on anything else, with every engine."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import combinations, groupby, pairwise

import pytest
from graph import documents as d

from teachcell.graph import EngineMissing, fold, place
from teachcell.graph.layout import graphviz_engine

ENGINES = ["graphviz", "plain"]
OPENINGS = ["closed", "open"]


@cache
def placing(program, opening, width, layout):
    document = d.PROGRAMS[program]()
    return place(fold(document, d.all_calls(document) if opening == "open" else ()), width, layout)


@pytest.fixture(params=ENGINES, name="layout")
def _layout(request):
    if request.param == "graphviz":
        pytest.importorskip("graphviz")
    return request.param


@pytest.fixture(params=[360, 614], name="width")
def _width(request):
    return request.param


@pytest.fixture(params=d.PROGRAMS, name="placed")
def _placed(request, opening, width, layout):
    return placing(request.param, opening, width, layout)


@pytest.fixture(params=OPENINGS, name="opening")
def _opening(request):
    return request.param


def holds(outer, inner, slack=0.01):
    return (
        outer.x - slack <= inner.x
        and outer.y - slack <= inner.y
        and inner.right <= outer.right + slack
        and inner.bottom <= outer.bottom + slack
    )


def test_everything_has_its_place_in_the_picture(placed, layout, width):
    scene = placed.scene
    assert placed.engine == layout
    assert placed.boxes.keys() == scene.nodes.keys()
    assert placed.frames.keys() == scene.frames.keys()
    assert placed.routes.keys() == scene.edges.keys()
    assert placed.width >= width
    for box in [*placed.boxes.values(), *placed.frames.values()]:
        assert box.x >= 0 and box.y >= 0 and box.right <= placed.width and box.bottom <= placed.height
    for route in placed.routes.values():
        for x, y in route.knots:
            assert 9 <= x <= placed.width - 9 and 0 <= y <= placed.height


def test_nothing_overlaps(placed):
    for (a, box), (b, other) in combinations(placed.boxes.items(), 2):
        assert not box.overlaps(other), (a, b)
    for (a, frame), (b, other) in combinations(placed.frames.items(), 2):
        assert not frame.overlaps(other) or holds(frame, other) or holds(other, frame), (a, b)


def test_frames_hold_their_members_and_nothing_else(placed):
    for name, frame in placed.frames.items():
        for node in placed.scene.nodes.values():
            around = node.frame
            while around not in (None, name):
                around = placed.scene.frames[around].parent
            box = placed.boxes[node.id]
            assert holds(frame, box) if around == name else not frame.overlaps(box), (name, node.id)


def test_headers_have_room_above_the_nodes_and_frames_inside(placed):
    for name, frame in placed.frames.items():
        inside = [placed.boxes[n.id] for n in placed.scene.nodes.values() if n.frame == name]
        inside += [placed.frames[f.id] for f in placed.scene.frames.values() if f.parent == name]
        assert min(box.y for box in inside) - frame.y >= 20
        header = placed.headers[name]
        assert frame.x < header.x and header.x + header.room <= frame.right


def test_edges_meet_a_node_at_different_places(placed):
    for ends, end in (("source", 0), ("target", -1)):
        meets = [(getattr(e, ends), placed.routes[e.id].knots[end]) for e in placed.scene.edges.values()]
        assert len(set(meets)) == len(meets)


def test_edges_run_down_from_node_to_node(placed):
    for edge in placed.scene.edges.values():
        route = placed.routes[edge.id]
        source, target = placed.boxes[edge.source], placed.boxes[edge.target]
        (x0, y0), (x1, y1) = route.knots[0], route.knots[-1]
        if route.sideways:
            assert x0 == source.right and x1 == target.x and target.y < y1 < target.bottom
            continue
        assert y0 >= source.bottom and y1 == pytest.approx(target.y)
        assert source.x < x0 < source.right and target.x < x1 < target.right
        assert all(a[1] <= b[1] + 0.01 for a, b in pairwise(route.knots))


def test_straight_parts_of_edges_pass_beside_nodes(placed):
    for edge in placed.scene.edges.values():
        route = placed.routes[edge.id]
        if route.sideways:
            continue
        for (x0, y0), (x1, y1) in pairwise(route.knots):
            if x0 != x1 or y0 == y1:
                continue
            for name, box in placed.boxes.items():
                if name not in (edge.source, edge.target):
                    assert not (box.x < x0 < box.right and box.y < y1 and y0 < box.bottom), (edge, name)


def test_the_same_scene_gets_the_same_places(layout):
    first, second = (place(fold(d.residual(), {3, 8}), 614, layout) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("make", [d.mlp, d.chain, d.called_twice, d.convnet])
def test_a_chain_is_one_straight_column(make, layout):
    document = make()
    placed = place(fold(document, d.all_calls(document)), 614, layout)
    xs = {x for route in placed.routes.values() if not route.sideways for x, _ in route.knots}
    assert max(xs) - min(xs) < 0.01


def test_the_mlp_fills_its_width_as_in_the_design():
    placed = place(fold(d.mlp(), {4}), 614)
    assert placed.width == 614
    assert placed.height < 520
    assert 340 <= placed.boxes["op4"].width <= 400
    assert placed.boxes["value8"].right < placed.boxes["op4"].x
    assert not placed.legend_in_row


def test_narrow_pictures_are_compact():
    scene = fold(d.mlp(), {4})
    narrow, wide = place(scene, 400), place(scene, 614)
    assert narrow.width == 400
    assert narrow.boxes["value8"].width < wide.boxes["value8"].width


def test_long_edges_pass_rows_without_needless_bends():
    pytest.importorskip("graphviz")
    placed = placing("residual", "open", 614, "graphviz")
    (skip,) = [e for e in placed.scene.edges.values() if (e.source, e.target) == ("op6", "op10")]
    down, beside, back = (x for x, _ in groupby(x for x, _ in placed.routes[skip.id].knots))
    assert down == back < beside


def test_many_edges_into_one_node_keep_apart(layout):
    net = d.Program("fan")
    x = net.input("x", 4)
    y = net.op("exp", "Exp", [x], (4,))
    branches = [net.op("sin", "Sin", [y], (4,)) for _ in range(9)]
    placed = place(fold(net.finish(net.op("concat", "Concat", branches, (36,)))), 614, layout)
    ends = sorted(placed.routes[e.id].knots[-1][0] for e in placed.scene.edges.values() if e.target == "op10")
    assert len(ends) == 9 and all(b - a > 5 for a, b in pairwise(ends))


def test_a_branch_stands_beside_the_main_path(layout):
    placed = place(fold(d.diamond()), 614, layout)
    assert placed.boxes["op2"].x > placed.boxes["op0"].right


def test_nothing_at_all_can_be_placed(layout):
    document = d.Program("empty").finish(backward=False)
    placed = place(fold(document), 400, layout)
    assert placed.width == 400 and placed.height > 0


def test_without_graphviz_the_plain_layout_draws(monkeypatch):
    def missing(task):
        raise EngineMissing

    monkeypatch.setattr(graphviz_engine, "sketch", missing)
    scene = fold(d.mlp())
    assert place(scene, 614).engine == "plain"
    with pytest.raises(EngineMissing):
        place(scene, 614, "graphviz")


def test_a_missing_package_is_noticed_and_the_graph_does_not_import_it_by_itself(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    assert place(fold(d.mlp()), 614).engine == "plain"
    probe = "import sys, teachcell.graph; assert 'graphviz' not in sys.modules"
    subprocess.run([sys.executable, "-c", probe], check=True)


def test_a_missing_executable_is_noticed(monkeypatch, tmp_path):
    pytest.importorskip("graphviz")
    monkeypatch.setattr(graphviz_engine, "_executable", lambda usual: tmp_path / "no-such-program")
    assert place(fold(d.mlp()), 614).engine == "plain"


def test_an_executable_that_fails_is_noticed(monkeypatch):
    pytest.importorskip("graphviz")
    monkeypatch.setattr(graphviz_engine, "_dot_source", lambda task, names: "digraph { broken")
    assert place(fold(d.mlp()), 614).engine == "plain"


def test_running_graphviz_leaves_its_package_as_it_was():
    pytest.importorskip("graphviz")
    from graphviz.backend import dot_command

    before = dot_command.DOT_BINARY
    graphviz_engine.run("digraph { a -> b }", "dot")
    assert before == dot_command.DOT_BINARY
