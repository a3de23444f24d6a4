"""What op cards say beside formulas: remarks, and per op its rule in words; one file per family of ops."""

from .. import Table, merged

TABLE: Table = merged(__name__, __path__)
