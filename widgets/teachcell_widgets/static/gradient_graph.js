// The graph of the gradient: a graph view on a run of its own, with what the selected box computes below it.

import { html, plainKey, setChoices, setText } from "./dom.js";
import { createGraphView } from "./graph_view.js";
import { createFigure } from "./heat_map.js";
import { createZoomTools } from "./zoom.js";

const DEGREES = ["first", "second", "third"]; // derivative

export function createGradientGraph(session) {
  const name = "gradient_graph";
  const data = () => session.data(name);
  let selected = "";
  let overseen = 0; // the degree that was shown whole when it came

  // What the graph view asks of a session: here everything is known, and nothing is stepped through.
  const inner = {
    get view() {
      return data();
    },
    step: undefined,
    get selected() {
      return selected;
    },
    isKnown: (at) => at !== null,
    label: session.label,
    select,
    reportWidth() {},
    ask: (what, details) => session.askPanel(name, what, details),
  };
  const title = html("span");
  const says = html("span.tc-small.tc-soft");
  const degree = html("select.tc-pick", { change: () => session.askPanel(name, "degree", { value: Number(degree.value) }) });
  const degreeLabel = html("label.tc-small.tc-soft");
  const graph = createGraphView(inner);
  graph.node.addEventListener("keydown", press);
  const zoom = createZoomTools(graph.node);
  const figures = { val: createFigure("val"), grad: createFigure("grad") };
  const told = html("h4.tc-inner-title");
  const formula = html("div.tc-formula");
  const below = html("div", told, html("div.tc-pair", figures.val.node, figures.grad.node), formula);
  const head = html("div.tc-inner-head", html("h3", title), degreeLabel, degree);
  const node = html("div.tc-gradient-graph", head, says, html("div.tc-graph-bar", zoom.node), graph.node, below);

  function select(id) {
    if (!(id in data().nodes)) return;
    selected = id;
    move();
  }

  function press(event) {
    const action = {
      ArrowUp: () => graph.stepFocus(-1),
      ArrowDown: () => graph.stepFocus(1),
      Enter: graph.activate,
    }[plainKey(event)];
    if (!action || !graph.hasFocus()) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  function refresh() {
    const { label } = session;
    const { degree: shown, order, nodes } = data();
    const isOther = overseen !== shown; // in which the boxes have other names
    if (isOther || !(selected in nodes)) selected = order.at(-1) ?? "";
    const words = { first: label("first"), second: label("second"), third: label("third") };
    setText(title, label("gradient_graph"));
    setText(says, data().says);
    setText(degreeLabel, label("degree"));
    degree.setAttribute("aria-label", label("degree"));
    setChoices(degree, DEGREES.map((each, at) => [String(at + 1), words[each]]), String(shown));
    graph.refresh();
    zoom.refresh(label);
    zoom.apply();
    showBox();
    graph.move();
    if (isOther) requestAnimationFrame(oversee); // once it has its place in the page
    overseen = shown;
  }

  /** As much as can be read, with the box that is told of below. */
  function oversee() {
    zoom.overview();
    graph.reveal(selected);
  }

  function move() {
    graph.move();
    showBox();
  }

  function showBox() {
    const box = data().nodes[selected];
    below.hidden = !box;
    if (!box) return;
    const { label } = session;
    setText(told, `${box.title} ${box.shape}`);
    figures.val.show({ title: label("value"), summary: box.value, note: box.value_note });
    figures.grad.show({ title: label("gradient"), more: label("incoming"), summary: box.grad, note: box.grad_note });
    formula.hidden = !box.formula.length;
    formula.replaceChildren(...box.formula.map((line) => html("div", html(`span.tc-mono.tc-${line.class}`, line.text))));
  }

  return { node, refresh, move, destroy: graph.destroy };
}
