"""``jit`` and the context: functions run as one piece, in which hooks do not act."""

from ..nn.hooks import HookNote
from .eager import GRAPH_MODE, PYNATIVE_MODE, get_context, jit, set_context

__all__ = ["GRAPH_MODE", "PYNATIVE_MODE", "HookNote", "get_context", "jit", "set_context"]
