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
from .layers.norm import BatchNorm1d, BatchNorm2d, LayerNorm
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
from .optim import SGD
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
    "DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "ForwardValueAndGrad", "GradAccumulationCell", "Identity",
    "ParameterUpdate", "TrainOneStepCell", "TrainOneStepWithLossScaleCell", "WithEvalCell", "WithGradCell",
    "WithLossCell",
    "MultiheadAttention", "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
    "TransformerEncoderLayer",
    "GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCell",
    "SGD", "BatchNorm1d", "BatchNorm2d", "Cell", "CellDict", "CellList", "Conv2d", "CrossEntropyLoss", "Dense",
    "Dropout", "Flatten", "LayerNorm", "MSELoss", "ReLU", "ReLU6", "SequentialCell", "Sigmoid", "Softmax", "Tanh",
    "get_activation", "Jvp", "Vjp",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise _error("nn", name, __all__)
