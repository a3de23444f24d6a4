"""Ops on matrices.

``products`` of all kinds and ``einsum``; of ``square`` matrices determinant, inverse and the like; ``decompositions``;
``matrix_norms``.
"""

from . import decompositions, einsum, matrix_norms, products, square  # noqa: F401 - importing a family declares its ops
