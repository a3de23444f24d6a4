// The overview of the keys: a button, and a list that opens below the header. Not a modal window: all keys still work.

import { html, plainKey } from "./dom.js";

/** Keys, and the label of what they do; `needs`: where only a widget with that view or part has it. */
const KEY_LIST = [
  [["→", "←"], "keys_step", { part: "transport" }],
  [["Shift →", "Shift ←"], "keys_jump", { part: "transport" }],
  [["Home", "End"], "keys_ends", { part: "transport" }],
  [["Space", "+", "−"], "keys_play", { part: "transport" }],
  [["Tab"], "keys_tab", {}],
  [["↑", "↓"], "keys_nodes", { part: "stage" }],
  [["Enter"], "keys_enter", { part: "stage" }],
  [["/"], "keys_find", { part: "stage" }],
  [["+", "−", "0", "F"], "keys_zoom", { part: "stage" }],
  [["G"], "keys_odd", { part: "stage" }],
  [["R"], "keys_check", { view: "rule_lab" }],
  [["C"], "keys_compare", { view: "compare" }],
  [["Esc"], "keys_back", { view: "node" }],
  [["?"], "keys_overview", {}],
];

export function createKeys(session) {
  const button = html("button.tc-button.tc-keys-button", { "aria-expanded": "false", click: toggle }, "?");
  const list = html("dl.tc-keys-list");
  const node = html("section.tc-keys-overview", { tabindex: "-1", hidden: "", keydown: closeOnEscape }, list);
  let before = null; // what had the focus

  function toggle() {
    if (node.hidden) open();
    else close();
  }

  function open() {
    before = document.activeElement;
    show(true);
    node.focus();
  }

  function close() {
    const inside = node.contains(document.activeElement);
    show(false);
    if (inside) (before?.isConnected ? before : button).focus();
  }

  function show(isOpen) {
    node.hidden = !isOpen;
    button.setAttribute("aria-expanded", isOpen);
  }

  function closeOnEscape(event) {
    if (plainKey(event) !== "Escape") return;
    event.stopPropagation();
    close();
  }

  function isThere([, , { part, view }]) {
    return (!part || session.frame.parts.includes(part)) && (!view || session.offers(view));
  }

  function refresh() {
    const { label } = session;
    button.setAttribute("aria-label", label("keys"));
    button.title = `${label("keys")} (?)`;
    node.setAttribute("aria-label", label("keys"));
    list.replaceChildren(
      ...KEY_LIST.filter(isThere).map(([keys, what]) =>
        html("div", html("dt", ...keys.flatMap((key) => [html("kbd", key), " "])), html("dd", label(what))),
      ),
    );
  }

  return { button, node, refresh, toggle, close, isOpen: () => !node.hidden };
}

/** English or Chinese, for all that teachcell says in this notebook. */
export function createLanguages(session) {
  const buttons = [["en", "EN"], ["zh", "中"]].map(([language, text]) =>
    html("button", { lang: language, value: language, click: () => choose(language) }, text),
  );
  const node = html("span.tc-switch.tc-languages", { role: "group" }, ...buttons);

  function choose(value) {
    if (value !== session.view.lang) session.ask("language", { value });
  }

  function refresh() {
    node.hidden = !session.frame.live;
    node.setAttribute("aria-label", session.label("language"));
    node.title = session.label("language_tip");
    for (const button of buttons) button.setAttribute("aria-pressed", button.value === session.view.lang);
  }

  return { node, refresh };
}
