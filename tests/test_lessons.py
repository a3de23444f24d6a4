"""How a lesson is kept: executed once in order, without widget state or noise, public names only.

That its outputs are right is `make lessons`' part, which runs every lesson twice under nbval.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

LESSONS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
# Inner floors; what lessons need of them is offered by teachcell, teachcell.nn, teachcell.ops and thin names.
INNER = {"autodiff", "core", "graph", "jit", "kernels", "lens", "texts"}


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def lesson(request: pytest.FixtureRequest) -> nbformat.NotebookNode:
    return nbformat.read(request.param, as_version=4)


def code_cells(lesson: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in lesson.cells if cell.cell_type == "code"]


def imported_names(lesson: nbformat.NotebookNode) -> Iterator[str]:
    for cell in code_cells(lesson):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_there_are_lessons() -> None:
    assert LESSONS


def test_it_fits_in_thirty_cells(lesson: nbformat.NotebookNode) -> None:
    assert len(lesson.cells) <= 30


def test_it_was_executed_in_order_and_without_noise(lesson: nbformat.NotebookNode) -> None:
    cells = code_cells(lesson)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not [output for cell in cells for output in cell.outputs if output.get("name") == "stderr"]


def test_it_holds_pictures_in_the_place_of_widgets(lesson: nbformat.NotebookNode) -> None:
    kinds = [set(output.data) for cell in code_cells(lesson) for output in cell.outputs if "data" in output]
    assert "widgets" not in lesson.metadata
    assert not any("widget" in kind for found in kinds for kind in found)
    assert any("image/svg+xml" in found for found in kinds)


def test_it_ends_with_an_assert(lesson: nbformat.NotebookNode) -> None:
    assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(code_cells(lesson)[-1].source)))


def test_it_imports_public_names(lesson: nbformat.NotebookNode) -> None:
    ours = [name.split(".") for name in imported_names(lesson) if name.startswith("teachcell")]
    assert not [name for name in ours if name[1:2] and name[1] in INNER]
    assert not [name for name in ours if any(part.startswith("_") for part in name)]
