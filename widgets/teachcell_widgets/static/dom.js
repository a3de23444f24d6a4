// Small helpers that every part of the Explorer uses: elements, texts, choices, pacing. No state.

/**
 * An HTML element: html("p.tc-note", { title: "…" }, "text", child). The attributes may be left out;
 * functions among them are event listeners. Strings become text, never markup.
 */
export function html(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  if (tag === "button") node.type = "button";
  return furnish(node, rest);
}

/** The same for SVG. */
export function svg(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  return furnish(node, rest);
}

function furnish(node, [first, ...others]) {
  const isPart = first === undefined || typeof first === "string" || first instanceof Node;
  for (const [name, value] of Object.entries(isPart ? {} : first)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value);
  }
  node.append(...(isPart && first !== undefined ? [first, ...others] : others));
  return node;
}

/** Is an element in the page, and not hidden? */
export function isShown(node) {
  const { width, height } = node.getBoundingClientRect();
  return width > 0 || height > 0;
}

/** Set a text only if it differs, so that a live region does not repeat itself. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Parts of a sentence, [class, text], as elements, each in the colour of its class. */
export function sentenceParts(sentence, element = "span") {
  return sentence.map(([kind, text]) => html(kind ? `${element}.tc-${kind}` : element, text));
}

/** Fill a select with [value, text] pairs, leaving it alone (it may be open) if nothing changed. */
export function setChoices(select, choices, chosen) {
  const wanted = JSON.stringify(choices);
  if (select.dataset.choices !== wanted) {
    select.dataset.choices = wanted;
    select.replaceChildren(...choices.map(([value, text]) => html("option", { value }, text)));
  }
  select.value = chosen;
}

/** Call `action` at most once per `pause` ms; the last call always happens. `flush` makes it happen now. */
export function throttle(action, pause) {
  let timer = null;
  let waiting = false;
  const run = () => {
    waiting = false;
    timer = setTimeout(rest, pause);
    action();
  };
  const rest = () => {
    timer = null;
    if (waiting) run();
  };
  const throttled = () => {
    waiting = true;
    if (timer === null) run();
  };
  throttled.flush = () => {
    if (!waiting) return;
    clearTimeout(timer);
    run();
  };
  return throttled;
}

/** Call `action` once for all calls made in the same turn of the event loop. */
export function coalesce(action) {
  let waiting = false;
  return () => {
    if (!waiting) queueMicrotask(run);
    waiting = true;
  };
  function run() {
    waiting = false;
    action();
  }
}

/** Call `action` at most once a frame; the last call always counts. */
export function onceAFrame(action) {
  let waiting = false;
  return () => {
    if (!waiting) requestAnimationFrame(run);
    waiting = true;
  };
  function run() {
    waiting = false;
    action();
  }
}

/** Call `action` once, `pause` ms after the last call. */
export function debounce(action, pause) {
  let timer = null;
  const debounced = () => {
    clearTimeout(timer);
    timer = setTimeout(action, pause);
  };
  debounced.cancel = () => clearTimeout(timer);
  return debounced;
}

/** A lone key press, or "" when a modifier other than Shift makes it somebody else's. */
export function plainKey(event) {
  return event.ctrlKey || event.metaKey || event.altKey ? "" : event.key;
}
