// The now-line: how far we are, and the last event in one sentence, read out by screen readers.

import { html, setText } from "./dom.js";

/** A step's sentence as one text; its parts are [class, text] and bring their own spaces. */
export function sentenceText(sentence) {
  return sentence.map(([, text]) => text).join("");
}

export function createNowLine(session) {
  const count = html("span", { class: "tc-count tc-mono tc-soft" });
  const sentence = html("span", { class: "tc-sentence", "aria-live": "polite" });
  const node = html("div", { class: "tc-now-line" }, count, sentence);
  let told = null;

  function move() {
    const parts = session.step?.sentence ?? [["", session.label("start")]];
    setText(count, `${session.position} / ${session.view.steps.length}`);
    const wanted = JSON.stringify(parts);
    if (wanted === told) return;
    told = wanted;
    sentence.replaceChildren(...parts.map(([kind, text]) => html("span", { class: kind && `tc-${kind}` }, text)));
  }

  return { node, move };
}
