"""What teachcell costs: beside hand-written NumPy, beside PyTorch, and per op.

``python -m bench`` runs everything and prints tables; RESULTS.md keeps what was found.
"""
