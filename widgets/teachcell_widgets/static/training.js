// Live training in full: the loss curve, what layers give and get, dead units, and how far each Parameter moves.
// Rows are built once per net; what changes up to 30 times a second is a path, a class or a text.

import { html, setText, svg } from "./dom.js";
import { formatNumber } from "./numbers.js";
import { createCurve, createTrainingRow } from "./training_row.js";

const CURVE = { width: 440, height: 110 };
const BARS = { width: 100, height: 26 };
const LEAST_RATIO = -7; // decimal exponents of the ends of the scale
const LARGEST_RATIO = 0;
const UNIT_CLASSES = ["tc-unit-on", "tc-unit-off", "tc-unit-dead"];

export function createTraining(session) {
  // The row is there already where the widget has one of its own.
  const row = session.frame.parts.includes("training") ? null : createTrainingRow(session);
  const note = html("p.tc-small.tc-soft");
  const curve = createCurve("tc-loss-curve", CURVE);
  const [top, bottom, first, last] = [0, 0, 0, 0].map(() => html("span.tc-mono.tc-soft"));
  const axis = html("div.tc-curve-axis", top, bottom);
  const figure = html("div.tc-curve", axis, curve.node, html("div.tc-curve-steps", first, last));
  const curveHead = html("h4.tc-training-head");
  const looked = html("p.tc-small.tc-soft");
  const layers = createTable(session, ["layer", "activations", "gradients"], layerRow);
  const relus = createTable(session, ["dead_units"], reluRow);
  const moved = createTable(session, ["update_ratio"], movedRow);
  const movedNote = html("p.tc-small.tc-soft");
  const body = html("div", curveHead, figure, looked, layers.node, relus.node, moved.node, movedNote);
  const node = html("div.tc-training", ...(row ? [row.node] : []), note, body);

  function refresh() {
    const { label } = session;
    const data = session.data("training");
    row?.refresh();
    setText(note, label("training_note"));
    setText(curveHead, label("loss_curve"));
    setText(looked, [data.looked, data.layers_note].filter(Boolean).join(" · "));
    layers.refresh(data.layers);
    relus.refresh(data.relus);
    moved.refresh(data.moved);
    setText(movedNote, data.moved.length ? label("update_ratio_note") : "");
    progressed();
  }

  function progressed() {
    row?.progressed();
    const { curve: seen, step, loss, state } = session.progress;
    note.hidden = body.hidden = state === "off";
    const [least, largest] = curve.draw(seen);
    const some = Number.isFinite(least);
    curve.node.setAttribute("aria-label", session.named("loss_curve", loss));
    figure.hidden = curveHead.hidden = !some;
    setText(top, some ? formatNumber(largest) : "");
    setText(bottom, some ? formatNumber(least) : "");
    setText(first, "1");
    setText(last, String(step));
  }

  return { node, refresh, progressed };
}

/** A table with a row per name, rebuilt only when the names change. `create(name)` gives {node, show}. */
function createTable(session, columns, create) {
  const several = columns.length > 1; // one head alone is the table's name
  const heads = columns.map(() => html(several ? "th" : "caption", several ? { scope: "col" } : {}));
  const body = html("tbody");
  const top = several ? [html("thead", html("tr", ...heads))] : heads;
  const node = html("table.tc-training-table", ...top, body);
  let names = "";
  let rows = [];

  function refresh(data) {
    node.hidden = !data.length;
    columns.forEach((column, at) => setText(heads[at], session.label(column)));
    const wanted = JSON.stringify(data.map(({ name }) => name));
    if (wanted !== names) {
      names = wanted;
      rows = data.map(({ name }) => create(name));
      body.replaceChildren(...rows.map((row) => row.node));
    }
    data.forEach((seen, at) => rows[at].show(seen));
  }

  return { node, refresh };
}

function layerRow(name) {
  const value = createBars("val");
  const gradient = createBars("grad");
  const zeros = html("div.tc-bars-text");
  const show = (seen) => {
    setText(zeros, seen.zeros);
    value.draw(seen.value);
    gradient.draw(seen.gradient);
  };
  const steps = name.split(/(?<=\.)/).flatMap((part) => [part, html("wbr")]); // a path breaks behind its dots
  const head = html("th", { scope: "row" }, html("div", ...steps), zeros);
  return { node: html("tr", head, html("td", value.node), html("td", gradient.node)), show };
}

/** A histogram with a line of text. */
function createBars(kind) {
  const [minus, plus] = [svg("path.tc-fill-neg"), svg(`path.tc-fill-${kind}`)];
  const zero = svg("path.tc-bars-zero");
  const box = { viewBox: `0 0 ${BARS.width} ${BARS.height}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const picture = svg("svg.tc-bars", box, minus, plus, zero);
  const text = html("div.tc-bars-text.tc-mono");

  function draw({ hist, text: said }) {
    setText(text, said);
    picture.classList.toggle("tc-bars-none", !hist);
    const bars = hist ? hist.counts.map((count, at) => bar(hist, count, at)) : [];
    minus.setAttribute("d", bars.filter(({ centre }) => centre < 0).map(({ path }) => path).join(""));
    plus.setAttribute("d", bars.filter(({ centre }) => centre >= 0).map(({ path }) => path).join(""));
    const at = hist && hist.lo < 0 && hist.hi > 0 ? (-hist.lo / (hist.hi - hist.lo)) * BARS.width : null;
    zero.setAttribute("d", at === null ? "" : `M${at.toFixed(1)} 0V${BARS.height}`);
  }

  return { node: html("div", picture, text), draw };
}

function bar({ lo, hi, counts }, count, at) {
  const width = BARS.width / counts.length;
  const height = count ? Math.max((count / Math.max(...counts)) * BARS.height, 1) : 0;
  const path = count ? `M${(at * width).toFixed(1)} ${BARS.height}v${-height.toFixed(1)}h${(width * 0.86).toFixed(1)}V${BARS.height}Z` : "";
  return { path, centre: lo + ((at + 0.5) * (hi - lo)) / counts.length };
}

function reluRow(name) {
  const units = html("div.tc-units", { "aria-hidden": "true" });
  const text = html("div.tc-small");

  function show({ map, text: said }) {
    setText(text, said);
    while (units.childElementCount > map.length) units.lastChild.remove();
    while (units.childElementCount < map.length) units.append(html("i"));
    map.forEach((state, at) => {
      const wanted = UNIT_CLASSES[state];
      if (units.children[at].className !== wanted) units.children[at].className = wanted;
    });
  }

  return { node: html("tr", html("th", { scope: "row" }, name), html("td", units, text)), show };
}

function movedRow(name) {
  const mark = html("i.tc-ratio-mark");
  const scale = html("div.tc-ratio", { "aria-hidden": "true" }, html("i.tc-ratio-thousandth"), mark);
  const text = html("td.tc-mono.tc-ratio-text");

  function show({ ratio, text: said }) {
    setText(text, said);
    mark.hidden = !ratio;
    if (!ratio) return;
    const place = (Math.log10(ratio) - LEAST_RATIO) / (LARGEST_RATIO - LEAST_RATIO);
    mark.style.width = `${(Math.min(Math.max(place, 0), 1) * 100).toFixed(1)}%`;
  }

  return { node: html("tr", html("th", { scope: "row" }, name), html("td", scale), text), show };
}
