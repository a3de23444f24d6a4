"""Networks as an expert writes them in NumPy: no graph, every array allocated beforehand, ``out=`` everywhere.

A layer has ``forward(x)``, which returns its buffer, and ``backward(dy)``, which fills its slopes and returns the
derivative by x (or None, for a first layer). Images are stored channels last, and kernels as (row, column, in, out).
"""
