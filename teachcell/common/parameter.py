"""Parameters under the name ``teachcell.common.parameter``."""

from ..nn.parameter import Parameter, ParameterTuple

__all__ = ["Parameter", "ParameterTuple"]
