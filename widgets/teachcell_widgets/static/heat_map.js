// Numbers as pictures: a heat map with a read-out, and a histogram. Hue is positive, grey negative, paper 0.

import { html, svg } from "./dom.js";
import { formatElement, formatIndex, formatMean, formatNumber, formatScalar, formatShape } from "./numbers.js";

const STRETCHED = { preserveAspectRatio: "none" }; // to the room there is
const LEVELS = 9; // shades of each sign

/** The largest magnitude of some maps: the scale at which they can be compared. */
export function mapScale(maps) {
  return Math.max(0, ...maps.flatMap((map) => map?.data ?? []).map((number) => Math.abs(number ?? 0)));
}

/**
 * The heat map of `map` in the hue `kind` ("val", "grad", "mark").
 * @param name of the array, for screen readers
 * @param shape of the array it is of, to say the index of the element under the pointer
 * @param read called with "[2, 7] −0.31", and with "" when the pointer leaves
 * @param scale magnitude that gets the full hue
 * @param ring [row, column] of a square to mark
 * @param pick called with the place of a clicked element in the array
 */
export function drawHeatMap(kind, map, options) {
  const { name = "", shape, read = () => {}, scale = mapScale([map]), ring = null, pick = null } = options;
  const { rows, cols } = map;
  const shades = [...shadePaths(map, scale)].map(([level, d]) => drawShade(kind, level, d));
  const cursor = svg("rect.tc-cursor", { width: 1, height: 1, visibility: "hidden" });
  const picture = svg(
    "svg.tc-heat",
    { viewBox: `0 0 ${cols} ${rows}`, ...STRETCHED, role: "img", "aria-label": inWords(name, map, shape), pointermove: point, pointerleave: leave },
    ...shades,
    ...(ring ? drawRing(ring) : []),
    cursor,
  );

  if (pick) picture.addEventListener("click", (event) => pick(placeOf(squareAt(event))));

  function squareAt({ clientX, clientY }) {
    const { left, top, width, height } = picture.getBoundingClientRect();
    const column = Math.max(0, Math.min(Math.floor(((clientX - left) / width) * cols), cols - 1));
    const row = Math.max(0, Math.min(Math.floor(((clientY - top) / height) * rows), rows - 1));
    return [row, column];
  }

  /** The place in the array of the element that a square shows. */
  function sourceOf([row, column]) {
    return map.exact ? [row, column] : map.index[row * cols + column];
  }

  function placeOf(square) {
    const [row, column] = sourceOf(square);
    return row * (shape.at(-1) ?? 1) + column;
  }

  function point(event) {
    const [row, column] = squareAt(event);
    cursor.setAttribute("x", column);
    cursor.setAttribute("y", row);
    cursor.setAttribute("visibility", "visible");
    read(`${formatIndex(shape, ...sourceOf([row, column]))} ${formatElement(map.data[row * cols + column])}`);
  }

  function leave() {
    cursor.setAttribute("visibility", "hidden");
    read("");
  }

  return picture;
}

/** "value y (8, 6): −1.2 … 2.5, 2 NaN/∞" */
function inWords(name, { data }, shape) {
  const finite = data.filter((number) => number !== null);
  const range = finite.length ? [`${formatNumber(least(finite))} … ${formatNumber(-least(finite.map((x) => -x)))}`] : [];
  const lost = data.length - finite.length;
  const told = [...range, ...(lost ? [`${lost} ${formatElement(null)}`] : [])].join(", ");
  return `${name} ${formatShape(shape)}: ${told}`.trim();
}

function least(numbers) {
  return numbers.reduce((one, other) => Math.min(one, other));
}

/** One path per shade, so that a map is a few elements instead of a thousand. */
function shadePaths({ cols, data }, scale) {
  const paths = new Map();
  data.forEach((number, at) => {
    if (number === 0) return;
    const size = Math.ceil((Math.abs(number) / scale) * LEVELS);
    const level = number === null ? "nan" : Math.sign(number) * size;
    const square = `M${at % cols} ${Math.floor(at / cols)}h1v1h-1z`;
    paths.set(level, (paths.get(level) ?? "") + square);
  });
  return paths;
}

function drawShade(kind, level, d) {
  if (level === "nan") return svg("path.tc-fill-nan", { d });
  return svg(`path.tc-fill-${level > 0 ? kind : "neg"}`, { "fill-opacity": Math.abs(level) / LEVELS, d });
}

function drawRing([y, x]) {
  return ["outer", "inner"].map((side) => svg(`rect.tc-ring-${side}`, { x, y, width: 1, height: 1 }));
}

/** A captioned heat map (or the one number of a scalar, or a note); hovering reads into the caption. */
export function createFigure(kind) {
  const caption = html("span");
  const aside = html("span.tc-soft.tc-aside");
  const read = html("span.tc-read.tc-mono", { hidden: "" });
  const body = html("div.tc-figure-body");
  const node = html("section.tc-figure", html(`p.tc-caption.tc-${kind}`, caption, aside, read), body);

  /** `summary` null shows `note` instead; `scale` as for drawHeatMap. */
  function show({ title, more = "", summary, note, scale }) {
    caption.textContent = title;
    aside.textContent = more;
    showRead("");
    if (!summary) body.replaceChildren(html("div.tc-empty", note));
    else if (summary.size === 1) body.replaceChildren(scalar(summary));
    else body.replaceChildren(drawHeatMap(kind, summary.map, { name: title, shape: summary.shape, read: showRead, scale }));
  }

  function scalar(summary) {
    return html(`div.tc-scalar.tc-mono.tc-${kind}`, formatScalar(summary));
  }

  function showRead(text) {
    read.textContent = text;
    read.hidden = text === "";
    caption.hidden = aside.hidden = text !== "";
  }

  return { node, show };
}

/** The histogram of a summary; negative bins grey. Screen readers get the numbers beside it. */
function drawHistogram(kind, { lo, hi, counts }) {
  const most = Math.max(...counts);
  const width = (hi - lo) / counts.length;
  const bars = counts.map((count, bin) => {
    const height = (28 * count) / most;
    const negative = lo + (bin + 0.5) * width < 0;
    const place = { x: bin + 0.04, y: 29 - height, width: 0.92, height };
    return svg(`rect.tc-fill-${negative ? "neg" : kind}`, place);
  });
  const zero = lo < 0 && hi > 0 ? `M${-lo / width} 0V29.5` : "";
  const axis = svg("path.tc-histogram-axis", { d: `M0 29.5H${counts.length}${zero}` });
  return svg("svg.tc-histogram", { viewBox: `0 0 ${counts.length} 30`, ...STRETCHED, "aria-hidden": "true" }, ...bars, axis);
}

/** What a summary tells in numbers: its histogram, if there is one, and a table. `label` names the rows. */
export function drawNumbers(kind, summary, label) {
  const rows = [
    [label("min"), formatNumber(summary.min)],
    [label("max"), formatNumber(summary.max)],
    [label("mean"), formatMean(summary)],
    [label("std"), formatNumber(summary.std)],
    [label("zeros"), `${formatNumber(100 * summary.zeros)} %`],
  ];
  if (summary.nan) rows.push(["NaN", String(summary.nan)]);
  if (summary.inf) rows.push(["±∞", String(summary.inf)]);
  const row = ([name, text]) => html("tr", html("th", { scope: "row" }, name), html("td", text));
  const picture = summary.hist ? [drawHistogram(kind, summary.hist)] : [];
  return [...picture, html("table.tc-stats", ...rows.map(row))];
}
