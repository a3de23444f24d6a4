"""The Sphinx extension: writes a short page per part of the reference, and fills it when it is read."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from teachcell.texts import get_language, say, set_language

from .docstrings import paragraph
from .nodes import section_of
from .pages import Page, pages, summary

OTHER = {"en": "中文卡片", "zh": "Cards in English"}
STUB = "# {title}\n\n```{{reference}} {path}\n```\n"


class Reference(Directive):
    """``{reference} ops/linalg``: the entries of one page."""

    required_arguments = 1
    pages: dict[str, Page] = {}
    places: dict[str, str] = {}

    def run(self) -> list[nodes.Node]:
        page = self.pages[self.arguments[0]]
        before = get_language()
        set_language(page.language)
        try:
            sections = [section_of(entry, self.places, page.path) for entry in page.entries]
            notes = [page.text, say("site.descriptions") if page.language == "zh" else ""]
            text = [paragraph(words) for words in notes if words]
            link = [_link(page)] if page.twin else []
        finally:
            set_language(before)
        for section in sections:
            for anchor in section["ids"]:
                self.state.document.ids[anchor] = section
        return [*text, *link, *sections]


def _link(page: Page) -> nodes.paragraph:
    target = f"{'../' if page.language == 'zh' else 'zh/'}{page.path.rpartition('/')[2]}.html"
    return nodes.paragraph("", "", nodes.reference("", OTHER[page.language], refuri=target, internal=True))


def _families(found: Iterable[Page]) -> str:
    """The page that leads to those of ops: by folder, a line each, with the way to the Chinese cards."""
    families = [page for page in found if page.twin and page.language == "en"]
    lines = []
    for folder, members in groupby(families, key=lambda page: page.folder):
        lines += ["", f"## {folder.capitalize()}", "", summary(import_module(f"teachcell.ops.{folder}")), ""]
        lines += [
            f"- [{p.title.removeprefix('ops: ')}]({p.path}.md) ([中文]({p.twin}.md)): {p.text}" for p in members
        ]
    return _leading("Functions and ops", lines, [*(p.path for p in families), *(p.twin for p in families)])


def _layers(found: Iterable[Page]) -> str:
    """The page that leads to those of layers."""
    families = [page for page in found if page.path.startswith("nn/layers/")]
    lines = [f"- [{p.title}](../{p.path}.md): {p.text}" for p in families]
    return _leading("Layers", lines, [p.path.removeprefix("nn/") for p in families])


def _leading(title: str, lines: list[str], paths: list[str]) -> str:
    return "\n".join([f"# {title}", "", *lines, "", "```{toctree}", ":hidden:", *paths, "```", ""])


def write_stubs(app: Sphinx) -> None:
    """Pages of a few lines in ``reference/``, which git ignores; those of names that are gone go too."""
    folder = Path(app.srcdir) / "reference"
    Reference.pages = {page.path: page for page in pages()}
    Reference.places = {
        anchor: page.path
        for page in Reference.pages.values() if page.language == "en"
        for entry in page.entries
        for anchor in entry.anchors
    }  # fmt: skip
    wanted = {folder / f"{path}.md": STUB.format(title=p.title, path=path) for path, p in Reference.pages.items()}
    wanted[folder / "families.md"] = _families(Reference.pages.values())
    wanted[folder / "nn" / "layers.md"] = _layers(Reference.pages.values())
    for stale in set(folder.rglob("*.md")) - set(wanted):
        stale.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("reference", Reference)
    app.connect("builder-inited", write_stubs)
    return {"version": "1", "parallel_read_safe": False}
