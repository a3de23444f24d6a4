"""Ops along axes.

``sums`` (sums, means, products), ``extremes``, ``statistics`` and ``distance`` reduce; ``scan`` keeps the axis;
``sort`` and ``search`` order values and find them.
"""
