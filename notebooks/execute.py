"""Run the lessons and keep their outputs: `python notebooks/execute.py [NAME.ipynb ...]`.

Widget state is not stored, nor references to widgets that no longer exist: a saved lesson shows each widget's
SVG, in JupyterLab before the first run and on sites that only render notebooks.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def execute(path: Path) -> None:
    """Run one notebook in a fresh kernel and write it back."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, store_widget_state=False, resources={"metadata": {"path": str(HERE)}}
    ).execute()
    for cell in notebook.cells:
        cell.get("metadata", {}).pop("execution", None)
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET_VIEW, None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for lesson in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(HERE.glob("*.ipynb")):
        execute(lesson)
        print(f"executed {lesson.name}")
