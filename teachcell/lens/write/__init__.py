"""Writing what was seen: the one document of a run, and its events in sentences.

``document.py`` writes it; ``states.py`` says why a gradient is zero or missing, ``source.py`` gives the texts of rules
and hooks. ``steps.py`` reads a finished document only.
"""
