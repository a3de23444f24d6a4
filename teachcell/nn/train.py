"""Cells of training: a network with its loss, its gradients, and one step of an optimizer.

They wrap networks without renaming the Parameters in them. ``teachcell.train`` builds its loops from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..autodiff.grad import check_function, checked_weights, shaped
from ..autodiff.grad_operation import GradOperation
from ..autodiff.recorded import Recorded
from ..core.dtypes import float32
from ..core.nested import map_tensors
from ..core.tensor import Tensor, wrap
from ..ops.arrays.state import assign
from ..texts import say
from .cell import Cell
from .layers.arrange import Identity
from .layers.checks import positive_int
from .parameter import Parameter


class Wrapper(Cell):
    """A Cell around others that leaves the names of their Parameters alone."""

    def __init__(self) -> None:
        super().__init__(auto_prefix=False)

    def _checked(self, function: Any) -> Any:
        check_function(function, type(self).__name__)
        return function


# Networks with their loss -------------------------------------------------------------------------------------------


class WithLossCell(Wrapper):
    """``loss_fn(backbone(data), label)``.

    Args:
        backbone: the network.
        loss_fn: a Cell or function of the network's output and the label.
    """

    def __init__(self, backbone: Any, loss_fn: Any):
        super().__init__()
        self._backbone, self._loss_fn = self._checked(backbone), self._checked(loss_fn)

    def construct(self, data: Any, label: Any) -> Any:
        """The loss."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone


class WithEvalCell(Wrapper):
    """Everything that metrics look at: the loss, the network's output, and the label.

    Args:
        network: the network.
        loss_fn: a Cell or function of the network's output and the label.
        add_cast_fp32: whether output and label are cast to Float32 first.
    """

    def __init__(self, network: Any, loss_fn: Any, add_cast_fp32: bool = False):
        super().__init__()
        self._network, self._loss_fn = self._checked(network), self._checked(loss_fn)
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data: Any, label: Any) -> tuple[Any, Any, Any]:
        """(loss, output, label)."""
        output = self._network(data)
        if self.add_cast_fp32:
            output, label = map_tensors(lambda t: t.astype(float32), (output, label))
        return self._loss_fn(output, label), output, label


# Gradients ----------------------------------------------------------------------------------------------------------


def derivatives(
    network: Any, inputs: Sequence[Any], positions: tuple[int, ...] | None, weights: Sequence[Tensor], sens: Any = None
) -> tuple[Any, tuple[Tensor, ...], tuple[Tensor, ...]]:
    """One call: the value, and the gradients by inputs and by weights of all it contains, times ``sens``."""
    call = Recorded(network, inputs, {}, positions)
    if isinstance(sens, Tensor) and sens.size == 1:
        sens = sens.reshape(())
    seeds = None if sens is None else [(wrap(np.ones_like(t._array)) * sens).astype(t.dtype) for t in call.outputs]
    return call.result, *call.gradients(seeds, weights)


class ForwardValueAndGrad(Wrapper):
    """A network's value and gradients from one call.

    Args:
        network: function or Cell.
        weights: Parameters to differentiate by, with ``get_by_list``.
        get_all: gradients by all inputs (a tuple) instead of the first one.
        get_by_list: gradients by ``weights``; with ``get_all`` a pair (by inputs, by weights).
        sens_param: the last argument of the call, a number or Tensor, is multiplied to the gradient.
    """

    def __init__(
        self, network: Any, weights: Any = None, get_all: bool = False, get_by_list: bool = False,
        sens_param: bool = False,
    ):  # fmt: skip
        super().__init__()
        self.grad = GradOperation(get_all, get_by_list, sens_param)
        if get_by_list and weights is None:
            raise TypeError(say("errors.weights_missing"))
        self.network = self._checked(network)
        self._weights = checked_weights(weights) if get_by_list else ()
        self._one_weight = isinstance(weights, Tensor)

    def construct(self, *inputs: Any) -> tuple[Any, Any]:
        """(value, gradients)."""
        sens = None
        if self.grad.sens_param:
            if not inputs:
                raise TypeError(say("errors.sens_missing"))
            inputs, sens = inputs[:-1], inputs[-1]
        positions = self.grad._positions(inputs)
        value, by_input, by_weight = derivatives(self.network, inputs, positions, self._weights, sens)
        return value, shaped(
            None if positions is None else by_input, by_weight if self.grad.get_by_list else None,
            not self.grad.get_all, self._one_weight,
        )  # fmt: skip


class WithGradCell(Wrapper):
    """The gradients of a network's loss by its trainable Parameters.

    Args:
        network: the network.
        loss_fn: a Cell or function of output and label; None if the network gives the loss itself.
        sens: multiplied to the gradients.
    """

    def __init__(self, network: Cell, loss_fn: Any = None, sens: Any = None):
        super().__init__()
        self.network = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.sens = sens
        self._weights = network.trainable_params()

    def construct(self, *inputs: Any) -> tuple[Tensor, ...]:
        """One gradient per Parameter."""
        return derivatives(self.network, inputs, None, self._weights, self.sens)[2]


class ParameterUpdate(Wrapper):
    """Writes what it is called with into a Parameter.

    Args:
        param: the Parameter.
    """

    def __init__(self, param: Parameter):
        super().__init__()
        if not isinstance(param, Parameter):
            raise TypeError(say("errors.not_a_parameter", got=type(param).__name__))
        self._param = param

    def construct(self, x: Tensor) -> Tensor:
        """The new value."""
        assign(self._param, x)
        return x


class GradAccumulationCell(Wrapper):
    """Calls a network on one part of the batch after the other, and adds up what it returns, and so the gradients.

    Args:
        network: the network; it gives a loss.
        micro_size: the number of parts.
    """

    def __init__(self, network: Any, micro_size: int):
        super().__init__()
        self.network = self._checked(network)
        self.micro_size = positive_int("GradAccumulationCell", "micro_size", micro_size)

    def construct(self, *inputs: Tensor) -> Any:
        """The sum of the parts' losses."""
        for i, x in enumerate(inputs):
            if not isinstance(x, Tensor):
                where = say("errors.input", i=i)
                raise TypeError(say("errors.input_kind", cls=type(self).__name__, name=where, got=type(x).__name__))
            if not x.ndim or x.shape[0] % self.micro_size:
                raise ValueError(say("errors.micro_size", shape=x.shape, count=self.micro_size))
        total = None
        for i in range(self.micro_size):
            sizes = [x.shape[0] // self.micro_size for x in inputs]
            loss = self.network(*[x[i * n : (i + 1) * n] for x, n in zip(inputs, sizes, strict=True)])
            total = loss if total is None else total + loss
        return total


# One step -----------------------------------------------------------------------------------------------------------


class TrainOneStepCell(Wrapper):
    """A call is one step of training: the network's loss, its gradients, and the optimizer's move.

    To change what lies between gradients and optimizer, subclass it and override ``construct``; ``network``,
    ``optimizer``, ``weights``, ``sens`` and ``grad``, a GradOperation by Parameters with a seed, are there for that.

    Args:
        network: gives the loss; gradients are those of everything it returns.
        optimizer: an optimizer; its Parameters are trained.
        sens: multiplied to the gradients.
        return_grad: whether the gradients are returned, by the Parameters' names, beside the loss.
    """

    def __init__(self, network: Any, optimizer: Any, sens: Any = None, return_grad: bool = False):
        super().__init__()
        self.network = self._checked(network)
        if not hasattr(optimizer, "parameters"):
            raise TypeError(say("errors.not_an_optimizer", got=type(optimizer).__name__))
        self.optimizer, self.return_grad = optimizer, return_grad
        self.weights = tuple(optimizer.parameters)
        self.sens = 1.0 if sens is None else sens
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_reducer = Identity()

    def construct(self, *inputs: Any) -> Any:
        """The loss as it was before the step; with ``return_grad`` a pair of it and a dict of gradients."""
        sens = None if isinstance(self.sens, float) and self.sens == 1 else self.sens
        loss, _, gradients = derivatives(self.network, inputs, None, self.weights, sens)
        gradients = self.grad_reducer(gradients)
        self.optimizer(gradients)
        if not self.return_grad:
            return loss
        return loss, {p.name: g for p, g in zip(self.weights, gradients, strict=True)}
