"""How lessons are tested: `pytest --nbval notebooks` runs them and compares every output with the stored one.

Not compared, since they differ rightly between machines: pictures, whose layout depends on fonts and on the
Graphviz that is found, and, by `nbval_sanitize.cfg`, addresses. Output on stderr is compared: there is none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SECONDS_PER_CELL = 120


def pytest_configure(config: pytest.Config) -> None:
    config.option.nbval_current_env = True
    config.option.nbval_cell_timeout = SECONDS_PER_CELL
    config.option.nbval_sanitize_with = str(Path(__file__).with_name("nbval_sanitize.cfg"))
    if config.option.nbval:
        # Builds matplotlib's font cache, or the first lesson on a new machine would be told that it is built.
        import matplotlib.font_manager  # noqa: F401


def pytest_collectstart(collector: pytest.Collector) -> None:
    if isinstance(collector, pytest.File) and collector.path.suffix == ".ipynb":
        collector.skip_compare += ("image/svg+xml",)
