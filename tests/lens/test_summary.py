"""Summaries of arrays: right numbers, finite data, small pictures."""

from __future__ import annotations

import json

import numpy as np
import pytest

from teachcell.lens.watch.seen import Seen, summarise_together
from teachcell.lens.watch.summary import PART, array_map, coarser, summarise

RNG = np.random.default_rng(0)
ARRAYS = {
    "0-d": np.array(3.5, np.float32),
    "one": np.array([[2.0]]),
    "empty": np.zeros((0, 3)),
    "no columns": np.zeros((3, 0)),
    "bool": np.array([True, False, True]),
    "ints": np.array([[-3, 0], [2**40, 7]]),
    "unsigned": np.array([0, 255], np.uint8),
    "halves": np.array([60000, -60000, 1], np.float16),
    "nan": np.array([np.nan, 1.0]),
    "all nan": np.full((2, 2), np.nan),
    "infinities": np.array([np.inf, -np.inf, 2.0]),
    "one inf": np.array(np.inf),
    "tiny": np.array([5e-324, 0.0, 1e-310]),
    "huge": np.array([1.7e308, -1.7e308, 3.0]),
    "equal": np.full(50, 0.1, np.float32),
    "many": RNG.normal(size=(7, 3, 50)).astype(np.float32),
    "long": RNG.normal(size=100_000),
    "rises": np.repeat([1e6, 3.0, -7.0], [PART, PART, 5]) + RNG.normal(size=2 * PART + 5),
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("pictures", [True, False])
def test_plain_finite_data_of_bounded_size(name: str, pictures: bool) -> None:
    array = ARRAYS[name]
    found = summarise(array, pictures)
    json.dumps(found, allow_nan=False)
    assert found["shape"] == list(array.shape) and found["dtype"] == str(array.dtype) and found["size"] == array.size
    assert len(found["strip"]) <= 40 and (found["map"] is None) == (not pictures)
    if pictures:
        picture = found["map"]
        assert picture["rows"] <= 32 and picture["cols"] <= 32
        assert len(picture["data"]) == picture["rows"] * picture["cols"]
    if found["hist"] is not None:
        assert len(found["hist"]["counts"]) == 20 and found["hist"]["lo"] < found["hist"]["hi"]


@pytest.mark.parametrize("name", [n for n, a in ARRAYS.items() if a.size and np.isfinite(a).all() and n != "huge"])
def test_statistics_agree_with_numpy(name: str) -> None:
    array = ARRAYS[name].astype(np.float64)
    found = summarise(ARRAYS[name])
    for key, wanted in {"min": array.min(), "max": array.max(), "mean": array.mean(), "std": array.std()}.items():
        assert found[key] == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert found["zeros"] == (array == 0).mean() and found["nan"] == found["inf"] == 0


def test_what_is_not_finite_is_counted_and_left_out() -> None:
    found = summarise(np.array([[np.nan, 1.0], [np.inf, -np.inf]]))
    assert (found["nan"], found["inf"], found["min"], found["max"], found["mean"]) == (1, 2, 1, 1, 1)
    assert found["strip"] == [None, 1.0] and found["map"]["data"] == [None, 1.0, None, None]
    assert summarise(ARRAYS["all nan"])["min"] is None and summarise(ARRAYS["one inf"])["first"] is None
    assert summarise(np.array([[2.5]]))["first"] == 2.5 and summarise(np.ones(2))["first"] is None


def test_huge_numbers_have_a_spread() -> None:
    found = summarise(ARRAYS["huge"])
    assert found["std"] == pytest.approx(1.7e308 * np.sqrt(2 / 3)) and found["mean"] == pytest.approx(1.0, abs=1e293)
    assert sum(found["hist"]["counts"]) == 3


def test_the_strip_shows_the_first_sample_evenly() -> None:
    found = summarise(np.arange(300.0).reshape(3, 100))
    assert found["strip"][0] == 0 and found["strip"][-1] == 99 and len(found["strip"]) == 40
    assert np.diff(found["strip"]).min() >= 2
    assert summarise(np.arange(12.0).reshape(2, 2, 3))["strip"] == [0, 1, 2, 3, 4, 5]


def test_few_digits() -> None:
    assert summarise(np.array([0.123456, -98765.4, 1e-7 / 3]))["strip"] == [0.1235, -98770.0, 3.333e-08]


def test_a_small_map_is_exact_a_large_one_shows_the_largest_of_each_block() -> None:
    small = array_map(np.arange(12.0).reshape(2, 2, 3))
    assert small == {"rows": 4, "cols": 3, "data": list(range(12)), "exact": True}
    matrix = RNG.normal(size=(70, 33))
    matrix[69, 32], matrix[0, 1], matrix[3, 5] = 50, -40, np.nan
    found = array_map(matrix)
    assert (found["rows"], found["cols"], found["exact"]) == (24, 17, False)
    for square, (r, c) in enumerate(found["index"]):
        row, column = divmod(square, 17)
        assert (r // 3, c // 2) == (row, column)
        block = np.where(np.isnan(b := np.abs(matrix[row * 3 : row * 3 + 3, column * 2 : column * 2 + 2])), np.inf, b)
        assert np.isnan(matrix[r, c]) or abs(matrix[r, c]) == block.max()
        shown = found["data"][square]
        assert shown is None if np.isnan(matrix[r, c]) else shown == pytest.approx(matrix[r, c], rel=1e-3)


@pytest.mark.parametrize("shape", [(40, 50), (20, 7), (1, 90), (3, 3)])
def test_a_coarser_map_keeps_the_largest_and_their_places(shape) -> None:
    matrix = RNG.normal(size=shape)
    matrix[0, 0] = 99
    found = coarser(array_map(matrix), 8)
    assert found["rows"] <= 8 and found["cols"] <= 8 and found["data"][0] == 99
    if max(shape) > 8:
        for value, (r, c) in zip(found["data"], found["index"], strict=True):
            assert value == pytest.approx(matrix[r, c], rel=1e-3)
    else:
        assert found["exact"]


def test_the_histogram_counts() -> None:
    found = summarise(np.array([0.0, 0.0, 0.5, 1.0]))["hist"]
    assert (found["lo"], found["hi"]) == (0, 1) and found["counts"][0] == 2 and found["counts"][-1] == 1
    assert sum(found["counts"]) == 4 and found["counts"][10] == 1
    assert summarise(np.ones(4))["hist"] is None
    assert sum(summarise(ARRAYS["long"])["hist"]["counts"]) <= 20_000


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 60), (2, 3, 50), (0, 3)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.bool_])
def test_summaries_made_together_are_those_made_one_by_one(shape, dtype) -> None:
    arrays = [(RNG.normal(size=shape) * 3).astype(dtype) for _ in range(5)] + [np.zeros(shape, dtype)]
    together = [Seen(array) for array in arrays]
    summarise_together([*together, together[0]])
    for seen, array in zip(together, arrays, strict=True):
        alone, found = summarise(array, pictures=False), dict(seen.summary(pictures=False))
        for key in ("mean", "std") if array.size else ():
            assert found.pop(key) == pytest.approx(alone.pop(key), rel=1e-12, abs=1e-15)
        assert found == alone
        assert (seen.finite, seen.zero) == (Seen(array).finite, Seen(array).zero)


def test_of_summaries_made_together_one_may_hold_a_nan() -> None:
    together = [Seen(np.array([1.0, 2.0])), Seen(np.array([np.nan, 2.0])), Seen(np.array([3.0, np.inf]))]
    summarise_together(together)
    assert [s.summary(pictures=False)["max"] for s in together] == [2, 2, 3]
    assert [s.finite for s in together] == [True, False, False]
    assert together[1].summary()["map"]["data"] == [None, 2.0]


def test_a_large_map_is_made_in_parts() -> None:
    matrix = RNG.normal(size=(33, 3 * PART)).astype(np.float32)
    matrix[32, -1], matrix[0, 0] = 90, -80
    found = array_map(matrix)
    assert (found["rows"], found["cols"]) == (17, 32)
    assert (found["data"][0], found["data"][-1]) == (-80, 90) and found["index"][-1] == [32, 3 * PART - 1]
    blocks = np.abs(matrix[:32]).reshape(16, 2, 32, -1).max(axis=(1, 3))
    assert np.abs(found["data"][: 16 * 32]) == pytest.approx(blocks.reshape(-1), rel=1e-3)
