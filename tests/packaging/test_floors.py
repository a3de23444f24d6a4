"""The floors of the house: who may import whom, held by the import-linter contracts of pyproject.toml."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")

FLOORS = ("kernels", "core", "ops", "autodiff", "nn", "jit", "lens", "train", "graph", "lessons", "texts")
ENGINE = ("kernels", "core", "ops", "autodiff", "nn")
ALLOWED = (
    {(upper, lower) for lower, upper in combinations(ENGINE, 2)}
    | {(upper, lower) for upper in ("jit", "lens", "train", "lessons") for lower in ENGINE}
    | {("lessons", lower) for lower in ("jit", "lens", "train", "graph")}
    | {(floor, "texts") for floor in FLOORS if floor != "texts"}
)
FORBIDDEN = sorted({(a, b) for a in FLOORS for b in FLOORS if a != b} - ALLOWED)


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(LINT_IMPORTS), "--no-cache"]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house with every floor and each import that is allowed, under the project's contracts."""
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    (tmp_path / "teachcell_widgets").mkdir()
    (tmp_path / "teachcell_widgets" / "__init__.py").write_text("import anywidget, teachcell.lens")
    for floor in FLOORS:
        package = tmp_path / "teachcell" / floor
        package.mkdir(parents=True)
        lines = [f"import teachcell.{below}.inside" for above, below in sorted(ALLOWED) if above == floor]
        (package / "inside.py").write_text("\n".join(lines))
        (package / "__init__.py").touch()
    (tmp_path / "teachcell" / "__init__.py").touch()
    (tmp_path / "teachcell" / "graph" / "dot.py").write_text("def layout():\n    import graphviz\n")
    (tmp_path / "teachcell" / "kernels" / "special.py").write_text("def erf():\n    import scipy.special\n")
    return tmp_path


def test_the_project_keeps_its_contracts() -> None:
    run = lint_imports(REPOSITORY)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_allowed_imports_are_allowed(house: Path) -> None:
    run = lint_imports(house)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(("above", "below"), FORBIDDEN)
def test_an_import_between_floors_is_caught(house: Path, above: str, below: str) -> None:
    with (house / "teachcell" / above / "inside.py").open("a") as file:
        file.write(f"\nimport teachcell.{below}.inside\n")
    run = lint_imports(house)
    assert run.returncode == 1
    assert f"teachcell.{above} is not allowed to import teachcell.{below}" in run.stdout


@pytest.mark.parametrize("other", ["teachcell_widgets", "ipywidgets", "anywidget", "matplotlib", "graphviz", "scipy"])
def test_the_lens_knows_no_widgets_no_graphviz_and_no_scipy(house: Path, other: str) -> None:
    (house / "teachcell" / "lens" / "show.py").write_text(f"def show():\n    import {other}\n")
    run = lint_imports(house)
    assert run.returncode == 1
    assert f"teachcell is not allowed to import {other}" in run.stdout
