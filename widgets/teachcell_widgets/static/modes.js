// Modes: the Cells as a tree, train or predict on each, what their flags mean; and the twin run, told Cell by Cell.

import { html, plainKey, setText } from "./dom.js";
import { drawHeatMap } from "./heat_map.js";

const MODES = "modes";
const MODE_KEYS = { t: "train", p: "predict" };
const STEP_IN = 14; // px for each Cell around

export function createModes(session) {
  let side = "value";
  let focused = 0; // the row that takes the focus

  const notes = html("div");
  const tree = html("ul.tc-modes-tree", { role: "tree", keydown: press, focusin: follow });
  const keys = html("p.tc-small.tc-soft");
  const twin = html("button.tc-button", { click: () => ask("twin", { path: rows()[focused]?.path ?? "" }) });
  const leave = html("button.tc-button", { click: () => ask("leave_twin") });
  const compare = html("button.tc-button", { click: showInCompare });
  const buttons = html("div.tc-modes-buttons", twin, leave, compare);
  const sides = ["value", "gradient"].map((name) => html("button", { click: () => choose(name) }));
  const choice = html("span.tc-switch", { role: "group" }, ...sides);
  const verdict = html("div.tc-verdict", { "aria-live": "polite" });
  const count = html("p.tc-small.tc-soft");
  const cells = html("div");
  const gradientsHead = html("h4");
  const gradients = html("ul.tc-modes-list");
  const told = html("div.tc-modes-twin", { hidden: "" }, verdict, choice, count, cells, gradientsHead, gradients);
  const node = html("div.tc-modes", notes, tree, keys, buttons, told);

  const rows = () => session.data(MODES).rows;
  const ask = (verb, details) => session.askPanel(MODES, verb, details);

  function showInCompare() {
    session.askPanel("compare", "choose", { a: "train", b: "predict" });
  }

  // ── The tree ──

  function press(event) {
    const key = plainKey(event);
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    const mode = MODE_KEYS[key.toLowerCase()];
    if (by === undefined && !mode) return;
    event.preventDefault();
    event.stopPropagation();
    if (mode) setMode(rows()[focused], mode);
    else rove(Math.max(0, Math.min(focused + by, rows().length - 1)), true);
  }

  function follow(event) {
    rove([...tree.children].indexOf(event.target.closest("li")), false);
  }

  function setMode({ path }, mode) {
    ask("mode", { path, value: mode });
  }

  function rove(to, move) {
    focused = Math.min(to, Math.max(0, rows().length - 1));
    [...tree.children].forEach((item, at) => {
      item.tabIndex = at === focused ? 0 : -1;
      item.setAttribute("aria-selected", at === focused);
    });
    if (move) tree.children[focused]?.focus();
    showTwinButton();
  }

  function drawRow(row, at) {
    const { label } = session;
    const { name, cls, depth, training, phase, mode, depends, acts, trap } = row;
    const flags = html("span.tc-modes-flags", `training ${training ? "True" : "False"} · phase '${phase}'`);
    const pressed = (which) => html(
      "button",
      { tabindex: "-1", "aria-pressed": mode === which, click: () => setMode(row, which) },
      label(which),
    );
    const sign = depends ? [html("span.tc-modes-sign", { title: label("modes_depends") }, "◆ ")] : [];
    const words = html(trap ? "span.tc-small.tc-mark" : "span.tc-small.tc-soft", trap && acts ? `! ${acts}` : acts);
    const kind = cls === name ? [] : [" ", html("span.tc-small.tc-soft", cls)]; // the net is called what its class is
    const head = html("span.tc-modes-name", ...sign, html("b", name), ...kind);
    const text = html("div.tc-modes-text", head, html("div", flags, " ", words));
    const item = html(
      "li",
      { role: "treeitem", "aria-level": depth + 1, tabindex: "-1", click: () => rove(at, false), style: `padding-left: ${depth * STEP_IN}px` },
      text,
      html("span.tc-switch", { role: "group", "aria-label": session.named("mode", name) }, pressed("train"), pressed("predict")),
    );
    item.setAttribute("aria-label", [head.textContent, flags.textContent, acts].filter(Boolean).join(", "));
    return item;
  }

  // ── The twin run ──

  function showTwinButton() {
    const row = rows()[focused];
    const { label } = session;
    setText(twin, row?.path ? session.named("modes_twin", row.path) : label("modes_twin"));
    twin.title = label("modes_twin_tip");
  }

  function choose(name) {
    side = name;
    if (session.data(MODES).twin.svg[side]) showTwin();
    else ask("side", { of: side }); // of a large graph only one travels
  }

  function showTwin() {
    const found = session.data(MODES).twin;
    const { label } = session;
    const isNew = found && told.hidden;
    if (found && !found.svg[side]) side = Object.keys(found.svg)[0];
    told.hidden = leave.hidden = !found;
    compare.hidden = !found || found.path !== "" || !session.offers("compare");
    if (!found) {
      session.showInstead(null);
      return;
    }
    ["value", "gradient"].forEach((name, at) => {
      setText(sides[at], label({ value: "compare_value", gradient: "compare_gradient" }[name]));
      sides[at].setAttribute("aria-pressed", name === side);
    });
    verdict.replaceChildren(...found.parts[side].map(([kind, text]) => html(kind ? `span.tc-${kind}` : "span", text)));
    setText(count, found.count[side]);
    cells.replaceChildren(...found.cells.map(drawCell), ...found.changes.map((text) => html("p.tc-mark", text)));
    setText(gradientsHead, label("modes_gradients"));
    gradients.replaceChildren(...found.gradients.map((text) => html("li", text)));
    session.showInstead({ svg: found.svg[side], sentence: found.parts[side] });
    if (isNew) bringIntoView();
  }

  /** What was just asked for is seen, without scrolling the page. */
  function bringIntoView() {
    const pane = node.closest(".tc-side");
    pane.scrollTop += buttons.getBoundingClientRect().top - pane.getBoundingClientRect().top - 8;
  }

  function drawCell({ path, cls, call, of, words, mask, node: drawn, same }) {
    const name = `${path || session.view.title}${of > 1 ? ` #${call}` : ""}`;
    const head = html("button.tc-modes-cell", { click: () => session.select(drawn) }, same ? "= " : "≠ ", html("b", name), ` ${cls}`);
    head.disabled = !(drawn in session.view.nodes);
    return html("section", head, html("ul.tc-modes-list", ...words.map((text) => html("li", text))), ...(mask ? [drawMask(mask)] : []));
  }

  /** Which elements were kept. */
  function drawMask({ map, shape }) {
    const caption = html("p.tc-caption.tc-val", session.label("modes_mask"));
    return html("div.tc-modes-mask", caption, drawHeatMap("val", map, { shape }));
  }

  function refresh() {
    const { label } = session;
    const { rows: all, notes: said } = session.data(MODES);
    const hadFocus = tree.contains(document.activeElement);
    notes.replaceChildren(...said.map((text) => html("p.tc-modes-note", text)));
    tree.setAttribute("aria-label", label("panel_modes"));
    tree.replaceChildren(...all.map(drawRow));
    tree.hidden = twin.hidden = keys.hidden = all.length === 0;
    setText(keys, label("modes_keys"));
    setText(leave, label("modes_leave"));
    setText(compare, label("modes_compare"));
    rove(focused, hadFocus);
    showTwin();
  }

  return { node, refresh, focus: () => rove(focused, true) };
}
