"""Seeds, states and generators."""

from __future__ import annotations

import pytest

from teachcell import Tensor, get_seed, ops
from teachcell.nn import seed as s


def test_the_shared_generator() -> None:
    assert s.manual_seed(11) is s.default_generator and s.initial_seed() == get_seed() == 11
    ops.rand(3)
    state = s.get_rng_state()
    first = ops.rand(3).tolist()
    new = s.seed()
    assert s.initial_seed() == new != 11 and ops.rand(3).tolist() != first
    s.set_rng_state(state)
    assert s.initial_seed() == 11 and ops.rand(3).tolist() == first


def test_generators_of_one_s_own_are_independent() -> None:
    a, b = s.Generator(), s.Generator()
    assert a.initial_seed() != b.initial_seed()
    x = Tensor([0.0, 0.0])
    s.manual_seed(1)
    state = a.get_state()
    first = x.uniform_(generator=a).tolist()
    b.set_state(state)
    assert x.uniform_(generator=b).tolist() == first and b.initial_seed() == a.initial_seed()
    assert ops.rand(2).tolist() == (s.manual_seed(1), ops.rand(2).tolist())[1]


@pytest.mark.parametrize("bad", [-1, 1.5, True, "1"])
def test_a_seed_is_a_whole_number(bad: object) -> None:
    with pytest.raises((TypeError, ValueError), match="a seed is an int"):
        s.Generator().manual_seed(bad)  # type: ignore[arg-type]
