"""Data types under the name ``teachcell.common.dtype``."""

from ..dtype import *  # noqa: F403 - all of its names, and nothing else
from ..dtype import __all__  # noqa: F401
