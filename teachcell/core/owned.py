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


def alone(tensor: Tensor) -> bool:
    """Whether nobody but the Tensor holds its array, so that nobody writes into it unheard (see ``events.py``)."""
    return getrefcount(tensor._array) == ALONE and tensor._array.base is None


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
