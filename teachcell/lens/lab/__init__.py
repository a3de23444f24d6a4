"""What the rule lab puts in the place of the engine's rules.

``ready.py`` holds the variants that are there from the start, ``kinks.py`` other conventions at kinks; ``spots.py``
says which op of a run is meant, in every run anew, and ``targets.py`` finds what is written ``"fc1/matmul"``;
``op_rules.py`` puts a rule at an op or at all ops of a kind; ``forward.py`` keeps a forward pass, so that a swapped
rule runs the backward pass alone; ``effect.py`` trains with and without it. The rules of Cells are switched by
``lens/rules.py``.
"""
