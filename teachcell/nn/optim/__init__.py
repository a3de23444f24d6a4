"""Optimizers, called with a tuple of gradients; they write the Parameters in place.

``optimizer.py`` holds what all share (groups, rates, weight decay, state), and ``joint.py`` makes a step over all
Parameters at once where that gives the same. The families are ``descent.py`` (SGD, Momentum, ASGD, Rprop),
``adam.py``, ``adagrad.py``, ``adafactor.py`` and ``lars.py``. ``schedule.py`` makes rates that change with the step:
as Cells, and as plain lists.
"""

from ...core.loading import also_called, lazily

__getattr__, __dir__, __all__ = lazily(__name__, {
    ".adafactor": "AdaFactor",
    ".adagrad": "Adadelta Adagrad FTRL ProximalAdagrad RMSProp",
    ".adam": "AdaMax Adam AdamWeightDecay Lamb LazyAdam",
    ".descent": "ASGD Momentum Rprop SGD",
    ".lars": "LARS",
    ".optimizer": "Optimizer",
    ".schedule": """
        CosineDecayLR ExponentialDecayLR InverseDecayLR LearningRateSchedule NaturalExpDecayLR
        PolynomialDecayLR WarmUpLR cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr
        piecewise_constant_lr polynomial_decay_lr warmup_lr
    """,
})  # fmt: skip

also_called(__name__, "ada_grad adadelta adamax asgd ftrl lamb lazyadam momentum proximal_ada_grad rmsprop rprop sgd")
