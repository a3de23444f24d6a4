"""Names in the places where MindSpore users look for them; nothing is defined here."""

from ..core.tensor import Tensor
from ..nn.parameter import Parameter, ParameterTuple
from ..nn.seed import get_seed, set_seed
from . import dtype, initializer, parameter, tensor

__all__ = [
    "Parameter", "ParameterTuple", "Tensor", "dtype", "get_seed", "initializer", "parameter", "set_seed", "tensor",
]  # fmt: skip
