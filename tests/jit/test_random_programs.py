"""Random programs: jit gives what Python gives, whatever changes between the calls."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jit.programs import CALLS, ENDS, EVENTS, LINES, Program, agree

SHAPES = st.sampled_from([(3, 4), (3, 4), (3, 4), (2, 4), (1, 4)])
RUN = st.tuples(st.sampled_from(EVENTS), st.sampled_from(CALLS), SHAPES, st.integers(0, 3), st.booleans())


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=5), st.sampled_from(["a.sum()"] * 8 + [*ENDS]),
    st.lists(RUN, min_size=3, max_size=7),
)  # fmt: skip
def test_as_without_jit(lines: list[str], end: str, runs: list[tuple[str, str, tuple[int, ...], int, bool]]) -> None:
    twins = [Program(lines, end, jitted) for jitted in (True, False)]
    call = runs[0][1]
    for event, another, shape, seed, again in runs:
        call = call if again else another  # plans are only used by calls of one kind
        for twin in twins:
            twin.happens(event)
        seen, expected = (twin.called(call, shape, seed) for twin in twins)
        assert agree(seen, expected)
