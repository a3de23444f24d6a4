"""What every exception and warning says, one file per part of the library."""

from .. import Table, merged

TABLE: Table = merged(__name__, __path__)
