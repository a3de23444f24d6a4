"""Cells: Parameters, layers, hooks, custom backward rules, losses, optimizers."""

from typing import Any

from ..core.absent import error as _error
from .cell import Cell
from .containers import CellDict, CellList, SequentialCell
from .derivatives import Jvp, Vjp
from .layers.activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    FastGelu,
    Hardtanh,
    HShrink,
    HSigmoid,
    HSwish,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    SeLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softmax2d,
    Softmin,
    SoftShrink,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
    get_activation,
)
from .layers.arrange import Identity
from .layers.attention import MultiheadAttention
from .layers.basic import Dense, Flatten
from .layers.conv import Conv2d
from .layers.dropout import Dropout, Dropout1d, Dropout2d, Dropout3d
from .layers.embedding import Embedding, EmbeddingLookup
from .layers.norm import (
    LRN,
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    GroupNorm,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    LayerNorm,
    LayerNormExt,
)
from .layers.recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
from .layers.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from .loss.classes import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    KLDivLoss,
    MultilabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    NLLLoss,
    SoftMarginLoss,
    SoftmaxCrossEntropyWithLogits,
)
from .loss.loss import (
    GaussianNLLLoss,
    HuberLoss,
    L1Loss,
    LossBase,
    MAELoss,
    MSELoss,
    PoissonNLLLoss,
    RMSELoss,
    SmoothL1Loss,
)
from .loss.pairs import (
    CosineEmbeddingLoss,
    HingeEmbeddingLoss,
    MarginRankingLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from .loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, TrainOneStepWithLossScaleCell
from .optim import (
    ASGD,
    FTRL,
    LARS,
    SGD,
    Adadelta,
    AdaFactor,
    Adagrad,
    Adam,
    AdaMax,
    AdamWeightDecay,
    CosineDecayLR,
    ExponentialDecayLR,
    InverseDecayLR,
    Lamb,
    LazyAdam,
    LearningRateSchedule,
    Momentum,
    NaturalExpDecayLR,
    Optimizer,
    PolynomialDecayLR,
    ProximalAdagrad,
    RMSProp,
    Rprop,
    WarmUpLR,
    cosine_decay_lr,
    exponential_decay_lr,
    inverse_decay_lr,
    natural_exp_decay_lr,
    piecewise_constant_lr,
    polynomial_decay_lr,
    warmup_lr,
)
from .train import (
    ForwardValueAndGrad,
    GradAccumulationCell,
    ParameterUpdate,
    TrainOneStepCell,
    WithEvalCell,
    WithGradCell,
    WithLossCell,
)

__all__ = [
    "ASGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamWeightDecay", "BCELoss", "BCEWithLogitsLoss",
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "CELU", "Cell", "CellDict", "CellList", "Conv2d", "CosineDecayLR",
    "CosineEmbeddingLoss", "CrossEntropyLoss", "Dense", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d",
    "DynamicLossScaleUpdateCell", "ELU", "Embedding", "EmbeddingLookup", "ExponentialDecayLR", "FTRL", "FastGelu",
    "FixedLossScaleUpdateCell", "Flatten", "ForwardValueAndGrad", "GELU", "GLU", "GRU", "GRUCell", "GaussianNLLLoss",
    "GradAccumulationCell", "GroupNorm", "HShrink", "HSigmoid", "HSwish", "Hardtanh", "HingeEmbeddingLoss", "HuberLoss",
    "Identity", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "InverseDecayLR", "Jvp", "KLDivLoss", "L1Loss",
    "LARS", "LRN", "LSTM", "LSTMCell", "Lamb", "LayerNorm", "LayerNormExt", "LazyAdam", "LeakyReLU",
    "LearningRateSchedule", "LogSigmoid", "LogSoftmax", "LossBase", "MAELoss", "MSELoss", "MarginRankingLoss", "Mish",
    "Momentum", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "MultiheadAttention", "MultilabelMarginLoss", "NLLLoss",
    "NaturalExpDecayLR", "Optimizer", "PReLU", "ParameterUpdate", "PoissonNLLLoss", "PolynomialDecayLR",
    "ProximalAdagrad", "RMSELoss", "RMSProp", "RNN", "RNNCell", "RReLU", "ReLU", "ReLU6", "Rprop", "SGD", "SeLU",
    "SequentialCell", "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "SoftShrink", "Softmax", "Softmax2d",
    "SoftmaxCrossEntropyWithLogits", "Softmin", "Softsign", "Tanh", "Tanhshrink", "Threshold", "TrainOneStepCell",
    "TrainOneStepWithLossScaleCell", "Transformer", "TransformerDecoder", "TransformerDecoderLayer",
    "TransformerEncoder", "TransformerEncoderLayer", "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Vjp",
    "WarmUpLR", "WithEvalCell", "WithGradCell", "WithLossCell", "cosine_decay_lr", "exponential_decay_lr",
    "get_activation", "inverse_decay_lr", "natural_exp_decay_lr", "piecewise_constant_lr", "polynomial_decay_lr",
    "warmup_lr",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise _error("nn", name, __all__)
