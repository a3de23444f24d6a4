"""teachcell: how neural networks differentiate, shown. MindSpore's front end on NumPy.

Engine and lens need NumPy alone; the widgets live in ``teachcell_widgets`` (``pip install 'teachcell[lab]'``).
"""

from . import core, dtype, nn, ops
from .autodiff import GradOperation, get_grad, grad, gradcheck, value_and_grad
from .core.define import FUNCTIONS as _FUNCTIONS
from .core.tensor import Tensor
from .dtype import (
    bool_, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
)  # fmt: skip
from .jit import GRAPH_MODE, PYNATIVE_MODE, HookNote, get_context, jit, set_context
from .nn.function import _Function
from .nn.parameter import Parameter, ParameterTuple
from .nn.seed import get_seed, set_seed
from .texts import get_language, set_language

__version__ = "0.1.0"
