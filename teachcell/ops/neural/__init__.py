"""Ops that only networks have.

``softmax``, ``dropout``, ``norm``; ``losses``, by what they compare; ``clip`` for gradients and ``update`` for the
steps of optimizers. ``losses/labels.py`` shows an op that saves something for its rule.
"""
