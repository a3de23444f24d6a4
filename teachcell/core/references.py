"""How many references an object has that one other holds; it depends on Python.

``sys.getrefcount`` counts its own argument as well, so the number is asked for where it will be compared: of an
attribute, an item or what ``map`` passes on, never of a variable.
"""

from sys import getrefcount

_holder = [object()]
ALONE = getrefcount(_holder[0])
