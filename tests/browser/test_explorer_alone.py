"""The Explorer's browser side without a kernel: stepping, keyboard, panel, check view, its requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser.fake_widget import FakeExplorer, small_check, small_view, step
from graph.numbers import NUMBERS
from playwright.sync_api import Browser, Page, expect

from teachcell.texts import set_language
from teachcell_widgets.bundle import STATIC

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, page_errors: list[str]) -> Iterator[Page]:
    """A bare page, without JupyterLab."""
    context = browser.new_context(viewport={"width": 980, "height": 1600}, reduced_motion="reduce")
    page = context.new_page()
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.on("console", lambda line: page_errors.append(line.text) if line.type == "error" else None)
    yield page
    context.close()
    assert not page_errors, "\n".join(page_errors)


def focused(page: Page) -> Any:
    return page.evaluate("(({ node, fold }) => node ?? fold)(document.activeElement.dataset)")


def test_numbers_are_written_as_python_writes_them(page: Page) -> None:
    write = """async ({ source, numbers }) => {
      const file = new Blob([source], { type: "text/javascript" });
      const { formatNumber } = await import(URL.createObjectURL(file));
      return numbers.map(formatNumber);
    }"""
    source = (STATIC / "numbers.js").read_text(encoding="utf-8")
    written = page.evaluate(write, {"source": source, "numbers": [number for number, _ in NUMBERS]})
    assert written == [text for _, text in NUMBERS]


def test_a_step_shows_what_is_known_and_no_more(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    first, last = explorer.root.locator("[data-node=op0]"), explorer.root.locator("[data-node=call2]")
    expect(first.locator(".tc-value-strip .tc-shown")).to_be_hidden()
    expect(last.locator(".tc-grad-strip .tc-shown")).to_be_visible()  # never computed: the reason is there
    explorer.root.get_by_role("button", name="step", exact=True).click()
    expect(first.locator(".tc-value-strip .tc-shown")).to_be_visible()
    expect(first.locator(".tc-grad-strip .tc-shown")).to_be_hidden()
    expect(first).to_have_attribute("aria-label", "op0, gradient not computed yet")
    expect(explorer.root.locator(".tc-sentence")).to_have_text("first forward")
    explorer.root.get_by_role("button", name="to end").click()
    expect(first.locator(".tc-grad-strip .tc-shown")).to_be_visible()
    expect(explorer.root.locator(".tc-grad-edge")).to_have_css("display", "inline")
    expect(explorer.root.locator(".tc-count")).to_have_text("5 / 5")


def test_two_views_of_one_model_agree_and_leave_nothing_behind(page: Page) -> None:
    explorer = FakeExplorer(page, small_view(), copies=2)
    explorer.root.locator(".tc-timeline").focus()
    explorer.press("ArrowRight", "ArrowRight")
    expect(page.locator(".tc-count")).to_have_text(["2 / 5", "2 / 5"])
    page.evaluate("cleanups.forEach((cleanup) => cleanup())")
    expect(page.locator(".tc-explorer")).to_have_count(0)
    assert page.evaluate("Object.values(model.listeners).flat().length") == 0


def test_steps_are_saved_often_enough_and_the_last_one_always(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    page.wait_for_timeout(400)  # the width has been reported
    before = page.evaluate("model.saved.length")
    page.evaluate("for (let at = 0; at < 1000; at++) document.querySelector('.tc-key-forth').click()")
    page.wait_for_timeout(100)
    assert page.evaluate("model.saved.length") - before <= 3
    assert page.evaluate("model.saved.at(-1)") == {"position": 5, "selected": "op0"}
    assert explorer.sent() == []


def test_the_keyboard_reaches_everything_and_keeps_other_keys_free(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    page.evaluate("window.leaked = []; document.addEventListener('keydown', ({ key }) => leaked.push(key))")
    explorer.root.locator(".tc-timeline").focus()
    explorer.press("End")
    assert explorer.get("position") == 5
    explorer.press("Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowLeft")
    assert (explorer.get("position"), explorer.get("selected")) == (1, "op0")
    explorer.press("Home", "x", "Control+s")
    assert page.evaluate("leaked") == ["Shift", "Shift", "x", "Control", "s"]
    explorer.root.locator("[data-node=op0]").focus()
    explorer.press("ArrowDown")
    assert focused(page) == "call7"  # the header of the open Cell
    explorer.press("Enter", "ArrowDown", "g", "Enter")
    assert (focused(page), explorer.get("selected")) == ("call2", "call2")
    assert explorer.sent() == [{"do": "fold", "node": "call7"}, {"do": "fold", "node": "call2"}]
    explorer.press("r")  # an input has no rule to check
    explorer.press("ArrowUp", "r")
    assert explorer.sent() == [{"do": "check", "panel": "rule_lab"}]
    expect(explorer.root.locator(".tc-canvas [tabindex='0']")).to_have_count(1)


def test_play_stops_where_something_is_marked_and_at_the_end(page: Page) -> None:
    view = small_view()
    view["steps"][1] = step("forward", "op1", 1, "", sentence=[["mark", "Gradient cut"]])
    page.clock.install()
    explorer = FakeExplorer(page, view)
    play = explorer.root.locator(".tc-key-play")
    play.click()
    expect(play).to_have_attribute("aria-label", "pause")
    page.clock.run_for(10_000)
    assert explorer.get("position") == 2
    play.click()
    page.clock.run_for(10_000)
    assert explorer.get("position") == 5
    expect(play).to_have_attribute("aria-label", "play")


def test_a_click_is_not_lost_when_the_drawing_is_exchanged_under_it(page: Page) -> None:
    view = small_view()
    explorer = FakeExplorer(page, view)
    explorer.root.locator("[data-node=op1] .tc-box").hover()
    page.mouse.down()
    explorer.set("view", view | {"svg": view["svg"].replace('width="300"', 'width="301"')})
    page.mouse.up()
    assert explorer.get("selected") == "op1"


def test_dragging_over_the_timeline_scrubs(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    ticks = [tick.bounding_box() for tick in explorer.root.locator(".tc-tick").all()]
    centres = [(box["x"] + box["width"] / 2, box["y"] + 5) for box in ticks if box]
    page.mouse.move(*centres[4])
    page.mouse.down()
    assert explorer.get("position") == 5
    page.mouse.move(*centres[1], steps=4)
    page.mouse.up()
    assert explorer.get("position") == 2
    expect(explorer.root.get_by_role("slider")).to_have_attribute("aria-valuetext", "pre-hook")


def test_a_long_run_keeps_only_the_current_cell_open(page: Page) -> None:
    steps = [step("forward", "op0", at // 10, f"step {at}") for at in range(80)]
    explorer = FakeExplorer(page, small_view(steps=steps), position=15)
    expect(explorer.root.locator(".tc-tick")).to_have_count(7 + 10)
    explorer.root.locator(".tc-tick").last.click()
    assert 70 < explorer.get("position") <= 80
    expect(explorer.root.locator(".tc-tick")).to_have_count(7 + 10)
    expect(explorer.root.locator(".tc-half-backward")).to_contain_text("no backward pass")


def test_the_names_of_the_halves_stay_apart(page: Page) -> None:
    forward = [step("forward", "op0", 0, "forward", label="x")]
    backward = [step("backward", "op0", 1, f"step {at}", label="x", hook="◀") for at in range(50)]
    explorer = FakeExplorer(page, small_view(steps=forward + backward), position=1)
    measure = """(name) => {
      const text = document.createRange();
      text.selectNodeContents(name);
      return text.getBoundingClientRect();
    }"""
    for width in (344, 980):
        page.set_viewport_size({"width": width, "height": 900})
        first, second = (name.evaluate(measure) for name in explorer.root.locator(".tc-half-name").all())
        assert first["left"] < first["right"] <= second["left"]


def test_the_panel_follows_and_keeps_what_is_open(page: Page) -> None:
    explorer = FakeExplorer(page, small_view(), position=1)
    panel = explorer.root.locator(".tc-panel")
    expect(panel.locator(".tc-empty")).to_have_text(["not computed yet"])
    expect(panel.locator(".tc-stats")).to_contain_text("−2")
    panel.locator(".tc-heat").hover(position={"x": 8, "y": 20})
    expect(panel.locator(".tc-read").first).to_have_text("[0] 1")
    panel.locator("summary", has_text="Rule source").click()
    explorer.root.locator("[data-node=op1] .tc-box").click()
    expect(panel.locator("h3")).to_contain_text("second")
    expect(panel.locator("pre", has_text="lambda g")).to_be_visible()
    explorer.root.locator("[data-node=call2] .tc-box").click()
    expect(panel.locator(".tc-empty").last).to_have_text("not needed: integers")
    expect(panel).to_contain_text("Inputs and parameters have no rule.")


def test_a_closed_cell_of_several_ops_says_where_the_rules_are(page: Page) -> None:
    view = small_view()
    view["nodes"]["op1"]["rules_inside"] = True
    explorer = FakeExplorer(page, view, position=5)
    formula = explorer.root.locator(".tc-formula")
    explorer.root.locator("[data-node=op0] .tc-box").click()
    expect(formula).not_to_contain_text("rules inside")
    explorer.root.locator("[data-node=op1] .tc-box").click()
    expect(formula).to_contain_text("Open ▸ for the rules inside.")


def test_the_card_of_an_op_is_shown_as_plain_text_under_its_formulas(page: Page) -> None:
    view = small_view(cards={
        "double": {"words": "Twice <b>g</b>.", "conventions": ["At x = 0: ∂x = 1.", "At x = 6: ∂x = 0."], "source": ""},
        "bare": {"words": "", "conventions": [], "source": "Source: <i>nobody</i>."},
    })  # fmt: skip
    view["nodes"]["op0"]["card"], view["nodes"]["op1"]["card"] = "double", "bare"
    explorer = FakeExplorer(page, view, position=5)
    card = explorer.root.locator(".tc-card")
    expect(card.locator("p")).to_have_text(["Twice <b>g</b>.", "At x = 0: ∂x = 1.", "At x = 6: ∂x = 0."])
    formula, below = explorer.root.locator(".tc-formula").bounding_box(), card.bounding_box()
    assert formula and below and below["y"] >= formula["y"] + formula["height"]
    explorer.root.locator("[data-node=op1] .tc-box").click()
    expect(card.locator("p")).to_have_text(["Source: <i>nobody</i>."])
    explorer.root.locator("[data-node=call2] .tc-box").click()
    expect(card).to_be_hidden()


def test_switches_ask_python_and_show_only_what_it_answers(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    train, predict = (explorer.root.get_by_role("button", name=name) for name in ("Train", "Predict"))
    expect(train).to_have_attribute("aria-pressed", "false")  # mixed: neither
    expect(predict).to_have_attribute("aria-pressed", "false")
    predict.click()
    explorer.root.get_by_role("combobox", name="applies to").select_option("cell")
    expect(train).to_have_attribute("aria-pressed", "true")
    predict.click()
    explorer.root.get_by_role("combobox", name="rule").select_option("own")
    explorer.root.get_by_role("button", name="Capture hooks").click()
    explorer.root.get_by_role("button", name="New draw").click()
    expect(train).to_have_attribute("aria-pressed", "true")
    assert explorer.sent() == [
        {"do": "mode", "scope": "", "value": "predict"},
        {"do": "mode", "scope": "cell", "value": "predict"},
        {"do": "rule", "path": "first", "value": "own"},
        {"do": "capture", "on": True},
        {"do": "draw"},
    ]


def test_the_header_has_no_empty_line(page: Page) -> None:
    line = FakeExplorer(page, small_view(note="", code="")).root.locator(".tc-header-line")
    expect(line).to_be_hidden()
    told = FakeExplorer(page, small_view(note="No loss was given.", code="")).root
    expect(told.locator(".tc-header-line")).to_have_text("No loss was given.")


def test_what_a_button_is_about_is_named_in_the_language(page: Page) -> None:
    for language, words in (("en", "Capture hooks: $&fc"), ("zh", "捕获钩子：$&fc")):
        set_language(language)
        try:
            explorer = FakeExplorer(page, small_view() | {"capture": {"on": True, "path": "$&fc"}})
        finally:
            set_language("en")
        expect(explorer.root.locator(".tc-capture")).to_have_text(words)


def test_the_rule_lab_comes_and_goes_with_the_focus(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    drawing = explorer.root.locator(".tc-graph").element_handle()
    explorer.root.get_by_role("button", name="Check rule").click()
    assert explorer.sent() == [{"do": "check", "panel": "rule_lab"}]
    explorer.set("panel", "rule_lab")
    lab = explorer.root.locator(".tc-check")
    explorer.set("panels", {"rule_lab": {"data": {}, "error": None}})
    expect(lab).to_contain_text("the backward rule of the selected node")
    explorer.set("panels", {"rule_lab": {"data": small_check(), "error": None}})
    expect(lab).to_contain_text("≠ Does not match. Half of it.")
    expect(lab.locator(".tc-ring-outer")).to_have_count(3)
    expect(explorer.root.locator(".tc-panel")).to_be_hidden()
    expect(lab.get_by_role("combobox")).to_be_focused()
    explorer.press("Escape")
    assert explorer.get("panel") == "node"
    explorer.set("panels", {"node": {"data": {}, "error": None}})
    expect(explorer.root.get_by_role("button", name="Check rule")).to_be_focused()
    assert drawing.is_visible()  # the same drawing: it was not made anew


def test_a_view_that_failed_says_so_in_its_place(page: Page) -> None:
    explorer = FakeExplorer(page, small_view(), panel="rule_lab", panels={"rule_lab": {"data": None, "error": "<b>x"}})
    expect(explorer.root.get_by_role("alert").filter(has_text="This view could not be made")).to_contain_text("<b>x")
    explorer.root.get_by_role("tab", name="Node").click()
    expect(explorer.root.locator(".tc-view-waiting")).to_be_visible()
    explorer.set("panels", {"node": {"data": {}, "error": None}})
    expect(explorer.root.locator(".tc-panel h3")).to_contain_text("first")
    explorer.root.get_by_role("tab", name="Node").press("ArrowRight")
    expect(explorer.root.get_by_role("tab", name="Rule lab")).to_be_focused()
    assert explorer.get("panel") == "rule_lab"


def test_an_error_is_told_as_plain_text_beside_the_old_picture(page: Page) -> None:
    explorer = FakeExplorer(page, small_view())
    error = {"title": "<b>MatMul</b> failed", "detail": "(32, 64) × (10, 128)ᵀ"}
    explorer.set("view", small_view(error=error, stale=True))
    alert = explorer.root.get_by_role("alert")
    expect(alert).to_contain_text("✕ <b>MatMul</b> failed The picture is from before the error.")
    expect(alert).to_contain_text(error["detail"])
    expect(explorer.root.locator(".tc-graph")).to_be_visible()


@pytest.mark.parametrize(("width", "graph"), [(960, 600), (760, 500), (640, 620)])
def test_the_layout_follows_the_width_of_the_widget(page: Page, width: int, graph: int) -> None:
    page.set_viewport_size({"width": width + 16, "height": 1600})
    explorer = FakeExplorer(page, small_view())
    page.wait_for_function("model.get('width') > 0")
    assert graph - 40 < explorer.get("width") <= graph
    assert explorer.get("width") % 20 == 0
    canvas, side = (explorer.root.locator(name).bounding_box() for name in (".tc-canvas", ".tc-side"))
    assert canvas and side
    assert (side["y"] > canvas["y"]) == (width < 700)
    assert explorer.root.evaluate("root => root.scrollWidth <= root.clientWidth")


def test_colours_follow_the_notebooks_theme(page: Page) -> None:
    explorer = FakeExplorer(page, small_view(), position=5)
    edge = explorer.root.locator(".tc-grad-edge")
    colours = []
    for light in ("true", "false"):
        page.evaluate("light => { document.body.dataset.jpThemeLight = light; }", light)
        colours.append(edge.evaluate("edge => getComputedStyle(edge).stroke"))
    assert colours == ["rgb(168, 67, 0)", "rgb(255, 171, 92)"]


def test_an_overdue_answer_is_said_until_it_comes(page: Page) -> None:
    explorer = FakeExplorer(page, small_view(), position=1)
    sentence = explorer.root.locator(".tc-sentence")
    expect(sentence).to_have_text("first forward")
    explorer.root.get_by_role("button", name="New draw").click()
    expect(sentence).to_have_text("Waiting for the kernel…")
    expect(explorer.root).to_have_attribute("aria-busy", "true")
    explorer.set("view", small_view(code="set_seed(1)"))
    expect(sentence).to_have_text("first forward")
    expect(explorer.root).to_have_attribute("aria-busy", "false")


@pytest.mark.parametrize("cells", [16, 40, 200])
def test_the_timeline_of_many_cells_stays_inside_and_can_be_scrubbed(page: Page, cells: int) -> None:
    steps = [
        step(kind, "op0", group if kind == "forward" else cells + group, f"{kind} {group}", label=f"cell{group}")
        for kind in ("forward", "backward")
        for group in range(cells)
        for _ in range(2)
    ]
    explorer = FakeExplorer(page, small_view(steps=steps), position=1)
    timeline = explorer.root.locator(".tc-timeline")
    inner, outer = timeline.evaluate("bar => [bar.scrollWidth, bar.clientWidth]")
    assert inner <= outer
    forward, backward = (timeline.locator(f".tc-half-{kind} .tc-tick") for kind in ("forward", "backward"))
    assert forward.last.bounding_box()["x"] < backward.first.bounding_box()["x"]  # type: ignore[index]
    box = timeline.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 30)
    expect(explorer.root.locator(".tc-count")).to_have_text(f"{4 * cells} / {4 * cells}")
    page.mouse.click(box["x"] + 3, box["y"] + 30)
    assert explorer.get("position") <= 2 * 2 * (cells // 14 + 1)


def test_in_a_long_run_long_names_take_no_room_from_the_other_half(page: Page) -> None:
    names = [("forward", group, f"a Cell with a long name {group}") for group in range(20)]
    names += [("backward", 20 + group, "short") for group in range(14)]
    steps = [step(kind, "op0", group, kind, label=label) for kind, group, label in names for _ in range(3)]
    root = FakeExplorer(page, small_view(steps=steps), position=len(steps)).root
    boxes = [root.locator(f".tc-half-{kind}").bounding_box() for kind in ("forward", "backward")]
    forward, backward = (box["width"] for box in boxes if box)
    assert backward > forward  # of 10 ticks and of 16, since the last Cell is open
