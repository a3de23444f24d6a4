// The graph: Python draws the SVG, here its classes follow the position and the selection.

import { debounce, html } from "./dom.js";

const WIDTH_STEP = 20; // px; a width change smaller than this is not worth a new layout
const WIDTH_PAUSE = 150; // ms
const SCROLL_MARGIN = 24; // px kept free above and below a node that is scrolled to

export function createGraphView(session) {
  const node = html("div.tc-canvas", { pointerdown: press, pointerup: release, click, dblclick });
  let drawn = null; // the SVG text on show
  let nodes = new Map(); // node id → its group; open Cells answer to their fold id
  let edges = []; // [edge id, group, when the gradient flows, when the value flows]
  let halos = []; // [node id, halo]
  let nowAt = null; // the element marked as now
  let seenWidth = 0; // of the pane, px
  let pressed = null; // the node under the pointer when it went down, and the SVG text that was on show

  const measure = debounce(() => {
    const width = Math.floor(node.clientWidth / WIDTH_STEP) * WIDTH_STEP;
    if (width > 0) session.reportWidth(width);
  }, WIDTH_PAUSE);
  const observer = new ResizeObserver(() => {
    measure();
    if (nowAt && node.clientWidth !== seenWidth) scrollTo(nowAt); // it is there at last, or a wider view took its room
    seenWidth = node.clientWidth;
  });
  observer.observe(node);

  // ── Drawing ──

  function refresh() {
    const text = session.instead?.svg ?? session.view.svg;
    if (text === drawn) return;
    const focused = focusedNode();
    const { scrollTop } = node;
    drawn = text;
    node.innerHTML = text;
    readGraph();
    node.scrollTop = scrollTop;
    if (focused) stopAt(focused)?.focus({ preventScroll: true });
  }

  function readGraph() {
    nodes = new Map();
    nowAt = null;
    for (const frame of node.querySelectorAll(".tc-frame")) nodes.set(`call${frame.dataset.call}`, frame);
    for (const group of node.querySelectorAll("[data-node]")) {
      group.dataset.label = group.getAttribute("aria-label") ?? "";
      nodes.set(group.dataset.node, group);
    }
    liftHalos();
    edges = [...node.querySelectorAll("[data-edge]")].map((edge) => [
      edge.dataset.edge,
      edge,
      when(edge.querySelector(".tc-grad-edge")?.dataset.at, null),
      when(edge.querySelector(".tc-value-edge")?.dataset.at, -1),
    ]);
  }

  /** Halos go below the edges, whose arrow heads they would cover. */
  function liftHalos() {
    const firstEdge = node.querySelector("[data-edge]");
    const all = [...node.querySelectorAll("[data-node] > .tc-halo")];
    halos = all.map((halo) => [halo.parentNode.dataset.node, halo]);
    if (firstEdge) for (const [, halo] of halos) firstEdge.before(halo);
  }

  /** An event's index from an attribute; `missing` where the drawing has none. */
  function when(attribute, missing) {
    return attribute === undefined ? missing : Number(attribute);
  }

  // ── Position and selection ──

  function move() {
    const picture = node.querySelector(".tc-graph");
    if (!picture) return;
    const { step, selected } = session;
    picture.classList.toggle("tc-forward", step?.pass === "forward");
    picture.classList.toggle("tc-backward", step?.pass === "backward");
    for (const [id, group] of nodes) {
      const isNow = id === step?.node;
      group.classList.toggle("tc-now", isNow);
      group.classList.toggle("tc-now-forward", isNow && step.pass === "forward");
      group.classList.toggle("tc-now-backward", isNow && step.pass === "backward");
      group.classList.toggle("tc-selected", id === selected);
      if (group.dataset.node) showKnown(group);
    }
    for (const [id, halo] of halos) halo.classList.toggle("tc-on", id === selected);
    for (const [id, edge, gradAt, valueAt] of edges) {
      edge.classList.toggle("tc-on", session.isKnown(gradAt));
      edge.classList.toggle("tc-flowed", session.isKnown(valueAt));
      edge.classList.toggle("tc-hot", step?.edges.includes(id) ?? false);
    }
    rove(selected);
    followNow(step?.node);
  }

  function showKnown(group) {
    // What never becomes known has a word for why, and that is shown from the start.
    const hasGrad = session.isKnown(when(group.dataset.gradAt, -1));
    group.classList.toggle("tc-has-value", session.isKnown(when(group.dataset.valueAt, -1)));
    group.classList.toggle("tc-has-grad", hasGrad);
    const { label, valueText, gradText } = group.dataset;
    const value = session.isKnown(when(group.dataset.valueAt, -1)) ? valueText : undefined;
    const gradient = hasGrad ? gradText : session.label("gradient_not_yet");
    group.setAttribute("aria-label", [label, value, gradient].filter(Boolean).join(", "));
  }

  function followNow(id) {
    const group = nodes.get(id) ?? null;
    if (group === nowAt) return;
    nowAt?.removeAttribute("aria-current");
    group?.setAttribute("aria-current", "step");
    nowAt = group;
    if (group) scrollTo(group);
  }

  function scrollTo(group) {
    const pane = node.getBoundingClientRect();
    const box = (stopOf(group) ?? group).getBoundingClientRect();
    const scale = pane.height / node.offsetHeight || 1; // what is measured is as large as on the screen
    node.scrollTop += outside(box.top, box.bottom, pane.top, pane.bottom) / scale;
    node.scrollLeft += outside(box.left, box.right, pane.left, pane.right) / scale;
  }

  /** How far to scroll until a stretch is inside another, or at least its start. */
  function outside(start, end, low, high) {
    const toStart = start - SCROLL_MARGIN - low;
    return Math.min(toStart, Math.max(0, end + SCROLL_MARGIN - high));
  }

  // ── Focus: the whole graph is one tab stop ──

  /** What takes the focus for a node: the node itself, or the header of an open Cell's frame. */
  function stopOf(group) {
    return group?.dataset.node ? group : group?.querySelector("[data-fold]");
  }

  function stopAt(id) {
    return stopOf(nodes.get(id));
  }

  function rove(id) {
    const stop = stopAt(id) ?? stopAt(session.view.order[0]);
    for (const other of node.querySelectorAll("[tabindex='0']")) {
      if (other !== stop) other.setAttribute("tabindex", "-1");
    }
    stop?.setAttribute("tabindex", "0");
  }

  function focusedNode() {
    if (!node.contains(document.activeElement)) return null;
    const stop = document.activeElement.closest("[data-node], [data-fold]");
    return stop?.dataset.node ?? stop?.dataset.fold ?? null;
  }

  /** Move the focus along the path, and the selection with it. */
  function stepFocus(by) {
    const { order } = session.view;
    const at = order.indexOf(focusedNode() ?? session.selected);
    goTo(order[Math.max(0, Math.min(at + by, order.length - 1))]);
  }

  function goTo(id) {
    const stop = stopAt(id);
    if (!stop) return;
    session.select(id);
    rove(id);
    stop.focus({ preventScroll: true });
    scrollTo(nodes.get(id));
  }

  /** The next node where something is odd, after the selected one and around. */
  function goToOdd() {
    const { odd } = session.view;
    if (odd.length) goTo(odd[(odd.indexOf(session.selected) + 1) % odd.length]);
  }

  /** Enter: select the node; on an open Cell, or on a folded one that is selected, fold or open it. */
  function activate() {
    const id = focusedNode();
    const stop = stopAt(id);
    if (stop?.dataset.fold && (id === session.selected || !stop.dataset.node)) fold(stop);
    else session.select(id);
  }

  // ── Pointer ──

  function press({ target }) {
    pressed = { id: target.closest("[data-node]")?.dataset.node, drawn };
  }

  /** A drawing that is exchanged between press and release takes the click with it: no click event comes. */
  function release() {
    if (pressed !== null && pressed.drawn !== drawn) session.select(pressed.id);
    pressed = null;
  }

  function click(event) {
    const stop = event.target.closest("[data-node], [data-fold]");
    if (stop?.dataset.node) session.select(stop.dataset.node);
    else if (stop && event.detail < 2) fold(stop); // the second click of a double one would open it again
  }

  function dblclick(event) {
    const stop = event.target.closest("[data-node][data-fold]");
    if (stop) fold(stop);
  }

  function fold(stop) {
    session.ask("fold", { node: stop.dataset.fold });
  }

  // ── For the bar above ──

  /** Scroll to a node or an open Cell. */
  function reveal(id) {
    const group = nodes.get(id);
    if (group) scrollTo(group);
  }

  function focusSelected() {
    (stopAt(session.selected) ?? stopAt(session.view.order[0]))?.focus();
  }

  function destroy() {
    observer.disconnect();
    measure.cancel();
  }

  const hasFocus = () => focusedNode() !== null;
  return { node, refresh, move, destroy, reveal, focusSelected, hasFocus, stepFocus, goToOdd, activate };
}
