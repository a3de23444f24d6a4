"""Data sets as loops see them: anything that can be gone through again and again, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from ..texts import say

Batch = tuple[Any, ...]


def check(dataset: Any, passes: int) -> None:
    """Refuse what is no data set, or one that cannot be gone through so many times.

    Raises:
        TypeError: it cannot be iterated, or its items are no batches.
        ValueError: an iterator, for more than one pass.
    """
    arrays = isinstance(dataset, tuple) and any(isinstance(item, (Tensor, np.ndarray)) for item in dataset)
    if arrays or isinstance(dataset, (Tensor, np.ndarray, dict, str)) or not hasattr(dataset, "__iter__"):
        raise TypeError(say("errors.dataset", got=type(dataset).__name__))
    if passes > 1 and isinstance(dataset, Iterator):
        raise ValueError(say("errors.dataset_once", got=type(dataset).__name__, passes=passes))


def size_of(dataset: Any) -> int | None:
    """The number of batches, where the data set tells it."""
    if hasattr(dataset, "get_dataset_size"):
        return dataset.get_dataset_size()
    return len(dataset) if hasattr(dataset, "__len__") else None


def batches(dataset: Any, pairs: bool = False) -> Iterator[Batch]:
    """The batches, each as the inputs of a call: the members of a tuple or list, or the values of a dict.

    Raises:
        ValueError: ``pairs`` are wanted, of data and label, and a batch has another number of members.
    """
    for batch in dataset:
        members = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (tuple, list)) else (batch,)
        if pairs and len(members) != 2:
            raise ValueError(say("errors.batch_pair", got=len(members)))
        yield tuple(Tensor(m) if isinstance(m, (np.ndarray, np.generic)) else m for m in members)
