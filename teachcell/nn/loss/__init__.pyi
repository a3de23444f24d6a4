"""The names as type checkers see them. Made by tests/ops/stub.py; do not edit."""

# ruff: noqa: I001
from .classes import BCELoss as BCELoss
from .classes import BCEWithLogitsLoss as BCEWithLogitsLoss
from .classes import CrossEntropyLoss as CrossEntropyLoss
from .classes import KLDivLoss as KLDivLoss
from .classes import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from .classes import MultiMarginLoss as MultiMarginLoss
from .classes import MultilabelMarginLoss as MultilabelMarginLoss
from .classes import NLLLoss as NLLLoss
from .classes import SoftMarginLoss as SoftMarginLoss
from .classes import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from .loss import GaussianNLLLoss as GaussianNLLLoss
from .loss import HuberLoss as HuberLoss
from .loss import L1Loss as L1Loss
from .loss import LossBase as LossBase
from .loss import MAELoss as MAELoss
from .loss import MSELoss as MSELoss
from .loss import PoissonNLLLoss as PoissonNLLLoss
from .loss import RMSELoss as RMSELoss
from .loss import SmoothL1Loss as SmoothL1Loss
from .pairs import CosineEmbeddingLoss as CosineEmbeddingLoss
from .pairs import HingeEmbeddingLoss as HingeEmbeddingLoss
from .pairs import MarginRankingLoss as MarginRankingLoss
from .pairs import TripletMarginLoss as TripletMarginLoss
from .pairs import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from .regions import DiceLoss as DiceLoss
from .regions import FocalLoss as FocalLoss
from .regions import MultiClassDiceLoss as MultiClassDiceLoss
from .sequences import CTCLoss as CTCLoss
from .sequences import SampledSoftmaxLoss as SampledSoftmaxLoss
