"""Ops that move elements, and what is known about a Tensor.

``shape``, ``order``, ``join``, ``split``, ``repeat``, ``pad`` and ``diagonal`` move all of it; ``index`` reads at
places, ``scatter`` writes there into a new Tensor, ``segment`` combines what falls together. In place: ``state``
(assign), ``in_place`` (methods that end in ``_``) and ``scatter_in_place``. ``facts`` and ``memory`` tell and change
kinds.
"""
