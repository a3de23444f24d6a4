"""Checking a rule: a Cell's engine gradient and its chosen rule beside a numeric one.

``rule_check.py`` says how well they agree, on the part of a gradient that ``window.py`` holds; ``call_again.py``
computes one recorded call of the Cell again, in float64, as often as that takes.
"""
