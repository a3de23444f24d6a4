// The views that can be open at the side, by name: each a file of its own, each with a class of the same name in
// Python that prepares its data (`session.data(name)`). A view has a `node` and, as needed, `refresh` (its data or
// the run changed), `move` (position or selection changed), `progressed` (training went on), `leave` (another view opens), `focus`, `destroy`. `wide` views get more room.

import { createNodePanel } from "./node_panel.js";
import { createReplay } from "./replay.js";
import { createRuleLab } from "./rule_lab.js";
import { createCutDetective } from "./cut_detective.js";
import { createGradientGraph } from "./gradient_graph.js";
import { createHookTimeline } from "./hook_timeline.js";
import { createCompare } from "./compare.js";
import { createModes } from "./modes.js";
import { createTraining } from "./training.js";

export const PANELS = {
  node: { create: createNodePanel },
  replay: { create: createReplay },
  rule_lab: { create: createRuleLab, wide: true },
  cut_detective: { create: createCutDetective },
  gradient_graph: { create: createGradientGraph, wide: true },
  hook_timeline: { create: createHookTimeline, wide: true },
  compare: { create: createCompare },
  modes: { create: createModes },
  training: { create: createTraining, wide: true },
};
