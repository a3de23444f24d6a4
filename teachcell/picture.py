"""``draw``: the picture of any function or Cell, without widgets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from .core.files import replacing
from .texts import say


class Picture:
    """A drawn run: shown by Jupyter as SVG, saved with :meth:`save`, turned into Graphviz text by :meth:`to_dot`.

    Attributes:
        document: the run as plain data.
        svg: the picture, light and dark, one self-contained text.
    """

    def __init__(self, document: dict[str, Any], opened: Collection[int] = (), chosen: Collection[int] = ()):
        from .graph import static_svg

        self.document = document
        self.opened, self.chosen = tuple(opened), tuple(chosen)
        self.svg = static_svg(document, self.opened, chosen=self.chosen)

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: ``.svg``, ``.png`` (by matplotlib), or ``.dot`` for Graphviz text.

        Raises:
            ValueError: another ending.
            FileNotFoundError, IsADirectoryError: a folder that does not exist, or is no file.
            ImportError: a PNG without matplotlib.
        """
        save_as(path, self.kinds)

    @property
    def kinds(self) -> dict[str, Callable[[], str | bytes]]:
        """What it can be saved as: the ending of a file to what makes it."""
        return {".svg": lambda: self.svg, ".png": self.to_png, ".dot": self.to_dot}

    def to_png(self) -> bytes:
        """The picture in light colours as PNG."""
        from .graph.raster import png

        return png(self.svg)

    def to_dot(self) -> str:
        """The graph in Graphviz' language."""
        from .graph import fold, to_dot

        return to_dot(fold(self.document, self.opened, self.chosen))

    def __repr__(self) -> str:
        count = len(self.document["ops"])
        return f"Picture({self.document['title']}: {count} {'op' if count == 1 else 'ops'})"


def _forward(f: Callable[..., Any], inputs: tuple[Any, ...]) -> dict[str, Any]:
    """The document of one run without a way back."""
    from .core.events import observing
    from .core.nested import tensors_in
    from .lens.program import Program
    from .lens.watch.recorder import Recorder
    from .lens.write.document import write_document

    program, recorder = Program(f, inputs), Recorder()
    for value, name in zip(inputs, program.input_names(), strict=True):
        for tensor in tensors_in(value):
            recorder.value_of(tensor, "input", name)
    with observing(recorder):
        roots = [recorder.value_of(t) for t in tensors_in(f(*inputs))]
    document = write_document(recorder, program, roots, {})
    for value in document["values"]:  # no sweep was asked for: there is nothing to say about gradients
        value |= {"grad": None, "grad_state": "computed", "why": None}
    events = [event for event in document["events"] if event["kind"] != "cut"]
    return document | {"events": events, "gradients": False}


def save_as(path: str | Path, kinds: Mapping[str, Callable[[], str | bytes]]) -> None:
    """Write a file of the kind that its ending names; it replaces one that was there only when it is complete."""
    ending = Path(path).suffix.lower()
    if ending not in kinds:
        raise ValueError(say("errors.picture_ending", got=repr(ending), known=", ".join(kinds)))
    with replacing(path) as file:
        content = kinds[ending]()
        file.write(content.encode() if isinstance(content, str) else content)


def draw(
    f: Callable[..., Any], *inputs: Any, loss: Callable[..., Any] | None = None, targets: Any = (),
    open_cells: bool = False,
) -> Picture:  # fmt: skip
    """Run ``f`` forward and backward once, leaving everything as it was, and draw what happened.

    Args:
        f: a Cell or a function of Tensors; or ``f.plan`` of a jit function (or what ``f.plan()`` gives): then the
            plan that is taken for such inputs is drawn, with its values and without a backward pass of its own.
        inputs: its inputs.
        loss: Cell or function of (output, *targets); without one the outputs are summed.
        targets: what the loss takes after the output; a Tensor or a tuple.
        open_cells: draw the ops inside Cells.

    Returns:
        A :class:`Picture`.

    Raises:
        TypeError, ValueError: what is given cannot be run or differentiated; and whatever ``f`` or ``loss`` raises.
    """
    from .lens import Experiment

    plans = getattr(f, "__teachcell_plans__", None)  # of ``f.plan``: what drawing needs is made only now
    if plans is not None or type(f).__name__ == "Plans":
        return Picture(_forward(plans() if plans is not None else f, inputs))
    outcome = Experiment(f, inputs, loss, targets).run()
    if outcome.error is not None:
        raise outcome.error
    document = outcome.document
    return Picture(document, [call["id"] for call in document["calls"]] if open_cells else ())
