"""New Tensors.

``filled`` with numbers that follow a rule, ``windows`` of signals, and ``random`` draws, in ``random_objects`` as
classes with a seed of their own.
"""
