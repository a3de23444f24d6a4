"""Functions of functions, and hooks.

``control`` maps over containers and loops; ``hook`` shows and replaces gradients on their way.
"""
