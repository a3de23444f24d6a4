"""Ops on matrices.

``products`` of all kinds and ``einsum``; of ``square`` matrices determinant, inverse and the like; ``decompositions``;
``matrix_norms``.
"""
