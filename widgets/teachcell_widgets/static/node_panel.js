// The panel: everything about the selected node, as far as it is known at this position.
// Built once; a step refills it, so focus and the details that the user opened stay.

import { html, setChoices, setText } from "./dom.js";
import { createFigure, drawNumbers } from "./heat_map.js";

export function createNodePanel(session) {
  const title = html("span");
  const type = html("span.tc-type.tc-small.tc-soft");
  const figures = { val: createFigure("val"), grad: createFigure("grad") };
  const formula = html("div.tc-formula");
  const card = html("div.tc-card.tc-small");
  const rule = html("select.tc-pick.tc-rule", { change: chooseRule });
  const check = html("button.tc-button.tc-check-rule", { click: () => session.openCheck() });
  const ruleLabel = html("span");
  const rules = html("div.tc-rules", html("label", ruleLabel, rule), check);
  const numbers = createDetails("numbers");
  numbers.node.open = true;
  const source = createDetails("rule_source");
  const hooks = createDetails("hooks");
  const calls = createDetails("calls");
  const node = html(
    "div.tc-panel",
    html("h3", title, " ", type),
    html("div.tc-pair", figures.val.node, figures.grad.node),
    formula,
    card,
    rules,
    ...[numbers, source, hooks, calls].map((details) => details.node),
  );
  let shown = ""; // what is on show: the node and which of its numbers are known
  let shownView = null;
  let capturing = false;

  function createDetails(key) {
    const name = html("span");
    const head = html("span.tc-soft.tc-head");
    const body = html("div");
    const details = html(`details.tc-details-${key}`, html("summary", name, " ", head), body);
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
    const value = known.val ? panel.value : null;
    const grad = known.grad ? panel.grad : null;
    fillHead(panel, value, grad);
    fillRule(panel);
    const columns = html("div.tc-pair", numberColumn("val", value), numberColumn("grad", grad));
    numbers.fill(value || grad ? [columns] : []);
    source.fill(panel.source ? [html("pre", panel.source)] : []);
    const captured = panel.captured ?? [];
    const asked = captured.length > 0 && !capturing;
    capturing = captured.length > 0;
    hooks.fill([...panel.hooks.items.map(hookItem), ...captured.map(capturedCall)], panel.hooks.head);
    if (asked) {
      hooks.node.open = true; // what was just asked for is seen
      hooks.node.scrollIntoView({ block: "nearest" });
    }
    const had = calls.node.contains(document.activeElement) && document.activeElement.matches("button");
    calls.fill(panel.calls.length > 1 ? [html("div.tc-calls", ...panel.calls.map(callButton))] : []);
    if (had) calls.node.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
  }

  function fillHead(panel, value, grad) {
    const { label } = session;
    setText(title, panel.title);
    const shape = html("span.tc-mono", panel.shape);
    type.replaceChildren(`${panel.kind} · `, shape, " ", html("span.tc-dtype", panel.dtype));
    // Why there is no number: not yet, or never and why.
    const note = (at, never) => (at === null || session.isKnown(at) ? never : label("not_yet"));
    const valueNote = note(panel.value_at, panel.value_note);
    const gradNote = note(panel.grad_at, panel.grad_note);
    figures.val.show({ title: label("value"), summary: value, note: valueNote });
    figures.grad.show({ title: label("gradient"), more: label("incoming"), summary: grad, note: gradNote });
  }

  function fillRule(panel) {
    const lines = panel.formula.map(({ class: kind, text, shape }) =>
      html("div", html(`span.tc-mono.tc-${kind}`, text), html("span.tc-mono.tc-soft", shape)),
    );
    if (!lines.length) lines.push(html("div.tc-small.tc-soft", session.label("no_rule")));
    if (panel.rules_inside) lines.push(html("div.tc-small.tc-soft", session.label("open_for_rules")));
    formula.replaceChildren(...lines);
    fillCard(session.view.cards[panel.card]);
    rules.hidden = !panel.checkable;
    rule.parentNode.hidden = panel.rules.length === 0;
    setText(ruleLabel, panel.rule_label);
    setText(check, session.label("check_rule"));
    setChoices(rule, panel.rules.map(({ id, label }) => [id, label]), panel.rule);
  }

  /** The op's rule in words, what is agreed upon at kinks, and where the formulas come from. */
  function fillCard(said) {
    card.hidden = !said;
    if (!said) return;
    const { words, conventions, source } = said;
    const notes = [...conventions, source].filter(Boolean).map((text) => html("p.tc-soft", text));
    card.replaceChildren(...(words ? [html("p", words)] : []), ...notes);
  }

  function numberColumn(kind, summary) {
    return html("div", ...(summary ? drawNumbers(kind, summary, session.label) : []));
  }

  function callButton({ label, node: id }) {
    const here = id === session.selected;
    return html("button.tc-button", { "aria-pressed": here, click: () => session.select(id) }, label);
  }

  return { node, move, focus: () => check.focus() };
}

/** A hook of the Cell: kind and name, what it did, its code. */
function hookItem({ glyph, title, code, note, mark }) {
  const did = html(mark ? "span.tc-mark.tc-b" : "span.tc-soft", note);
  const line = html("div.tc-small", `${glyph} ${title} `, did);
  return html("div.tc-hook-item", line, ...(code ? [html("pre", code)] : []));
}

/** What the captured hooks saw in one call. */
function capturedCall({ call, rows }) {
  return html("div.tc-captured", html("div.tc-b.tc-small", call), ...rows.map(capturedRow));
}

function capturedRow({ label, class: kind, text, summary }) {
  const words = html("p.tc-small.tc-mono.tc-soft", text);
  if (!summary) return html("div", html(`p.tc-caption.tc-${kind}`, label), words);
  const figure = createFigure(kind);
  figure.show({ title: label, summary });
  figure.node.append(words);
  return figure.node;
}
