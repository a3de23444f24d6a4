"""Twin run: the same program from the same seed, once in training and once in prediction; nothing is left changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core.events import Observer, observing
from ...texts import say
from ..experiment import Experiment
from .differences import Differences
from .run import Run

Moved = dict[str, tuple[np.ndarray, np.ndarray]]  # name of a Parameter to what it held before and after


@dataclass
class Twins:
    """A run in training and one in prediction.

    Attributes:
        path: the Cell that was switched, "" for the whole program.
        moved: what each run moved beside the Parameters that are trained: path of a Cell to its moving statistics.
    """

    train: Run
    predict: Run
    path: str
    moved: dict[str, Moved] = field(default_factory=dict)

    @property
    def differences(self) -> Differences:
        """Training as A, prediction as B."""
        return Differences(self.train, self.predict)


def twin_run(experiment: Experiment, path: str = "") -> Twins:
    """Run the program in both modes of the Cell at ``path``; modes, Parameters, moving statistics, draws are as before.

    Raises:
        KeyError: no Cell is there.
        ValueError: the program has no Cell at all.
    """
    experiment.look_again()
    program = experiment.program
    if not program.cells:
        raise ValueError(say("compare.no_modes", title=program.title))
    if path not in program.cells and (path or program.is_cell):
        program.cell(path)  # which says what there is
    switched = [program.cells[path]] if path in program.cells else list(program.cells.values())
    watch = _Moving(experiment)
    with _as_before(experiment):
        runs: list[Run] = []
        for mode, name in ((True, "compare.train"), (False, "compare.predict")):
            for cell in switched:
                cell.set_train(mode)
            with observing(watch) if mode else nullcontext():
                runs.append(Run.of(say(name), experiment.run(), experiment.seed))
    return Twins(runs[0], runs[1], path, watch.found())


@contextmanager
def _as_before(experiment: Experiment) -> Iterator[None]:
    """Modes are put back, and what captures hooks sees nothing of the runs inside."""
    cells = {id(part): part for cell in experiment.program.cells.values() for _, part in cell.cells_and_names()}
    modes = [(cell, cell.training, cell.phase) for cell in cells.values()]
    capture, experiment.capture = experiment.capture, None
    try:
        yield
    finally:
        experiment.capture = capture
        for cell, training, phase in modes:
            cell.training, cell.phase = training, phase


class _Moving(Observer):
    """An observer of Cells that depend on the mode: their Parameters that are not trained, before and after."""

    def __init__(self, experiment: Experiment):
        self._paths = {id(cell): path for path, cell in experiment.program.cells.items()}
        self._cells: dict[int, Any] = {}
        self._before: dict[int, dict[str, np.ndarray]] = {}
        self._after: dict[int, dict[str, np.ndarray]] = {}

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Observer: the first time a Cell is called."""
        if getattr(cell, "depends_on_mode", False) and id(cell) in self._paths:
            self._before.setdefault(id(cell), _held(cell))

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Observer: the last time counts."""
        if id(cell) in self._before:
            self._after[id(cell)] = _held(cell)

    def found(self) -> dict[str, Moved]:
        """What moved, by path."""
        pairs = {
            self._paths[cell]: {
                name: (array, self._after[cell][name])
                for name, array in before.items()
                if not np.array_equal(array, self._after[cell][name])
            }
            for cell, before in self._before.items()
            if cell in self._after
        }
        return {path: moved for path, moved in pairs.items() if moved}


def _held(cell: Any) -> dict[str, np.ndarray]:
    return {
        name: parameter._array.copy()
        for name, parameter in cell.__dict__["_params"].items()
        if parameter is not None and not parameter.requires_grad
    }
