// The now-line: how far we are, and the last event in one sentence, read out by screen readers.

import { html, sentenceParts, setText } from "./dom.js";

/** A step's sentence as one text; its parts are [class, text] and bring their own spaces. */
export function sentenceText(sentence) {
  return sentence.map(([, text]) => text).join("");
}

export function createNowLine(session) {
  const count = html("span.tc-count.tc-mono.tc-soft");
  const sentence = html("span.tc-sentence", { "aria-live": "polite" });
  const node = html("div.tc-now-line", count, sentence);
  let told = null;

  function move() {
    const total = session.view.steps.length;
    const still = [["", total ? session.label("start") : ""]];
    const instead = session.position === total ? session.instead?.sentence : null; // at the end the open view may sum up
    const parts = session.busy ? [["soft", session.label("waiting")]] : (instead ?? session.step?.sentence ?? still);
    setText(count, `${session.position} / ${total}`);
    const wanted = JSON.stringify(parts);
    if (wanted === told) return;
    told = wanted;
    sentence.replaceChildren(...sentenceParts(parts));
  }

  return { node, move };
}
