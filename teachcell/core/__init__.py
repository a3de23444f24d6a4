"""What a differentiable program is made of: ops, Tensors, recorded Nodes and the reverse sweep.

Read in this order: ``op.py`` (one declaration per op), ``tensor.py`` (a handle to an array and a Node),
``record.py`` (running an op), ``backward.py`` (the sweep), ``events.py`` (what observers are told).
"""
