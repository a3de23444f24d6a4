"""Ops on images and signals.

``conv`` and ``pool`` slide a window, whose arguments ``sliding`` reads; ``adaptive`` pools to a given size; ``resize``
and ``grid_sample`` read between pixels; ``arrange`` exchanges pixels, channels and blocks.
"""

from . import adaptive, arrange, conv, grid_sample, pool, resize, sliding  # noqa: F401 - importing a family declares its ops
