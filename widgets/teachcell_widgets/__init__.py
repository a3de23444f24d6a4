"""The show: widgets that let a learner see and touch what the engine and the lens know.

They need the ``lab`` extra; the engine below runs with NumPy and SciPy and never imports this package. The Explorer
holds every view; each view is also a widget of its own, with the same arguments.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

try:
    import anywidget  # noqa: F401  (looked for here, so that the remedy comes first)
    import ipywidgets  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"teachcell_widgets needs the package {error.name!r}, which is not installed here. "
        "Install the widgets and JupyterLab with: pip install 'teachcell[lab]'"
    ) from error

from teachcell.core import absent

if TYPE_CHECKING:
    from .compare import Compare
    from .cut_detective import CutDetective
    from .explorer import Explorer
    from .gradient_graph import GradientGraph
    from .hook_timeline import HookTimeline
    from .modes import Modes
    from .replay import Replay
    from .rule_lab import RuleLab
    from .training import Training

_MODULES = {
    "Compare": "compare",
    "CutDetective": "cut_detective",
    "Explorer": "explorer",
    "GradientGraph": "gradient_graph",
    "HookTimeline": "hook_timeline",
    "Modes": "modes",
    "Replay": "replay",
    "RuleLab": "rule_lab",
    "Training": "training",
}

__all__ = [
    "Compare",
    "CutDetective",
    "Explorer",
    "GradientGraph",
    "HookTimeline",
    "Modes",
    "Replay",
    "RuleLab",
    "Training",
]


def __getattr__(name: str) -> object:
    """Load a widget's module when its name is first used."""
    if name not in __all__:
        raise absent.error(__name__, name, __all__)
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
