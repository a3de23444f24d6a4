"""Tensor under the name ``teachcell.common.tensor``."""

from ..core.tensor import Tensor

__all__ = ["Tensor"]
