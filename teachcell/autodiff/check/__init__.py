"""Checking gradients against numeric ones, and saying in words what is wrong with a rule.

``slopes.py`` moves an element to either side, ``repeat.py`` runs a function again and again from the same state
(``watching.py`` finds out what belongs to it), ``evidence.py`` puts the engine's numbers beside the numeric ones,
``causes.py`` (with ``factors.py``) recognises what is wrong, ``report.py`` is what a reader gets. ``gradcheck.py``
ties them together; the lens checks a Cell's rule with the same parts.
"""

from .gradcheck import gradcheck
from .report import GradCheckEntry, GradCheckReport

__all__ = ["GradCheckEntry", "GradCheckReport", "gradcheck"]
