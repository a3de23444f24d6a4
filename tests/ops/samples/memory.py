"""Samples and references: copies."""

from __future__ import annotations

from ops.samples.sample import References

UNARY: References = {"clone": lambda x: x + 0}
