// What all parts of one Explorer share: the model's traits, the labels, and the verbs a user has.
// Stepping and selecting stay in the browser (traits); everything else is asked of Python (a message).

import { throttle } from "./dom.js";

const SAVE_PAUSE = 1000 / 30;
const BUSY_AFTER = 300; // ms without an answer until the Explorer says that it waits

export function openSession(model) {
  const save = throttle(() => model.save_changes(), SAVE_PAUSE);
  let waiting = null;

  function setBusy(busy) {
    session.busy = busy;
    session.showBusy();
  }

  const session = {
    /** Is an answer of Python's overdue? `showBusy` is called when that changes. */
    busy: false,
    showBusy: () => {},
    get view() {
      return model.get("view");
    },
    /** Which parts and views there are; without `live` there is no kernel to ask. */
    get frame() {
      return model.get("frame");
    },
    /** The name of the view that is open at the side. */
    get openPanel() {
      return model.get("panel");
    },
    /** What a view is drawn from; undefined until Python has sent it. */
    data(panel) {
      return model.get("panels")[panel]?.data ?? undefined;
    },
    /** Why a view could not be prepared, or null. */
    panelError(panel) {
      return model.get("panels")[panel]?.error ?? null;
    },
    /** What the open view shows in the place of the graph and of the last step's sentence: {svg, sentence}, or null. */
    instead: null,
    redraw: () => {},
    showInstead(instead) {
      if (instead === session.instead) return;
      session.instead = instead;
      session.redraw();
    },
    /** Where training stands. */
    get progress() {
      return model.get("progress");
    },
    /** Steps done: 0 before the first, steps.length after the last. */
    get position() {
      return Math.min(model.get("position"), session.view.steps.length);
    },
    /** The step just done, which the now-line tells; undefined at the very start. */
    get step() {
      return session.view.steps[session.position - 1];
    },
    get selected() {
      return model.get("selected");
    },
    /** The panel data of the selected node; undefined where nothing is selected. */
    get panel() {
      return session.view.nodes[session.selected];
    },
    label(key) {
      return session.view.texts[key] ?? key;
    },
    /** A label, and what it is about. */
    named(key, name) {
      return session.label("named").replace("{what}", () => session.label(key)).replace("{name}", () => name);
    },
    /** Is something known after event `at` known now? Things that never become known are null. */
    isKnown(at) {
      return at !== null && at < session.position;
    },
    /** Go to a position and select the node that its step is about. */
    moveTo(position) {
      const target = Math.max(0, Math.min(position, session.view.steps.length));
      model.set("position", target);
      const node = session.step?.node;
      if (node in session.view.nodes) model.set("selected", node);
      save();
    },
    select(node) {
      if (!(node in session.view.nodes)) return;
      model.set("selected", node);
      save();
    },
    reportWidth(width) {
      if (width === model.get("width")) return;
      model.set("width", width);
      save();
    },
    /** Ask Python for what only it can do. What it should know first (the selection) goes first. */
    ask(what, details = {}) {
      if (!session.frame.live) return;
      save.flush();
      model.send({ do: what, ...details });
      clearTimeout(waiting);
      waiting = setTimeout(() => setBusy(true), BUSY_AFTER);
    },
    /** Python's answer, a new view, is here; it comes after every question. */
    answered() {
      clearTimeout(waiting);
      if (session.busy) setBusy(false);
    },
    /** Ask a view's own class in Python. */
    askPanel(panel, what, details = {}) {
      session.ask(what, { panel, ...details });
    },
    offers(panel) {
      return session.frame.panels.includes(panel);
    },
    /** Open another view at the side. */
    open(panel) {
      if (!session.offers(panel)) return;
      model.set("panel", panel);
      save();
    },
    openCheck() {
      if (session.panel?.checkable && session.offers("rule_lab")) session.askPanel("rule_lab", "check");
    },
  };
  return session;
}
