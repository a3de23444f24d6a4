"""Labels of the browser side; they travel to it as ``view["texts"]``, without the area. One file per view."""

from .. import Table, merged

TABLE: Table = merged(__name__, __path__)
