// The rule lab: the rule's code, the verdict in words, and the evidence beside the numeric gradient.

import { html, setChoices, setText } from "./dom.js";
import { drawHeatMap, mapScale } from "./heat_map.js";

export function createRuleLab(session) {
  const name = html("span");
  const what = html("span.tc-small.tc-soft");
  const rule = html("select.tc-pick.tc-rule", { change: chooseRule });
  const ruleLabel = html("span");
  const empty = html("p.tc-soft");
  const code = html("pre");
  const verdict = html("div", { "aria-live": "polite" });
  const evidence = html("table.tc-evidence");
  const note = html("p.tc-small.tc-soft");
  const head = html("div.tc-check-head", html("h3", name, " ", what), html("label", ruleLabel, rule));
  const body = html("div", head, code, verdict, evidence, note);
  const node = html("div.tc-check", empty, body);

  function chooseRule() {
    session.ask("rule", { path: session.data("rule_lab").path, value: rule.value });
  }

  function refresh() {
    const { label } = session;
    const check = session.data("rule_lab");
    const none = check.title === undefined;
    setText(empty, label("nothing_checked"));
    empty.hidden = !none;
    body.hidden = none;
    if (none) return;
    setText(name, label("check_rule"));
    setText(what, check.title);
    setText(ruleLabel, label("rule"));
    setChoices(rule, check.rules.map(({ id, label: text }) => [id, text]), check.rule);
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

  return { node, refresh, focus: () => rule.focus() };
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
