"""The pages of the reference: which public names stand on which."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import teachcell
import teachcell_widgets
from teachcell import autodiff, lens, nn, train
from teachcell.autodiff import check

from .chinese import FAMILIES
from .entries import Entry, of_object, of_ops
from .layers import of_layer


@dataclass
class Page:
    """One page.

    Attributes:
        path: ``"ops/linalg"``.
        title, text: over its entries.
        language: of the cards on it.
        twin: the same page in the other language.
        folder: of ``ops``, in which the family stands.
    """

    path: str
    title: str
    text: str
    entries: list[Entry]
    language: str = "en"
    twin: str = ""
    folder: str = ""


NN = {"loss": "Losses", "optim": "Optimizers", "": "Cells and training steps"}
LAYERS = {
    "activation": "Activations", "algebra": "Formulas", "arrange": "Arranging elements", "attention": "Attention",
    "basic": "Dense and Flatten", "blocks": "Blocks", "conv": "Convolution", "dropout": "Dropout",
    "embedding": "Embeddings", "norm": "Normalisation", "padding": "Padding", "pool": "Pooling",
    "recurrent": "Recurrent layers", "spatial": "Images", "transformer": "Transformers",
}  # fmt: skip


def pages() -> list[Page]:
    """All pages, in the order of the contents."""
    derivatives = [*_named("", autodiff, autodiff.__all__), of_object("custom_vjp", nn.derivatives.custom_vjp)]
    reports = [of_object(name, getattr(check, name)) for name in check.__all__ if name != "gradcheck"]
    shown = [of_object(name, getattr(teachcell, name)) for name in ("draw", "Picture")]
    shown += [*_named("", teachcell_widgets, teachcell_widgets.__all__), *_named("lens.", lens, lens.__all__)]
    elsewhere = {a for e in (*derivatives, *reports, *shown) for a in e.anchors} | {*train.__all__}
    rest = [name for name in teachcell.__all__ if name not in elsewhere]
    return [
        Page("tensor", "Tensors, Parameters, modes", "", _named("", teachcell, rest)),
        Page("autodiff", "Derivatives", summary(autodiff), [*derivatives, *reports]),
        *_of_nn(),
        Page("initializers", "Initializers", "", _of_initializers()),
        Page("train", "Training loops", summary(train), _named("train.", train, train.__all__)),
        Page("show", "Pictures, the Explorer, experiments", "", shown),
        *_of_ops(),
    ]


def summary(module: Any) -> str:
    """The first paragraph of its docstring."""
    return (inspect.getdoc(module) or "").partition("\n\n")[0]


def _named(prefix: str, module: Any, names: Iterable[str]) -> list[Entry]:
    """Entries in the order of the files that they come from, and of the lines there; modules are left out."""
    things = [(name, getattr(module, name)) for name in names]
    things = sorted((pair for pair in things if not inspect.ismodule(pair[1])), key=lambda pair: _place(pair[1]))
    return [of_object(f"{prefix}{name}", thing) for name, thing in things]


def _place(thing: Any) -> tuple[str, int]:
    try:
        return thing.__module__, inspect.getsourcelines(thing)[1]
    except (AttributeError, OSError, TypeError):  # a number or a dtype
        return "~", 0


def _of_initializers() -> list[Entry]:
    module = importlib.import_module("teachcell.common.initializer")
    return _named("common.initializer.", module, module.__all__)


def _of_nn() -> list[Page]:
    by_part: dict[str, list[str]] = {part: [] for part in NN}
    for name in nn.__all__:
        module = getattr(nn, name).__module__.removeprefix("teachcell.nn.")
        part = module if module.startswith("layers.") else module.partition(".")[0]
        by_part.setdefault(part if part in NN or part == module and "." in part else "", []).append(name)
    return [
        _of_layers(part, names) if part.startswith("layers.")
        else Page(f"nn/{part or 'cells'}", NN[part], "", _named("nn.", nn, names))
        for part, names in sorted(by_part.items())
    ]  # fmt: skip


def _of_layers(module: str, names: list[str]) -> Page:
    family = module.removeprefix("layers.")
    text = summary(importlib.import_module(f"teachcell.nn.{module}"))
    return Page(f"nn/layers/{family}", LAYERS[family], text, [of_layer(e) for e in _named("nn.", nn, names)])


def _of_ops() -> list[Page]:
    found = []
    for family, entries in sorted(of_ops().items()):
        text = summary(importlib.import_module(f"teachcell.ops.{family}"))
        folder, _, module = family.partition(".")
        name = "indexing" if module == "index" else module  # index.html is what servers show of a folder
        english, chinese = f"ops/{name}", f"ops/zh/{name}"
        title = f"ops: {name.replace('_', ' ')}"
        found.append(Page(english, title, text, entries, "en", chinese, folder))
        found.append(Page(chinese, f"{title}（中文）", FAMILIES[family], entries, "zh", english, folder))
    return found
