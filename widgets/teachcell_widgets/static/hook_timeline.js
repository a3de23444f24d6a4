// The hook timeline: a lane a Cell call, one column a moment, forward left and backward right; below it what the chosen
// event saw, the namings of a backward hook's arguments, and the hooks that were silent.

import { html, plainKey, sentenceParts, setText } from "./dom.js";
import { drawHeatMap } from "./heat_map.js";

const NARROWEST = 17; // px, of a column
const PASSED = 3; // px, of one in which nothing that is shown happens
const WIDEST_NAME = 132; // px, also in hook_timeline.css
const LONGEST_PATH = 18; // letters
const NO_BACKWARD = 134; // px, for saying so
const LANES_START = 2; // grid line of the first column, after the names; grid row of the first lane

/** The end of a path, as much as a name has room for. */
function endOf(path) {
  return path.length > LONGEST_PATH ? `…${path.slice(1 - LONGEST_PATH)}` : path;
}

export function createHookTimeline(session) {
  const title = html("span");
  const only = html("button.tc-button.tc-small", { "aria-pressed": "false", click: toggleOnly });
  const none = html("p.tc-soft");
  const grid = html("div.tc-lanes", { role: "group", keydown: turn });
  const box = html("div.tc-lanes-box", grid);
  const told = html("section.tc-look");
  const silent = html("section.tc-silent");
  const notes = html("div");
  const legend = html("p.tc-small.tc-soft.tc-lanes-legend");
  const node = html("div.tc-hook-timeline", html("h3.tc-lanes-head", title, only), none, box, told, silent, notes, legend);
  const playhead = html("div.tc-lanes-now", { "aria-hidden": "true" });
  let data = null;
  let buttons = []; // of the entries
  let ticks = []; // {element, position}
  let chosen = null; // number of an entry
  let shown; // what is told below
  let onlyHooked = false; // are lanes without hooks left out?

  function refresh() {
    data = session.data("hook_timeline");
    chosen = data.chosen;
    shown = undefined;
    setText(title, session.label("panel_hook_timeline"));
    setText(none, data.none);
    none.hidden = !data.none;
    setText(legend, session.label("hooks_legend"));
    drawLanes();
    setText(only, session.label("hooks_only"));
    only.hidden = !data.lanes.some(({ hooked }) => hooked) || data.lanes.every(({ hooked }) => hooked);
    hideLanes();
    drawSilent();
    notes.replaceChildren(...data.notes.map((text) => html("p.tc-small.tc-soft", text)));
  }

  // ── Lanes ──

  function toggleOnly() {
    onlyHooked = !onlyHooked;
    hideLanes();
    const number = chosen !== null && isSeen(chosen) ? chosen : data.entries.findIndex(({ hook }, at) => hook && isSeen(at));
    reveal(buttons[number]);
  }

  function hideLanes() {
    only.setAttribute("aria-pressed", onlyHooked);
    const left = onlyHooked && !only.hidden;
    for (const part of grid.children) {
      const lane = data.lanes[Number(part.dataset.lane ?? -1)];
      part.classList.toggle("tc-lane-left-out", left && lane !== undefined && !lane.hooked);
      const name = part.querySelector(".tc-lane-title > span:first-child");
      if (name && lane) setText(name, left ? endOf(lane.path || lane.name) : lane.name); // the Cells around are left out
    }
    setTracks(left);
  }

  /** How wide the columns are; those without anything to be seen are passed over, if `left` out are lanes. */
  function setTracks(left) {
    const { columns, entries, lanes } = data;
    const used = new Set(entries.flatMap(({ bar, first }, at) => (!bar && isSeen(at) ? [first] : [])));
    const shows = (column, at) => !left || used.has(at) || lanes.some(({ call, hooked }) => hooked && call === column.lane);
    const track = (column, at) => (shows(column, at) ? `minmax(${NARROWEST}px, 1fr)` : `${PASSED}px`);
    const tracks = columns.map(track);
    const forward = columns.filter((column) => column.forward).length;
    const after = forward < columns.length ? tracks.slice(forward) : [`minmax(${NO_BACKWARD}px, 1fr)`];
    const before = forward ? tracks.slice(0, forward) : [`minmax(${NARROWEST}px, 1fr)`];
    grid.style.gridTemplateColumns = `var(--tc-lane-name) ${before.join(" ")} 16px ${after.join(" ")}`;
    const shown = columns.filter(shows).length;
    const rest = (columns.length - shown) * PASSED + (forward < columns.length ? 0 : NO_BACKWARD);
    grid.style.minWidth = `${WIDEST_NAME + 20 + shown * NARROWEST + rest}px`;
  }

  function drawLanes() {
    const { columns, lanes, entries } = data;
    const ghosts = ghostLanes();
    const forward = columns.filter((column) => column.forward).length;
    const backward = columns.length - forward;
    grid.setAttribute("aria-label", session.label("hooks_lanes"));
    grid.style.gridTemplateRows = `20px repeat(${lanes.length + ghosts.length}, auto)`;
    ticks = columns.flatMap((column, at) => (column.lane === null ? [] : [drawTick(column, at)]));
    buttons = entries.map(drawEntry);
    const bars = buttons.filter((_, at) => entries[at].bar);
    const marks = buttons.filter((_, at) => !entries[at].bar);
    grid.replaceChildren(
      html("div.tc-lanes-corner"),
      passName("forward", 1, forward),
      passName("backward", lineOf(forward), backward),
      ...lanes.flatMap((lane, row) => [laneName(lane, row), laneLine(row)]),
      ...ghosts.flatMap(drawGhost),
      playhead,
      ...bars,
      ...ticks.map(({ element }) => element),
      ...marks,
    );
  }

  /** The grid line before a column; there is a gap between the passes. */
  function lineOf(column) {
    const forward = data.columns.filter((other) => other.forward).length || 1;
    return LANES_START + column + (column >= forward || !data.columns[column]?.forward ? 1 : 0);
  }

  function inRow(element, row) {
    element.dataset.lane = row;
    element.style.gridRow = LANES_START + row;
    return element;
  }

  function place(element, row, from, to) {
    inRow(element, row);
    element.style.gridColumn = `${lineOf(from)} / ${lineOf(to) + 1}`;
    return element;
  }

  function passName(pass, line, count) {
    const isForward = pass === "forward";
    const text = count || isForward ? `${session.label(pass)} ${isForward ? "▼" : "▲"}` : session.label("no_backward");
    const name = html(`div.tc-lanes-pass.tc-${isForward ? "val" : "grad"}`, html("span", text));
    name.style.gridRow = 1;
    name.style.gridColumn = `${isForward ? LANES_START : line} / span ${Math.max(count, 1)}`;
    return name;
  }

  function laneName({ name, nth, cls, place: where, depth, silent: glyphs }, row) {
    const first = html("div.tc-lane-title", html("span", name), ...(nth ? [html("span.tc-lane-nth", nth)] : []));
    const still = glyphs ? [html("div.tc-lane-silent", `${glyphs} ${session.label("hooks_silent")}`)] : [];
    const cell = html("div.tc-lane-name", { title: `${where} · ${cls}` }, first, ...still);
    cell.style.paddingLeft = `${Math.min(depth, 5) * 9 + 2}px`;
    return inRow(cell, row);
  }

  function laneLine(row) {
    return inRow(html("div.tc-lane-line", { "aria-hidden": "true" }), row);
  }

  /** Cells with hooks that were not called, or only their construct: a lane of words. */
  function ghostLanes() {
    const lanes = new Map();
    for (const { called, cell, glyph, why } of data.silent) {
      if (called) continue;
      const key = `${cell}\n${why}`;
      const lane = lanes.get(key) ?? { name: cell, nth: "", cls: "", place: cell, depth: 0, silent: "", why };
      lanes.set(key, { ...lane, silent: lane.silent + glyph });
    }
    return [...lanes.values()];
  }

  function drawGhost(lane, nth) {
    const row = data.lanes.length + nth;
    return [laneName(lane, row), inRow(html("div.tc-lane-why", lane.why), row)];
  }

  /** Ops of a lane, forward or backward: filled once they are done. */
  function drawTick({ forward, lane, ops, position }, at) {
    const row = data.lanes.findIndex(({ call }) => call === lane);
    const element = html(`span.tc-lane-tick.tc-${forward ? "val" : "grad"}`, { "aria-hidden": "true" });
    element.classList.toggle("tc-lane-added", ops === "hook");
    element.hidden = !ops;
    return { element: place(element, row, at, at), position };
  }

  function drawEntry(entry, number) {
    const said = [entry.title, entry.place];
    if (entry.replaced) said.push(`⇄ ${session.label("hooks_replaced")}`);
    if (entry.raised) said.push(`✕ ${session.label("hooks_raised")}`);
    const kind = entry.bar ? "tc-lane-bar" : "tc-lane-mark";
    const hue = entry.hook ? "ink" : entry.forward ? "val" : "grad";
    const button = html(
      `button.${kind}.tc-${hue}`,
      { title: said.join(" · "), "aria-label": said.join(", "), tabindex: "-1", click: () => choose(number) },
      entry.bar ? "" : entry.icon,
    );
    button.classList.toggle("tc-replaced", entry.replaced || entry.raised);
    button.classList.toggle("tc-lane-own", entry.own);
    return place(button, entry.lane, entry.first, entry.last);
  }

  // ── Moving ──

  function choose(number) {
    chosen = number;
    session.moveTo(data.entries[number].position);
    move(); // the position may be the same
  }

  function move() {
    if (!data) return;
    const { position } = session;
    if (data.entries[chosen]?.position !== position) chosen = lastDone(data.entries, position);
    for (const { element, position: at } of ticks) element.classList.toggle("tc-done", at <= position);
    buttons.forEach((button, number) => {
      button.classList.toggle("tc-done", data.entries[number].position <= position);
      button.setAttribute("aria-pressed", number === chosen);
      button.tabIndex = number === (chosen ?? 0) ? 0 : -1;
    });
    movePlayhead(position);
    tell();
  }

  function movePlayhead(position) {
    const at = lastDone(data.columns, position);
    playhead.hidden = at === null;
    if (at === null) return;
    playhead.style.gridColumn = lineOf(at);
    playhead.style.gridRow = `${LANES_START} / span ${data.lanes.length}`;
    reveal();
  }

  /** Scroll the lanes, and nothing else, until an event is seen. */
  function reveal(button = buttons[chosen]) {
    const [mark, frame] = [button?.getBoundingClientRect(), box.getBoundingClientRect()];
    if (!mark?.width || frame.width === 0) return;
    const names = grid.querySelector(".tc-lane-name").offsetWidth;
    grid.style.setProperty("--tc-names", `${names}px`);
    const right = Math.min(mark.right, mark.left + 60);
    if (mark.left < frame.left + names) box.scrollLeft -= frame.left + names - mark.left + 8;
    else if (right > frame.right) box.scrollLeft += right - frame.right + 8;
    if (mark.top < frame.top + 20) box.scrollTop -= frame.top + 20 - mark.top;
    else if (mark.bottom > frame.bottom) box.scrollTop += mark.bottom - frame.bottom + 4;
  }

  function turn(event) {
    const here = buttons.indexOf(event.target);
    const next = {
      ArrowRight: () => nextSeen(here + 1, 1) ?? here,
      ArrowLeft: () => nextSeen(here - 1, -1) ?? here,
      ArrowDown: () => inLane(here, 1),
      ArrowUp: () => inLane(here, -1),
      Home: () => nextSeen(0, 1),
      End: () => nextSeen(buttons.length - 1, -1),
    }[plainKey(event)];
    if (here < 0 || !next || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next());
    buttons[chosen].focus({ preventScroll: true });
  }

  function isSeen(number) {
    return !buttons[number].classList.contains("tc-lane-left-out");
  }

  /** The first entry from `number` on, in steps of `by`, whose lane is seen. */
  function nextSeen(number, by) {
    for (let at = number; at >= 0 && at < buttons.length; at += by) if (isSeen(at)) return at;
    return null;
  }

  /** The entry of the next lane that is nearest in time; the same one where there is no further lane. */
  function inLane(here, by) {
    const { entries } = data;
    const lanes = [...new Set(entries.filter((_, at) => isSeen(at)).map(({ lane }) => lane))].sort((a, b) => a - b);
    const lane = lanes[lanes.indexOf(entries[here].lane) + by];
    if (lane === undefined) return here;
    const away = (number) => Math.abs(entries[number].first - entries[here].first);
    const inside = entries.flatMap((entry, number) => (entry.lane === lane ? [number] : []));
    return inside.reduce((best, number) => (away(number) < away(best) ? number : best));
  }

  // ── What was seen ──

  function tell() {
    if (shown === chosen) return;
    shown = chosen;
    const entry = data.entries[chosen];
    if (!entry) {
      told.replaceChildren(html("p.tc-soft.tc-small", session.label("hooks_start")));
      return;
    }
    const hue = entry.forward ? "val" : "grad";
    const glyph = html(`span.tc-look-glyph.tc-${hue}`, entry.icon);
    glyph.classList.toggle("tc-replaced", entry.replaced || entry.raised);
    told.replaceChildren(
      html(
        "h4.tc-look-head",
        glyph,
        html("span", entry.title),
        html("span.tc-soft.tc-small", entry.place),
        ...(entry.replaced ? [html("span.tc-mark.tc-small", `⇄ ${session.label("hooks_replaced")}`)] : []),
        ...(entry.raised ? [html("span.tc-mark.tc-small", `✕ ${session.label("hooks_raised")}`)] : []),
      ),
      html("div.tc-look-rows", ...entry.rows.flatMap(lookRow)),
      ...(entry.naming ? [namingTable(entry.naming)] : []),
      ...sentenceParts(entry.words, "p.tc-small"),
      ...(entry.code ? [html("pre", { "aria-label": session.label("hooks_code") }, entry.code)] : []),
    );
  }

  function lookRow({ role, shape, text, array, class: kind, hue }) {
    const picture = data.arrays[array];
    const numbers = text
      ? html(`span.tc-mono.tc-${kind === "mark" ? "mark" : hue}`, text)
      : html("div.tc-look-map", drawHeatMap(hue, picture.map, { name: role, shape: picture.shape }));
    const name = html(kind === "mark" ? "span.tc-mark.tc-b" : "span", kind === "mark" ? `⇄ ${role}` : role);
    return [name, numbers, html("span.tc-mono.tc-soft", shape)];
  }

  /** The arguments of a backward hook: a column a naming, and above each row what the argument is and held. */
  function namingTable({ columns, rows, used }) {
    const mark = (at) => (at === used ? ".tc-naming-used" : "");
    const heads = columns.map(({ head, signature }, at) =>
      html(
        `th${mark(at)}`,
        { scope: "col" },
        html("div", at === used ? `${head} ✓ ${session.label("hooks_this")}` : head),
        html("div.tc-mono.tc-soft", signature),
      ),
    );
    const lines = rows.flatMap(({ what, names, held }) => [
      html("tr", html("th.tc-naming-what", { colspan: "3", scope: "row" }, `${what}: `, html("span.tc-mono", held))),
      html("tr", ...names.map((name, at) => html(`td.tc-mono${mark(at)}`, name || "—"))),
    ]);
    const caption = html("caption", session.label("hooks_naming"));
    return html("table.tc-naming.tc-small", caption, html("thead", html("tr", ...heads)), html("tbody", ...lines));
  }

  function drawSilent() {
    silent.hidden = data.silent.length === 0;
    const items = data.silent.map(({ glyph, hook, cell, times, why }) =>
      html(
        "li",
        html("span.tc-look-glyph.tc-soft", { "aria-hidden": "true" }, glyph),
        html("span", `${hook} · ${cell}${times > 1 ? ` · ${times} ×` : ""}`),
        html("span.tc-soft", why),
      ),
    );
    silent.replaceChildren(html("h4.tc-look-head", session.label("hooks_silent_head")), html("ul.tc-small", ...items));
  }

  const sizes = new ResizeObserver(() => reveal());
  sizes.observe(box);

  return {
    node,
    refresh,
    move,
    focus: () => buttons[chosen ?? 0]?.focus({ preventScroll: true }),
    destroy: () => sizes.disconnect(),
  };
}

/** The last of these whose position is reached; null at the very start. */
function lastDone(things, position) {
  let found = null;
  things.forEach((thing, at) => {
    if (thing.position <= position && thing.position >= (things[found]?.position ?? 0)) found = at;
  });
  return found;
}
