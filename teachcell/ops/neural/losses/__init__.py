"""Losses, by what they compare: class scores with labels, numbers, probabilities, margins between scores."""
