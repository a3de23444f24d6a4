"""Losses, by what they compare: class scores with labels, numbers, probabilities, margins between scores."""

from . import ctc, distances, labels, margins, numbers, probabilities  # noqa: F401 - importing a family declares its ops
