"""Whose memory a Tensor's array is: whether its next value may be written into it.

``asnumpy()``, views, Nodes and other Tensors all hold a reference to the array they share. If the Tensor's own is the
only one, nobody can see that the memory is used again: on a Parameter of 800 KB that is half the time of a step.
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrefcount

import numpy as np

from . import modes
from .references import ALONE
from .tensor import Tensor


class SideBySide(np.ndarray):
    """Memory in which an optimizer has laid the arrays of several Tensors (``nn/optim/joint.py``).

    Attributes:
        references: how many refer to a Parameter's array there while nobody else does.
    """

    references = 0


def know_alone(tensor: Tensor) -> None:
    """Note that nobody else holds a Tensor's array that lies side by side with others."""
    tensor._array.base.references = getrefcount(tensor._array)  # type: ignore[union-attr]


def alone(tensor: Tensor) -> bool:
    """Whether nobody holds a Tensor's array who might write into it unheard (see ``events.py``)."""
    base = tensor._array.base
    if type(base) is SideBySide:
        return getrefcount(tensor._array) == base.references
    return base is None and getrefcount(tensor._array) == ALONE


def writable(tensors: Iterable[Tensor]) -> list[np.ndarray]:
    """The arrays of Tensors, to write into: a Tensor whose array somebody else holds gets a copy first.

    Several at once, since a call for each would cost as much as the question.
    """
    recorded = modes.recording() is not None
    found = []
    for tensor in tensors:
        shared = getrefcount(tensor._array) != ALONE
        array = tensor._array
        flags = array.flags
        if recorded or shared or not flags.owndata or not flags.writeable:
            array = tensor._array = array.copy("K")
        found.append(array)
    return found
