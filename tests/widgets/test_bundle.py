"""The browser side is hand-written: what a build would check about its modules is checked here."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from teachcell.texts import table
from teachcell_widgets import Explorer
from teachcell_widgets.bundle import MODULES, STATIC, STYLES, bundle

SOURCES = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}
DECLARATION = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
IMPORT = re.compile(r'^import \{ (.+) \} from "\./(\w+\.js)";$', re.MULTILINE)


def imports(name: str) -> list[tuple[str, str]]:
    """The (imported name, file it comes from) pairs of one file."""
    return [(what, source) for names, source in IMPORT.findall(SOURCES[name]) for what in names.split(", ")]


def test_every_file_is_bundled() -> None:
    assert sorted(MODULES) == sorted(SOURCES)
    assert sorted(STYLES) == sorted(path.name for path in STATIC.glob("*.css"))


@pytest.mark.parametrize("name", MODULES)
def test_imports_name_what_an_earlier_file_exports_and_are_used(name: str) -> None:
    assert len(re.findall(r"\bimport\b.*from", SOURCES[name])) == len(IMPORT.findall(SOURCES[name]))
    body = IMPORT.sub("", SOURCES[name])
    for what, source in imports(name):
        assert what in EXPORT.findall(SOURCES[source]), f"{source} does not export {what}"
        assert MODULES.index(source) < MODULES.index(name), f"{source} comes too late"
        assert re.search(rf"\b{what}\b", body), f"{what} is imported and not used"


def test_every_export_is_imported_somewhere() -> None:
    imported = {(source, what) for name in SOURCES for what, source in imports(name)}
    exported = {(name, what) for name, text in SOURCES.items() for what in EXPORT.findall(text)}
    assert exported == imported


def test_no_top_level_name_is_declared_twice() -> None:
    declared = Counter(name for text in SOURCES.values() for name in DECLARATION.findall(text))
    assert [name for name, count in declared.items() if count > 1] == []


def test_the_bundle_is_one_module_with_one_default_export() -> None:
    text = bundle(MODULES)
    assert re.findall(r"^(?:import|export) .*", text, re.MULTILINE) == ["export default { render };"]
    assert DECLARATION.findall(text) == [name for file in MODULES for name in DECLARATION.findall(SOURCES[file])]


def test_the_labels_in_use_are_the_labels_in_the_table() -> None:
    keys = {key.partition(".")[2] for key in table("browser")}
    text = bundle(MODULES)
    assert set(re.findall(r'\blabel\("(\w+)"', text)) <= keys
    assert [key for key in sorted(keys) if f'"{key}"' not in text and not key.startswith("panel_")] == []


def test_every_view_has_a_class_a_face_and_a_name() -> None:
    faces = set(re.findall(r"^  (\w+): \{ create:", SOURCES["panels.js"], re.MULTILINE))
    names = {key.removeprefix("browser.panel_").removesuffix("_tip") for key in table("browser") if ".panel_" in key}
    assert faces == names == {kind.name for kind in Explorer.panel_types}
