// The side: the views that a widget offers, one of them open, and the tabs to choose by.

import { html, plainKey, setText } from "./dom.js";
import { PANELS } from "./panels.js";

const TURN = { ArrowRight: 1, ArrowLeft: -1 };

export function createSide(session) {
  const names = session.frame.panels;
  const views = Object.fromEntries(names.map((name) => [name, PANELS[name].create(session)]));
  const failed = html("div.tc-error.tc-view-error", { role: "alert" });
  const waiting = html("p.tc-soft.tc-view-waiting");
  const id = `tc-${Math.random().toString(36).slice(2)}`; // several Explorers are on one page
  const node = html("aside.tc-side", { id, tabindex: "0" }, failed, waiting, ...Object.values(views).map((view) => view.node));
  const tabs = names.map((name) =>
    html("button.tc-tab", { role: "tab", id: `${id}-${name}`, "aria-controls": id, click: () => session.open(name) }),
  );
  const bar = html("div.tc-tabs", { role: "tablist", keydown: turn }, ...tabs);
  let shown = null;

  function turn(event) {
    const by = TURN[plainKey(event)];
    if (by === undefined) return;
    event.stopPropagation();
    const next = (tabs.indexOf(event.target) + by + tabs.length) % tabs.length;
    session.open(names[next]);
    tabs[next].focus();
  }

  function refresh() {
    bar.hidden = names.length < 2;
    node.setAttribute("role", bar.hidden ? "region" : "tabpanel");
    node.setAttribute("aria-label", session.label(`panel_${session.openPanel}`));
    bar.setAttribute("aria-label", session.label("views"));
    names.forEach((name, at) => {
      const open = name === session.openPanel;
      setText(tabs[at], session.label(`panel_${name}`));
      tabs[at].title = session.label(`panel_${name}_tip`);
      tabs[at].setAttribute("aria-selected", open);
      tabs[at].tabIndex = open ? 0 : -1;
    });
    showOpen();
  }

  function showOpen() {
    const name = session.openPanel;
    const error = session.panelError(name);
    const ready = session.data(name) !== undefined;
    setText(failed, error ? `✕ ${session.label("view_failed")}\n${error}` : "");
    failed.hidden = !error;
    setText(waiting, session.label(session.frame.live ? "waiting" : "needs_kernel"));
    waiting.hidden = ready || Boolean(error);
    for (const [each, view] of Object.entries(views)) view.node.hidden = each !== name || !ready;
    if (name !== shown) {
      views[shown]?.leave?.();
      node.scrollTop = 0;
    }
    if (name !== shown || !ready) session.showInstead(null);
    if (ready) {
      views[name].refresh?.();
      views[name].move?.();
    }
    shown = name;
  }

  /** What had the focus is gone: the tab of the open view takes it. */
  function keepFocus() {
    (bar.hidden ? node : tabs[names.indexOf(session.openPanel)]).focus({ preventScroll: true });
  }

  function move() {
    if (session.data(session.openPanel) !== undefined) views[session.openPanel].move?.();
  }

  function progressed() {
    if (session.data(session.openPanel) !== undefined) views[session.openPanel].progressed?.();
  }

  function destroy() {
    for (const view of Object.values(views)) view.destroy?.();
  }

  return {
    node,
    bar,
    refresh,
    move,
    progressed,
    destroy,
    keepFocus,
    isReady: () => session.data(session.openPanel) !== undefined,
    hasHiddenFocus: () => Object.values(views).some((view) => view.node.hidden && view.node.contains(document.activeElement)),
    isWide: () => PANELS[session.openPanel]?.wide ?? false,
    focus: () => (views[session.openPanel].focus ?? (() => tabs[names.indexOf(session.openPanel)].focus()))(),
  };
}
