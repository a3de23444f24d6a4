// The panel: everything about the selected node, as far as it is known at this position.
// Built once; a step refills it, so focus and the details that the user opened stay.

import { html, setChoices, setText } from "./dom.js";
import { createFigure, drawHistogram } from "./heat_map.js";
import { formatMean, formatNumber } from "./numbers.js";

export function createPanel(session) {
  const title = html("span");
  const type = html("span", { class: "tc-type tc-small tc-soft" });
  const figures = { val: createFigure("val"), grad: createFigure("grad") };
  const formula = html("div", { class: "tc-formula" });
  const rule = html("select", { class: "tc-pick tc-rule", change: chooseRule });
  const check = html("button", { type: "button", class: "tc-button tc-check-rule", click: () => session.openCheck() });
  const ruleLabel = html("span");
  const rules = html("div", { class: "tc-rules" }, html("label", {}, ruleLabel, rule), check);
  const numbers = createDetails("numbers");
  numbers.node.open = true;
  const source = createDetails("rule_source");
  const hooks = createDetails("hooks");
  const calls = createDetails("calls");
  const node = html(
    "div",
    { class: "tc-panel" },
    html("h3", {}, title, " ", type),
    html("div", { class: "tc-pair" }, figures.val.node, figures.grad.node),
    formula,
    rules,
    ...[numbers, source, hooks, calls].map((details) => details.node),
  );
  let shown = ""; // what is on show: the node and which of its numbers are known
  let shownView = null;

  function createDetails(key) {
    const name = html("span");
    const head = html("span", { class: "tc-soft tc-head" });
    const body = html("div");
    const details = html("details", { class: `tc-details-${key}` }, html("summary", {}, name, " ", head), body);
    return {
      node: details,
      /** Show these children, or nothing at all if there are none. */
      fill(children, more = "") {
        details.hidden = children.length === 0;
        setText(name, session.label(key));
        setText(head, more);
        body.replaceChildren(...children);
      },
    };
  }

  function chooseRule() {
    session.ask("rule", { path: session.panel.path, value: rule.value });
  }

  function move() {
    const { panel, view } = session;
    node.hidden = !panel;
    if (!panel) return;
    const known = { val: session.isKnown(panel.value_at), grad: session.isKnown(panel.grad_at) };
    const wanted = `${session.selected} ${known.val} ${known.grad}`;
    if (wanted === shown && view === shownView) return;
    shown = wanted;
    shownView = view;
    fill(panel, known);
  }

  function fill(panel, known) {
    setText(title, panel.title);
    type.replaceChildren(`${panel.kind} · `, html("span", { class: "tc-mono" }, panel.shape), " ", html("span", { class: "tc-dtype" }, panel.dtype));
    const value = known.val ? panel.value : null;
    const grad = known.grad ? panel.grad : null;
    figures.val.show({ title: session.label("value"), summary: value, note: noteOf(panel.value_at, panel.value_note) });
    figures.grad.show({
      title: session.label("gradient"),
      more: session.label("incoming"),
      summary: grad,
      note: noteOf(panel.grad_at, panel.grad_note),
    });
    fillRule(panel);
    fillNumbers(value, grad);
    source.fill(panel.source ? [html("pre", {}, panel.source)] : []);
    hooks.fill([...hookItems(panel.hooks.items), ...capturedCalls(panel.captured ?? [])], panel.hooks.head);
    calls.fill(panel.calls.length > 1 ? [callButtons(panel.calls)] : []);

    /** Why there is no number: not yet, or never and why. */
    function noteOf(at, note) {
      return at === null || session.isKnown(at) ? note : session.label("not_yet");
    }
  }

  function fillRule(panel) {
    const lines = panel.formula.map((line) => {
      const text = html("span", { class: `tc-mono tc-${line.class}` }, line.text);
      return html("div", {}, text, html("span", { class: "tc-mono tc-soft" }, line.shape));
    });
    formula.replaceChildren(...(lines.length ? lines : [html("span", { class: "tc-small tc-soft" }, session.label("no_rule"))]));
    rules.hidden = panel.rules.length === 0;
    setText(ruleLabel, session.label("rule"));
    setText(check, session.label("check_rule"));
    setChoices(rule, panel.rules.map(({ id, label }) => [id, label]), panel.rule);
  }

  function fillNumbers(value, grad) {
    if (!value && !grad) numbers.fill([]);
    else numbers.fill([html("div", { class: "tc-pair" }, numberColumn("val", value), numberColumn("grad", grad))]);
  }

  function numberColumn(kind, summary) {
    if (!summary) return html("div");
    const { label } = session;
    const rows = [
      [label("min"), formatNumber(summary.min)],
      [label("max"), formatNumber(summary.max)],
      [label("mean"), formatMean(summary)],
      [label("std"), formatNumber(summary.std)],
      [label("zeros"), `${formatNumber(100 * summary.zeros)} %`],
    ];
    if (summary.nan) rows.push(["NaN", String(summary.nan)]);
    if (summary.inf) rows.push(["Inf", String(summary.inf)]);
    const table = html("table", { class: "tc-stats" }, ...rows.map(([name, text]) => html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, text))));
    return html("div", {}, ...(summary.hist ? [drawHistogram(kind, summary.hist)] : []), table);
  }

  function callButtons(all) {
    const button = ({ label, node: id }) =>
      html("button", { type: "button", class: "tc-button", "aria-pressed": id === session.selected, click: () => session.select(id) }, label);
    return html("div", { class: "tc-calls" }, ...all.map(button));
  }

  return { node, move, focusCheck: () => check.focus() };
}

/** The hooks of a Cell: kind, name, what it did, its code. */
function hookItems(items) {
  return items.map(({ glyph, title, code, note, mark }) => {
    const line = html("div", { class: "tc-small" }, `${glyph} ${title} `, html("span", { class: mark ? "tc-mark tc-b" : "tc-soft" }, note));
    return html("div", { class: "tc-hook-item" }, line, ...(code ? [html("pre", {}, code)] : []));
  });
}

/** What the captured hooks saw, call by call. */
function capturedCalls(captured) {
  return captured.map(({ call, rows }) => html("div", { class: "tc-captured" }, html("div", { class: "tc-b tc-small" }, call), ...rows.map(capturedRow)));
}

function capturedRow(row) {
  const text = html("p", { class: "tc-small tc-mono tc-soft" }, row.text);
  if (!row.summary) return html("div", {}, html("p", { class: `tc-caption tc-${row.class}` }, row.label), text);
  const figure = createFigure(row.class);
  figure.show({ title: row.label, summary: row.summary });
  figure.node.append(text);
  return figure.node;
}
