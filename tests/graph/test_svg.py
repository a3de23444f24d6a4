"""Drawing: well-formed, safe, the same every time, inside its frame, with every state told by word and form."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from graph import documents as d

from teachcell.graph import GRAPH_STYLE, draw_svg, fold, place, static_svg
from teachcell.graph.drawing.strips import shown
from teachcell.graph.drawing.style import COLOURS
from teachcell.graph.layout.placed import Box
from teachcell.graph.measure import clean, text_width
from teachcell.texts import set_language
from teachcell_widgets.bundle import STATIC

SVG = "{http://www.w3.org/2000/svg}"
BOLD = {"tc-name", "tc-caption", "tc-number", "tc-word", "tc-grad-label", "tc-value-text", "tc-grad-text"}


def draw(document, opened=(), live=True, width=614, layout="auto", uid="u1"):
    placed = place(fold(document, opened), width if live else 740, layout, ranges=not live)
    return draw_svg(placed, document, live=live, uid=uid)


def tree(*args, **more):
    return ElementTree.fromstring(draw(*args, **more))


def by_class(root, cls):
    return [e for e in root.iter() if cls in e.get("class", "").split()]


def node(root, name):
    return next(e for e in root.iter() if e.get("data-node") == name)


def words(element):
    return "".join(element.itertext())


# Every program


@pytest.mark.parametrize("live", [True, False], ids=["live", "static"])
@pytest.mark.parametrize("program", d.PROGRAMS)
def test_pictures_are_sound(program, live):
    document = d.PROGRAMS[program]()
    for opened in ((), d.all_calls(document)):
        root = tree(document, opened, live)
        width, height = float(root.get("width")), float(root.get("height"))
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        for element, (left, top, right, bottom) in extents(root):
            assert left >= 0 and top >= 0 and right <= width and bottom <= height, ElementTree.tostring(element)


@pytest.mark.parametrize("program", d.PROGRAMS)
def test_colours_are_left_to_the_style_sheet(program):
    root = tree(d.PROGRAMS[program]())
    for element in root.iter():
        assert element.get("fill", "none") == "none"
        assert not {"stroke", "style", "color", "font-size"} & set(element.keys())


def extents(root):
    """Elements with their bounds; a ``translate`` of a group is added."""

    def walk(element, dy):
        dy += float(re.match(r"translate\(0 (.+)\)", element.get("transform", "translate(0 0)"))[1])
        for child in element:
            yield from walk(child, dy)
        if element.tag == SVG + "rect":
            x, y, w, h = (float(element.get(k)) for k in ("x", "y", "width", "height"))
            if "tc-halo" not in element.get("class", ""):
                yield element, (x, y + dy, x + w, y + h + dy)
        elif element.tag == SVG + "path":
            points = list(path_points(element.get("d")))
            xs, ys = [x for x, _ in points], [y + dy for _, y in points]
            yield element, (min(xs), min(ys), max(xs), max(ys))
        elif element.tag == SVG + "text":
            left, right = text_extent(element)
            y = float(element.get("y")) + dy
            yield element, (left, y - 10, right, y + 3)

    return walk(root, 0.0)


def text_extent(element):
    """Bounds of a text by the package's own conservative measure."""
    bold = element.get("class", "").split()[:1] and element.get("class").split()[0] in BOLD
    width = text_width(words(element), 12, bold)
    x = float(element.get("x")) - (width / 2 if element.get("text-anchor") == "middle" else 0)
    return x, x + width


def path_points(d_attribute):
    """Corner and control points of a path; an arc counts with its end and its radius to all sides."""
    x = y = 0.0
    for command, arguments in re.findall(r"([A-Za-z])([^A-Za-z]*)", d_attribute):
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", arguments)]
        if command in "hH":
            x = numbers[0] + (x if command == "h" else 0)
        elif command in "vV":
            y = numbers[0] + (y if command == "v" else 0)
        elif command in "MLClz" and numbers:
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
            base = (x, y) if command == "l" else (0, 0)
            for a, b in pairs:
                x, y = base[0] + a, base[1] + b
                yield x, y
        elif command == "a":
            radius = numbers[0]
            x, y = x + numbers[5], y + numbers[6]
            yield x - radius, y - radius
            yield x + radius, y + radius
        yield x, y


# Safety


def test_hostile_names_are_text_and_nothing_else():
    document = d.hostile()
    for live in (True, False):
        svg = draw(document, d.all_calls(document), live)
        assert "<b>" not in svg and not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e]", svg)
        assert clean(d.HOSTILE) == "<b>&\"'</b>"
        root = ElementTree.fromstring(svg)
        assert any(words(e) == clean(d.HOSTILE) for e in by_class(root, "tc-name"))


def test_lone_surrogates_do_not_break_the_picture():
    net = d.Program("bad\ud800name")
    document = net.finish(net.op("exp\udfff", "Exp\ud800", [net.input("x\ud800", 3)], (3,)))
    assert draw(document).encode() and static_svg(document).encode()


# Always the same

PROBE = """
from graph import documents as d
from hashlib import sha256
from teachcell.graph import fold, place, draw_svg
document = d.residual()
for layout in ("auto", "plain"):
    placed = place(fold(document, d.all_calls(document)), 614, layout)
    print(sha256(draw_svg(placed, document, live=True).encode()).hexdigest())
"""


def test_the_same_document_gives_the_same_text_in_every_session():
    outputs = []
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))}
        run = subprocess.run([sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]


def test_ids_begin_with_the_uid_and_by_default_with_a_hash_of_the_structure():
    document = d.mlp()
    ids = re.findall(r'\bid="([^"]*)"', draw(document, live=False, uid="mine"))
    assert ids and all(name.startswith("mine") for name in ids)
    first, same, other = (re.findall(r'\bid="([^"]*)"', static_svg(x)) for x in (document, d.mlp(), d.chain(3)))
    assert first == same != other


# What the browser reads


def test_nodes_carry_their_times_and_their_fold():
    root = tree(d.mlp(), {4})
    matmul, folded, labels = node(root, "op4"), node(root, "call1"), node(root, "value1")
    assert (matmul.get("data-value-at"), matmul.get("data-grad-at")) == ("4", "8")
    assert (matmul.get("role"), matmul.get("tabindex"), matmul.get("data-kind")) == ("button", "-1", "op")
    assert matmul.get("aria-label") == "matmul, MatMul, shape (32, 10)"
    assert folded.get("data-fold") == "call1" and matmul.get("data-fold") is None
    assert labels.get("data-grad-at") is None
    assert len(by_class(folded, "tc-behind")) == 1


def test_strips_hold_the_track_and_what_will_be_shown():
    root = tree(d.mlp(), {4})
    for strip in ("tc-value-strip", "tc-grad-strip"):
        (group,) = by_class(node(root, "op4"), strip)
        assert "tc-state-computed" in group.get("class")
        assert [child.get("class") for child in group] == ["tc-track", "tc-shown"]
        assert words(group[0]) == "not yet"
        assert by_class(group, "tc-bar-pos") and by_class(group, "tc-bar-neg")
    (value,) = by_class(node(root, "value8"), "tc-value-strip")
    assert [child.get("class") for child in value] == ["tc-shown"]  # known from the start


def test_edges_carry_when_they_flow_and_their_label():
    root = tree(d.mlp(), {4})
    edges = {e.get("data-edge"): e for e in by_class(root, "tc-edge")}
    assert len(edges) == 9
    (labelled,) = [e for e in edges.values() if words(e) == "∂W (10, 128)"]
    assert [child.get("class") for child in labelled] == [
        "tc-value-edge",
        "tc-value-head",
        "tc-grad-edge",
        "tc-grad-head",
        "tc-grad-label",
    ]
    assert (labelled[0].get("data-at"), labelled[2].get("data-at")) == ("4", "9")
    assert sum(not by_class(e, "tc-grad-edge") for e in edges.values()) == 1  # labels need no gradient


def test_the_header_of_a_frame_folds_it():
    root = tree(d.mlp([{"kind": "forward", "glyph": "▶", "name": "h", "code": None}]), {4})
    (frame,) = by_class(root, "tc-frame")
    assert frame.get("data-call") == "4"
    (header,) = [e for e in frame.iter() if e.get("data-fold")]
    assert (header.get("data-fold"), header.get("role")) == ("call4", "button")
    assert words(frame) == "▾ fc2Dense · 128 → 10▶ forward hook"


def test_flags_and_pills_stand_side_by_side():
    dropout = node(tree(d.mlp()), "op3")
    (pill,) = by_class(dropout, "tc-pill")
    for flag in by_class(dropout, "tc-flag"):
        (box,) = flag.iter(SVG + "rect")
        (pill_box,) = pill.iter(SVG + "rect")
        assert float(box.get("x")) + float(box.get("width")) < float(pill_box.get("x"))
    assert {words(f) for f in by_class(dropout, "tc-flag")} == {"now ▼", "now ▲"}


# States


@pytest.mark.parametrize("live", [True, False], ids=["live", "static"])
@pytest.mark.parametrize(
    ("op", "strip", "cls", "word", "form"),
    [
        ("op0", "tc-grad-strip", "tc-state-cut", "cut", "tc-icon"),
        ("op1", "tc-grad-strip", "tc-state-not-needed", "not needed", "tc-rule-line"),
        ("op2", "tc-grad-strip", "tc-state-zero", "exactly 0", "tc-rule-line"),
        ("op3", "tc-value-strip", "tc-state-dead", "dead: 0 / 128 on", "tc-icon"),
        ("op4", "tc-grad-strip", "tc-state-not-needed", "not asked", "tc-rule-line"),
        ("op5", "tc-grad-strip", "tc-state-not-needed", "no gradient", "tc-rule-line"),
        ("op6", "tc-value-strip", "tc-state-nan", "NaN starts here", "tc-hatch"),
        ("op6", "tc-grad-strip", "tc-state-nan", "NaN", "tc-hatch"),
    ],
)
def test_states_have_a_word_and_a_form(op, strip, cls, word, form, live):
    (group,) = by_class(node(tree(d.states(), live=live), op), strip)
    (told,) = by_class(group, "tc-shown")
    assert cls in group.get("class").split()
    assert words(told) == word
    assert by_class(told, form) and not by_class(told, "tc-bar-pos")


@pytest.mark.parametrize(("state", "wide", "narrow"), [
    ("nan starts", "NaN starts here", "NaN here"), ("dead", "dead: 0 / 3 on", "dead"),
])  # fmt: skip
def test_a_state_has_a_short_word_where_the_strip_is_narrow(state, wide, narrow):
    for width, word in [(180, wide), (84, narrow)]:
        assert f">{word}<" in shown(state, {"shape": [2, 3]}, Box(0, 0, width, 15))


def test_the_node_where_nan_starts_has_a_marked_box():
    root = tree(d.states())
    marked = [e.get("data-node") for e in by_class(root, "tc-node") if by_class(e, "tc-box-mark")]
    assert marked == ["op6", "op7"]


def test_the_cut_says_why_and_where():
    (cut,) = by_class(tree(d.states()), "tc-cut")
    assert words(cut).startswith("cut here") and "clip_np" in words(cut)
    assert by_class(cut, "tc-leader") and by_class(cut, "tc-icon")


def test_scalars_are_numbers():
    root = tree(d.diamond())
    assert words(by_class(node(root, "value0"), "tc-number")[0]) == "1.25"
    assert words(by_class(node(root, "value1"), "tc-number")[0]) == "−2.5"


def test_bars_go_up_for_positive_down_for_negative_and_leave_gaps_for_zero():
    net = d.Program("bars")
    x = net.input("x", array=[2.0, 0.0, -1.0])
    group = by_class(node(tree(net.finish(net.op("exp", "Exp", [x], (3,)))), "value0"), "tc-value-strip")[0]
    (up,), (down,) = by_class(group, "tc-bar-pos"), by_class(group, "tc-bar-neg")
    assert up.get("d").count("M") == down.get("d").count("M") == 1
    assert "v-" in up.get("d") and "v-" not in down.get("d")
    assert up.get("fill-opacity") > down.get("fill-opacity")


def test_arrays_without_elements_and_without_finite_ones_are_drawn():
    net = d.Program("edge cases")
    x = net.input("x", array=[[]])
    y = net.op("fill", "Fill", [x], arrays=[[float("nan"), float("inf")]])
    document = net.finish(net.op("sum", "Sum", [y], arrays=[float("inf")]))
    root = tree(document)
    assert "no elements" in words(node(root, "value0"))
    assert "±∞" in words(node(root, "op1"))


# Static


def test_the_static_picture_needs_nothing_else():
    svg = static_svg(d.mlp(), {4})
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img" and root.get("width") == "740"
    assert len(svg) < 60_000
    assert (
        "var(--jp" not in svg and "<script" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    )
    assert not by_class(root, "tc-track") and not by_class(root, "tc-flag") and not by_class(root, "tc-halo")
    assert "prefers-color-scheme: dark" in svg
    text = words(root)
    assert "▾" not in text and "▸" not in text
    assert "min … max" in text and "gradient up to 0.0382" in text and "Strips:" in text
    assert root.find(SVG + "title").text == "Computation graph of mlp, 10 nodes"
    assert root.find(SVG + "desc").text == "Values flow down from x, labels to loss. Gradients flow back up."


def test_static_rules_reach_only_inside_pictures():
    style = re.search(r"<style>(.*)</style>", static_svg(d.chain(2)), re.DOTALL)[1]
    rules = re.sub(r"@media[^{]*\{(.*?\})\s*\}", r"\1", style)
    assert GRAPH_STYLE in rules
    for selectors in re.findall(r"([^{}]+)\{", rules):
        assert all(re.match(r"\.tc-(graph|static)\b", s.strip()) for s in selectors.split(","))


def test_the_paint_uses_the_colours_of_both_pictures():
    sheet = (STATIC / "explorer.css").read_text(encoding="utf-8")
    light, dark = (
        re.findall(r"--tc-([\w-]+): (?:var\([^,]*, )?(#\w+)\)?;", part)
        for part in sheet.split('[data-jp-theme-light="false"]')
    )
    for theme, tokens in enumerate((dict(light), dict(dark))):
        assert {name: tokens[name] for name in COLOURS} == {name: both[theme] for name, both in COLOURS.items()}
    assert set(re.findall(r"var\(--tc-([\w-]+)\)", GRAPH_STYLE)) == COLOURS.keys() | {"ui"}


def test_an_empty_recording_says_so():
    document = d.Program("empty").finish(backward=False)
    assert "Nothing was recorded." in draw(document) and "Nothing was recorded." in static_svg(document)


def test_chinese_pictures():
    set_language("zh")
    try:
        root = tree(d.mlp(), {4})
    finally:
        set_language("en")
    assert "尚未计算" in words(root) and "not yet" not in words(root)


# Size


@pytest.mark.parametrize("layout", ["auto", "plain"])
def test_five_thousand_ops_are_drawn_as_few_nodes_in_a_small_file(layout):
    document = d.rnn(1250)
    assert len(document["ops"]) >= 5000
    svg = draw(document, layout=layout)
    assert 0 < svg.count('class="tc-node') <= 200
    assert len(svg) < 1_000_000
