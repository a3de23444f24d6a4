"""The exception for a name that is not known here."""

from __future__ import annotations


class UnknownName(KeyError):
    """A KeyError that reads as its sentence: KeyError itself prints one with quotes around it."""

    def __str__(self) -> str:
        return str(self.args[0])
