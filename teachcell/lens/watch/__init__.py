"""Watching a run: what an observer notes of it, by serial numbers and kept arrays.

``recorder.py`` notes what happens, of which ``watched.py`` makes what was seen, in the terms of ``seen.py``;
``kept.py`` decides what is kept of an array, ``summary.py`` computes its summary; ``capture.py`` watches one Cell by
real hooks, as a learner would. The engine is known here, no document.
"""
