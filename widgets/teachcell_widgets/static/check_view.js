// Check rule: the rule's code, the verdict in words, and the evidence beside the numeric gradient.

import { html, setChoices, setText } from "./dom.js";
import { drawHeatMap, mapScale } from "./heat_map.js";

export function createCheckView(session) {
  const name = html("span");
  const what = html("span", { class: "tc-small tc-soft" });
  const rule = html("select", { class: "tc-pick tc-rule", change: chooseRule });
  const ruleLabel = html("span");
  const close = html("button", { type: "button", class: "tc-button tc-close", click: () => session.closeCheck() }, "×");
  const code = html("pre");
  const verdict = html("div", { "aria-live": "polite" });
  const evidence = html("table", { class: "tc-evidence" });
  const note = html("p", { class: "tc-small tc-soft" });
  const head = html("div", { class: "tc-check-head" }, html("h3", {}, name, " ", what), html("label", {}, ruleLabel, rule), close);
  const node = html("div", { class: "tc-check" }, head, code, verdict, evidence, note);

  function chooseRule() {
    session.ask("rule", { path: session.view.check.path, value: rule.value });
  }

  function refresh() {
    const { check } = session.view;
    node.hidden = check === null;
    if (check === null) return;
    setText(name, session.label("check_rule"));
    setText(what, check.title);
    setText(ruleLabel, session.label("rule"));
    setChoices(rule, check.rules.map(({ id, label }) => [id, label]), check.rule);
    close.setAttribute("aria-label", session.label("close"));
    close.title = `${session.label("close")} (Esc)`;
    setText(code, check.code);
    code.hidden = !check.code;
    showVerdict(check);
    evidence.replaceChildren(columnHeads(check), ...check.inputs.map((input) => inputRows(input, check.marks)));
    setText(note, `${session.label("worst_mark")} ${check.note}`);
  }

  function showVerdict({ ok, head: title, text }) {
    verdict.className = ok ? "tc-verdict" : "tc-verdict tc-verdict-bad";
    const strong = html("b", { class: ok ? "" : "tc-mark" }, `${ok ? "✓" : "≠"} ${title}`);
    verdict.replaceChildren(strong, " ", text);
  }

  function columnHeads({ columns, marks }) {
    const heads = columns.map((column, at) => html("th", { scope: "col", class: markClass(marks[at]) }, `${column} ${marks[at]}`));
    return html("thead", {}, html("tr", {}, html("td"), ...heads));
  }

  /** The rows of one gradient: maps, errors, the worst element, the largest errors. */
  function inputRows(input, marks) {
    const { label } = session;
    const texts = (all) => marks.map((mark, at) => html("td", { class: `tc-mono ${markClass(mark)}` }, all[at] ?? ""));
    const scale = mapScale(input.maps.filter(Boolean));
    const errorScale = mapScale(input.errors.filter(Boolean));
    const maps = input.maps.map((map) => mapCell("grad", map, { scale, ring: input.worst }));
    const errors = input.errors.map((map) => mapCell("mark", map, { scale: errorScale }));
    const window = input.window.split(", ").map((part) => html("div", {}, part));
    return html(
      "tbody",
      {},
      html("tr", { class: "tc-maps" }, html("th", { scope: "row" }, html("div", { class: "tc-grad tc-b" }, input.name), ...window), ...maps),
      html("tr", { class: "tc-errors" }, html("th", { scope: "row" }, label("error")), ...errors, html("td", { class: "tc-soft" }, label("reference"))),
      html("tr", {}, html("th", { scope: "row" }, `${label("at")} ${input.at}`), ...texts(input.values)),
      html("tr", {}, html("th", { scope: "row" }, label("max_abs")), ...texts(input.max_abs)),
      html("tr", {}, html("th", { scope: "row" }, label("max_rel")), ...texts(input.max_rel)),
    );
  }

  return { node, refresh, focus: () => close.focus() };
}

function markClass(mark) {
  return mark === "≠" ? "tc-mark tc-b" : "";
}

function mapCell(kind, map, options) {
  if (!map) return html("td", { class: "tc-soft" }, "—");
  return html("td", {}, drawHeatMap(kind, map, { shape: [map.rows, map.cols], ...options }));
}
