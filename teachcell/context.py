"""The context under the name ``teachcell.context``."""

from .jit import GRAPH_MODE, PYNATIVE_MODE, get_context, set_context

__all__ = ["GRAPH_MODE", "PYNATIVE_MODE", "get_context", "set_context"]
