// The transport: five buttons, play with its pace, and the timeline.

import { html, svg } from "./dom.js";
import { createTimeline } from "./timeline.js";

const ICONS = {
  to_start: "M3 3h2.4v12H3zM15 3v12L6.5 9z",
  back: "M12.5 3v12L4 9z",
  play: "M5 2.6v12.8L15.5 9z",
  pause: "M4 3h3.6v12H4zM10.4 3H14v12h-3.6z",
  forth: "M5.5 3v12L14 9z",
  to_end: "M3 3v12l8.5-6zM12.6 3H15v12h-2.4z",
};
const KEYS = { to_start: "Home", back: "←", play: "Space", pause: "Space", forth: "→", to_end: "End" };
const PACE = 900; // ms per step
const CALM_PACE = 1500; // where the system asks for less motion
const PACE_FACTOR = 1.5;
const FASTEST = 120;
const SLOWEST = 5000;

export function createTransport(session, root) {
  const timeline = createTimeline(session, stop);
  const keys = Object.fromEntries(
    Object.entries({ to_start: toStart, back, play: toggle, forth, to_end: toEnd }).map(([name, act]) => [
      name,
      createKey(name, act),
    ]),
  );
  keys.play.tabIndex = 0; // one tab stop; the other buttons have keys of their own
  const bar = html("div.tc-keys", { role: "group" }, ...Object.values(keys));
  const node = html("div.tc-transport", bar, timeline.node);
  let pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? CALM_PACE : PACE;
  let timer = null;

  function createKey(name, act) {
    const icon = svg("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
    return html(`button.tc-key.tc-key-${name}`, { tabindex: "-1", click: act }, icon);
  }

  // ── Moving ──

  function forth() {
    stop();
    session.moveTo(session.position + 1);
  }

  function back() {
    stop();
    session.moveTo(session.position - 1);
  }

  function toStart() {
    stop();
    session.moveTo(0);
  }

  function toEnd() {
    stop();
    session.moveTo(session.view.steps.length);
  }

  function jump(by) {
    stop();
    timeline.jump(by);
  }

  // ── Playing ──

  function toggle() {
    if (timer !== null) {
      stop();
      return;
    }
    if (atEnd()) session.moveTo(0);
    timer = setTimeout(playStep, pace);
    showPlaying();
  }

  function playStep() {
    session.moveTo(session.position + 1);
    // A marked step (a cut, the first NaN) deserves a look.
    if (atEnd() || session.step.sentence.some(([kind]) => kind === "mark")) stop();
    else timer = setTimeout(playStep, pace);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    showPlaying();
  }

  function changePace(factor) {
    pace = Math.max(FASTEST, Math.min(pace * factor, SLOWEST));
    showPlaying();
  }

  function atEnd() {
    return session.position >= session.view.steps.length;
  }

  function showPlaying() {
    const name = timer === null ? "play" : "pause";
    root.classList.toggle("tc-playing", timer !== null);
    keys.play.querySelector("path").setAttribute("d", ICONS[name]);
    nameKey(keys.play, name, ` · ${(pace / 1000).toFixed(1)} s (−, +)`);
  }

  // ── Showing ──

  function nameKey(key, name, more = "") {
    key.setAttribute("aria-label", session.label(name));
    key.title = `${session.label(name)} (${KEYS[name]})${more}`;
  }

  function refresh() {
    bar.setAttribute("aria-label", session.label("transport"));
    for (const name of ["to_start", "back", "forth", "to_end"]) nameKey(keys[name], name);
    showPlaying();
    timeline.refresh();
  }

  function move() {
    // Not `disabled`: a button that loses the focus would take the keyboard away with it.
    for (const name of ["to_start", "back"]) keys[name].setAttribute("aria-disabled", session.position === 0);
    for (const name of ["forth", "to_end"]) keys[name].setAttribute("aria-disabled", atEnd());
    timeline.move();
  }

  return {
    node,
    refresh,
    move,
    destroy: stop,
    forth,
    back,
    toStart,
    toEnd,
    toggle,
    jump,
    slower: () => changePace(PACE_FACTOR),
    faster: () => changePace(1 / PACE_FACTOR),
  };
}
