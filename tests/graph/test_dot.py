"""DOT: what Graphviz accepts and shows as it is."""

from __future__ import annotations

import json

import pytest
from graph import documents as d

from teachcell.graph import fold, to_dot
from teachcell.graph.layout import graphviz_engine
from teachcell.graph.measure import clean


@pytest.mark.parametrize("program", d.PROGRAMS)
def test_graphviz_reads_every_program(program):
    pytest.importorskip("graphviz")
    document = d.PROGRAMS[program]()
    scene = fold(document, d.all_calls(document))
    answer = json.loads(graphviz_engine.run(to_dot(scene), "json0"))
    drawn = {entry["name"] for entry in answer["objects"]}
    assert drawn == scene.nodes.keys() | {f"cluster_{name}" for name in scene.frames}
    grads = sum(edge.grad for edge in scene.edges.values())
    assert len(answer.get("edges", [])) == len(scene.edges) + grads


def test_names_are_shown_as_they_are():
    pytest.importorskip("graphviz")
    net = d.Program(d.HOSTILE)
    document = net.finish(net.op('a\\n"b', "&lt;", [net.input(d.HOSTILE, 2)], (2,)))
    svg = graphviz_engine.run(to_dot(fold(document)), "svg")
    for shown in (clean(d.HOSTILE), 'a\\n"b', "&lt; (2,)"):
        assert shown in unescaped(svg)


def unescaped(svg):
    """Graphviz may write any character as a reference; compare what a reader sees."""
    from html import unescape

    return unescape(svg).replace("\u00a0", " ")


def test_dot_is_the_same_every_time():
    assert to_dot(fold(d.residual())) == to_dot(fold(d.residual()))
