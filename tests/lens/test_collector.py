"""The collector of garbage is as it was, whatever happens while it is held."""

from __future__ import annotations

import gc

import pytest

from teachcell.lens.collector import held


@pytest.mark.parametrize("on", [True, False])
def test_it_is_as_it_was_afterwards(on: bool) -> None:
    @held()
    def inside() -> bool:
        with held():
            pass
        return gc.isenabled()

    before = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        assert not inside() and gc.isenabled() is on
        with pytest.raises(KeyError), held():
            raise KeyError
        assert gc.isenabled() is on
    finally:
        (gc.enable if before else gc.disable)()
