"""The lens: observers that turn a run into plain data, and experiments that can be repeated.

``experiment.py`` runs a program (``program.py``) again and again with the same draws and leaves everything as it was
(``protect.py``); ``recorder.py`` watches one run and notes it down (``seen.py``); ``document.py`` writes the one
document, for which ``states.py`` says why a gradient is zero or missing; ``steps.py`` puts each event into one
sentence; ``rule_check.py`` holds a Cell's backward rule (``rules.py``) against a numeric gradient. Nothing here keeps
the Tensors of a run: watching cannot keep a graph alive.
"""

from .experiment import Experiment, NothingToDifferentiate, Outcome

__all__ = ["Experiment", "NothingToDifferentiate", "Outcome"]
