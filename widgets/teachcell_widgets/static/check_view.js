// Check rule: the rule's code, the verdict in words, and the evidence beside the numeric gradient.

import { html, setChoices, setText } from "./dom.js";
import { drawHeatMap, mapScale } from "./heat_map.js";

export function createCheckView(session) {
  const name = html("span");
  const what = html("span.tc-small.tc-soft");
  const rule = html("select.tc-pick.tc-rule", { change: chooseRule });
  const ruleLabel = html("span");
  const close = html("button.tc-button.tc-close", { click: session.closeCheck }, "×");
  const code = html("pre");
  const verdict = html("div", { "aria-live": "polite" });
  const evidence = html("table.tc-evidence");
  const note = html("p.tc-small.tc-soft");
  const head = html("div.tc-check-head", html("h3", name, " ", what), html("label", ruleLabel, rule), close);
  const node = html("div.tc-check", head, code, verdict, evidence, note);

  function chooseRule() {
    session.ask("rule", { path: session.view.check.path, value: rule.value });
  }

  function refresh() {
    const { label, view: { check } } = session;
    node.hidden = check === null;
    if (check === null) return;
    setText(name, label("check_rule"));
    setText(what, check.title);
    setText(ruleLabel, label("rule"));
    setChoices(rule, check.rules.map(({ id, label: text }) => [id, text]), check.rule);
    close.setAttribute("aria-label", label("close"));
    close.title = `${label("close")} (Esc)`;
    setText(code, check.code);
    code.hidden = !check.code;
    showVerdict(check);
    const rows = check.inputs.map((input) => inputRows(input, check.marks));
    evidence.replaceChildren(columnHeads(check), ...rows);
    setText(note, `${label("worst_mark")} ${check.note}`);
  }

  function showVerdict({ ok, head: title, text }) {
    verdict.className = ok ? "tc-verdict" : "tc-verdict tc-verdict-bad";
    verdict.replaceChildren(html(ok ? "b" : "b.tc-mark", `${ok ? "✓" : "≠"} ${title}`), " ", text);
  }

  function columnHeads({ columns, marks }) {
    const head = (column, mark) => html(`th${markClass(mark)}`, { scope: "col" }, `${column} ${mark}`);
    return html("thead", html("tr", html("td"), ...columns.map((column, at) => head(column, marks[at]))));
  }

  /** The rows of one gradient: maps, errors, the worst element, the largest errors. */
  function inputRows(input, marks) {
    const { label } = session;
    const textRow = (title, texts) =>
      row("tr", [title], marks.map((mark, at) => html(`td.tc-mono${markClass(mark)}`, texts[at] ?? "")));
    const scale = mapScale(input.maps);
    const errorScale = mapScale(input.errors);
    const maps = input.maps.map((map) => mapCell("grad", map, { scale, ring: input.worst }));
    const errors = input.errors.map((map) => mapCell("mark", map, { scale: errorScale }));
    const window = input.window.split(", ").map((part) => html("div", part));
    return html(
      "tbody",
      row("tr.tc-maps", [html("div.tc-grad.tc-b", input.name), ...window], maps),
      row("tr.tc-errors", [label("error")], [...errors, html("td.tc-soft", label("reference"))]),
      textRow(`${label("at")} ${input.at}`, input.values),
      textRow(label("max_abs"), input.max_abs),
      textRow(label("max_rel"), input.max_rel),
    );
  }

  return { node, refresh, focus: () => close.focus() };
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
