"""Which steps give arrays whose shape could be another one in another run, though all shapes before are the same."""

from __future__ import annotations

import numpy as np

from ..core.op import ARRAYS
from .plan import CONSTANT, Slot, Step

# Kernels and methods whose result has a form that follows from the forms of its operands, and shares their memory or
# does not, whatever the values are.
_FIXED = frozenset({
    "all", "amax", "amin", "any", "argmax", "argmin", "asarray", "assemble", "astype", "batch_norm",
    "batch_norm_grads", "bias_add", "bias_grad", "cast", "concat", "constant", "convolution",
    "convolution_weight_grad", "copy", "cross_entropy", "cross_entropy_grad", "cumsum", "dot", "dropout",
    "expand_dims", "flatten", "flatten_axes", "gelu", "gelu_grad", "identity", "kept_weight_grad", "layer_norm",
    "log_softmax", "log_softmax_grad", "logsumexp", "matmul", "matmul_left", "matmul_right", "max", "max_pool",
    "max_pool_grad", "mean", "min", "negative", "norm_grads", "ones_like", "pad", "parts", "prod", "random", "ravel",
    "relu", "relu_grad", "reshape", "scale", "select", "shift", "sigmoid", "sigmoid_grad", "softmax", "softmax_grad",
    "split", "square", "squeeze", "stack", "standard_normal", "std", "stop_gradient", "sum", "swapaxes", "take",
    "tanh_grad", "tile", "transpose", "transposed_convolution", "var", "zeros_like",
})  # fmt: skip
_FREE = frozenset({
    "argwhere", "bincount", "compress", "delete", "extract", "flatnonzero", "histogram", "intersect1d", "nonzero",
    "repeat", "setdiff1d", "trim_zeros", "union1d", "unique", "unique_all", "unique_consecutive", "unique_sorted",
})  # fmt: skip


def is_ufunc(step: Step) -> bool:
    """Whether it is a plain call of a ufunc, or one of its methods."""
    return isinstance(step.function, np.ufunc) or isinstance(getattr(step.function, "__self__", None), np.ufunc)


def fixed(step: Step) -> bool:
    """Whether the form of the results follows from that of the operands."""
    if step.label == "getitem":
        return not any(slot.kind != CONSTANT for slot in step.inputs[1:])
    if step.label == "view":
        return len(step.args) == 1 and not step.kwargs
    return is_ufunc(step) or step.label in _FIXED


def may_have_any_form(step: Step) -> bool:
    """Whether the form of the results is known to depend on values."""
    if step.label == "getitem":
        return any(slot.value.dtype.kind == "b" for slot in step.inputs[1:] if slot.kind != CONSTANT)
    return step.label in _FREE or (step.label == "where" and len(step.args) == 1)


def guarded_form(step: Step) -> list[Slot]:
    """The results whose form a replay compares: not those of the engine's ops, which have one that follows."""
    ours = step.label in vars(ARRAYS) and step.label not in _FREE and step.label != "getitem"
    if step.guards or fixed(step) or ours:
        return []
    return [slot for _, slot in step.outs if slot.touched and slot.is_array]
