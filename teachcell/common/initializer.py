"""Initializers under the name ``teachcell.common.initializer``."""

from ..nn.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    One,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    Zero,
    initializer,
)

__all__ = [
    "Constant", "Dirac", "HeNormal", "HeUniform", "Identity", "Initializer", "Normal", "One", "Orthogonal", "Sparse",
    "TruncatedNormal", "Uniform", "VarianceScaling", "XavierNormal", "XavierUniform", "Zero", "initializer",
]  # fmt: skip
