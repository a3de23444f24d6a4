"""Training with loops ready made: Model, callbacks, metrics, loss scales."""

from ..nn.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint
from .callback import (
    Callback,
    CheckpointConfig,
    EarlyStopping,
    History,
    LambdaCallback,
    LearningRateScheduler,
    LossMonitor,
    ModelCheckpoint,
    ProgressBar,
    ReduceLROnPlateau,
    RunContext,
    TimeMonitor,
)
from .loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .metrics import (
    F1,
    MAE,
    MSE,
    ROC,
    Accuracy,
    ConfusionMatrix,
    CosineSimilarity,
    Fbeta,
    Loss,
    Metric,
    Perplexity,
    Precision,
    Recall,
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
    auc,
    get_metric_fn,
    names,
    rearrange_inputs,
)
from .model import Model

__all__ = [
    "F1", "MAE", "MSE", "ROC", "Accuracy", "Callback", "CheckpointConfig", "ConfusionMatrix", "CosineSimilarity",
    "DynamicLossScaleManager", "EarlyStopping", "Fbeta", "FixedLossScaleManager", "History", "LambdaCallback",
    "LearningRateScheduler", "Loss", "LossMonitor", "LossScaleManager", "Metric", "Model", "ModelCheckpoint",
    "Perplexity", "Precision", "ProgressBar", "Recall", "ReduceLROnPlateau", "RunContext", "TimeMonitor",
    "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "auc", "get_metric_fn",
    "load_checkpoint", "load_param_into_net", "names", "rearrange_inputs", "save_checkpoint",
]  # fmt: skip
