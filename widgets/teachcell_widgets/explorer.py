"""Explorer: a network you can see, step through, hook, switch and rewire."""

from __future__ import annotations

from .compare import ComparePanel
from .cut_detective import CutDetectivePanel
from .gradient_graph import GradientGraphPanel
from .hook_timeline import HookTimelinePanel
from .modes import ModesPanel
from .node_panel import NodePanel
from .replay import ReplayPanel
from .rule_lab import RuleLabPanel
from .training import TrainingPanel
from .workbench import Workbench


class Explorer(Workbench):
    __doc__ = Workbench.__doc__

    parts = ("header", "stage", "now_line", "transport")
    panel_types = (
        NodePanel,
        ReplayPanel,
        RuleLabPanel,
        CutDetectivePanel,
        GradientGraphPanel,
        HookTimelinePanel,
        ComparePanel,
        ModesPanel,
        TrainingPanel,
    )

    node: NodePanel
    replay: ReplayPanel
    rule_lab: RuleLabPanel
    cut_detective: CutDetectivePanel
    gradient_graph: GradientGraphPanel
    hook_timeline: HookTimelinePanel
    compare: ComparePanel
    modes: ModesPanel
    training: TrainingPanel
