"""The lens: observers that turn a run into plain data, and experiments that can be repeated.

``experiment.py`` runs a program again and again with the same draws and leaves everything as it was;
``recorder.py`` watches one run; ``document.py`` writes down what it saw; ``states.py`` says why a gradient
is zero or missing; ``steps.py`` puts each event into one sentence; ``rule_check.py`` holds a Cell's backward
rule against a numeric gradient. Nothing here keeps a Tensor: watching cannot keep a graph alive.
"""

from .experiment import Experiment, Outcome

__all__ = ["Experiment", "Outcome"]
