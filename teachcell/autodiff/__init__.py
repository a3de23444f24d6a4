"""Derivatives of functions and Cells: ``grad``, ``value_and_grad``, ``GradOperation``, and numeric checks."""

from ..core.public import FUNCTIONS, PRIMITIVES
from .check import gradcheck
from .grad import get_grad, grad, value_and_grad
from .grad_operation import GradOperation

FUNCTIONS |= {"grad": grad, "value_and_grad": value_and_grad, "get_grad": get_grad}
PRIMITIVES |= {"GradOperation": GradOperation}

__all__ = ["GradOperation", "get_grad", "grad", "gradcheck", "value_and_grad"]
