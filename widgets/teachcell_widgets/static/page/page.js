// A saved page: the widget on its own, with a model that keeps its state here and tells nobody.

const state = JSON.parse(document.getElementById("teachcell-state").textContent);
const listeners = {};

const model = {
  get: (name) => state[name],
  set(name, value) {
    if (state[name] === value) return;
    state[name] = value;
    for (const listener of [...(listeners[`change:${name}`] ?? [])]) listener();
  },
  save_changes() {},
  send() {},
  on: (event, listener) => (listeners[event] ??= []).push(listener),
  off(event, listener) {
    listeners[event] = (listeners[event] ?? []).filter((other) => other !== listener);
  },
};

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.setAttribute("data-jp-theme-light", !dark.matches);
dark.addEventListener("change", follow);
follow();
render({ model, el: document.getElementById("teachcell-widget") });
