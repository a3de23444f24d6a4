"""What the rule lab puts in the place of the engine's rules.

``ready.py`` holds the variants that are there from the start; ``spots.py`` says which op of a run is meant, in every
run anew; ``op_rules.py`` puts a learner's rule at an op or at all ops of a kind; ``effect.py`` trains with and without
it. ``forward.py`` keeps a forward pass, so that a swapped rule runs the backward pass alone; ``targets.py`` finds what
is meant by ``"fc1/matmul"``. The rules of Cells are switched by ``lens/rules.py``.
"""
