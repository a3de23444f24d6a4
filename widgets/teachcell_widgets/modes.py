"""Modes: train or predict for any part of the net, what the flags mean, and both modes from the same seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teachcell.lens.compare.by_mode import gradients_told, told_by_mode
from teachcell.lens.compare.changes import changes
from teachcell.lens.compare.differences import SIDES, Differences
from teachcell.lens.compare.listed import listed
from teachcell.lens.compare.run import Run
from teachcell.lens.compare.twin import Twins, twin_run
from teachcell.texts import say

from .messages import Message
from .panel import Panel
from .told import Told
from .twin_picture import TwinPicture
from .workbench import FIRST_WIDTH, Workbench

MOST_CELLS = 300
MOST_TOLD = 60  # calls of which a twin run tells


class ModesPanel(Panel):
    """The Cells as a tree with their modes, and the twin run."""

    name = "modes"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._scope: str | None = None  # of the twin run; None: there is none
        self._found: tuple[Twins, Differences] | None = None
        self._side = "value"

    def set_train(self, mode: bool = True, path: str = "") -> None:
        """Switch the Cell at ``path`` and all below to training or prediction, and run.

        Raises:
            KeyError: no Cell is there.
            RuntimeError: the widget is closed.
        """
        self.bench.set_train(mode, path)

    def twin(self, path: str = "") -> Told:
        """Run the program from the same seed in training and in prediction, and show and return what differs.

        Modes, Parameters, moving statistics and random state are afterwards as before.

        Args:
            path: only the Cell there and all below is switched.

        Raises:
            KeyError: no Cell is there.
            ValueError: the program has no Cell.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        self._make(path)
        self.bench.open_panel(self.name)
        told = self._told()
        by_cell = (f"{cell['path']} · {cell['cls']}: {' '.join(cell['words'])}" for cell in told["cells"])
        return Told(told, *told["sentence"].values(), *by_cell, *told["changes"])

    def leave_twin(self) -> None:
        """Show the present run again."""
        self._scope = self._found = None
        self.bench.open_panel(self.name)

    def _make(self, path: str) -> None:
        twins = twin_run(self.bench.experiment, path)
        self._found, self._scope = (twins, twins.differences), path

    def ran(self) -> None:
        """The twin run is made again, of the program as it is now, when it is shown."""
        self._found = None
        if self._scope and self._scope not in self.bench.experiment.program.cells:
            self._scope = None

    def act(self, message: Message) -> None:
        """``mode``, ``twin``, ``leave_twin``: as the methods; ``side``: the picture of values or of gradients."""
        do = message.do
        if do == "mode":
            self.set_train(message.get("value", str) == "train", message.get("path", str))
        elif do == "twin":
            self.twin(message.get("path", str, ""))
        elif do == "leave_twin":
            self.leave_twin()
        elif do == "side":
            self._side = "gradient" if message.get("of", str) == "gradient" else "value"
            self.bench.show()
        else:
            super().act(message)

    def close(self) -> None:
        """Large arrays of the twin run are let go."""
        for run in (self._found[0].train, self._found[0].predict) if self._found else ():
            run.release()

    # Showing ----------------------------------------------------------------------------------------------

    def saved(self) -> None:
        """Nothing: whatever it offers runs the program again."""

    def data(self) -> dict[str, Any]:
        """The tree, what its flags mean, and the twin run."""
        rows = self._rows()
        told = {"rows": rows, "notes": self._notes(rows), "twin": None}
        if self._scope is not None:
            if self._found is None and not self.bench.retired:
                self._make(self._scope)
            told["twin"] = self._twin() if self._found is not None else None
        return told

    def _rows(self) -> list[dict[str, Any]]:
        cells = self.bench.experiment.program.cells
        rows = [self._row(path, cells) for path in cells]
        if len(rows) > MOST_CELLS:  # those that act by mode first, and what is around them
            shown = {outer for row in rows if row["depends"] for outer in (*self._around(row["path"]), row["path"])}
            rows = [row for row in rows if row["path"] in shown or row["depth"] < 1][:MOST_CELLS]
        return rows

    def _row(self, path: str, cells: Mapping[str, Any]) -> dict[str, Any]:
        cell, depends = cells[path], _depends(cells[path])
        acts = say(f"modes.acts_{'train' if cell.training else 'predict'}")
        return {
            "path": path,
            "name": path.rpartition(".")[2] or self.bench.experiment.program.title,
            "cls": type(cell).__name__,
            "depth": len(self._around(path)),
            "training": cell.training,
            "phase": str(cell.phase),
            "mode": self.bench.experiment.mode(path),
            "depends": depends,
            "trap": _says_train(cell),
            "acts": acts if depends else "",
        }

    def _around(self, path: str) -> list[str]:
        """The paths of the Cells around a Cell, from the outside in."""
        program, parts = self.bench.experiment.program, path.split(".")
        outer = [".".join(parts[:i]) for i in range(1, len(parts))]
        if path and program.is_cell and any(cell is program.cells[path] for cell in self._of_net()):
            outer.insert(0, "")
        return [each for each in outer if each in program.cells]

    def _of_net(self) -> list[Any]:
        """The Cells of the net: all but those of the loss."""
        program = self.bench.experiment.program
        if not program.is_cell:
            return list(program.cells.values())
        loss = [path for path, cell in program.cells.items() if cell is program.loss]
        return [cell for path, cell in program.cells.items() if not loss or not (path + ".").startswith(loss[0] + ".")]

    def _notes(self, rows: list[dict[str, Any]]) -> list[str]:
        """What the flags mean, where they may be misread."""
        cells = self.bench.experiment.program.cells
        if not cells:
            return [say("explorer.a_function")]
        notes, net = [], self._of_net()
        trapped = [path for path, cell in cells.items() if _says_train(cell)]
        inner = [path for path in trapped if any(not _says_train(cells[outer]) for outer in self._around(path))]
        fresh = [path for path in trapped if path not in inner and not self._around(path)]
        fresh = [path for path in fresh if cells[path] in net or any(map(_depends, _below(cells[path])))]
        if fresh:
            names = [path or self.bench.experiment.program.title for path in fresh]
            notes.append(say("modes.fresh", cells=listed(names)))
        if inner:
            notes.append(say("modes.phase_only_outer"))
        flags = [cell.training for cell in net]
        if len(set(flags)) > 1:
            notes.append(say("modes.mixed", train=sum(flags), of=len(flags)))
        if not any(map(_depends, cells.values())):
            notes.append(say("modes.none"))
        if len(cells) > len(rows):
            notes.append(say("modes.more_cells", count=len(cells) - len(rows)))
        return notes

    def _told(self) -> dict[str, Any]:
        """The twin run in words."""
        assert self._found is not None
        twins, differences = self._found
        plain = differences.plain()
        return {
            "path": twins.path,
            "first": plain["first"],
            "sentence": plain["sentence"],
            "count": {side: differences.count(side) for side in SIDES},
            "cells": told_by_mode(twins, differences)[:MOST_TOLD],
            "gradients": gradients_told(differences),
            "changes": [text for text in changes(differences) if twins.train.error or twins.predict.error],
        }

    def _twin(self) -> dict[str, Any]:
        """The same for the browser, with the picture."""
        assert self._found is not None
        _, differences = self._found
        drawn = Run.of("", self.bench.outcome)
        picture = TwinPicture(differences, self.bench.steps.scene, drawn)
        width = self.bench.width or FIRST_WIDTH
        told, side = self._told(), self._side
        for cell in told["cells"]:
            cell["node"] = self._node(picture, cell)
        return told | {
            "parts": {side: differences.sentence(side) for side in SIDES},
            "svg": picture.pictures(side, width),
            "nodes": {side: picture.node_of(differences.first(side)) for side in SIDES},
        }

    def _node(self, picture: TwinPicture, cell: Mapping[str, Any]) -> str | None:
        """The drawn node of a Cell's call."""
        calls = picture.drawn.document["calls"]
        number = next((c["id"] for c in calls if (c["path"], c["call"]) == (cell["path"], cell["call"])), None)
        return None if number is None else self.bench.steps.scene.call_nodes.get(number, (None, None))[1]


class Modes(Workbench):
    """Training and prediction as a widget of its own, beside the graph; arguments as for :class:`Explorer`."""

    parts = ("header", "stage", "now_line")
    panel_types = (ModesPanel,)

    modes: ModesPanel


def _depends(cell: Any) -> bool:
    return bool(getattr(cell, "depends_on_mode", False))


def _says_train(cell: Any) -> bool:
    """Whether its phase says 'train' and it acts as in prediction."""
    return cell.phase == "train" and not cell.training


def _below(cell: Any) -> list[Any]:
    return [part for _, part in cell.cells_and_names()]
