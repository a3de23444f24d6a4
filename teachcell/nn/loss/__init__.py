"""Losses as Cells: of numbers, of scores for classes, of pairs, of regions, of sequences."""

from ...core.loading import lazily

__getattr__, __dir__, __all__ = lazily(__name__, {
    ".classes": """
        BCELoss BCEWithLogitsLoss CrossEntropyLoss KLDivLoss MultiLabelSoftMarginLoss MultiMarginLoss
        MultilabelMarginLoss NLLLoss SoftMarginLoss SoftmaxCrossEntropyWithLogits
    """,
    ".loss": "GaussianNLLLoss HuberLoss L1Loss LossBase MAELoss MSELoss PoissonNLLLoss RMSELoss SmoothL1Loss",
    ".pairs": """
        CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss TripletMarginLoss
        TripletMarginWithDistanceLoss
    """,
    ".regions": "DiceLoss FocalLoss MultiClassDiceLoss",
    ".sequences": "CTCLoss SampledSoftmaxLoss",
})  # fmt: skip
