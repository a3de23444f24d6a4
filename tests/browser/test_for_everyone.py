"""For everyone: contrast, keyboard, screen readers, less motion, narrow and large, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser.contrast import measure, too_faint
from browser.offline import Offline
from browser.programs import PROGRAMS
from playwright.sync_api import Browser, Page, expect

import teachcell as tc

pytestmark = pytest.mark.browser
CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture(params=["no-preference", "reduce"])
def motion(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def page(browser: Browser, page_errors: list[str]) -> Iterator[Page]:
    """A bare page, without JupyterLab."""
    context = browser.new_context(viewport={"width": 1020, "height": 1000})
    page = context.new_page()
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.on("console", lambda line: page_errors.append(line.text) if line.type == "error" else None)
    yield page
    context.close()
    tc.set_language("en")
    assert not page_errors, "\n".join(page_errors)


def focused(page: Page) -> dict[str, Any]:
    """What has the focus: its words, and how the focus shows."""
    return page.evaluate("""() => {
      const node = document.activeElement;
      const shown = node.matches(".tc-node") ? node.querySelector(".tc-box") : node;
      const { outlineStyle, outlineWidth, strokeWidth } = getComputedStyle(shown);
      const ring = shown === node ? (outlineStyle === "none" ? 0 : parseFloat(outlineWidth)) : parseFloat(strokeWidth);
      const name = node.getAttribute("aria-label") ?? node.innerText ?? "";
      const { width, height } = node.getBoundingClientRect();
      return { tag: node.tagName.toLowerCase(), role: node.getAttribute("role"), name, ring, seen: width * height > 0,
               inside: node.closest(".tc-explorer") !== null };
    }""")


# Contrast


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_of_every_view_can_be_told_from_its_ground(page: Page, theme: str) -> None:
    widget = Offline(page, "mlp")
    widget.set_theme(theme)
    widget.explorer.rule_lab.check("relu")
    faint: dict[str, list[str]] = {}
    for view in widget.explorer.frame["panels"]:
        widget.open(view)
        texts = measure(page)
        assert len(texts) > 40, view
        if found := too_faint(texts):
            faint[view] = found
    assert faint == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_error_a_cut_and_a_dead_unit_can_be_told_from_their_ground(page: Page, theme: str) -> None:
    widget = Offline(page, "mlp")
    widget.set_theme(theme)
    widget.explorer.set_rule("relu", "no gradient")
    widget.explorer._on_message(None, {"do": "fold", "node": "nothing"}, [])
    widget.show()
    expect(widget.root.get_by_role("alert").first).to_be_visible()
    assert too_faint(measure(page)) == []


# Keyboard


def test_tab_goes_through_all_parts_once_and_the_focus_is_seen(page: Page) -> None:
    Offline(page, "mlp")
    page.evaluate("document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'before' }))")
    page.locator("button", has_text="before").focus()
    stops = []
    for _ in range(40):
        page.keyboard.press("Tab")
        stop = focused(page)
        if not stop["inside"]:
            break
        stops.append(stop)
    assert stops[-1]["name"] == "timeline"
    names = [stop["name"] for stop in stops]
    in_order = ["Train", "Predict", "applies to", "New draw", "Reset", "Capture hooks", "Compare", "Code", "EN", "中"]
    assert [name for name in names if name in in_order] == in_order
    assert sum(stop["role"] == "tab" for stop in stops) == 1
    assert sum(stop["role"] == "button" for stop in stops) == 1  # the graph is one stop
    assert names.index("Node") < names.index(next(s["name"] for s in stops if s["role"] == "button"))
    assert all(stop["ring"] >= 2 and stop["seen"] for stop in stops), [s for s in stops if s["ring"] < 2]


def test_every_view_can_be_opened_and_its_controls_reached_by_keys(page: Page) -> None:
    widget = Offline(page, "called_twice")
    tabs = widget.root.get_by_role("tab")
    tabs.first.focus()
    for view in widget.explorer.frame["panels"]:
        widget.relay()
        page.wait_for_timeout(50)
        assert widget.explorer.panel == view
        unreachable = page.evaluate("""() => {
          const shown = [...document.querySelectorAll(".tc-side :is(button, select, input, summary, [role=button])")]
            .filter((node) => node.checkVisibility() && !node.disabled);
          // A group with one tab stop has keys for the rest.
          const groups = [...document.querySelectorAll(".tc-side :is([role=group], [role=tree], .tc-canvas)")]
            .filter((group) => group.querySelector("[tabindex='0']"));
          return shown.filter((node) => node.tabIndex < 0 && !groups.some((group) => group.contains(node)))
            .map((node) => node.outerHTML.slice(0, 120));
        }""")
        assert unreachable == [], view
        tabs.nth(widget.explorer.frame["panels"].index(view)).focus()
        page.keyboard.press("ArrowRight")


def test_the_overview_of_the_keys_opens_and_closes_where_it_was_asked_for(page: Page) -> None:
    widget = Offline(page, "mlp")
    overview = widget.root.get_by_role("region", name="Keys")
    widget.root.locator(".tc-timeline").focus()
    expect(overview).to_be_hidden()
    page.keyboard.press("?")
    expect(overview).to_be_visible()
    expect(overview).to_contain_text("next node where something is odd")
    page.keyboard.press("ArrowLeft")  # all keys still work
    assert widget.fake.get("position") == len(widget.explorer.view["steps"]) - 1
    page.keyboard.press("Escape")
    expect(overview).to_be_hidden()
    expect(widget.root.locator(".tc-timeline")).to_be_focused()
    button = widget.root.get_by_role("button", name="Keys")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(overview).to_be_visible()
    page.keyboard.press("?")
    expect(overview).to_be_hidden()
    expect(button).to_be_focused()
    tc.set_language("zh")
    widget.show()
    button = widget.root.get_by_role("button", name="按键")
    button.click()
    expect(widget.root.get_by_role("region", name="按键")).to_contain_text("下一个异常的节点")


def test_the_listed_keys_act(page: Page) -> None:
    widget = Offline(page, "mlp")
    timeline = widget.root.locator(".tc-timeline")
    timeline.focus()
    for key, position in (("Home", 0), ("ArrowUp", 1), ("ArrowDown", 0), ("PageDown", 0), ("Shift+ArrowRight", 1)):
        page.keyboard.press(key)
        assert widget.fake.get("position") == position, key
    page.keyboard.press("c")
    assert widget.fake.get("panel") == "compare"
    page.keyboard.press("Escape")
    assert widget.fake.get("panel") == "node"
    page.keyboard.press("r")
    widget.relay()
    assert widget.explorer.panel == "rule_lab"


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_now_stays_in_sight_where_a_view_takes_room(page: Page, program: str) -> None:
    page.set_viewport_size({"width": 900, "height": 700})
    widget = Offline(page, program)
    for view in widget.explorer.frame["panels"]:
        widget.open(view)
        page.wait_for_function("""() => {
          const pane = document.querySelector(".tc-canvas"), now = pane.querySelector("[aria-current=step]");
          if (!now || !pane.checkVisibility()) return true;
          const box = now.querySelector(".tc-box") ?? now;
          const [outer, inner] = [pane, box].map((node) => node.getBoundingClientRect());
          const end = Math.min(inner.right, inner.left + outer.width / 2);  // of a wide box its beginning will do
          return outer.left <= inner.left && end <= outer.right && outer.top <= inner.top;
        }""", timeout=5000)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_focus_is_never_lost(page: Page, program: str) -> None:
    widget = Offline(page, program)
    for view in widget.explorer.frame["panels"]:
        widget.open(view)
        places = widget.root.locator(".tc-side").locator("button, summary, select, [tabindex='0']").all()
        for place in [p for p in places if p.is_visible() and p.is_enabled()][:6]:
            for key in ("Home", "End", "Enter"):
                if place.is_visible() and place.is_enabled():
                    place.focus()
                    page.keyboard.press(key)
                    page.wait_for_timeout(20)
                    assert focused(page)["inside"], (view, key)
        widget.relay()


# Screen readers


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_screen_reader_is_told(page: Page, program: str) -> None:
    widget = Offline(page, program)
    tree = widget.root.aria_snapshot()
    for line in ("tablist \"views\"", "tab \"Node\" [selected]", "tabpanel \"Node\"", "slider \"timeline\"",
                 "group \"transport\"", "button \"Keys\"", "group \"language\""):  # fmt: skip
        assert line in tree, line
    assert re.search(r'button "relu, ReLU, shape .*, value .* … .*, gradient', tree)
    unnamed = re.findall(r"- (?:button|combobox|tab|slider|img|textbox)(?: \[.*\])?:?$", tree, re.MULTILINE)
    assert unnamed == []
    for view in widget.explorer.frame["panels"]:
        widget.open(view)
        tree = widget.root.aria_snapshot()
        name = widget.explorer.view["texts"][f"panel_{view}"]
        assert f'tabpanel "{name}"' in tree
        unnamed = re.findall(r"- (?:button|combobox|tab|slider|img|textbox)(?: \[.*\])?:?$", tree, re.MULTILINE)
        assert unnamed == [], view
    problems = page.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      const tabs = [...document.querySelectorAll("[aria-controls]")].map((tab) => tab.getAttribute("aria-controls"));
      return [ids.length - new Set(ids).size, tabs.filter((id) => !document.getElementById(id)).length];
    }""")
    assert problems == [0, 0]


def test_heat_maps_have_words(page: Page) -> None:
    widget = Offline(page, "mlp")
    value = widget.explorer.view["nodes"][widget.explorer.selected]["value"]
    assert value["size"] > 1
    picture = widget.root.get_by_role("img").first
    name = picture.get_attribute("aria-label")
    assert name is not None and re.search(r"value y.* \(8, 16\): −[\d.]+ … [\d.]+", name)


def test_what_is_read_out_is_read_once(page: Page) -> None:
    widget = Offline(page, "mlp", position=3)
    widget.open("cut_detective")
    page.evaluate("""() => {
      window.said = 0;
      const live = document.querySelector(".tc-causes [aria-live]");
      new MutationObserver((changes) => { said += changes.length; }).observe(live, { childList: true, subtree: true });
    }""")
    page.evaluate("for (const at of [4, 5, 6]) model.set('position', at)")
    page.wait_for_timeout(50)
    assert page.evaluate("said") == 0


# Motion, width, scale, language


def test_less_motion_where_it_is_asked_for(page: Page, motion: str) -> None:
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    widget = Offline(page, "mlp", position=2)
    moving = page.evaluate("""() => [...document.querySelectorAll(".tc-explorer, .tc-explorer *")].filter((node) => {
      const { transitionDuration, animationName } = getComputedStyle(node);
      return transitionDuration.split(", ").some((time) => parseFloat(time) > 0) || animationName !== "none";
    }).length""")
    assert (moving == 0) is (motion == "reduce")
    pace = widget.root.get_by_role("button", name="play").get_attribute("title")
    assert pace is not None and ("1.5 s" if motion == "reduce" else "0.9 s") in pace


def overflowing(page: Page) -> list[str]:
    """What sticks out of the widget at the right, or of its own box where it may not scroll."""
    return page.evaluate("""() => {
      const root = document.querySelector(".tc-explorer");
      const { right } = root.getBoundingClientRect();
      const hides = (node) => node.closest(".tc-canvas, .tc-lanes-box, pre, .tc-group-name, .tc-group, [hidden]");
      return [...root.querySelectorAll("*")]
        .filter((node) => !(node instanceof SVGElement) && !hides(node) && node.checkVisibility())
        .filter((node) => node.getBoundingClientRect().right > right + 1)
        .map((node) => node.outerHTML.slice(0, 120));
    }""")


@pytest.mark.parametrize(("width", "scale"), [(700, 1), (560, 1), (344, 1), (1920, 1.5), (700, 1.5), (1020, 0.5)])
def test_nothing_sticks_out_at_any_width_and_scale(page: Page, width: int, scale: float) -> None:
    page.set_viewport_size({"width": width + 16, "height": 1080})
    widget = Offline(page, "mlp")
    widget.explorer.scale = scale
    widget.show()
    page.wait_for_timeout(250)
    widget.relay()  # the graph for this width
    for view in widget.explorer.frame["panels"]:
        widget.open(view)
        assert overflowing(page) == [], view


def test_the_scale_holds_for_everything_and_pointers_still_hit(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    widget = Offline(page, "mlp")
    what = [".tc-header h2", ".tc-tab", ".tc-node .tc-box", ".tc-heat", ".tc-key-play", ".tc-count"]
    before = [widget.root.locator(each).first.bounding_box() for each in what]
    widget.explorer.scale = 1.5
    widget.show()
    page.wait_for_timeout(250)
    after = [widget.root.locator(each).first.bounding_box() for each in what]
    for one, other, each in zip(before, after, what, strict=True):
        assert one and other and other["height"] == pytest.approx(1.5 * one["height"], rel=0.03), each
    node = widget.root.locator(".tc-node").nth(3)
    node.click()
    assert widget.fake.get("selected") == node.get_attribute("data-node")
    picture = widget.root.locator(".tc-figure .tc-heat").first
    box = picture.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    expect(widget.root.locator(".tc-read").first).to_contain_text(re.compile(r"\[\d+, \d+\]"))
    widget.root.locator(".tc-tick").nth(4).click()
    assert widget.fake.get("position") == 5


def test_the_language_is_chosen_in_the_widget(page: Page) -> None:
    widget = Offline(page, "mlp", position=5)
    widget.open("replay")
    widget.explorer.selected = widget.explorer.view["order"][2]
    widget.show()
    place = [widget.fake.get(name) for name in ("position", "selected", "panel")]
    chinese = widget.root.get_by_role("button", name="中", exact=True)
    chinese.click()
    widget.relay()
    expect(chinese).to_have_attribute("aria-pressed", "true")
    expect(chinese).to_be_focused()
    expect(widget.root).to_have_attribute("lang", "zh")
    expect(widget.root.get_by_role("button", name="训练")).to_be_visible()
    expect(widget.root.locator(".tc-sentence")).to_have_text(CHINESE)
    expect(widget.root.locator(".tc-replay")).to_contain_text(CHINESE)
    assert [widget.fake.get(name) for name in ("position", "selected", "panel")] == place
    widget.root.get_by_role("button", name="EN", exact=True).click()
    widget.relay()
    expect(widget.root.get_by_role("button", name="Train", exact=True)).to_be_visible()
    assert [widget.fake.get(name) for name in ("position", "selected", "panel")] == place


def test_names_are_whole_where_there_is_room(page: Page) -> None:
    widget = Offline(page, "mlp")
    cut = page.evaluate("""() => [...document.querySelectorAll(".tc-group-name")]
      .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)""")
    assert cut == []
    titles = widget.root.locator(".tc-group-name").evaluate_all("all => all.map((each) => each.title)")
    assert "dropout" in titles


@pytest.mark.parametrize("program", PROGRAMS)
def test_pills_cover_no_strip_and_no_label(page: Page, program: str) -> None:
    Offline(page, program)
    covered = page.evaluate("""() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)]
        .map((node) => [node, node.getBoundingClientRect()]).filter(([, { width }]) => width > 0);
      const shared = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]) > 1;
      const overlap = (a, b) => shared(a, b, "left", "right") && shared(a, b, "top", "bottom");
      const pills = boxes(".tc-node > :is(.tc-pill, .tc-flag) > rect");
      const others = boxes(".tc-strip-frame, .tc-word, .tc-grad-label, .tc-name, .tc-kind");
      return pills.flatMap(([pill, box]) => others.filter(([, other]) => overlap(box, other))
        .map(([other]) => `${pill.parentNode.textContent} over ${other.outerHTML.slice(0, 80)}`));
    }""")
    assert covered == []
