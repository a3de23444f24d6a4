"""Steps of optimizers as class forms: they write Parameters and what belongs to them in place.

The formulas are those of ``nn``'s optimizers (``kernels/update.py``); nothing here is differentiated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.owned import writable
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import update as K
from ...texts import say


def _number(value: Any) -> float:
    return float(value.item() if isinstance(value, Tensor) else value)


def _write(targets: Sequence[Tensor], gradient: Any, formula: Callable[..., None], *numbers: Any, **flags: Any) -> Any:
    """Run a formula of rows ``(*targets, gradient)``, which writes into the targets; the new values, bare if one."""
    first = targets[0]
    if not isinstance(first, Tensor):
        raise TypeError(say("errors.not_a_parameter", got=type(first).__name__))
    dtype = first._array.dtype
    given = operand(gradient, dtype)
    for tensor in (*targets, given):
        if tensor.shape != first.shape:
            name = getattr(first, "name", "Tensor")
            raise ValueError(say("errors.assign_shape", name=name, shape=first.shape, got=tensor.shape))
    slope = given._array.astype(dtype, copy=False)
    for tensor in targets:
        tensor._before_write()
    own = writable(targets)
    arrays = [array.astype(dtype, copy=False) for array in own]
    formula(K.fitting(formula, ((*arrays, slope),)), dtype, *map(_number, numbers), **flags)
    for tensor, array, new in zip(targets, own, arrays, strict=True):
        tensor._array = new.astype(array.dtype, copy=False)
    copies = tuple([wrap(new.copy()) for new in arrays])
    return copies if len(copies) > 1 else copies[0]


def _corrected(lr: Any, beta1_power: Any, beta2_power: Any) -> float:
    """The rate with Adam's bias correction."""
    return _number(lr) * math.sqrt(1 - _number(beta2_power)) / (1 - _number(beta1_power))


@public(primitive="ApplyMomentum", init=("use_nesterov", "use_locking", "gradient_scale"))
def _apply_momentum(
    variable: Tensor, accumulation: Tensor, learning_rate: Any, gradient: Any, momentum: Any,
    use_nesterov: bool = False, use_locking: bool = False, gradient_scale: float = 1.0,
) -> Tensor:  # fmt: skip
    """accumulation = momentum · accumulation + gradient; variable −= learning_rate · accumulation."""
    scaled = operand(gradient, variable._array.dtype)._array * variable._array.dtype.type(gradient_scale)
    both = variable, accumulation
    return _write(both, wrap(scaled), K.momentum, learning_rate, momentum, nesterov=use_nesterov)[0]


@public(primitive="SGD", init=("dampening", "weight_decay", "nesterov"))
def _sgd(
    parameters: Tensor, gradient: Any, learning_rate: Any, accum: Tensor, momentum: Any, stat: Tensor,
    dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False,
) -> Tensor:  # fmt: skip
    """accum = momentum · accum + (1 − dampening) · g, or g where ``stat`` is 1 (a first step); then as momentum."""

    def step(rows: K.Rows, dtype: np.dtype, lr: float, stays: float) -> None:
        decay, kept, share = K.numbers(dtype, weight_decay, stays, 1 - dampening)
        for p, buffer, first, g in rows:
            slope = g + decay * p
            buffer[...] = np.where(first > 0, slope, kept * buffer + share * slope)
            first[...] = 0
            K.descent([(p, slope + kept * buffer if nesterov else buffer)], dtype, lr)

    return _write((parameters, accum, stat), gradient, step, learning_rate, momentum)[0]


@public(primitive="Adam", init=("use_locking", "use_nesterov"))
def _adam(
    var: Tensor, m: Tensor, v: Tensor, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any,
    epsilon: Any, gradient: Any, use_locking: bool = False, use_nesterov: bool = False,
) -> Any:  # fmt: skip
    """var −= lr_t · m / (√v + epsilon), with running means m and v of the gradient and its square."""
    rate = _corrected(lr, beta1_power, beta2_power)
    return _write((var, m, v), gradient, K.adam, rate, beta1, beta2, epsilon, nesterov=use_nesterov)


@public(primitive="AdamNoUpdateParam", init=("use_locking", "use_nesterov"))
def _adam_no_update(
    m: Tensor, v: Tensor, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any,
    gradient: Any, use_locking: bool = False, use_nesterov: bool = False,
) -> Tensor:  # fmt: skip
    """What Adam would add to the value; m and v are written."""
    zero = wrap(np.zeros_like(m._array))
    rate = _corrected(lr, beta1_power, beta2_power)
    return _write((zero, m, v), gradient, K.adam, rate, beta1, beta2, epsilon, nesterov=use_nesterov)[0]


@public(primitive="AdamWeightDecay", init=("use_locking",))
def _adam_weight_decay(
    var: Tensor, m: Tensor, v: Tensor, lr: Any, beta1: Any, beta2: Any, epsilon: Any, decay: Any, gradient: Any,
    use_locking: bool = False,
) -> Any:  # fmt: skip
    """var −= lr · (m / (√v + epsilon) + decay · var)."""
    return _write((var, m, v), gradient, K.adam_weight_decay, lr, beta1, beta2, epsilon, decay)


@public(primitive="ApplyAdamWithAmsgradV2", init=("use_locking",))
def _apply_amsgrad(
    var: Tensor, m: Tensor, v: Tensor, vhat: Tensor, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any,
    beta2: Any, epsilon: Any, grad: Any, use_locking: bool = False,
) -> Any:  # fmt: skip
    """Adam with the largest v so far, vhat."""
    rate = _corrected(lr, beta1_power, beta2_power)
    return _write((var, m, v, vhat), grad, K.amsgrad, rate, beta1, beta2, epsilon)


@public(primitive="ApplyAdaMax")
def _apply_adamax(
    var: Tensor, m: Tensor, v: Tensor, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any
) -> Any:
    """v = max(beta2 · v, |grad|); var −= lr / (1 − beta1_power) · m / (v + epsilon)."""
    rate = _number(lr) / (1 - _number(beta1_power))
    return _write((var, m, v), grad, K.adamax, rate, beta1, beta2, epsilon)


@public(primitive="ApplyAdadelta")
def _apply_adadelta(
    var: Tensor, accum: Tensor, accum_update: Tensor, lr: Any, rho: Any, epsilon: Any, grad: Any
) -> Any:
    """u = grad · √(accum_update + epsilon) / √(accum + epsilon); var −= lr · u."""
    return _write((var, accum, accum_update), grad, K.adadelta, lr, rho, epsilon)


@public(primitive="ApplyAdagrad", init=("update_slots",))
def _apply_adagrad(var: Tensor, accum: Tensor, lr: Any, grad: Any, update_slots: bool = True) -> Any:
    """accum += grad²; var −= lr · grad / √accum."""
    return _write((var, accum), grad, K.adagrad, lr, update=update_slots)


@public(primitive="ApplyAdagradV2", init=("epsilon", "update_slots"))
def _apply_adagrad_v2(
    var: Tensor, accum: Tensor, lr: Any, grad: Any, epsilon: float = 1e-6, update_slots: bool = True
) -> Any:
    """accum += grad²; var −= lr · grad / (√accum + epsilon)."""
    return _write((var, accum), grad, K.adagrad, lr, epsilon, update=update_slots)


@public(primitive="ApplyProximalAdagrad", init=("use_locking",))
def _apply_proximal_adagrad(
    var: Tensor, accum: Tensor, lr: Any, l1: Any, l2: Any, grad: Any, use_locking: bool = False
) -> Any:
    """A step of Adagrad, then drawn towards 0 by l1 and l2."""
    return _write((var, accum), grad, K.proximal_adagrad, lr, l1, l2)


@public(primitive="ApplyRMSProp", init=("use_locking",))
def _apply_rmsprop(
    var: Tensor, mean_square: Tensor, moment: Tensor, learning_rate: Any, grad: Any, decay: Any, momentum: Any,
    epsilon: Any, use_locking: bool = False,
) -> Tensor:  # fmt: skip
    """moment = momentum · moment + learning_rate · grad / √(mean_square + epsilon); var −= moment."""
    kept = (var, mean_square, moment)
    return _write(kept, grad, K.rmsprop, learning_rate, decay, momentum, epsilon)[0]


@public(primitive="ApplyCenteredRMSProp", init=("use_locking",))
def _apply_centered_rmsprop(
    var: Tensor, mean_gradient: Tensor, mean_square: Tensor, moment: Tensor, grad: Any, learning_rate: Any,
    decay: Any, momentum: Any, epsilon: Any, use_locking: bool = False,
) -> Tensor:  # fmt: skip
    """As RMSProp, with mean_square − mean_gradient² under the root."""
    kept = (var, mean_gradient, mean_square, moment)
    return _write(kept, grad, K.centered_rmsprop, learning_rate, decay, momentum, epsilon)[0]


@public(primitive="ApplyFtrl", init=("use_locking",))
def _apply_ftrl(
    var: Tensor, accum: Tensor, linear: Tensor, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any,
    use_locking: bool = False,
) -> Tensor:  # fmt: skip
    """Follow the regularised leader."""
    return _write((var, accum, linear), grad, K.ftrl, lr, l1, l2, -_number(lr_power))[0]


@public(primitive="ApplyGradientDescent")
def _apply_gradient_descent(var: Tensor, alpha: Any, delta: Any) -> Tensor:
    """var −= alpha · delta."""
    return _write((var,), delta, K.descent, alpha)


@public(primitive="ApplyProximalGradientDescent")
def _apply_proximal_gradient_descent(var: Tensor, alpha: Any, l1: Any, l2: Any, delta: Any) -> Tensor:
    """var −= alpha · delta, then drawn towards 0 by l1 and l2."""
    return _write((var,), delta, K.proximal_descent, alpha, l1, l2)


@public(primitive="ApplyAddSign")
def _apply_add_sign(var: Tensor, m: Tensor, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """var −= lr · (alpha + sign_decay · sign grad · sign m) · grad."""
    base = _number(alpha)
    return _write((var, m), grad, K.sign_step, lr, sign_decay, beta, strength=lambda x: x.dtype.type(base) + x)


@public(primitive="ApplyPowerSign")
def _apply_power_sign(var: Tensor, m: Tensor, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """var −= lr · e^(logbase · sign_decay · sign grad · sign m) · grad."""
    base = _number(logbase)
    return _write((var, m), grad, K.sign_step, lr, sign_decay, beta, strength=lambda x: np.exp(x.dtype.type(base) * x))
