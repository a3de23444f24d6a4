"""Entries as docutils nodes: a section each, with every name as an anchor and in the index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, relpath

from docutils import nodes
from sphinx import addnodes

from teachcell.core.card import card
from teachcell.core.op import Op
from teachcell.texts import say

from .docstrings import paragraph, to_nodes
from .entries import Entry


def section_of(entry: Entry, places: Mapping[str, str], page: str) -> nodes.section:
    """The entry under its name; ``places``: the page of every anchor, ``page``: this one."""
    section = nodes.section("", nodes.title("", entry.name), ids=entry.anchors, names=[])
    section += addnodes.index(entries=[("single", name, entry.anchors[0], "", None) for name in entry.anchors])
    if entry.signature:
        section += nodes.paragraph("", "", nodes.literal("", f"{entry.name}{entry.signature}"), classes=["signature"])
    if entry.forms:
        forms = [node for form in entry.forms for node in (nodes.literal("", form), nodes.Text(", "))]
        section += nodes.paragraph("", "", nodes.Text(say("site.also")), *forms[:-1])
    if entry.inner:
        section += paragraph(say("site.inner"))
    section += [*to_nodes(entry.text)]
    if entry.calls:
        section += links_to(entry.calls, places, page)
    if entry.op is not None:
        section += [*card_of(entry.op)]
    if entry.members:
        section += members_of(entry)
    return section


def links_to(names: Sequence[str], places: Mapping[str, str], page: str) -> nodes.paragraph:
    """Links to the functions of ``ops`` that a layer calls."""
    found = nodes.paragraph("", "", nodes.Text(say("site.calls")))
    for i, name in enumerate(names):
        here: nodes.TextElement = nodes.literal("", name.removeprefix("op."))
        if name in places:
            target = f"{relpath(places[name], dirname(page))}.html#{name}"
            here = nodes.reference("", "", here, refuri=target, internal=True)
        found += [nodes.Text(", "), here] if i else [here]
    return found


def card_of(op: Op) -> Iterator[nodes.Node]:
    """The op's card in the language in use."""
    found = card(op)
    yield nodes.literal_block("", "\n".join(found.formulas), language="text", classes=["card-formulas"])
    if found.words:
        yield paragraph(found.words)
    if found.conventions:
        lines = [nodes.list_item("", paragraph(line)) for line in found.conventions]
        yield nodes.bullet_list("", *lines)
    if found.source:
        yield paragraph(say("cards.source", source=found.source), classes=["card-source"])


def members_of(entry: Entry) -> nodes.definition_list:
    """Methods and properties with the first paragraph of what they say."""
    members = nodes.definition_list()
    for member in entry.members:
        term = nodes.term("", "", nodes.literal("", f"{member.name}{member.signature}"), ids=member.anchors)
        members += nodes.definition_list_item("", term, nodes.definition("", paragraph(member.text)))
    return members
