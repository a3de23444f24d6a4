"""Ops element by element.

Read ``arithmetic`` first: ops of one line. ``combined`` are sums and products of more than two; ``bounds`` keep values
in ranges; ``rounding``, ``elementary`` and ``trigonometry`` are what their names say; ``special``, ``incomplete`` and
``bessel`` come from SciPy. ``activation`` (smooth) and ``piecewise`` are those of networks. Without a gradient:
``compare`` and ``bits``. ``select`` chooses between values, casts, and cuts the gradient.
"""
