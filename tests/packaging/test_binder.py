"""Binder: repo2docker, asked for the image's recipe without building it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def test_repo2docker_installs_the_lab_extra_on_a_pinned_python() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."],
        cwd=REPOSITORY,
        check=False,
        capture_output=True,
        text=True,
    )
    recipe = run.stdout + run.stderr
    assert run.returncode == 0, recipe
    assert "conda environment for python=3.12" in recipe
    assert "apt-get install --yes --no-install-recommends graphviz" in recipe
    steps = ["COPY --chown=0:0 src/ ${REPO_DIR}/", 'pip install --no-cache-dir -r "binder/requirements.txt"']
    assert -1 < recipe.find(steps[0]) < recipe.find(steps[1]), recipe  # the file names the folder it lies in
