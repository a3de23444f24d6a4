// The timeline: one tick per step, forward on the left, backward on the right, Cell names below.
// CSS lays the ticks out; a step only moves classes. Long runs merge the ticks of every Cell but the current,
// and runs through many Cells merge neighbouring Cells as well.

import { html } from "./dom.js";
import { sentenceText } from "./now_line.js";

const MERGE_OVER = 60; // steps
const MOST_GROUPS = 14; // per pass, when its groups are merged
const MARK_WIDTH = 15; // px, of a hook's mark

/** Steps as {pass, label, from, to} runs of the same pass and group, both ends included. */
function groupSteps(steps) {
  const groups = [];
  steps.forEach((step, index) => {
    const last = groups.at(-1);
    if (last && last.pass === step.pass && last.group === step.group) last.to = index;
    else groups.push({ pass: step.pass, group: step.group, label: step.label, from: index, to: index });
  });
  return groups;
}

/** Neighbouring groups of one pass joined so that few are left; the group `current` stays by itself. */
function joinGroups(inside, current) {
  const size = Math.ceil(inside.length / MOST_GROUPS);
  const joined = [];
  let room = 0;
  for (const group of inside) {
    const alone = group === current;
    if (room > 0 && !alone) {
      const last = joined.at(-1);
      last.to = group.to;
      last.label = `${last.first} … ${group.label}`;
      room -= 1;
    } else {
      joined.push({ ...group, first: group.label, open: alone });
      room = alone ? 0 : size - 1;
    }
  }
  return joined;
}

/** `beforeScrub` is called when the user takes hold of the timeline. */
export function createTimeline(session, beforeScrub) {
  const node = html("div.tc-timeline", { role: "slider", tabindex: "0", pointerdown: startScrub });
  let ticks = []; // {from, to, element}
  let groups = [];
  let drawnSteps = null;
  let openGroup = null; // the group drawn tick by tick in a long run

  function refresh() {
    groups = groupSteps(session.view.steps);
    node.setAttribute("aria-label", session.label("timeline"));
    node.setAttribute("aria-valuemin", "0");
    node.setAttribute("aria-valuemax", session.view.steps.length);
  }

  function move() {
    const { steps } = session.view;
    const long = steps.length > MERGE_OVER || groups.length > 2 * MOST_GROUPS;
    const current = long ? groupAt(session.position - 1) : null;
    // Ticks must not move under a pointer that drags over them.
    const regroup = current !== openGroup && !node.classList.contains("tc-scrubbing");
    if (steps !== drawnSteps || regroup) draw(current);
    for (const { from, to, element } of ticks) {
      element.classList.toggle("tc-done", to < session.position);
      element.classList.toggle("tc-at", from < session.position && session.position <= to + 1);
    }
    node.setAttribute("aria-valuenow", session.position);
    node.setAttribute("aria-valuetext", sentenceText(session.step?.sentence ?? []) || session.label("start"));
  }

  /** The number of the group that holds a step. */
  function groupAt(index) {
    return groups.findIndex(({ from, to }) => from <= index && index <= to);
  }

  function draw(current) {
    drawnSteps = session.view.steps;
    openGroup = current;
    ticks = [];
    node.replaceChildren(drawHalf("forward", current), drawHalf("backward", current));
  }

  function drawHalf(pass, current) {
    const isForward = pass === "forward";
    const title = `${session.label(pass)} ${isForward ? "▼" : "▲"}`;
    const own = groups.filter((group) => group.pass === pass);
    const inside =
      current === null
        ? own.map((group) => drawGroup(group, true))
        : joinGroups(own, groups[current]).map((group) => drawGroup(group, group.open));
    const none = html("div.tc-no-steps", isForward ? "" : session.label("no_backward"));
    const half = html(
      `div.tc-half.tc-half-${pass}`,
      html(`div.tc-half-name.tc-${isForward ? "val" : "grad"}`, title),
      html("div.tc-groups", ...(inside.length ? inside : [none])),
    );
    // In a long run names do not fit anyway: there each group gets as much, however long its name.
    if (inside.length) half.style.flex = current === null ? `${ticksOf(half)} 1 auto` : `${ticksOf(half)} 1 0`;
    return half;
  }

  function drawGroup(group, open) {
    const row = html("div.tc-ticks");
    if (open) for (let index = group.from; index <= group.to; index++) row.append(drawTick(index, index));
    else row.append(drawTick(group.from, group.to));
    const name = html("div.tc-group-name", { title: group.label }, group.label);
    const box = html("div.tc-group", row, name);
    // At first room for the name and the marks of hooks; what is left over is shared by the ticks.
    box.style.flex = `${ticksOf(box)} 1 auto`;
    const marks = row.querySelectorAll(".tc-hook").length;
    if (marks) box.style.minWidth = `${marks * MARK_WIDTH}px`;
    return box;
  }

  /** How many ticks of a part of the timeline can grow: all but the marks of hooks. */
  function ticksOf(part) {
    return Math.max(part.querySelectorAll(".tc-tick:not(.tc-hook)").length, 0.01);
  }

  function drawTick(from, to) {
    const { hook, replaced, sentence } = drawnSteps[from];
    const tick = html("span.tc-tick");
    if (to === from) {
      tick.title = sentenceText(sentence);
      tick.classList.toggle("tc-hook", hook !== null);
      tick.classList.toggle("tc-replaced", replaced);
      tick.append(hook ?? "");
    }
    ticks.push({ from, to, element: tick });
    return tick;
  }

  // ── Scrubbing ──

  function startScrub(event) {
    if (event.button !== 0 || !ticks.length) return;
    beforeScrub();
    node.setPointerCapture(event.pointerId);
    node.classList.add("tc-scrubbing");
    scrub(event);
    node.addEventListener("pointermove", scrub);
    node.addEventListener("pointerup", endScrub, { once: true });
    node.addEventListener("pointercancel", endScrub, { once: true });
  }

  function endScrub() {
    node.removeEventListener("pointermove", scrub);
    node.classList.remove("tc-scrubbing");
    move();
  }

  function scrub({ clientX }) {
    let nearest = null;
    for (const tick of ticks) {
      const { left, width } = tick.element.getBoundingClientRect();
      const gap = Math.max(left - clientX, clientX - left - width, 0);
      if (nearest === null || gap < nearest.gap) nearest = { ...tick, left, width, gap };
    }
    const { from, to, left, width } = nearest;
    const inside = Math.max(0, Math.min((clientX - left) / width, 0.999));
    session.moveTo(from + Math.floor(inside * (to - from + 1)) + 1);
  }

  /** Go to the start of the next Cell's steps, or back to the start of this one, then of the one before. */
  function jump(by) {
    const index = session.position - 1;
    const here = groupAt(index);
    const back = here >= 0 && by < 0 && index > groups[here].from ? here : here + by;
    const target = groups[back];
    if (target) session.moveTo(target.from + 1);
    else session.moveTo(by < 0 ? 0 : session.view.steps.length);
  }

  return { node, refresh, move, jump };
}
