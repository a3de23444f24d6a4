"""Cells: Parameters, layers, hooks, custom backward rules, losses, optimizers."""

from typing import Any

from ..core.absent import error as _error
from .cell import Cell
from .containers import CellDict, CellList, SequentialCell
from .derivatives import Jvp, Vjp
from .layers.arrange import Identity
from .layers.attention import MultiheadAttention
from .layers.basic import Dense, Dropout, Flatten, ReLU, ReLU6, Sigmoid, Softmax, Tanh, get_activation
from .layers.conv import Conv2d
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
)
from .layers.recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
from .layers.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from .loss import CrossEntropyLoss, MSELoss
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
    "ASGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamWeightDecay", "BatchNorm1d", "BatchNorm2d",
    "BatchNorm3d", "Cell", "CellDict", "CellList", "Conv2d", "CosineDecayLR", "CrossEntropyLoss", "Dense", "Dropout",
    "DynamicLossScaleUpdateCell", "ExponentialDecayLR", "FTRL", "FixedLossScaleUpdateCell", "Flatten",
    "ForwardValueAndGrad", "GRU", "GRUCell", "GradAccumulationCell", "GroupNorm", "Identity", "InstanceNorm1d",
    "InstanceNorm2d", "InstanceNorm3d", "InverseDecayLR", "Jvp", "LARS", "LRN", "LSTM", "LSTMCell", "Lamb", "LayerNorm",
    "LazyAdam", "LearningRateSchedule", "MSELoss", "Momentum", "MultiheadAttention", "NaturalExpDecayLR", "Optimizer",
    "ParameterUpdate", "PolynomialDecayLR", "ProximalAdagrad", "RMSProp", "RNN", "RNNCell", "ReLU", "ReLU6", "Rprop",
    "SGD", "SequentialCell", "Sigmoid", "Softmax", "Tanh", "TrainOneStepCell", "TrainOneStepWithLossScaleCell",
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
    "Vjp", "WarmUpLR", "WithEvalCell", "WithGradCell", "WithLossCell", "cosine_decay_lr", "exponential_decay_lr",
    "get_activation", "inverse_decay_lr", "natural_exp_decay_lr", "piecewise_constant_lr", "polynomial_decay_lr",
    "warmup_lr",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise _error("nn", name, __all__)
