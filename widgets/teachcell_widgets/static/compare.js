// Compare: two runs side by side. The graph shows A's strips above B's; here are the numbers of the selected node.

import { html, setChoices, setText } from "./dom.js";
import { createFigure, drawNumbers, mapScale } from "./heat_map.js";

const COMPARE = "compare";
const KINDS = { value: "val", gradient: "grad" };
const KIND_LABELS = { value: "compare_value", gradient: "compare_gradient" };

export function createCompare(session) {
  let side = "value"; // which of the two is on show
  let asked = null; // what Python asked to show
  let shown = null; // the data on show

  const title = html("span");
  const what = html("span.tc-small.tc-soft");
  const buttons = Object.keys(KINDS).map((name) => html("button", { click: () => choose(name) }));
  const sides = html("span.tc-switch", { role: "group" }, ...buttons);
  const runs = [runChoice("A"), runChoice("B")];
  const words = html("div.tc-compare-words", { "aria-live": "polite" });
  const verdict = html("p.tc-compare-sentence");
  const columns = html("div.tc-pair.tc-compare-pair");
  const formulas = html("div.tc-formula");
  const count = html("p.tc-small");
  const changes = html("ul.tc-compare-changes.tc-small");
  const elsewhere = html("p.tc-small.tc-soft");
  const go = html("button.tc-button", { click: () => session.select(data().first[side]) });
  const body = html("div", columns, words, formulas);
  const story = html("div.tc-compare-story", verdict, go, count, changes, elsewhere);
  const hint = html("p.tc-soft");
  const modes = html("button.tc-button", { click: () => ask("choose", { a: "train", b: "predict" }) });
  const name = html("input.tc-pick", { type: "text", maxlength: "40", keydown: pinOnEnter });
  const pin = html("button.tc-button", { click: pinRun });
  const unpin = html("button.tc-button", { click: () => ask("unpin", { name: data().a }) });
  const pins = html("div.tc-compare-pin", name, pin, unpin, modes);
  const head = html("h3", title, " ", what);
  const choices = html("div.tc-pair.tc-compare-runs", ...runs.map((run) => run.node));
  const node = html("div.tc-compare", hint, head, sides, choices, body, story, pins);

  function runChoice(letter) {
    const select = html("select.tc-pick", { "aria-label": letter, change: () => ask("choose", { [letter.toLowerCase()]: select.value }) });
    return { select, node: html("label", `${letter} `, select) };
  }

  const data = () => session.data(COMPARE);
  const ask = (verb, details) => session.askPanel(COMPARE, verb, details);

  function pinRun() {
    ask("pin", { name: name.value.trim() });
    name.value = "";
  }

  function pinOnEnter(event) {
    if (event.key !== "Enter") return;
    event.stopPropagation();
    pinRun();
  }

  function choose(name) {
    if (!data().svg[name]) {
      ask("choose", { of: name }); // of a large graph only one picture travels
      return;
    }
    side = name;
    showSide();
    if (data().first[side]) session.select(data().first[side]);
    fill();
  }

  // ── The two runs ──

  function refresh() {
    const { label } = session;
    const { choices: known, a, b, of, pins: pinned, svg } = data();
    if (of !== asked || !(svg?.[side] ?? true)) side = asked = of;
    shown = null;
    setText(hint, label("compare_hint"));
    setText(pin, label("compare_pin"));
    setText(unpin, label("compare_unpin"));
    setText(modes, label("compare_modes"));
    name.placeholder = label("compare_name");
    name.setAttribute("aria-label", label("compare_name"));
    const options = known.map(([id, text]) => [id, text]);
    setChoices(runs[0].select, a ? options : [["", "–"], ...options], a);
    setChoices(runs[1].select, options, b);
    unpin.hidden = !pinned.includes(a);
    const none = svg === undefined;
    modes.hidden = !none || !options.some(([id]) => id === "train");
    hint.hidden = !none;
    for (const part of [sides, head, body, story]) part.hidden = none;
    if (none) session.showInstead(null);
    else showSide();
  }

  function showSide() {
    const { label } = session;
    const { svg, sentence, count: counted, changes: changed, elsewhere: hidden, first } = data();
    Object.keys(KINDS).forEach((name, at) => {
      setText(buttons[at], label(KIND_LABELS[name]));
      buttons[at].setAttribute("aria-pressed", name === side);
    });
    sides.setAttribute("aria-label", label("panel_compare"));
    verdict.replaceChildren(...parts(sentence[side]));
    setText(count, counted[side]);
    setText(go, label("compare_go"));
    go.hidden = !first[side];
    changes.replaceChildren(...changed.map((text) => html("li", text)));
    setText(elsewhere, hidden.length ? `${label("compare_elsewhere")} ${hidden.join(", ")}` : "");
    session.showInstead({ svg: svg[side], sentence: sentence[side] });
    shown = null;
  }

  // ── The selected node ──

  function move() {
    if (data().svg === undefined) return;
    const wanted = `${side} ${session.selected}`;
    if (wanted === shown) return;
    shown = wanted;
    fill();
  }

  function fill() {
    const { label } = session;
    const told = data().nodes[session.selected];
    const isFirst = session.selected === data().first[side];
    setText(title, session.panel?.title ?? "");
    setText(what, isFirst ? label("compare_first") : "");
    body.hidden = !told;
    if (!told) return;
    const { rows, same, words: difference, more, at } = told[side];
    columns.replaceChildren(...drawColumns(rows));
    const mark = html(same ? "b" : "b.tc-mark", `${same ? "=" : "≠"} `);
    words.replaceChildren(html("p", mark, ...parts(difference)), ...(more ? [html("p.tc-soft.tc-small", toldAt(more, at))] : []));
    const lines = told.formula.flatMap(({ letter, lines: all }) => formulaLines(letter, all));
    formulas.replaceChildren(...lines);
    formulas.hidden = lines.length === 0;
  }

  function toldAt(more, at) {
    return at?.length ? session.label("compare_at").replace("{at}", at.join(", ")) + more : more;
  }

  function drawColumns(rows) {
    const { label } = session;
    const scale = mapScale(rows.map((row) => row.summary?.map));
    const letters = rows.length === 1 ? ["A = B"] : ["A", "B"];
    return rows.map(({ summary, note }, at) => {
      const figure = createFigure(KINDS[side]);
      figure.show({ title: `${letters[at]} · ${label(KIND_LABELS[side])}`, summary, note, scale });
      return html("div", figure.node, ...numbersOf(summary));
    });
  }

  function numbersOf(summary) {
    return !summary || summary.size === 1 ? [] : drawNumbers(KINDS[side], summary, session.label);
  }

  /** The value's formula, or the gradients'; both runs' where they differ. */
  function formulaLines(letter, all) {
    return all
      .filter(([kind]) => kind === KINDS[side])
      .map(([kind, text]) => html("div", html("span", html("span.tc-soft", letter), " ", html(`span.tc-mono.tc-${kind}`, text))));
  }

  function parts(sentence) {
    return sentence.map(([kind, text]) => html(kind ? `span.tc-${kind}` : "span", text));
  }

  return { node, refresh, move, focus: () => (data().svg === undefined ? pin : buttons[0]).focus() };
}
