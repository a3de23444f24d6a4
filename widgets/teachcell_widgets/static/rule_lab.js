// The rule lab: whose rule and which, its code, the verdict in words, the evidence beside the numeric gradient,
// what the rule does to training, and how to type one's own.

import { html, setChoices, setText, svg } from "./dom.js";
import { drawHeatMap, mapScale } from "./heat_map.js";
import { formatNumber } from "./numbers.js";

export function createRuleLab(session) {
  const name = html("span");
  const what = html("span.tc-small.tc-soft");
  const other = html("button.tc-button.tc-lab-other", { click: () => session.openCheck() });
  const rule = html("select.tc-pick.tc-rule", { change: use });
  const ruleLabel = html("span");
  const targets = html("div.tc-lab-targets", { role: "group" });
  const every = html("input", { type: "checkbox", change: use });
  const everyText = html("span");
  const everyLabel = html("label.tc-small.tc-lab-every", every, everyText);
  const empty = html("p.tc-soft");
  const about = html("p.tc-small.tc-lab-about");
  const code = html("pre");
  const verdict = html("div", { "aria-live": "polite" });
  const conventions = html("p.tc-small.tc-soft");
  const stale = html("p.tc-small.tc-mark.tc-b");
  const evidence = html("table.tc-evidence");
  const note = html("p.tc-small.tc-soft");
  const training = createTrainings(session);
  const typing = html("details.tc-lab-typing", html("summary", html("span")), html("p.tc-small"), html("pre"));
  const head = html("div.tc-check-head", html("h3", name, " ", what), html("label", ruleLabel, rule));
  const body = html("div", head, targets, everyLabel, about, code, conventions, verdict, stale, evidence, note);
  const node = html("div.tc-check", other, empty, body, training.node, typing);

  let asked = false; // and the answer is not here yet

  function use() {
    const { target } = session.data("rule_lab");
    ask("use", { where: target, rule: rule.value, every: every.checked });
  }

  /** Until the answer is here, the choices would still be about what was looked at before. */
  function ask(what, details) {
    if (asked) return;
    showAsked(true); // not `disabled`, which would lose the focus
    session.askPanel("rule_lab", what, details);
  }

  function showAsked(now) {
    asked = now;
    for (const control of [rule, every]) control.setAttribute("aria-disabled", now);
  }

  function refresh() {
    showAsked(false);
    const { label } = session;
    const check = session.data("rule_lab");
    const none = check.title === undefined;
    empty.hidden = !none;
    for (const part of [body, training.node, typing]) part.hidden = none;
    if (none) return;
    setText(name, label("check_rule"));
    setText(what, check.title);
    setText(ruleLabel, label("rule"));
    setChoices(rule, check.rules.map(({ id, label: text }) => [id, text]), check.rule);
    rule.disabled = check.rules.length === 0;
    showTargets(check);
    setText(about, check.about);
    about.hidden = !check.about;
    setText(code, check.code);
    code.hidden = !check.code;
    setText(conventions, check.conventions.length ? `${label("lab_agreed")} ${check.conventions.join(" ")}` : "");
    conventions.hidden = !check.conventions.length;
    showVerdict(check);
    const shown = check.stale ?? check; // of a rule that failed: the last check that could be made
    setText(stale, check.stale?.says ?? "");
    stale.hidden = !check.stale;
    const one = shown.columns[0] === shown.columns[1] && shown.inputs.every(({ maps }) => !maps[1]);
    const drawn = one ? [0, 2] : [0, 1, 2]; // the engine's rule is not set beside itself
    const rows = shown.inputs.map((input) => inputRows(input, shown.marks, drawn));
    evidence.replaceChildren(...(rows.length ? [columnHeads(shown, drawn), ...rows] : []));
    evidence.classList.toggle("tc-lab-stale", shown !== check);
    setText(note, rows.length ? `${label("worst_mark")} ${shown.note}` : "");
    training.refresh(check);
    showTyping(check);
  }

  /** The Cell and the ops in it, each a button; whether the rule counts for all ops of the kind. */
  function showTargets({ target, call, targets: all, every: kind }) {
    targets.setAttribute("aria-label", session.label("lab_whose"));
    targets.hidden = all.length < 2;
    const wanted = JSON.stringify([call, all]);
    if (targets.dataset.choices !== wanted) {
      targets.dataset.choices = wanted; // the buttons stay, and so does the focus, where nothing has changed
      const check = (where) => () => ask("check", { where, call });
      targets.replaceChildren(...all.map(({ id, label }) => html("button.tc-button", { click: check(id) }, label)));
    }
    all.forEach(({ id }, at) => targets.children[at].setAttribute("aria-pressed", id === target));
    everyLabel.hidden = !kind;
    every.checked = kind?.on ?? false;
    setText(everyText, kind?.label ?? "");
  }

  function showVerdict({ ok, head: title, text }) {
    verdict.className = ok ? "tc-verdict" : "tc-verdict tc-verdict-bad";
    verdict.replaceChildren(html(ok ? "b" : "b.tc-mark", `${ok ? "✓" : "≠"} ${title}`), " ", text);
  }

  function columnHeads({ columns, marks }, drawn) {
    const head = (at) => html(`th${markClass(marks[at])}`, { scope: "col" }, `${columns[at]} ${marks[at]}`);
    return html("thead", html("tr", html("td"), ...drawn.map(head)));
  }

  /** The rows of one gradient: maps, errors, the worst element, the largest errors. */
  function inputRows(input, marks, drawn) {
    const { label } = session;
    const textRow = (title, texts) =>
      row("tr", [title], drawn.map((at) => html(`td.tc-mono${markClass(marks[at])}`, texts[at] ?? "")));
    const scale = mapScale(input.maps);
    const errorScale = mapScale(input.errors);
    const compared = drawn.slice(0, -1); // all but the numeric one, which has no error
    const maps = drawn.map((at) => mapCell("grad", input.maps[at], { name: input.name, scale, ring: input.worst }));
    const errors = compared.map((at) => mapCell("mark", input.errors[at], { name: label("error"), scale: errorScale }));
    const lines = input.window.startsWith("(") ? [input.window] : input.window.split(", "); // a shape, or rows and cols
    const window = lines.map((part) => html("div", part));
    return html(
      "tbody",
      row("tr.tc-maps", [html("div.tc-grad.tc-b", input.name), ...window], maps),
      row("tr.tc-errors", [label("error")], [...errors, html("td.tc-soft", label("reference"))]),
      textRow(`${label("at")} ${input.at}`, input.values),
      textRow(label("max_abs"), input.max_abs),
      textRow(label("max_rel"), input.max_rel),
    );
  }

  function showTyping({ typing: text }) {
    const [summary, words, sample] = typing.children;
    setText(summary.firstChild, session.label("lab_typing"));
    setText(words, session.label("lab_typing_how"));
    setText(sample, text);
  }

  /** Another node that is selected can be looked at instead. */
  function move() {
    const { panel } = session;
    const shown = session.data("rule_lab");
    other.hidden = session.selected === shown?.node || !panel?.checkable;
    setText(empty, session.label(panel?.checkable ? "not_checked_yet" : "nothing_checked"));
    const asks = shown?.title === undefined ? "check_rule" : "lab_other";
    setText(other, session.named(asks, panel?.title ?? ""));
  }

  return { node, refresh, move, focus: () => (body.hidden ? other : rule).focus() };
}

/** Two trainings, with the engine's rule and with the chosen one: how long, the button, the curves, the words. */
function createTrainings(session) {
  const title = html("span");
  const steps = html("input.tc-pick", { type: "number", min: 1, max: 2000, step: 1, value: 30 });
  const rate = html("input.tc-pick", { type: "number", min: 0, step: "any", value: 0.1 });
  const stepsText = html("span");
  const rateText = html("span");
  const go = html("button.tc-button", { click: ask });
  const words = html("p", { "aria-live": "polite" });
  const curves = html("div");
  const about = html("p.tc-small.tc-soft");
  const typed = { keydown: (event) => event.key === "Escape" || event.stopPropagation() };
  const rateLabel = html("label", rateText, rate);
  const fields = html("div.tc-lab-fields", typed, html("label", stepsText, steps), rateLabel, go);
  const node = html("details.tc-lab-training", html("summary", title), about, fields, words, curves);

  function ask() {
    session.askPanel("rule_lab", "train", { steps: Number(steps.value), rate: Number(rate.value) });
  }

  function refresh({ effect, rule, optimizer }) {
    const { label } = session;
    setText(title, label("lab_training"));
    setText(about, label("lab_training_how").replace("{optimizer}", optimizer || label("lab_plain_sgd")));
    rateLabel.hidden = Boolean(optimizer); // it has a rate of its own
    setText(stepsText, label("lab_steps"));
    setText(rateText, label("lab_rate"));
    setText(go, label("lab_train"));
    go.disabled = rule === "engine";
    go.title = rule === "engine" ? label("lab_same_rule") : "";
    if (effect.text || effect.error) node.open = true;
    words.className = effect.error ? "tc-verdict tc-verdict-bad" : "";
    setText(words, effect.error ? `✕ ${effect.error}` : (effect.text ?? ""));
    words.hidden = !words.textContent;
    curves.replaceChildren(...(effect.text ? drawTrainings(effect, label) : []));
  }

  return { node, refresh };
}

/** The losses of both trainings over the steps, and which line is which. */
function drawTrainings({ engine, chosen, labels, steps }, label) {
  const known = [...engine, ...chosen].filter((loss) => loss !== null);
  if (!known.length) return [];
  const low = Math.min(...known);
  const high = Math.max(...known);
  const height = (loss) => 98 - (96 * (loss - low)) / (high - low || 1);
  const line = (losses) =>
    losses.flatMap((loss, at) => (loss === null ? [] : [`${(100 * at) / steps} ${height(loss)}`])).join("L");
  const picture = svg(
    "svg.tc-lab-curves",
    { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path.tc-lab-engine", { d: `M${line(engine)}` }),
    svg("path.tc-lab-chosen", { d: `M${line(chosen)}` }),
  );
  const key = (kind, text) => html("span", svg("svg", { viewBox: "0 0 24 8" }, svg(`path.${kind}`, { d: "M0 4H24" })), text);
  return [
    html("div.tc-lab-legend.tc-small", key("tc-lab-engine", labels[0]), key("tc-lab-chosen", labels[1])),
    html(
      "div.tc-lab-plot.tc-small.tc-soft",
      html("div.tc-mono", html("span", formatNumber(high)), html("span", formatNumber(low))),
      picture,
      html("div.tc-lab-axis", html("span", "0"), html("span", label("lab_steps")), html("span", String(steps))),
    ),
  ];
}

function row(kind, title, cells) {
  return html(kind, html("th", { scope: "row" }, ...title), ...cells);
}

function markClass(mark) {
  return mark === "≠" ? ".tc-mark.tc-b" : "";
}

/** A map of a window of the gradient; none where the chosen rule is the engine's own. */
function mapCell(kind, map, options) {
  if (!map) return html("td.tc-soft", "—");
  return html("td", drawHeatMap(kind, map, { shape: [map.rows, map.cols], ...options }));
}
