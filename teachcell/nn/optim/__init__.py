"""Optimizers, called with a tuple of gradients; they write the Parameters in place.

``optimizer.py`` holds what all share (groups, rates, weight decay, state); the families are ``descent.py`` (SGD,
Momentum, ASGD, Rprop), ``adam.py``, ``adagrad.py``, ``adafactor.py`` and ``lars.py``. ``schedule.py`` makes rates
that change with the step: as Cells, and as plain lists.
"""

from .adafactor import AdaFactor
from .adagrad import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
from .adam import Adam, AdaMax, AdamWeightDecay, Lamb, LazyAdam
from .descent import ASGD, SGD, Momentum, Rprop
from .lars import LARS
from .optimizer import Optimizer
from .schedule import (
    CosineDecayLR,
    ExponentialDecayLR,
    InverseDecayLR,
    LearningRateSchedule,
    NaturalExpDecayLR,
    PolynomialDecayLR,
    WarmUpLR,
    cosine_decay_lr,
    exponential_decay_lr,
    inverse_decay_lr,
    natural_exp_decay_lr,
    piecewise_constant_lr,
    polynomial_decay_lr,
    warmup_lr,
)

__all__ = [
    "ASGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamWeightDecay", "CosineDecayLR",
    "ExponentialDecayLR", "FTRL", "InverseDecayLR", "LARS", "Lamb", "LazyAdam", "LearningRateSchedule", "Momentum",
    "NaturalExpDecayLR", "Optimizer", "PolynomialDecayLR", "ProximalAdagrad", "RMSProp", "Rprop", "SGD", "WarmUpLR",
    "cosine_decay_lr", "exponential_decay_lr", "inverse_decay_lr", "natural_exp_decay_lr", "piecewise_constant_lr",
    "polynomial_decay_lr", "warmup_lr",
]  # fmt: skip
