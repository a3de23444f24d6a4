"""Functions of functions, and hooks.

``control`` maps over containers and loops; ``hook`` shows and replaces gradients on their way.
"""

from . import control, hook  # noqa: F401 - importing a family declares its ops
