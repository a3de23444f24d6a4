"""teachcell: how neural networks differentiate, shown. MindSpore's front end on NumPy.

Engine and lens need NumPy alone; the widgets live in ``teachcell_widgets`` (``pip install 'teachcell[lab]'``).
"""

from typing import Any

from . import common, dtype, nn, ops
from .autodiff import GradOperation, get_grad, grad, gradcheck, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap
from .core.absent import error as _error
from .core.tensor import Tensor
from .dtype import (
    bfloat16,
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .jit import GRAPH_MODE, PYNATIVE_MODE, HookNote, get_context, jit, set_context
from .nn.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint
from .nn.derivatives import custom_vjp
from .nn.function import _Function
from .nn.parameter import Parameter, ParameterTuple
from .nn.seed import get_seed, set_seed
from .picture import Picture, draw
from .texts import get_language, set_language

__version__ = "0.1.0"

__all__ = [
    "GRAPH_MODE", "GradOperation", "HookNote", "PYNATIVE_MODE", "Parameter", "ParameterTuple", "Picture", "Tensor",
    "_Function", "bfloat16", "bool_", "common", "custom_vjp", "draw", "dtype", "float16", "float32", "float64",
    "get_context", "get_grad", "get_language", "get_seed", "grad", "gradcheck", "int16", "int32", "int64", "int8",
    "jacfwd", "jacrev", "jit", "jvp", "load_checkpoint", "load_param_into_net", "nn", "ops", "save_checkpoint",
    "set_context", "set_language", "set_seed", "uint16", "uint32", "uint64", "uint8", "value_and_grad", "vjp",
    "vmap",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise _error("teachcell", name, __all__)
