"""The arithmetic: ndarrays in, ndarrays out, vectorised, no Tensors and no graph.

A kernel's parameter names are the op's: inputs first, then attributes. Derivative kernels stand beside
their op's kernel. Kernels never write to their inputs.

A file here serves the family of the same name in ``ops``; ``elementwise.py`` serves arithmetic, bounds, combined and
select. Beside them stands what several share: ``arguments.py`` reads and refuses arguments, ``precision.py`` says in
which dtype to compute, ``sliding.py`` is the geometry of windows, ``lapack.py`` and ``special.py`` call NumPy's and
SciPy's routines.
"""
