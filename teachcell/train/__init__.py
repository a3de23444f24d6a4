"""Training with loops ready made: Model, callbacks, metrics, loss scales, mixed precision."""

from ..core.loading import also_called, lazily

__getattr__, __dir__, __all__ = lazily(__name__, {
    "..nn.checkpoint": "load_checkpoint load_param_into_net save_checkpoint",
    ".amp": """
        DynamicLossScaler LossScaler StaticLossScaler all_finite auto_mixed_precision custom_mixed_precision
        get_black_list get_white_list
    """,
    ".callback": """
        Callback CheckpointConfig EarlyStopping History LambdaCallback LearningRateScheduler LossMonitor
        ModelCheckpoint ProgressBar ReduceLROnPlateau RunContext TimeMonitor
    """,
    ".loss_scale_manager": "DynamicLossScaleManager FixedLossScaleManager LossScaleManager",
    ".metrics": """
        Accuracy ConfusionMatrix CosineSimilarity F1 Fbeta Loss MAE MSE Metric Perplexity Precision ROC Recall
        Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc get_metric_fn names
        rearrange_inputs
    """,
    ".model": "Model",
})  # fmt: skip

also_called(__name__, "serialization")
