"""Derivatives of functions and Cells.

``recorded.py`` is one call and its sweeps; ``grad.py`` and ``grad_operation.py`` are the two front ends of that;
``products.py`` (``jvp``, ``vjp``), ``jacobian.py`` and ``vmap.py`` build on it; ``check/`` compares with numbers.
"""

from typing import TYPE_CHECKING

from ..core.loading import lazily
from ..core.public import FUNCTIONS, PRIMITIVES
from .grad import get_grad, grad, value_and_grad
from .grad_operation import GradOperation
from .jacobian import jacfwd, jacrev
from .products import jvp, linearize, vjp
from .vmap import vmap

if TYPE_CHECKING:
    from .check import gradcheck

FUNCTIONS |= {
    "get_grad": get_grad, "grad": grad, "jacfwd": jacfwd, "jacrev": jacrev, "jvp": jvp, "linearize": linearize,
    "value_and_grad": value_and_grad, "vjp": vjp, "vmap": vmap,
}  # fmt: skip
PRIMITIVES |= {"GradOperation": GradOperation}

__all__ = [
    "GradOperation", "get_grad", "grad", "gradcheck", "jacfwd", "jacrev", "jvp", "linearize", "value_and_grad", "vjp",
    "vmap",
]  # fmt: skip
__getattr__ = lazily(__name__, {".check": "gradcheck"})[0]
