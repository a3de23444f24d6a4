// A workbench in the browser: one anywidget made of parts that share a session. Which parts: `frame.parts`.
// A part has a `node` and, as needed, `refresh` (the run or what is told of it changed), `move` (position or
// selection), `progressed` (training went on), `destroy`.

import { coalesce, html, isShown, onceAFrame } from "./dom.js";
import { openSession } from "./session.js";
import { createBanner, createHeader } from "./header.js";
import { createGraphView } from "./graph_view.js";
import { createGraphBar } from "./graph_bar.js";
import { createSide } from "./side.js";
import { createNowLine } from "./now_line.js";
import { createTransport } from "./transport.js";
import { createTrainingRow } from "./training_row.js";
import { createKeys } from "./keys.js";
import { createKeyboard } from "./keyboard.js";

function render({ model, el }) {
  // A click beside everything else focuses it: with the focus on the notebook's cell R would make that Raw.
  const root = html("section.tc-explorer", { tabindex: "-1" });
  const session = openSession(model);
  root.classList.toggle("tc-offline", !session.frame.live);
  let owed = false; // does the open view get the focus once it is there?
  const keys = createKeys(session);
  const header = createHeader(session, keys);
  const banner = createBanner(session);
  const graph = createGraphView(session);
  const bar = createGraphBar(session, graph);
  const side = createSide(session);
  const nowLine = createNowLine(session);
  const transport = createTransport(session, root);
  const training = createTrainingRow(session);

  const stage = html("div.tc-stage", html("div.tc-graph-pane", bar.node, graph.node), side.node);
  const places = {
    header: { nodes: [header.node], parts: [header] },
    stage: { nodes: [side.bar, stage], parts: [graph, bar, side] },
    side: { nodes: [side.bar, side.node], parts: [side] },
    now_line: { nodes: [nowLine.node], parts: [nowLine] },
    transport: { nodes: [transport.node], parts: [transport] },
    training: { nodes: [training.node], parts: [training] },
  };
  const chosen = session.frame.parts.map((name) => places[name]);
  const parts = [banner, ...chosen.flatMap((place) => place.parts)];
  root.append(...chosen.flatMap((place) => place.nodes));
  if (header.node.parentNode) header.node.after(banner.node);
  else root.prepend(banner.node);
  root.addEventListener("keydown", createKeyboard(session, graph, bar, transport, keys));

  session.showBusy = () => {
    root.classList.toggle("tc-busy", session.busy);
    root.setAttribute("aria-busy", session.busy);
    nowLine.move();
  };

  session.redraw = () => {
    graph.refresh();
    graph.move();
    bar.redrawn();
    nowLine.move();
  };

  function refresh() {
    session.answered();
    root.setAttribute("aria-label", session.view.title);
    root.lang = session.view.lang;
    stage.hidden = session.view.svg === ""; // the very first run failed: there is only the error
    keepingFocus(() => {
      for (const part of parts) part.refresh?.();
      showMove();
    });
  }

  function move() {
    keepingFocus(showMove);
  }

  function showMove() {
    for (const part of parts) part.move?.();
  }

  function progressed() {
    session.answered();
    keepingFocus(() => {
      for (const part of parts) part.progressed?.();
    });
  }

  let lent = null; // {from, to}: the focus went elsewhere until the first can have it again

  /** What is redrawn may have had the focus; without it the keys would not work any more. */
  function keepingFocus(draw) {
    const had = document.activeElement;
    const inside = root.contains(had);
    draw();
    if (owed) return;
    if (inside && !holdsFocus(document.activeElement)) {
      side.keepFocus();
      lent = { from: had, to: document.activeElement };
    } else if (lent && holdsFocus(lent.from)) {
      if (document.activeElement === lent.to) lent.from.focus({ preventScroll: true });
      lent = null;
    }
  }

  function holdsFocus(element) {
    return root.contains(element) && isShown(element) && !element.disabled;
  }

  /** All sizes at once: what is inside lays itself out for the room that is left at this scale. */
  function showScale() {
    root.style.zoom = model.get("scale") ?? 1;
  }

  /** Another view is open, or has other data; the focus goes along if it was at the side. */
  function showSide() {
    session.answered();
    owed ||= side.node.contains(document.activeElement);
    stage.classList.toggle("tc-wide", side.isWide());
    side.refresh();
    header.move();
    if (!owed || !side.isReady()) return;
    owed = false;
    const lost = document.activeElement === document.body; // what had the focus is hidden now
    if (lost || side.hasHiddenFocus()) side.focus();
  }

  const moveOnce = coalesce(move); // a step changes both
  const showSideOnce = coalesce(showSide);
  const listeners = {
    "change:view": refresh,
    "change:panels": showSideOnce,
    "change:panel": showSideOnce,
    "change:progress": onceAFrame(progressed),
    "change:position": moveOnce,
    "change:selected": moveOnce,
    "change:scale": showScale,
  };
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  showScale();
  refresh();
  showSide();
  el.append(root);

  return () => {
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    for (const part of parts) part.destroy?.();
    session.answered();
    root.remove();
  };
}

export default { render };
