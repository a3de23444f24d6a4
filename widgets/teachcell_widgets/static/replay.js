// The replay: the step that was just done, in full. Forward: inputs, formula with numbers, result. Backward: what came
// in, the rule with numbers, what each input gets, and the running sum where several gradients meet.

import { html, plainKey, sentenceParts, setText } from "./dom.js";
import { drawHeatMap, mapScale } from "./heat_map.js";
import { formatScalar } from "./numbers.js";

const ARROW = { forward: "▼", backward: "▲", bprop: "▲" };

export function createReplay(session) {
  const title = html("span");
  const place = html("span.tc-small.tc-soft");
  const body = html("div");
  const node = html("div.tc-replay", html("h3", title, " ", place), body);
  let shown = null;

  function move() {
    const data = session.data("replay");
    const step = data.steps[session.position - 1] ?? null;
    const wanted = step ?? "start";
    if (wanted === shown) return;
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.row : undefined;
    shown = wanted;
    if (step) show(step, data.arrays);
    else showStart();
    if (focused !== undefined) body.querySelector(`[data-row="${focused}"]`)?.focus();
  }

  function refresh() {
    shown = null;
  }

  function showStart() {
    setText(title, session.label("panel_replay"));
    setText(place, "");
    body.replaceChildren(html("p.tc-soft", session.label("replay_start")));
  }

  function show(step, arrays) {
    setText(title, `${step.title} ${ARROW[step.kind] ?? ""}`.trim());
    setText(place, step.place ?? "");
    const isForward = step.kind === "forward";
    const given = [
      ...givenGroup("replay_incoming", step.incoming, arrays),
      ...givenGroup(isForward ? "replay_inputs" : "replay_in_use", step.inputs, arrays),
    ];
    const notes = [...(step.incoming ?? []), ...(step.inputs ?? [])].flatMap((row) => words(row.words));
    body.replaceChildren(
      ...words(step.words),
      ...(step.sentences ?? []).map(sentenceLine),
      ...(given.length ? [html("div.tc-story-groups", ...given)] : []),
      ...notes,
      ...made(isForward ? "replay_result" : "replay_outgoing", step.outputs, arrays),
      ...cardWords(step.card),
      ...(step.code ? [html("pre", step.code)] : []),
    );
  }

  /** The backward rule in words. */
  function cardWords(card) {
    const said = session.view.cards[card]?.words;
    return said ? [html("p.tc-small.tc-story-card", said)] : [];
  }

  /** What the step was given: small figures side by side. */
  function givenGroup(name, rows, arrays) {
    if (!rows?.length) return [];
    const figures = rows.map((row) => {
      const array = arrays[row.array];
      const head = html("div", html(`b.tc-mono.tc-${row.class}`, row.name), " ", html("span.tc-mono.tc-soft", row.shape));
      const body = array ? [picture(row, array)] : [];
      return html("div.tc-story-given", head, ...body, html("div.tc-story-of.tc-soft", { title: row.of }, row.of));
    });
    const head = html("h4.tc-story-head.tc-soft", session.label(name));
    return [html("section.tc-story-group.tc-small", head, html("div.tc-story-figures", ...figures))];
  }

  function picture(row, array) {
    if (array.size === 1) return html(`div.tc-story-number.tc-mono.tc-${row.class}`, formatScalar(array));
    return arrayMap(row, array);
  }

  /** What the step made, a row each. */
  function made(name, rows, arrays) {
    if (!rows?.length) return [];
    const head = html("h4.tc-story-head.tc-small.tc-soft", session.label(name));
    return [html("section.tc-story", head, ...rows.map((row, at) => madeRow(row, at, arrays)))];
  }

  function madeRow(row, at, arrays) {
    const array = arrays[row.array];
    const to = row.class === "grad" || !array ? `${session.label("replay_goes_to")} ` : "";
    const head = html(
      "div.tc-story-name",
      html(`b.tc-mono.tc-${row.class}`, row.name),
      html("span", `${to}${row.of}`),
      html("span.tc-mono.tc-soft", row.shape),
      ...(array?.size === 1 ? [html(`span.tc-story-number.tc-mono.tc-${row.class}`, formatScalar(array))] : []),
    );
    const lines = [row.formula, row.written].filter(Boolean);
    const formula = lines.length ? [html("div.tc-story-formula.tc-mono", ...lines.map((line) => html("div", line)))] : [];
    const map = array && array.size > 1 ? [chosenMap(row, at, array)] : [];
    return html("div.tc-story-row", head, ...map, ...formula, ...words(row.words), ...runningSum(row, arrays));
  }

  /** The map of an array, with a read-out; the element that is written out is ringed. */
  function arrayMap(row, array, pick = null) {
    const ring = row.element === undefined ? null : squareOf(row.element, array);
    const read = html("div.tc-story-read.tc-mono.tc-small.tc-soft");
    const options = { name: row.name, shape: array.shape, read: (text) => setText(read, text), ring, pick };
    return html("div.tc-story-map", drawHeatMap(row.class, array.map, options), read);
  }

  /** The same where another element can be chosen, by a click or the arrow keys. */
  function chosenMap(row, at, array) {
    if (row.element === undefined || !session.frame.live) return arrayMap(row, array);
    const choose = (wanted) => session.askPanel("replay", "choose", { row: at, place: wanted });
    const box = arrayMap(row, array, choose);
    const columns = array.shape.at(-1) ?? 1;
    const turn = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    box.title = session.label("replay_choose");
    box.tabIndex = 0;
    box.dataset.row = at;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `${row.written}. ${box.title}`);
    box.addEventListener("keydown", (event) => {
      const wanted = row.element + turn[plainKey(event)];
      if (Number.isNaN(wanted)) return;
      event.preventDefault();
      event.stopPropagation();
      if (wanted >= 0 && wanted < array.size) choose(wanted);
    });
    return box;
  }

  /** Which of several gradients this is, the sum before and after, and who is still to come. */
  function runningSum(row, arrays) {
    if (!row.sum) return [];
    const { nth, text = "", before, after, to_come: toCome = [] } = row.sum;
    const rest = toCome.length
      ? session.label("replay_to_come").replace("{names}", toCome.join(", "))
      : session.label("replay_complete");
    const head = html(
      "div",
      html("b.tc-story-nth", `+ ${nth}`),
      ` ${session.label("replay_sum")} `,
      html("span.tc-mono.tc-grad", text),
    );
    const maps = [
      ["replay_before", arrays[before]],
      ["replay_after", arrays[after]],
    ].filter(([, array]) => array && array.size > 1);
    const scale = mapScale(maps.map(([, array]) => array.map));
    const drawn = maps.map(([name, array]) =>
      html("figure", html("figcaption", session.label(name)), drawHeatMap("grad", array.map, { name: session.label(name), shape: array.shape, scale })),
    );
    const pictures = drawn.length > 1 ? [html("div.tc-story-sums", ...drawn)] : [];
    return [html("div.tc-story-sum.tc-small", head, ...pictures, html("div.tc-soft", rest))];
  }

  return { node, refresh, move };
}

function words(parts) {
  return sentenceParts(parts ?? [], "p.tc-small");
}

function sentenceLine(sentence) {
  return html("p.tc-small.tc-story-line", ...sentenceParts(sentence));
}

/** [row, column] of the square of a map that shows an element, or null where it is hidden behind a larger one. */
function squareOf(place, { map, shape }) {
  const columns = shape.at(-1) ?? 1;
  const [row, column] = [Math.floor(place / columns), place % columns];
  if (map.exact) return [row, column];
  const at = map.index.findIndex(([r, c]) => r === row && c === column);
  return at < 0 ? null : [Math.floor(at / map.cols), at % map.cols];
}
