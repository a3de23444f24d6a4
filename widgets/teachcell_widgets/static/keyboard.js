// The keyboard: the same verbs as the buttons.
// Keys handled here go no further, so that the notebook does not act on them too.

import { plainKey } from "./dom.js";

// Native controls keep the keys that they use themselves.
const TYPING = "select, input, textarea";
const PRESSABLE = "button, summary";
const PRESS_KEYS = [" ", "Enter"];

export function createKeyboard(session, graph, bar, transport, keys) {
  const anywhere = {
    ArrowRight: (event) => (event.shiftKey ? transport.jump(1) : transport.forth()),
    ArrowLeft: (event) => (event.shiftKey ? transport.jump(-1) : transport.back()),
    Home: transport.toStart,
    End: transport.toEnd,
    " ": transport.toggle,
    "+": transport.faster,
    "-": transport.slower,
    "/": bar.focusFind,
    g: graph.goToOdd,
    r: session.openCheck,
    c: () => session.open("compare"),
    "?": keys.toggle,
  };
  const inGraph = {
    ArrowUp: () => graph.stepFocus(-1),
    ArrowDown: () => graph.stepFocus(1),
    Enter: graph.activate,
    "+": bar.zoomIn,
    "=": bar.zoomIn,
    "-": bar.zoomOut,
    0: bar.zoomNormal,
    f: bar.zoomFit,
  };

  const onSlider = {
    ArrowUp: transport.forth,
    ArrowDown: transport.back,
    PageUp: () => transport.jump(1),
    PageDown: () => transport.jump(-1),
  };

  const toNode = () => session.open("node");

  function actionFor(event) {
    const key = plainKey(event);
    if (key === "Escape" && keys.isOpen()) return keys.close;
    if (key === "Escape") return session.openPanel === "node" || !session.offers("node") ? undefined : toNode;
    if (event.target.matches(TYPING)) return undefined;
    if (event.target.matches(PRESSABLE) && PRESS_KEYS.includes(key)) return undefined;
    const own = graph.hasFocus() ? inGraph : event.target.matches("[role=slider]") ? onSlider : {};
    const here = own[key] ?? own[key.toLowerCase()];
    return here ?? anywhere[key] ?? anywhere[key.toLowerCase()];
  }

  return (event) => {
    const action = actionFor(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action(event);
  };
}
