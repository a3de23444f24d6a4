"""The context under the name ``teachcell.context``."""

from .jit import GRAPH_MODE, PYNATIVE_MODE, get_context, set_context
from .kernels.buffers import clear as empty_cache
from .kernels.buffers import limit as kept_memory

__all__ = ["GRAPH_MODE", "PYNATIVE_MODE", "empty_cache", "get_context", "kept_memory", "set_context"]
