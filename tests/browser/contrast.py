"""How well every text on a page can be told from what is painted behind it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# What lies below a text is asked of the page itself; then layers are mixed as the screen does. Inactive controls and
# what is only for the eye of a screen reader are left out, as WCAG does.
MEASURE = """async (selector) => {
  const numbers = (colour) => {
    const found = colour.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    const [r, g, b, a = 1] = found;
    return colour.startsWith("color(") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opacity = (node) => (node instanceof Element ? getComputedStyle(node).opacity * opacity(node.parentNode) : 1);
  const paint = (node) => {
    const style = getComputedStyle(node);
    if (!(node instanceof SVGElement) || node.tagName === "svg") return numbers(style.backgroundColor);
    if (style.fill === "none" || node.tagName === "text" || node.tagName === "tspan") return [0, 0, 0, 0];
    const [r, g, b, a] = numbers(style.fill);
    return [r, g, b, a * style.fillOpacity];
  };
  const told = [];
  const texts = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const words = text.textContent.trim();
    const owner = text.parentElement;
    if (!words || owner.matches("title, desc, style, option")) continue;
    if (owner.closest(":disabled, [aria-disabled=true]")) continue;
    if (!owner.getBoundingClientRect().width || getComputedStyle(owner).visibility !== "visible") continue;
    owner.scrollIntoView({ block: "center", inline: "center" });
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getClientRects()[0];
    if (!box || box.width < 1) continue;
    const [x, y] = [box.left + Math.min(box.width / 2, 20), box.top + box.height / 2];
    const below = document.elementsFromPoint(x, y);
    const at = below.findIndex((node) => node === owner || node.contains(owner));
    if (at < 0) continue;
    const layers = below.slice(at).filter((node) => node !== owner || !(node instanceof SVGElement));
    const ground = layers.reverse().reduce((mixed, node) => over(paint(node), mixed), [255, 255, 255]);
    const style = getComputedStyle(owner);
    const [r, g, b, a] = numbers(owner instanceof SVGElement ? style.fill : style.color);
    const ink = over([r, g, b, a * opacity(owner)], ground);
    const [high, low] = [light(ink), light(ground)].sort((one, other) => other - one);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 600);
    told.push({ words, ratio: (high + 0.05) / (low + 0.05), wanted: isLarge ? 3 : 4.5, ink, ground, size });
  }
  return told;
}"""


def measure(page: Page, selector: str = ".tc-explorer") -> list[dict[str, Any]]:
    """Each visible text below ``selector`` with its contrast ``ratio`` and the one that is ``wanted`` (WCAG AA)."""
    return page.evaluate(MEASURE, selector)


def too_faint(texts: list[dict[str, Any]]) -> list[str]:
    """The texts whose contrast is not enough, in a line each."""
    faint = [text for text in texts if text["ratio"] < text["wanted"]]
    return [f"{t['words']!r}: {t['ratio']:.2f}, {t['ink']} on {t['ground']}" for t in faint]
