// The cut detective: why the selected node's gradient is zero, missing or NaN; below, all nodes that are odd.
// The edge where it happened is marked in the graph.

import { html, setText } from "./dom.js";

const NAME = "cut_detective";

export function createCutDetective(session) {
  const title = html("span");
  const question = html("span.tc-small.tc-soft");
  const verdict = html("div", { "aria-live": "polite" });
  const go = html("button.tc-button.tc-cause-go", { click: () => session.select(finding()?.at) });
  const listHead = html("h4.tc-cause-head");
  const list = html("ul.tc-cause-list");
  const none = html("p.tc-soft");
  const node = html("div.tc-causes", html("h3", title, " ", question), verdict, go, listHead, list, none);
  let rows = new Map();
  let told = null; // what the verdict says

  function finding() {
    return session.data(NAME).nodes[session.selected];
  }

  function refresh() {
    const { nodes, odd, titles, backward } = session.data(NAME);
    const { label } = session;
    setText(question, label("why_question"));
    setText(listHead, label("odd_here"));
    setText(none, label(backward ? "nothing_odd" : "nothing_ran_back"));
    listHead.hidden = odd.length === 0;
    none.hidden = odd.length > 0;
    rows = new Map(odd.map((id) => [id, row(id, titles[id], nodes[id])]));
    list.replaceChildren(...[...rows.values()].map((button) => html("li", button)));
  }

  function row(id, name, { head, why }) {
    const words = [html("b", name), ` ${head} `, html("span.tc-soft", why[0])];
    return html("button.tc-cause-row", { click: () => session.select(id) }, ...words);
  }

  function move() {
    const { panel, label } = session;
    const found = finding();
    setText(title, panel?.title ?? "");
    tellVerdict(found);
    const elsewhere = found?.at && found.at !== session.selected;
    go.hidden = !elsewhere;
    setText(go, elsewhere ? session.named("show_place", session.view.nodes[found.at].title) : "");
    for (const [id, button] of rows) button.setAttribute("aria-current", id === session.selected);
    mark(found?.odd ? found.edges : []);
  }

  /** Only when it changes: it is read out. */
  function tellVerdict(found) {
    const wanted = JSON.stringify([found, session.view.lang]);
    if (wanted === told) return;
    told = wanted;
    verdict.className = found?.odd ? "tc-verdict tc-verdict-bad" : "tc-verdict";
    verdict.replaceChildren(...(found ? sentences(found) : [session.label("no_value_here")]));
  }

  function sentences({ odd, head, why }) {
    const first = html(odd ? "b.tc-mark" : "b", `${odd ? "✂ " : ""}${head}`);
    return [first, ...why.map((sentence) => html("p", sentence))];
  }

  /** The edges in the graph beside this view, if there is one. */
  function mark(ids) {
    for (const edge of node.closest(".tc-explorer")?.querySelectorAll("[data-edge]") ?? []) {
      edge.classList.toggle("tc-suspect", ids.includes(edge.dataset.edge));
    }
  }

  return { node, refresh, move, leave: () => mark([]) };
}
