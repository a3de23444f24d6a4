// The row of training: where it stands, the loss so far, the step size, and the buttons. It follows `session.progress`,
// which changes up to 30 times a second, and touches only what differs.

import { html, setText, svg } from "./dom.js";

const SPARK = { width: 112, height: 26 };

export function createTrainingRow(session) {
  const ask = (what, details) => session.askPanel("training", what, details);
  const names = { step: html("span"), loss: html("span"), size: html("span"), steps: html("span") };
  const step = html("b.tc-mono");
  const loss = html("b.tc-mono");
  const spark = createCurve("tc-spark", SPARK);
  const pace = html("span.tc-pace.tc-small.tc-soft");
  const size = html("input.tc-pick.tc-mono.tc-step-size", { inputmode: "decimal", change: setSize });
  const steps = html("input.tc-pick.tc-mono.tc-steps", { inputmode: "numeric", input: showCount, keydown: runOnEnter });
  const run = html("button.tc-button", { click: runSteps });
  const keep = html("button.tc-button.tc-keep", { click: () => ask(session.progress.state === "playing" ? "pause" : "play") });
  const back = html("button.tc-button", { click: () => ask("back_to_start") }, "↺");
  const missing = html("span.tc-small.tc-soft");
  const curve = html("span.tc-spark-box", spark.node); // an SVG cannot be hidden by itself
  const facts = [html("span.tc-small", names.step, " ", step), html("span.tc-small", names.loss, " ", loss), curve];
  const choices = [
    html("label.tc-small", names.size, " ", size),
    html("label.tc-small", names.steps, " ", steps),
    html("span.tc-training-buttons", run, keep, back),
  ];
  const failed = html("div.tc-training-error", { role: "alert" });
  const row = html("div.tc-training-row", { role: "group" }, ...facts, pace, missing, ...choices);
  const node = html("footer.tc-training-bar", row, failed);
  let given = null; // the number of steps that Python had last

  function setSize() {
    const value = Number(size.value);
    ask("step_size", { value: size.value.trim() && Number.isFinite(value) ? value : size.value });
  }

  function count() {
    const value = Number(steps.value);
    return Number.isInteger(value) ? value : steps.value;
  }

  function runSteps() {
    ask("run", { steps: count() });
  }

  function runOnEnter(event) {
    if (event.key === "Enter" && !run.disabled) runSteps();
  }

  function showCount() {
    setText(run, session.label("run_steps").replace("{count}", steps.value.trim() || "…"));
  }

  function refresh() {
    const { label } = session;
    row.setAttribute("aria-label", label("panel_training"));
    setText(names.step, label("training_step"));
    setText(names.loss, label("training_loss"));
    setText(names.size, label("step_size"));
    setText(names.steps, label("steps"));
    keep.title = label("keep_training_tip");
    back.setAttribute("aria-label", label("back_to_start"));
    back.title = session.named("back_to_start", label("back_to_start_tip"));
    showCount();
    progressed();
  }

  function progressed() {
    const { label, progress } = session;
    const { state, error } = progress;
    const off = state === "off";
    for (const part of [...facts, ...choices, pace]) part.hidden = off;
    missing.hidden = !off;
    setText(missing, progress.missing);
    setText(step, String(progress.step));
    setText(loss, progress.loss);
    setText(pace, progress.pace);
    spark.draw(progress.curve);
    spark.node.setAttribute("aria-label", session.named("loss_curve", progress.loss));
    showControls(progress);
    failed.hidden = !error;
    setText(failed, error ? [`✕ ${error.title}`, error.detail].filter(Boolean).join("\n") : "");
  }

  function showControls({ state, step_size: stepSize, steps: wanted, can_go_back: canGoBack }) {
    const { label, frame } = session;
    const playing = state === "playing";
    const busy = state === "busy" || !frame.live;
    setText(keep, label(playing ? "pause_training" : "keep_training"));
    if (document.activeElement !== size) size.value = stepSize ?? "—";
    size.title = stepSize === null ? label("step_size_fixed") : "";
    size.disabled = busy || stepSize === null;
    if (wanted !== given) steps.value = given = wanted;
    showCount();
    run.disabled = busy || playing;
    keep.disabled = steps.disabled = busy;
    back.disabled = busy || !canGoBack;
  }

  return { node, refresh, progressed };
}

/** The curve of a loss: a band from the least to the largest of each bucket, and a line through the last ones. */
export function createCurve(name, { width, height }) {
  const band = svg("path.tc-curve-band");
  const line = svg("path.tc-curve-line");
  const end = svg("circle.tc-curve-end", { r: 3 });
  const box = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" };
  const node = svg(`svg.${name}`, box, band, line, end);
  let drawn = null;

  /** Returns [least, largest, number of the last step]. */
  function draw({ low, high, last, width: bucket }) {
    const bottom = Math.min(...low.filter((value) => value !== null));
    const top = Math.max(...high.filter((value) => value !== null));
    const across = (at) => round(3 + (at * (width - 6)) / Math.max(last.length - 1, 1));
    const down = (value) => round(3 + (top > bottom ? (top - value) / (top - bottom) : 0.5) * (height - 6));
    const places = last.map((_, at) => at).filter((at) => last[at] !== null);
    const points = (values, order) => order.map((at) => `${across(at)} ${down(values[at])}`);
    const path = places.length ? `M${points(last, places).join("L")}` : "";
    if (path !== drawn) {
      drawn = path;
      line.setAttribute("d", path);
      const around = [...points(high, places), ...points(low, [...places].reverse())];
      band.setAttribute("d", bucket > 1 && places.length ? `M${around.join("L")}Z` : "");
      const [x, y] = places.length ? [across(places.at(-1)), down(last[places.at(-1)])] : [-9, -9];
      end.setAttribute("cx", x);
      end.setAttribute("cy", y);
    }
    return [bottom, top];
  }

  return { node, draw };
}

function round(number) {
  return Math.round(number * 10) / 10;
}
