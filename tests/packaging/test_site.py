"""The site: builds without a warning, has an entry for every public name, loads nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import teachcell
import teachcell_widgets
from teachcell import autodiff, lens, nn, train
from teachcell.common import initializer
from teachcell.core.card import card
from teachcell.core.op import OPS
from teachcell.core.public import FUNCTIONS, PRIMITIVES

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLES = re.findall(r"```python\n(.*?)```", (DOCS / "concepts.md").read_text(encoding="utf-8"), re.DOTALL)


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """What `make docs` does."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-E", "-q", "-b", "html", str(source), str(target)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages, by path."""
    target = tmp_path_factory.mktemp("site")
    run = build(DOCS, target)
    assert run.returncode == 0, run.stderr
    return {p.relative_to(target).as_posix(): p.read_text(encoding="utf-8") for p in target.rglob("*.html")}


def anchors(site: dict[str, str], under: str, apart: str = "no page") -> set[str]:
    pages = [text for path, text in site.items() if path.startswith(under) and not path.startswith(apart)]
    return {unescape(name) for text in pages for name in re.findall(r'id="([^"]+)"', text)}


def test_every_function_and_class_of_ops_has_an_entry_in_both_languages(site: dict[str, str]) -> None:
    names = {f"ops.{name}" for name, thing in (FUNCTIONS | PRIMITIVES).items() if ".ops" in thing.__module__}
    inner = {f"op.{op.name}" for op in OPS.values()}
    assert len(names) > 400
    english = anchors(site, "reference/ops/", "reference/ops/zh/")
    for found in (english, anchors(site, "reference/ops/zh/")):
        assert names <= found, sorted(names - found)
    shown = {name.partition(".")[2] for name in english & inner}
    public = {function.op.name for function in FUNCTIONS.values() if hasattr(function, "op")}
    assert shown | public | {p.op.name for p in PRIMITIVES.values() if hasattr(p, "op")} == set(OPS)


def test_pages_with_chinese_cards_begin_in_chinese(site: dict[str, str]) -> None:
    pages = {path: text for path, text in site.items() if path.startswith("reference/ops/zh/")}
    first = {path: re.search(r"</h1>\s*<p>(.*?)</p>", text, re.DOTALL) for path, text in pages.items()}
    assert pages and not [path for path, found in first.items() if not found or not re.search("[一-鿿]", found[1])]


def test_every_other_public_name_has_an_entry(site: dict[str, str]) -> None:
    found = anchors(site, "reference/", "reference/ops/")
    for prefix, module in (("nn.", nn), ("train.", train), ("common.initializer.", initializer), ("", autodiff)):
        assert {f"{prefix}{name}" for name in module.__all__} <= found, module
    assert {f"lens.{name}" for name in lens.__all__} | set(teachcell_widgets.__all__) <= found
    modules = {"amp", "common", "context", "dtype", "nn", "ops", "train"}
    listed = {name.rpartition(".")[2] for name in found}
    assert set(teachcell.__all__) - modules <= listed, sorted(set(teachcell.__all__) - modules - listed)
    assert {"Tensor.asnumpy", "Tensor.matmul", "nn.Cell.register_forward_hook", "gradcheck"} <= found


def test_a_card_is_there_in_its_language(site: dict[str, str]) -> None:
    for path, language in (("reference/ops/products.html", "en"), ("reference/ops/zh/products.html", "zh")):
        teachcell.set_language(language)
        try:
            expected = card(OPS["matmul"])
        finally:
            teachcell.set_language("en")
        text = unescape(re.sub(r"<[^>]+>", "", site[path]))
        assert all(line in text for line in (*expected.formulas, expected.words)), path
        assert expected.source in text
    assert 'id="ops.Softmax"' in site["reference/ops/softmax.html"]
    assert 'href="zh/products.html"' in site["reference/ops/products.html"]
    assert 'href="../products.html"' in site["reference/ops/zh/products.html"]


def test_a_layer_links_the_card_of_its_op_and_says_nothing_twice(site: dict[str, str]) -> None:
    page = site["reference/nn/layers/activation.html"]
    assert "../../ops/piecewise.html#ops.relu" in page and "Same shape." not in page and "auto_prefix" not in page
    assert "layers/pool.html" in site["reference/nn/layers.html"]


def test_the_fixed_words_of_a_chinese_page_are_chinese(site: dict[str, str]) -> None:
    page = site["reference/ops/zh/pool.html"]
    assert "参数" in page and "Args" not in page and ">Also" not in page
    assert "英文" in page


def test_no_page_takes_the_place_of_a_landing_page(site: dict[str, str]) -> None:
    assert "reference/ops/index.html" not in site and "reference/ops/indexing.html" in site


def test_nothing_is_loaded_from_elsewhere(site: dict[str, str]) -> None:
    loads = r"""<(?:script|img|iframe|link)[^>]*\b(?:src|href)=["'](?:https?:)?//[^"']*"""
    assert not [hit for text in site.values() for hit in re.findall(loads, text)]


def test_a_warning_fails_the_build(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("extensions = ['myst_parser']\n", encoding="utf-8")
    (tmp_path / "index.md").write_text("# Title\n\n[nowhere](nowhere.md)\n", encoding="utf-8")
    run = build(tmp_path, tmp_path / "out")
    assert run.returncode != 0 and "nowhere" in run.stderr


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_on_the_page_of_concepts_run(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "concepts.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith(("-0.7", "gradcheck: right"))
