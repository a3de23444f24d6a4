"""The hooks of a run in time: one lane a Cell call, what happened in it in true order, and which hooks were silent.

``spans.py`` finds when each call was inside its ``construct``, forward and backward; ``entries.py`` puts hooks,
constructs, rules and the sums of Parameters in order; ``silent.py`` says why a hook did not fire; ``tell.py`` writes
out what was seen, ``naming.py`` the arguments of a backward hook in all namings; ``timeline.py`` gives each entry its
place in a picture of lanes and columns.
"""
