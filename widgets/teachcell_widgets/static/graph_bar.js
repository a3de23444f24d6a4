// The bar above the graph: find by name, which iteration of a repetition is drawn, zoom.

import { html, setText } from "./dom.js";
import { createZoomTools } from "./zoom.js";

export function createGraphBar(session, graph) {
  const zoom = createZoomTools(graph.node);
  const field = html("input.tc-find", { type: "search", keydown: typed, input: showFound });
  const count = html("span.tc-found.tc-small.tc-mono", { "aria-live": "polite" });
  const number = html("input.tc-iteration", { type: "number", min: "1", change: iterate, keydown: chosen });
  const of = html("span.tc-small.tc-mono");
  const name = html("span.tc-small");
  const fold = html("button.tc-button", { click: foldOrOpen });
  const iterations = html("span.tc-iterations", html("label", name, " ", number), " ", of, fold);
  const node = html("div.tc-graph-bar", html("span", field, " ", count), iterations, zoom.node);
  let told = null; // the answer that was acted upon
  let here = null; // what was found without a kernel: as `view.found`

  // ── Find ──

  function typed(event) {
    event.stopPropagation();
    if (event.key === "Enter") find(event.shiftKey);
    else if (event.key === "Escape") leave();
  }

  function find(back) {
    const text = field.value.trim();
    if (!text) return;
    if (session.frame.live) session.ask("find", { text, back });
    else findDrawn(text, back ? -1 : 1);
  }

  /** Without a kernel: among what is drawn. */
  function findDrawn(text, by) {
    const { nodes, order } = session.view;
    const wanted = text.toLowerCase();
    const bears = (id) => [nodes[id].title, nodes[id].kind, nodes[id].path ?? ""].join("\n").toLowerCase().includes(wanted);
    const found = order.filter(bears);
    const last = here?.text === text ? here.number - 1 : -1;
    const at = found.length ? (last + by + found.length) % found.length : -1;
    here = { text, number: at + 1, of: found.length };
    if (at >= 0) session.select(found[at]);
    showFound();
    graph.reveal(session.selected);
  }

  function leave() {
    field.value = "";
    showFound();
    graph.focusSelected();
  }

  function showFound() {
    const found = session.frame.live ? session.view.found : here;
    const asked = found && found.text === field.value.trim() ? found : null;
    setText(count, !asked ? "" : asked.of ? `${asked.number} / ${asked.of}` : session.label("find_none"));
  }

  // ── Iterations ──

  /** A notebook may keep Enter from the field. */
  function chosen(event) {
    event.stopPropagation();
    if (event.key === "Enter") iterate();
  }

  function iterate() {
    const wanted = Number(number.value);
    const { first, last } = session.panel?.repeat ?? {};
    const here = first === last && wanted === first;
    if (number.reportValidity() && number.value && !here) askFor(wanted);
  }

  function foldOrOpen() {
    const { first, last } = session.panel.repeat;
    if (first === last) askFor(0);
    else session.ask("fold", { node: session.selected });
  }

  function askFor(wanted) {
    session.ask("iterate", { node: session.selected, number: wanted });
  }

  function showIterations() {
    const repeat = session.frame.live ? session.panel?.repeat : null;
    iterations.hidden = !repeat;
    if (!repeat) return;
    const one = repeat.first === repeat.last;
    number.max = repeat.of;
    number.placeholder = one ? "" : `${repeat.first}…${repeat.last}`;
    if (document.activeElement !== number) number.value = one ? repeat.first : "";
    setText(of, `/ ${repeat.of}`);
    setText(fold, session.label(one ? "fold_iteration" : "draw_iteration"));
  }

  function refresh() {
    const { label } = session;
    field.placeholder = label("find_hint");
    field.setAttribute("aria-label", label("find"));
    setText(name, label("iteration"));
    zoom.refresh(label);
    redrawn();
    showFound();
    const { found } = session.view;
    const answer = JSON.stringify(found ?? null);
    if (found?.of && answer !== told) graph.reveal(session.selected);
    told = answer;
  }

  /** The picture is another one. */
  function redrawn() {
    zoom.apply();
  }

  function focusFind() {
    field.focus();
    field.select();
  }

  return {
    node,
    refresh,
    redrawn,
    move: showIterations,
    focusFind,
    zoomIn: zoom.larger,
    zoomOut: zoom.smaller,
    zoomNormal: zoom.normal,
    zoomFit: zoom.fit,
  };
}
