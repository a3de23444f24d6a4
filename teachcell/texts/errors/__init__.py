"""What every exception and warning says, one file per part of the library."""

from importlib import import_module
from pkgutil import iter_modules

TABLE: dict[str, tuple[str, str]] = {}
for _part in iter_modules(__path__):
    TABLE |= import_module(f"{__name__}.{_part.name}").TABLE
