"""The names as type checkers see them. Made by tests/ops/stub.py; do not edit."""

# ruff: noqa: I001
from .adafactor import AdaFactor as AdaFactor
from .adagrad import Adadelta as Adadelta
from .adagrad import Adagrad as Adagrad
from .adagrad import FTRL as FTRL
from .adagrad import ProximalAdagrad as ProximalAdagrad
from .adagrad import RMSProp as RMSProp
from .adam import AdaMax as AdaMax
from .adam import Adam as Adam
from .adam import AdamWeightDecay as AdamWeightDecay
from .adam import Lamb as Lamb
from .adam import LazyAdam as LazyAdam
from .descent import ASGD as ASGD
from .descent import Momentum as Momentum
from .descent import Rprop as Rprop
from .descent import SGD as SGD
from .lars import LARS as LARS
from .optimizer import Optimizer as Optimizer
from .schedule import CosineDecayLR as CosineDecayLR
from .schedule import ExponentialDecayLR as ExponentialDecayLR
from .schedule import InverseDecayLR as InverseDecayLR
from .schedule import LearningRateSchedule as LearningRateSchedule
from .schedule import NaturalExpDecayLR as NaturalExpDecayLR
from .schedule import PolynomialDecayLR as PolynomialDecayLR
from .schedule import WarmUpLR as WarmUpLR
from .schedule import cosine_decay_lr as cosine_decay_lr
from .schedule import exponential_decay_lr as exponential_decay_lr
from .schedule import inverse_decay_lr as inverse_decay_lr
from .schedule import natural_exp_decay_lr as natural_exp_decay_lr
from .schedule import piecewise_constant_lr as piecewise_constant_lr
from .schedule import polynomial_decay_lr as polynomial_decay_lr
from .schedule import warmup_lr as warmup_lr
