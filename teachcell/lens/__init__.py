"""The lens: observers that turn a run into plain data, and experiments that can be repeated.

``experiment.py`` runs a program (``program.py``; ``parts.py`` finds its Cells) again and again with the same draws,
under backward rules that can be switched (``rules.py``), leaves everything as it was (``core/protect.py``), and says
where a run failed (``failure.py``). ``watch/`` notes what happens in one run, ``write/`` puts it into the one document
and into words, ``lab/`` puts other backward rules in, ``check/`` holds one against a numeric gradient. Nothing here
keeps the Tensors of a run; an Experiment keeps the last graph, if it is small, for another backward pass.
"""

from .experiment import Experiment, NothingToDifferentiate, Outcome

__all__ = ["Experiment", "NothingToDifferentiate", "Outcome"]
