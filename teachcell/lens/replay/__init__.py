"""The story of a run: each step told in full, with this run's numbers in the formulas of the ops' cards.

``notation.py`` reads a formula; ``written.py`` and ``sums.py`` write one element of an op's result, or of a gradient,
out with numbers; ``arrays.py`` holds what is drawn; ``story.py`` puts the steps together.
"""
