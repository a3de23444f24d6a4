"""Training under the lens: plain steps, now and then one that is looked at, and what is kept of all of them.

``trainer.py`` makes the steps of a program, ``watcher.py`` follows a loop that a learner wrote; both write into one
``course.py``: the loss in a bounded ``curve.py``, and of the last step that was looked at what ``look.py`` saw, with
the units that stay silent (``silent.py``) and how far each Parameter moved. ``pace.py`` says when to look and how long
it will take, ``start.py`` remembers where it began, ``written.py`` is the loop as code.
"""
