"""Docstrings as docutils nodes: paragraphs, literal blocks, and sections such as ``Args:``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent

from docutils import nodes

from teachcell.texts import say

INLINE = re.compile(r"``(.+?)``|:\w+:`~?\.?([^`]+)`", re.DOTALL)
SECTION = re.compile(r"[A-Z]\w+:")
ITEM = re.compile(r"([\w*., ]+): (.*)", re.DOTALL)


def to_nodes(docstring: str) -> Iterator[nodes.Node]:
    """The nodes of a docstring that ``inspect.getdoc`` has dedented."""
    blocks = _blocks(docstring)
    for block in blocks:
        head, _, rest = block.partition("\n")
        if SECTION.fullmatch(head) and rest.startswith(" "):
            yield nodes.rubric("", say(f"site.{head.removesuffix(':').lower()}"))
            yield from _section(dedent(rest))
        elif block.startswith((" ", "===")) or block == "::":
            if block != "::":
                yield nodes.literal_block("", dedent(block), language="python")
        else:
            yield paragraph(re.sub(r"::$", ":", block))


def _blocks(text: str) -> list[str]:
    """What blank lines separate; indented blocks that follow each other, or their section's head, stay together."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        if found and block.startswith(" ") and found[-1].splitlines()[-1].startswith(" "):
            found[-1] += f"\n\n{block}"
        elif block.strip():
            found.append(block.rstrip())
    return found


def _section(text: str) -> Iterator[nodes.Node]:
    """``name: words`` as a list of terms, other words as paragraphs."""
    items = re.split(r"\n(?=\S)", text)
    if not all(ITEM.fullmatch(item) for item in items):
        yield paragraph(text)
        return
    terms = nodes.definition_list()
    for item in items:
        name, words = ITEM.fullmatch(item).groups()  # type: ignore[union-attr]
        term = nodes.term("", "", nodes.literal("", name))
        terms += nodes.definition_list_item("", term, nodes.definition("", paragraph(words)))
    yield terms


def paragraph(text: str, **attributes: object) -> nodes.paragraph:
    """A paragraph; what stands between double backticks, or is a role, is literal."""
    node, end = nodes.paragraph("", "", **attributes), 0
    text = re.sub(r"\s*\n\s*", " ", text.strip())
    for match in INLINE.finditer(text):
        node += nodes.Text(text[end : match.start()])
        node += nodes.literal("", match[1] or match[2])
        end = match.end()
    node += nodes.Text(text[end:])
    return node
