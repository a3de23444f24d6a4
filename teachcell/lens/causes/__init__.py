"""Why a gradient is missing, zero or no number: where it happened, in words, for any value of a run.

``finding.py`` says what is told of one value; ``zeros.py`` follows exact zeros to the rule that made them, ``rules.py``
says why a rule gives 0, ``nonfinite.py`` finds the first op that made a NaN or an infinity, and from what.
"""

from .finding import Causes, Finding

__all__ = ["Causes", "Finding"]
