"""The panel of the selected node: value, gradient, formulas, rule, numbers, hooks."""

from __future__ import annotations

from .panel import Panel


class NodePanel(Panel):
    """Everything about the selected node, as far as it is known at this step.

    It draws from ``view["nodes"]``, which other parts read too, and so has no data of its own.
    """

    name = "node"
