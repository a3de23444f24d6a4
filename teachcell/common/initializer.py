"""Initializers under the name ``teachcell.common.initializer``."""

from ..nn.initializer import (
    Constant,
    HeNormal,
    HeUniform,
    Initializer,
    Normal,
    One,
    TruncatedNormal,
    Uniform,
    XavierUniform,
    Zero,
    initializer,
)

__all__ = [
    "Constant", "HeNormal", "HeUniform", "Initializer", "Normal", "One", "TruncatedNormal", "Uniform",
    "XavierUniform", "Zero", "initializer",
]  # fmt: skip
