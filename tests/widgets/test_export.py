"""Export: one file that needs nothing, whatever the names in it; other files as whole or not at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program

import teachcell_widgets
from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer, Replay, Training

NASTY = "</script><script>alert(1)</script>"


def state_of(page: str) -> dict:
    return json.loads(re.findall(r'<script type="application/json" id="teachcell-state">(.*?)</script>', page)[0])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_page_holds_what_works_without_a_kernel(name: str, tmp_path: Path) -> None:
    explorer = run_program(name)["explorer"]
    explorer.set_capture("relu")
    explorer.position = 2
    explorer.export(tmp_path / "lesson.html")
    page = (tmp_path / "lesson.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 2_000_000
    state = state_of(page)
    assert not state["frame"]["live"] and state["frame"]["panels"] == list(state["panels"])
    assert {"node", "replay", "cut_detective", "hook_timeline"} <= set(state["panels"])
    assert not {"rule_lab", "compare", "modes", "training"} & set(state["panels"])
    assert all(panel["error"] is None for panel in state["panels"].values())
    assert state["view"] == json.loads(json.dumps(explorer.view)) and state["position"] == 2
    assert state["panel"] == "node" and state["selected"] == explorer.selected
    assert not re.search(r"""(?:src|href)\s*=\s*["']|url\(|@import|\bfetch\(""", page)
    assert "default-src 'none'" in page.replace("&#x27;", "'")


def test_names_with_markup_do_no_harm(tmp_path: Path) -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return ops.relu(x)

    Net.__name__ = NASTY
    explorer = Explorer(Net(), Tensor([1.0]))
    explorer.export(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.count("</script>") == 2 and page.count("<script") == 2
    assert state_of(page)["view"]["title"] == NASTY
    for ending in ("svg", "png", "dot"):
        explorer.export(tmp_path / f"a.{ending}")
        assert (tmp_path / f"a.{ending}").stat().st_size > 200


def test_pictures_are_those_of_what_is_open(tmp_path: Path) -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.toggle("call1")
    explorer.export(str(tmp_path / "graph.SVG"))
    assert "BiasAdd" in (tmp_path / "graph.SVG").read_text(encoding="utf-8")
    explorer.export(tmp_path / "graph.dot")
    assert "BiasAdd" in (tmp_path / "graph.dot").read_text(encoding="utf-8")
    explorer.export(tmp_path / "graph.png")
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = run_program("mlp")["explorer"]
    old = tmp_path / "lesson.html"
    old.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\.html, \.svg, \.png, \.dot, not '\.pdf'"):
        explorer.export(tmp_path / "lesson.pdf")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        explorer.export(tmp_path / "none" / "lesson.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(IsADirectoryError, match="give the name of a file"):
        explorer.export(tmp_path / "folder.html")
    monkeypatch.setattr("teachcell_widgets.workbench.saved_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        explorer.export(old)
    assert old.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.html", "lesson.html"]


def test_an_existing_file_is_replaced(tmp_path: Path) -> None:
    explorer = run_program("function")["explorer"]
    path = tmp_path / "a.svg"
    path.write_text("old", encoding="utf-8")
    explorer.export(path)
    assert path.read_text(encoding="utf-8").startswith("<svg")
    assert [p.name for p in tmp_path.iterdir()] == ["a.svg"]


def test_of_an_explorer_whose_net_another_widget_has_only_pictures_are_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    explorer = run_program("mlp")["explorer"]
    Replay(explorer.net, *explorer.experiment.program.inputs)
    with pytest.raises(RuntimeError, match="closed or replaced"):
        explorer.export(tmp_path / "a.html")
    assert not caplog.records and not list(tmp_path.iterdir())
    explorer.export(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_training_that_ran_is_in_its_page(tmp_path: Path) -> None:
    net = nn.Dense(2, 1)
    x = Tensor(np.ones((4, 2), np.float32))
    widget = Training(net, x, loss=nn.MSELoss(), targets=Tensor(np.zeros((4, 1), np.float32)))
    widget.export(tmp_path / "a.html")
    assert state_of((tmp_path / "a.html").read_text(encoding="utf-8"))["panels"] == {}
    widget.training.run(3)
    widget.export(tmp_path / "a.html")
    assert state_of((tmp_path / "a.html").read_text(encoding="utf-8"))["panels"]["training"]["data"]


@pytest.mark.parametrize("widget", teachcell_widgets.__all__)
def test_every_widget_has_a_picture_where_there_is_no_kernel(widget: str) -> None:
    kind = getattr(teachcell_widgets, widget)
    data, _ = kind(nn.ReLU(), Tensor([1.0, -1.0]))._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg") and "ReLU" in data["text/plain"]


def test_a_converted_notebook_shows_the_picture() -> None:
    nbconvert, nbformat = pytest.importorskip("nbconvert"), pytest.importorskip("nbformat")
    data, metadata = run_program("mlp")["explorer"]._repr_mimebundle_()
    v4 = nbformat.v4
    output = v4.new_output("display_data", data=data, metadata=metadata)
    notebook = v4.new_notebook(cells=[v4.new_code_cell("explorer", outputs=[output])])
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert '<img' in page and 'src="data:image/svg+xml;base64,' in page
