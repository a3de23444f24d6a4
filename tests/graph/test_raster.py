"""PNG of a graph, by matplotlib: paths, paint, and every program."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
from graph import documents as d

from teachcell.graph import static_svg
from teachcell.graph.outline import outline
from teachcell.texts import set_language

image = pytest.importorskip("matplotlib.image")
raster = pytest.importorskip("teachcell.graph.raster")

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" class="tc-graph tc-static" width="40" height="20">{}</svg>'


def pixels(svg: str, scale: float = 1.0) -> np.ndarray:
    return image.imread(io.BytesIO(raster.png(svg, scale)))[..., :3]


def close(pixel: np.ndarray, colour: str) -> bool:
    wanted = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return bool(np.allclose(pixel, wanted, atol=0.02))


def test_outlines() -> None:
    assert outline("M1 2h3v4l-1-1H0V0z") == (
        [(1, 2), (4, 2), (4, 6), (3, 5), (0, 5), (0, 0), (1, 2)], [1, 2, 2, 2, 2, 2, 79],
    )  # fmt: skip
    assert outline("M0 0C1 2 3 4 5 6") == ([(0, 0), (1, 2), (3, 4), (5, 6)], [1, 4, 4, 4])
    assert outline("m1.5-2l-5-8h10z")[0] == [(1.5, -2), (-3.5, -10), (6.5, -10), (1.5, -2)]
    assert outline("") == ([], [])


@pytest.mark.parametrize(("flags", "middle"), [("1 1", (2, -2)), ("0 1", (2, -2)), ("1 0", (2, 2)), ("0 0", (2, 2))])
def test_arcs_of_half_a_circle(flags: str, middle: tuple[float, float]) -> None:
    points, _ = outline(f"M0 0a2 2 0 {flags} 4 0")
    assert points[6] == pytest.approx(middle) and points[-1] == pytest.approx((4, 0))


def test_places_and_paint() -> None:
    drawn = pixels(SQUARE.format('<g transform="translate(20 0)"><path class="tc-value-head" d="M0 0h20v20H0z"/></g>'))
    assert drawn.shape == (20, 40, 3)
    assert close(drawn[10, 5], "#ffffff") and close(drawn[10, 30], "#0b5cad")
    strip = '<g class="tc-grad-strip"><rect class="tc-bar-pos" x="0" y="0" width="40" height="20"/></g>'
    assert close(pixels(SQUARE.format(strip))[10, 20], "#a84300")


@pytest.mark.parametrize("name", d.PROGRAMS)
def test_every_program_has_a_png_of_the_size_of_its_svg(name: str) -> None:
    document = d.PROGRAMS[name]()
    svg = static_svg(document, d.all_calls(document), "plain")
    height = int(svg.partition('height="')[2].partition('"')[0])
    drawn = pixels(svg)
    assert drawn.shape == (height, int(svg.partition('width="')[2].partition('"')[0]), 3)
    assert 0 < (drawn < 0.9).any(axis=2).mean() < 0.5  # mostly paper


def test_dollars_and_chinese_are_letters() -> None:
    set_language("zh")
    try:
        raster.png(SQUARE.format('<text class="tc-name" x="0" y="12">$x_{1}$ 梯度 &lt;b&gt;</text>'))
        raster.png(static_svg(d.mlp(), (), "plain"))
    finally:
        set_language("en")


def test_without_matplotlib_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"teachcell\[lab\].*\.svg"):
        raster.png(SQUARE.format(""))
