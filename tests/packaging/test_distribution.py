"""What is in the wheel and the sdist, and that the engine in them needs nothing but NumPy and SciPy."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import scipy

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist, built by the project's own backend without the network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def base_install(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site folder with the wheel's contents, NumPy and SciPy, and nothing else."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    for package in (Path(np.__file__).parent, Path(scipy.__file__).parent):
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.exists():
                (site / folder.name).symlink_to(folder)
    return site


def files_of(package: Path) -> set[str]:
    return {
        f"{package.name}/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def run_isolated(site: Path, code: str) -> str:
    """What `code` prints in a Python that sees the standard library and `site`."""
    begin = f"import sys; sys.path.insert(0, {str(site)!r})\n"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", begin + code],
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_wheel_holds_both_packages_whole(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    packages = [REPOSITORY / "teachcell", REPOSITORY / "widgets" / "teachcell_widgets"]
    assert names == set().union(*map(files_of, packages))
    assert {"teachcell/py.typed", "teachcell_widgets/static/explorer.css"} <= names


def test_the_wheel_says_what_it_needs(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        metadata = wheel.read("teachcell-0.1.0.dist-info/METADATA").decode()
        assert "teachcell-0.1.0.dist-info/licenses/LICENSE" in wheel.namelist()
    needs = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    assert [line for line in needs if "extra ==" not in line] == [
        "Requires-Dist: numpy>=1.26",
        "Requires-Dist: scipy>=1.11",
    ]
    assert "License-Expression: Apache-2.0" in metadata


def test_the_sdist_is_enough_to_learn_and_to_test(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = {
        "LICENSE",
        "Makefile",
        "README.md",
        "binder/requirements.txt",
        "notebooks/conftest.py",
        "teachcell/py.typed",
        "tests/conformance/run.py",
        "tests/packaging/test_distribution.py",
        "widgets/teachcell_widgets/static/explorer.css",
    }
    assert wanted <= names
    assert not [name for name in names if "__pycache__" in name or ".venv" in name]


def test_the_base_install_runs_the_engine_and_imports_scipy_when_first_needed(base_install: Path) -> None:
    code = """
import teachcell, numpy
x = teachcell.Tensor(numpy.array([3.0], numpy.float32))
print(float(teachcell.grad(lambda x: x * x)(x).asnumpy()[0]), 'teachcell_widgets' in sys.modules)
print('scipy' in sys.modules, teachcell.ops.erf(x).asnumpy()[0].round(4), 'scipy.special' in sys.modules)
"""
    assert run_isolated(base_install, code) == "6.0 False\nFalse 1.0 True\n"


def test_the_widgets_say_what_to_install(base_install: Path) -> None:
    said = run_isolated(
        base_install,
        "try: import teachcell_widgets\nexcept ImportError as error: print(error)",
    )
    assert "pip install 'teachcell[lab]'" in said
    assert "anywidget" in said
