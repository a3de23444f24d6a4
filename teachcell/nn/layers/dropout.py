"""Dropout layers: they act in training only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.tensor import Tensor
from ...kernels.arguments import number_in
from ...ops.neural.dropout import dropout, dropout1d, dropout2d, dropout3d
from ...texts import say
from ..cell import Cell


class Dropout(Cell):
    """In training each element is 0 with probability ``p``, else divided by 1 − p; in prediction the identity.

    Args:
        keep_prob: probability of keeping, in (0, 1]: MindSpore's first argument. ``p`` reads better.
        p: probability of dropping, in [0, 1); 0.5 if neither is given.
        dtype: accepted for old code; without effect.
    """

    depends_on_mode = True

    def __init__(self, keep_prob: float | None = None, p: float | None = None, dtype: Any = None):
        super().__init__()
        if p is not None and keep_prob is not None:
            raise ValueError(say("errors.dropout_both"))
        if keep_prob is not None:
            number_in("Dropout.keep_prob", keep_prob, "(0, 1]")
        self._told = "keep_prob" if p is None else "p"
        p = 1 - keep_prob if keep_prob is not None else 0.5 if p is None else p
        self.p = number_in("Dropout.p", p, "[0, 1)")
        self.keep_prob = 1 - p if keep_prob is None else keep_prob

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return dropout(x, self.p, self.training and self.p > 0)

    def extend_repr(self) -> str:
        return f"{self._told}={getattr(self, self._told)}"


class _ChannelDropout(Cell):
    """Whole channels dropped in training."""

    depends_on_mode = True
    function: Callable[..., Tensor]

    def __init__(self, p: float = 0.5):
        super().__init__()
        self.p = number_in(f"{self.cls_name}.p", p, "[0, 1]")

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return self.function(x, self.p, self.training and self.p > 0)

    def extend_repr(self) -> str:
        return f"p={self.p}"


class Dropout1d(_ChannelDropout):
    """In training whole channels of (N, C, L) or (C, L) are 0 with probability ``p``, the rest divided by 1 − p."""

    function = staticmethod(dropout1d)


class Dropout2d(_ChannelDropout):
    """In training whole channels of (N, C, H, W) are 0 with probability ``p``, the rest divided by 1 − p."""

    function = staticmethod(dropout2d)


class Dropout3d(_ChannelDropout):
    """In training whole channels of (N, C, D, H, W) are 0 with probability ``p``, the rest divided by 1 − p."""

    function = staticmethod(dropout3d)
