// The top of the Explorer: what runs, in which mode, with which hooks; and the banner of the last error.

import { html, setChoices, setText } from "./dom.js";
import { createLanguages } from "./keys.js";

export function createHeader(session, keys) {
  let scope = ""; // the Cell that the mode switch acts on: '' is the whole net

  const ask = (mode) => () => session.ask("mode", { scope, value: mode });
  const title = html("h2");
  const train = html("button", { click: ask("train") });
  const predict = html("button", { click: ask("predict") });
  const modes = html("span.tc-switch", { role: "group" }, train, predict);
  const scopes = html("select.tc-pick", { change: () => chooseScope(scopes.value) });
  const says = html("span.tc-says.tc-small.tc-soft");
  const draw = html("button.tc-button", { click: () => session.ask("draw") });
  const reset = html("button.tc-button", { click: () => session.ask("reset") });
  const capture = html("button.tc-button.tc-capture", { click: toggleCapture });
  const compare = html("button.tc-button", { click: () => session.open(isComparing() ? "node" : "compare") });
  const note = html("span.tc-small.tc-soft");
  const code = html("code.tc-code.tc-mono");
  const script = html("pre.tc-script", { hidden: "" });
  const byHand = html("button.tc-button", { "aria-expanded": "false", click: toggleScript });
  const languages = createLanguages(session);
  const line = html("div.tc-header-line", note, code);
  for (const asks of [modes, scopes, draw, reset, capture, languages.node]) asks.classList.add("tc-asks");
  const what = html("div.tc-what", title, modes, scopes, says);
  const actions = html("div.tc-actions", draw, reset, capture, compare, byHand, languages.node, keys.button);
  const node = html("header.tc-header", what, actions, line, script, keys.node);

  function chooseScope(path) {
    scope = path;
    showMode();
  }

  function toggleCapture() {
    session.ask("capture", { on: !session.view.capture.on });
  }

  function toggleScript() {
    script.hidden = !script.hidden;
    byHand.setAttribute("aria-expanded", !script.hidden);
  }

  function isComparing() {
    return session.openPanel === "compare";
  }

  function showCompare() {
    compare.hidden = !session.offers("compare") || !session.offers("node"); // the tabs say it where there are no others
    compare.setAttribute("aria-pressed", isComparing());
  }

  function showMode() {
    const { scopes: all, modes: told } = session.view;
    const chosen = all.find(({ path }) => path === scope) ?? all[0];
    scope = chosen.path;
    setChoices(scopes, all.map(({ path, label }) => [path, label]), scope);
    for (const [button, mode] of [[train, "train"], [predict, "predict"]]) {
      button.setAttribute("aria-pressed", chosen.mode === mode);
      button.disabled = chosen.mode === null;
    }
    const words = told[chosen.words];
    setText(says, words.says);
    says.hidden = !words.says;
    for (const part of [modes, says]) part.title = words.tip;
  }

  function showCapture() {
    const { on, path } = session.view.capture;
    capture.setAttribute("aria-pressed", on);
    setText(capture, on ? session.named("capture", path || session.view.title) : session.label("capture"));
    capture.disabled = !on && (session.panel?.path ?? null) === null; // "" is the net itself
    capture.title = session.label("capture_tip");
  }

  function refresh() {
    const { view, label } = session;
    setText(title, view.title);
    setText(train, label("train"));
    setText(predict, label("predict"));
    modes.setAttribute("aria-label", label("mode"));
    scopes.setAttribute("aria-label", label("applies_to"));
    scopes.title = label("applies_to");
    scopes.hidden = view.scopes.length < 2;
    setText(draw, label("new_draw"));
    draw.title = label("new_draw_tip");
    setText(compare, label("panel_compare"));
    compare.title = label("panel_compare_tip");
    setText(note, session.frame.live ? view.note : `${label("saved_page")} ${view.note}`);
    setText(reset, label("reset"));
    reset.title = label("reset_tip");
    setText(code, view.code);
    line.hidden = !note.textContent && !view.code;
    setText(byHand, label("by_hand"));
    byHand.title = label("by_hand_tip");
    setText(script, view.script);
    languages.refresh();
    keys.refresh();
    showMode();
  }

  function move() {
    showCapture();
    showCompare();
  }

  return { node, refresh, move };
}

export function createBanner(session) {
  const title = html("strong");
  const stale = html("span.tc-soft.tc-small");
  const detail = html("pre");
  // The alert is there from the start: what appears inside it later is read out.
  const node = html("div", { role: "alert" }, html("div", title, " ", stale), detail);

  function refresh() {
    const { error, stale: isOld } = session.view;
    node.hidden = error === null;
    node.className = error === null ? "" : "tc-error";
    setText(title, error === null ? "" : `✕ ${error.title}`);
    setText(stale, error !== null && isOld ? session.label("stale") : "");
    setText(detail, error?.detail ?? "");
    detail.hidden = !error?.detail;
  }

  return { node, refresh };
}
