"""Memory of large arrays comes back when nobody sees it any more, and not before."""

from __future__ import annotations

import copy
import mmap
import os
import pickle
import platform
import subprocess
import sys
import weakref
from collections.abc import Iterator
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teachcell import Tensor, context, grad, ops
from teachcell.kernels import buffers

SIDE = 256  # float32: 256 KB


def address(array: np.ndarray) -> int:
    return array.ctypes.data


@pytest.fixture(autouse=True)
def none_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small arrays are lent as well, as where the C library keeps no memory."""
    monkeypatch.setattr(buffers, "LEAST", 1 << 16)
    most = buffers.limit()
    buffers.clear()
    yield
    buffers.limit(most)
    buffers.clear()


def test_memory_is_used_again_once_the_array_is_gone() -> None:
    array = buffers.empty((SIDE, SIDE))
    where = address(array)
    other = buffers.empty((SIDE, SIDE))
    assert address(other) != where and buffers.held() == 0
    del array
    assert buffers.held() == SIDE * SIDE * 4
    again = buffers.empty((SIDE * SIDE,))
    assert address(again) == where and again.flags.writeable and buffers.held() == 0


@pytest.mark.parametrize(
    "look",
    [
        lambda a: a[3:5],
        lambda a: a.reshape(64, 32, 32).transpose(2, 0, 1)[::2, None],
        lambda a: a.view(np.int32)[0],
        lambda a: memoryview(a),
        lambda a: np.asarray(a),
        lambda a: np.lib.stride_tricks.as_strided(a, (4, 4), (4, 4)),
        lambda a: a.base,
        lambda a: a.base[4:],
        lambda a: a.base.view(np.ndarray),
        lambda a: a.ctypes.data_as(np.ctypeslib.ctypes.c_void_p),
        lambda a: Tensor.from_numpy(a),
        lambda a: Tensor.from_numpy(a)[1:].asnumpy(),
        lambda a: a.flat,
        lambda a: np.nditer(a),
        lambda a: np.frombuffer(a, np.uint8),
    ],
)
def test_whoever_sees_an_array_keeps_its_memory(look: object) -> None:
    array = buffers.empty((SIDE, SIDE))
    seen = look(array)  # type: ignore[operator]
    del array
    assert buffers.held() == 0
    del seen
    assert buffers.held() == SIDE * SIDE * 4


def test_arrays_of_similar_sizes_share_and_small_ones_are_numpys() -> None:
    where = address(buffers.empty((SIDE, SIDE)))
    assert address(buffers.empty((SIDE, SIDE - 1))) == where
    assert buffers.empty((8, 8)).flags.owndata and buffers.empty(5).shape == (5,)
    assert buffers.empty((0, 4)).shape == (0, 4)


def test_has_own() -> None:
    large, small = buffers.empty((SIDE, SIDE)), np.empty((2, 2))
    assert buffers.has_own(large) and buffers.has_own(small)
    assert not any(buffers.has_own(view) for view in (large[:], large.T, small[:1], large.base))


@given(st.permutations(range(4)), st.sampled_from([np.float32, np.float64, np.int8]), st.booleans())
def test_empty_like_keeps_the_order_of_axes_in_memory(order: list[int], dtype: type, large: bool) -> None:
    x = np.empty((8, 64, 16, 17) if large else (2, 3, 4, 5), np.float32).transpose(order)
    like, expected = buffers.empty_like(x, dtype), np.empty_like(x, dtype)
    assert (like.shape, like.strides, like.dtype) == (expected.shape, expected.strides, expected.dtype)


def test_zeros_are_zero_in_used_memory() -> None:
    buffers.empty((SIDE, SIDE)).fill(7)
    assert not buffers.zeros((SIDE, SIDE)).any()


def test_the_limit_holds_and_old_sizes_make_way() -> None:
    buffers.limit(1 << 20)
    arrays = [buffers.empty((SIDE, SIDE)) for _ in range(9)]
    while arrays:
        arrays.pop()
        assert buffers.held() <= 1 << 20
    kept = buffers.empty((2 * SIDE, SIDE))
    where = address(kept)
    del kept
    assert address(buffers.empty((2 * SIDE, SIDE))) == where
    assert buffers.limit(0) == 0 == buffers.held()
    assert buffers.empty((SIDE, SIDE)).flags.owndata


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), max_size=60), st.integers(0, 8))
def test_what_is_held_is_counted_and_values_stay(steps: list[tuple[int, int]], most: int) -> None:
    """Arrays are made and dropped in any order: none changes while somebody has it."""
    buffers.clear()
    buffers.limit(most << 18)
    have: dict[int, np.ndarray] = {}
    for name, length in steps:
        if have.pop(name, None) is None:
            have[name] = buffers.empty((length, 1 << 15))
            have[name].fill(name)
        assert all((array == name).all() for name, array in have.items())
        assert buffers.held() <= most << 18
        assert buffers.held() == sum(m.nbytes for kept in buffers._POOL.free.values() for m in kept)


def test_threads() -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(300):
            a, b = buffers.empty((SIDE, 64)), buffers.empty((SIDE, 64))
            a.fill(number)
            b.fill(-number)
            if not ((a == number).all() and (b == -number).all()):
                wrong.append(number)

    threads = [Thread(target=work, args=(i,)) for i in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and buffers.held() == sum(m.nbytes for kept in buffers._POOL.free.values() for m in kept)


def test_short_memory_frees_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    del (kept := [buffers.empty((SIDE, SIDE))])[:]
    assert buffers.held() and not kept
    made = buffers._Memory
    calls = iter([MemoryError, made])

    def memory(size: int, dtype: type) -> np.ndarray:
        result = next(calls)
        if result is MemoryError:
            raise MemoryError
        return made(size, dtype)

    monkeypatch.setattr(buffers, "_Memory", memory)
    buffers.empty((SIDE, 2 * SIDE)).fill(1)
    assert SIDE * SIDE * 4 not in buffers._POOL.free


def test_copies_are_ordinary_arrays() -> None:
    array = buffers.zeros((SIDE, SIDE))
    for made in (array.copy(), copy.deepcopy(array), pickle.loads(pickle.dumps(array)), array + 1):
        assert type(made) is np.ndarray and not isinstance(made.base, np.ndarray)


def test_gradients_that_a_caller_keeps_do_not_change() -> None:
    x = Tensor(np.random.RandomState(0).randn(4, 8, 32, 32).astype(np.float32))
    w = Tensor(np.random.RandomState(1).randn(8, 8, 3, 3).astype(np.float32))

    def step() -> list[np.ndarray]:
        slopes = grad(lambda x, w: ops.relu(ops.conv2d(x, w)).sum(), (0, 1))(x, w)
        return [t.asnumpy() for t in (*slopes, ops.max_pool2d(ops.conv2d(x, w), 2))]

    first = step()
    copies = [array.copy() for array in first]
    for _ in range(3):
        step()
    for array, same in zip(first, copies, strict=True):
        np.testing.assert_array_equal(array, same)


def test_the_context_sets_the_limit() -> None:
    assert context.kept_memory() == buffers.limit()
    assert context.kept_memory(1 << 20) == 1 << 20 == buffers.limit()
    del (kept := [buffers.empty((SIDE, SIDE))])[:]
    assert buffers.held() and not kept
    context.empty_cache()
    assert buffers.held() == 0


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="what other C libraries keep is their affair")
def test_numpy_keeps_memory_as_well() -> None:
    code = """if True:
        import resource, numpy as np, teachcell.kernels.buffers
        def faults():
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            for _ in range(5):
                many = [np.ones(1 << 20, np.float32) for _ in range(16)]  # 64 MB that go at once
                del many
            return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
        faults(), print(faults())"""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=plain)
    assert int(run.stdout) < 5 * 16 * 32  # without: 5 * 16 * 1024


@pytest.mark.parametrize("size", [1, 1000, 1 << 21, 5_000_000])
def test_large_pages_are_bytes_like_others(size: int) -> None:
    class Mine(np.ndarray):
        pass

    memory = buffers.on_large_pages(size, Mine)
    memory[:] = 7
    part = np.ndarray((1,), np.uint8, memory, size - 1)
    gone = weakref.ref(memory)
    assert type(memory) is Mine and memory.shape == (size,) and memory.dtype == np.uint8 and part.base is memory
    del memory
    assert part.tolist() == [7] and gone() is not None
    del part
    assert gone() is None


def test_without_large_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    class Memory(mmap.mmap):
        def madvise(self, *_: int) -> None:
            raise OSError

    monkeypatch.setattr(mmap, "mmap", Memory)
    memory = buffers.on_large_pages(1 << 22, np.ndarray)
    memory[:] = 1
    assert memory.nbytes == 1 << 22
