"""Callbacks: what happens beside training, at the beginnings and ends of runs, epochs and steps."""

from .base import Callback, LambdaCallback, RunContext
from .checkpoints import CheckpointConfig, ModelCheckpoint
from .monitors import History, LossMonitor, ProgressBar, TimeMonitor
from .rates import EarlyStopping, LearningRateScheduler, ReduceLROnPlateau

__all__ = [
    "Callback", "CheckpointConfig", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler",
    "LossMonitor", "ModelCheckpoint", "ProgressBar", "ReduceLROnPlateau", "RunContext", "TimeMonitor",
]  # fmt: skip
