"""One walk through nested values, and one exchange, in the same order."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

from teachcell import Tensor, grad, nn
from teachcell.core.nested import Structure, map_tensors, tensors_in

Pair = namedtuple("Pair", "first second")
A, B, C = Tensor(1.0), Tensor(2.0), Tensor(3.0)


@pytest.mark.parametrize(
    ("value", "found", "at_the_top"),
    [
        (A, [A], [A]), (3, [], []), ((A, 1, [B, {"c": C}]), [A, B, C], [A]), ({"a": A, "b": (B,)}, [A, B], [A]),
        (Pair(A, (B, C)), [A, B, C], [A]), ([], [], []), ("text", [], []),
    ],
)  # fmt: skip
def test_walk_and_exchange(value: Any, found: list[Tensor], at_the_top: list[Tensor]) -> None:
    for top, wanted in ((False, found), (True, at_the_top)):
        structure = Structure(value, top)
        assert [id(t) for t in structure.tensors] == [id(t) for t in tensors_in(value, top)] == [id(t) for t in wanted]
        others = [Tensor(0.0) for _ in wanted]
        filled = structure.filled(others)
        assert type(filled) is type(value) and [id(t) for t in tensors_in(filled, top)] == [id(t) for t in others]
        seen: list[Tensor] = []
        map_tensors(seen.append, value, top)
        assert [id(t) for t in seen] == [id(t) for t in wanted]


class Nested(nn.Cell):
    """Returns (2x, (3x,)); with an own rule, one that reads both gradients."""

    def construct(self, x: Tensor) -> Any:
        return x * 2, (x * 3,)


def test_backward_hooks_see_direct_members_and_bprop_all() -> None:
    net, seen = Nested(), []
    net.register_backward_hook(lambda cell, leaving, arriving: seen.append((len(leaving), len(arriving))))
    assert grad(net)(Tensor(1.0)).item() == 5.0 and seen == [(1, 1)]

    class Own(Nested):
        def bprop(self, x: Tensor, out: Any, dout: Any) -> Any:
            return (dout[0] * 10 + dout[1][0] * 100,)

    assert grad(Own())(Tensor(1.0)).item() == 110.0
