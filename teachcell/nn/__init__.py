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
from .layers.algebra import (
    BiDense,
    ClipByNorm,
    CosineSimilarity,
    DiGamma,
    IGamma,
    L1Regularizer,
    LBeta,
    LGamma,
    Linear,
    MatDet,
    MatInverse,
    MatMul,
    MatrixDiag,
    MatrixDiagPart,
    MatrixSetDiag,
    Moments,
    Norm,
    ReduceLogSumExp,
)
from .layers.arrange import (
    Identity,
    OneHot,
    Range,
    Roll,
    TimeDistributed,
    Tril,
    Triu,
    Unflatten,
)
from .layers.attention import MultiheadAttention
from .layers.basic import Dense, Flatten
from .layers.blocks import Conv2dBnAct, DenseBnAct
from .layers.conv import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose, Conv3d, Conv3dTranspose
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
from .layers.padding import (
    ConstantPad1d,
    ConstantPad2d,
    ConstantPad3d,
    Pad,
    ReflectionPad1d,
    ReflectionPad2d,
    ReflectionPad3d,
    ReplicationPad1d,
    ReplicationPad2d,
    ReplicationPad3d,
    ZeroPad2d,
)
from .layers.pool import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AdaptiveMaxPool3d,
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    FractionalMaxPool2d,
    FractionalMaxPool3d,
    LPPool1d,
    LPPool2d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
    MaxUnpool1d,
    MaxUnpool2d,
    MaxUnpool3d,
)
from .layers.recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
from .layers.spatial import CentralCrop, ChannelShuffle, ImageGradients, PixelShuffle, PixelUnshuffle, Unfold, Upsample
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
from .loss.regions import DiceLoss, FocalLoss, MultiClassDiceLoss
from .loss.sequences import CTCLoss, SampledSoftmaxLoss
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
    "ASGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamWeightDecay", "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d",
    "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d",
    "BiDense", "CELU", "CTCLoss", "Cell", "CellDict", "CellList", "CentralCrop", "ChannelShuffle", "ClipByNorm",
    "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dBnAct",
    "Conv2dTranspose", "Conv3d", "Conv3dTranspose", "CosineDecayLR", "CosineEmbeddingLoss", "CosineSimilarity",
    "CrossEntropyLoss", "Dense", "DenseBnAct", "DiGamma", "DiceLoss", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d",
    "DynamicLossScaleUpdateCell", "ELU", "Embedding", "EmbeddingLookup", "ExponentialDecayLR", "FTRL", "FastGelu",
    "FixedLossScaleUpdateCell", "Flatten", "FocalLoss", "ForwardValueAndGrad", "FractionalMaxPool2d",
    "FractionalMaxPool3d", "GELU", "GLU", "GRU", "GRUCell", "GaussianNLLLoss", "GradAccumulationCell", "GroupNorm",
    "HShrink", "HSigmoid", "HSwish", "Hardtanh", "HingeEmbeddingLoss", "HuberLoss", "IGamma", "Identity",
    "ImageGradients", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "InverseDecayLR", "Jvp", "KLDivLoss",
    "L1Loss", "L1Regularizer", "LARS", "LBeta", "LGamma", "LPPool1d", "LPPool2d", "LRN", "LSTM", "LSTMCell", "Lamb",
    "LayerNorm", "LayerNormExt", "LazyAdam", "LeakyReLU", "LearningRateSchedule", "Linear", "LogSigmoid", "LogSoftmax",
    "LossBase", "MAELoss", "MSELoss", "MarginRankingLoss", "MatDet", "MatInverse", "MatMul", "MatrixDiag",
    "MatrixDiagPart", "MatrixSetDiag", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
    "MaxUnpool3d", "Mish", "Moments", "Momentum", "MultiClassDiceLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss",
    "MultiheadAttention", "MultilabelMarginLoss", "NLLLoss", "NaturalExpDecayLR", "Norm", "OneHot", "Optimizer",
    "PReLU", "Pad", "ParameterUpdate", "PixelShuffle", "PixelUnshuffle", "PoissonNLLLoss", "PolynomialDecayLR",
    "ProximalAdagrad", "RMSELoss", "RMSProp", "RNN", "RNNCell", "RReLU", "Range", "ReLU", "ReLU6", "ReduceLogSumExp",
    "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d",
    "Roll", "Rprop", "SGD", "SampledSoftmaxLoss", "SeLU", "SequentialCell", "SiLU", "Sigmoid", "SmoothL1Loss",
    "SoftMarginLoss", "SoftShrink", "Softmax", "Softmax2d", "SoftmaxCrossEntropyWithLogits", "Softmin", "Softsign",
    "Tanh", "Tanhshrink", "Threshold", "TimeDistributed", "TrainOneStepCell", "TrainOneStepWithLossScaleCell",
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
    "Tril", "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Triu", "Unflatten", "Unfold", "Upsample", "Vjp",
    "WarmUpLR", "WithEvalCell", "WithGradCell", "WithLossCell", "ZeroPad2d", "cosine_decay_lr", "exponential_decay_lr",
    "get_activation", "inverse_decay_lr", "natural_exp_decay_lr", "piecewise_constant_lr", "polynomial_decay_lr",
    "warmup_lr",
]  # fmt: skip


HIGHER: dict[str, Any] = {}  # what higher floors add under names that MindSpore has here, such as nn.Accuracy


def __getattr__(name: str) -> Any:
    if name in HIGHER:
        return HIGHER[name]
    raise _error("nn", name, __all__)
