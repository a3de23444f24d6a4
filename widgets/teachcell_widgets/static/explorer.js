// The Explorer in the browser: one anywidget made of parts that share a session.
// A part has a `node` and, as needed, `refresh` (view changed), `move` (position or selection), `destroy`.

import { coalesce, html } from "./dom.js";
import { openSession } from "./session.js";
import { createBanner, createHeader } from "./header.js";
import { createGraphView } from "./graph_view.js";
import { createPanel } from "./panel.js";
import { createCheckView } from "./check_view.js";
import { createNowLine } from "./now_line.js";
import { createTransport } from "./transport.js";
import { createKeyboard } from "./keyboard.js";

function render({ model, el }) {
  const root = html("section.tc-explorer");
  const session = openSession(model);
  const header = createHeader(session);
  const banner = createBanner(session);
  const graph = createGraphView(session);
  const panel = createPanel(session);
  const check = createCheckView(session);
  const nowLine = createNowLine(session);
  const transport = createTransport(session, root);
  const parts = [header, banner, graph, panel, check, nowLine, transport];

  const side = html("aside.tc-side", panel.node, check.node);
  const stage = html("div.tc-stage", graph.node, side);
  root.append(header.node, banner.node, stage, nowLine.node, transport.node);
  root.addEventListener("keydown", createKeyboard(session, graph, transport));

  session.showBusy = () => {
    root.classList.toggle("tc-busy", session.busy);
    root.setAttribute("aria-busy", session.busy);
    nowLine.move();
  };

  function refresh() {
    session.answered();
    const hadFocus = root.contains(document.activeElement);
    root.setAttribute("aria-label", session.view.title);
    root.lang = session.view.lang;
    stage.hidden = session.view.svg === ""; // the very first run failed: there is only the error
    for (const part of parts) part.refresh?.();
    move();
    showSide(hadFocus);
  }

  function move() {
    for (const part of parts) part.move?.();
  }

  /** Panel or check view; the focus goes along if it was in the widget. */
  function showSide(hadFocus) {
    const checking = session.view.check !== null;
    if (checking === stage.classList.contains("tc-checking")) return;
    stage.classList.toggle("tc-checking", checking);
    side.scrollTop = 0;
    if (hadFocus && checking) check.focus();
    else if (hadFocus) panel.focusCheck();
  }

  const moveOnce = coalesce(move); // a step changes both
  const listeners = { "change:view": refresh, "change:position": moveOnce, "change:selected": moveOnce };
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  refresh();
  el.append(root);

  return () => {
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    for (const part of parts) part.destroy?.();
    session.answered();
    root.remove();
  };
}

export default { render };
