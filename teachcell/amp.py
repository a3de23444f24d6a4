"""Mixed precision under the name ``teachcell.amp``."""

from .train.amp import (
    DynamicLossScaler,
    LossScaler,
    StaticLossScaler,
    all_finite,
    auto_mixed_precision,
    custom_mixed_precision,
    get_black_list,
    get_white_list,
)
from .train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager

__all__ = [
    "DynamicLossScaleManager", "DynamicLossScaler", "FixedLossScaleManager", "LossScaleManager", "LossScaler",
    "StaticLossScaler", "all_finite", "auto_mixed_precision", "custom_mixed_precision", "get_black_list",
    "get_white_list",
]  # fmt: skip
