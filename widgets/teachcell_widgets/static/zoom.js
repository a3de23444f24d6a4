// Zoom and pan of a graph in its pane: the picture's size is set, so nothing is blurred; the pane scrolls.
// The plain wheel stays the page's: Ctrl with the wheel zooms, and only the hand drags.

import { html, setText } from "./dom.js";

const LEAST_ZOOM = 0.2;
const LEAST_OVERVIEW = 0.45; // below it nothing can be made out
const MOST_ZOOM = 4;
const WHEEL_SPEED = 0.002; // per px
const ZOOM_FACTOR = 1.25; // of a button

/** The buttons of a graph's zoom, for the bar above it. `apply` is for a new picture. */
export function createZoomTools(pane) {
  const zoom = createZoom(pane, show);
  const larger = () => zoom.by(ZOOM_FACTOR);
  const smaller = () => zoom.by(1 / ZOOM_FACTOR);
  const plus = html("button.tc-button", { click: larger }, "+");
  const minus = html("button.tc-button", { click: smaller }, "−");
  const level = html("button.tc-button.tc-zoom-level.tc-mono", { click: zoom.normal });
  const fit = html("button.tc-button", { click: zoom.fit });
  const hand = html("button.tc-button", { click: () => zoom.setHand(!zoom.hand) });
  const node = html("span.tc-zoom", { role: "group" }, minus, level, plus, fit, hand);

  function show() {
    setText(level, `${Math.round(100 * zoom.level)} %`);
    hand.setAttribute("aria-pressed", zoom.hand);
  }

  function refresh(label) {
    setText(fit, label("zoom_fit"));
    setText(hand, label("hand"));
    node.setAttribute("aria-label", label("zoom"));
    plus.title = label("zoom_in_tip");
    minus.title = label("zoom_out_tip");
    level.title = label("zoom_normal_tip");
    fit.title = label("zoom_fit_tip");
    hand.title = label("hand_tip");
    for (const button of [plus, minus, level]) button.setAttribute("aria-label", button.title);
    show();
  }

  const { apply, fit: whole, normal, overview } = zoom;
  return { node, refresh, apply, larger, smaller, normal, fit: whole, overview };
}

function createZoom(pane, changed) {
  let level = 1;
  let hand = false;
  let moved = false; // since the hand took hold
  pane.addEventListener("wheel", wheel, { passive: false });
  pane.addEventListener("pointerdown", take);
  pane.addEventListener("click", swallow, { capture: true });
  pane.addEventListener("dblclick", swallow, { capture: true });

  const picture = () => pane.querySelector("svg");

  /** Give the picture, which may be a new one, its size. */
  function apply() {
    const svg = picture();
    if (!svg) return;
    for (const side of ["width", "height"]) {
      svg.style[side] = level === 1 ? "" : `${level * Number(svg.getAttribute(side))}px`;
    }
  }

  /** Zoom about a point of the pane, by default its middle. */
  function set(wanted, x = pane.clientWidth / 2, y = pane.clientHeight / 2) {
    const before = level;
    level = Math.max(LEAST_ZOOM, Math.min(wanted, MOST_ZOOM));
    if (Math.abs(level - 1) < 0.02) level = 1;
    apply();
    pane.scrollLeft = ((pane.scrollLeft + x) * level) / before - x;
    pane.scrollTop = ((pane.scrollTop + y) * level) / before - y;
    changed();
  }

  /** All of the picture in the pane; not smaller than `least`. */
  function fit(least = 0) {
    const svg = picture();
    if (!svg || !pane.clientWidth) return;
    const [across, down] = [pane.clientWidth / svg.getAttribute("width"), pane.clientHeight / svg.getAttribute("height")];
    set(Math.max(least, Math.min(across, down, 1)));
  }

  function wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top, height } = pane.getBoundingClientRect();
    const scale = height / pane.offsetHeight || 1; // of the widget, for a projector
    set(level * Math.exp(-event.deltaY * WHEEL_SPEED), (event.clientX - left) / scale, (event.clientY - top) / scale);
  }

  // ── The hand ──

  function setHand(on) {
    hand = on;
    pane.classList.toggle("tc-hand", on);
    changed();
  }

  function take(event) {
    moved = false;
    if (!hand || event.button !== 0) return;
    event.preventDefault();
    pane.setPointerCapture(event.pointerId);
    pane.addEventListener("pointermove", drag);
    for (const end of ["pointerup", "pointercancel"]) pane.addEventListener(end, letGo, { once: true });
  }

  function drag({ movementX, movementY }) {
    const scale = pane.getBoundingClientRect().height / pane.offsetHeight || 1;
    moved ||= movementX !== 0 || movementY !== 0;
    pane.scrollLeft -= movementX / scale;
    pane.scrollTop -= movementY / scale;
  }

  function letGo() {
    pane.removeEventListener("pointermove", drag);
  }

  /** The end of a drag chooses nothing. */
  function swallow(event) {
    if (moved) event.stopPropagation();
  }

  return {
    apply,
    fit: () => fit(),
    overview: () => fit(LEAST_OVERVIEW),
    by: (factor) => set(level * factor),
    normal: () => set(1),
    setHand,
    get level() {
      return level;
    },
    get hand() {
      return hand;
    },
  };
}
