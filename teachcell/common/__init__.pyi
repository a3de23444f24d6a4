"""The names as type checkers see them. Made by tests/ops/stub.py; do not edit."""

# ruff: noqa: I001
from . import dtype as dtype
from . import initializer as initializer
from . import parameter as parameter
from . import tensor as tensor
from ..core.tensor import Tensor as Tensor
from ..jit import jit as jit
from ..jit import jit_class as jit_class
from ..nn.parameter import Parameter as Parameter
from ..nn.parameter import ParameterTuple as ParameterTuple
from ..nn.seed import get_seed as get_seed
from ..nn.seed import set_seed as set_seed
