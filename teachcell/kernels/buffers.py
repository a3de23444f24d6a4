"""Memory for large arrays, used again: the pages of one that is gone serve the next of about its size.

A system hands out large memory page by page, clears each page when it is first touched, and takes all back when an
array goes. A training step makes the same arrays as the step before, so it pays for that every time: in a
convolutional network a third of the step.

Kernels take their large results from :func:`empty`. The memory comes back by itself when nobody refers to the array,
or to any view of it, any more: who still holds one (a learner, another library) keeps it as long as he likes, and its
values do not change. At most :func:`limit` bytes that nobody uses are kept.

How it comes back: the array lies over a ``_Loan``, which is made for it alone and which only it and its views refer
to. So no count of references is read, and threads (with or without a global lock) need no care.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy import ndarray

LEAST = 1 << 16  # bytes from which memory is kept: 16 pages cost 5 to 30 µs to touch first, a loan 2 µs
OF_GLIBC = 1 << 24  # bytes up to which glibc can be told to keep memory itself
MOST = 1 << 28  # bytes kept by default, on a machine with eight times as much
_LARGE_PAGE = 1 << 21
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt (malloc.h)


_Kind = TypeVar("_Kind", bound=ndarray)


class _Memory(ndarray):
    """Bytes that are lent. Their type is their own, so that NumPy does not let views refer to them past a loan."""


class _Pool:
    """Memory that nobody uses, by its size in bytes.

    Nobody waits for the lock: who does not get it at once goes without (``__del__`` may run at any time, even in a
    thread that has it).
    """

    def __init__(self, most: int) -> None:
        self.most, self.held, self.lock = most, 0, Lock()
        self.free: dict[int, list[_Memory]] = {}

    def take(self, size: int) -> _Memory:
        """Memory of that size."""
        if self.lock.acquire(False):
            try:
                if kept := self.free.get(size):
                    self.held -= size
                    return kept.pop()
            finally:
                self.lock.release()
        try:
            return _Memory(size, np.uint8)
        except MemoryError:
            self.clear()
            return _Memory(size, np.uint8)

    def put(self, memory: _Memory) -> None:
        """Keep what is not used any more; where that is too much, let all go, so that old sizes make way."""
        size = memory.nbytes
        if size <= self.most and self.lock.acquire(False):
            try:
                if self.held + size > self.most:
                    self.held = 0
                    self.free.clear()
                self.held += size
                self.free.setdefault(size, []).append(memory)
            finally:
                self.lock.release()

    def clear(self) -> None:
        """Give all that is kept back to the system."""
        with self.lock:
            self.held = 0
            self.free.clear()


def _default_limit() -> int:
    """An eighth of the machine's memory, where the system tells it."""
    try:
        return min(MOST, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8)
    except (AttributeError, ValueError, OSError):
        return MOST


def _libc() -> Any:
    """glibc, which can be told what to keep, or None."""
    try:
        if (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc"):
            return ctypes.CDLL(None)
    except (AttributeError, ValueError, OSError):
        pass
    return None


_POOL = _Pool(_default_limit())
_LIBC = _libc() if _POOL.most > 2 * OF_GLIBC else None
if _LIBC is not None:
    # Memory that NumPy itself takes for results of up to 16 MB stays in the process. A transformer block 8.5 -> 4.2 ms
    # (1650 -> 0 page faults), a small VGG 61 -> 40 (9600 -> 0); the peak is the same. A loan then only costs (VGG 3 %),
    # so only larger arrays are lent. Elsewhere loans do it: VGG 73 -> 48 ms (17 200 -> 4 100 faults), LeNet 9.5 -> 5.3.
    _LIBC.mallopt(_MMAP_THRESHOLD, OF_GLIBC)
    _LIBC.mallopt(_TRIM_THRESHOLD, _POOL.most)
    LEAST = OF_GLIBC


class _Loan(ndarray):
    """A view of memory, made for one array that lies over it."""

    def __del__(self, put: Any = _POOL.put, memory: type = _Memory) -> None:  # defaults: at exit, globals go first
        if type(self.base) is memory:  # and not a loan, of which somebody took a slice
            put(self.base)


def empty(shape: int | tuple[int, ...], dtype: Any = np.float32) -> ndarray:
    """``np.empty``, in memory that was used before where the array is large."""
    dtype = np.dtype(dtype)
    size = (math.prod(shape) if isinstance(shape, tuple) else shape) * dtype.itemsize
    if size < LEAST or not _POOL.most:
        return np.empty(shape, dtype)
    step = 1 << size.bit_length() - 4  # eight sizes from one power of two to the next: arrays of similar sizes share
    memory = _POOL.take(-(-size // step) * step)
    return ndarray(shape, dtype, _Loan(memory.shape, np.uint8, memory))  # type: ignore[arg-type]


def empty_like(x: ndarray, dtype: Any = None, shape: tuple[int, ...] | None = None) -> ndarray:
    """An array of x's shape, or of another with as many axes, which are in memory in the order of x's."""
    shape = x.shape if shape is None else shape
    dtype = x.dtype if dtype is None else np.dtype(dtype)
    if math.prod(shape) * dtype.itemsize < LEAST:
        return np.empty_like(x, dtype, shape=shape)
    if x.flags.c_contiguous:
        return empty(shape, dtype)
    steps = [-abs(step) for step in x.strides]
    order = sorted(range(x.ndim), key=steps.__getitem__)
    places = sorted(range(x.ndim), key=order.__getitem__)
    return empty(tuple([shape[axis] for axis in order]), dtype).transpose(places)


def zeros(shape: int | tuple[int, ...], dtype: Any = np.float32) -> ndarray:
    """``np.zeros``, likewise."""
    result = empty(shape, dtype)
    result.fill(0)
    return result


def on_large_pages(size: int, kind: type[_Kind]) -> _Kind:
    """Bytes that lie on pages of 2 MB, as many as they fill, where the system has such (Linux, if asked). To go through
    what lies there takes 0.93 of the time: a processor looks ahead, but not past the end of a page.

    Args:
        kind: of array. One of its own keeps views of the bytes apart from views of these.
    """
    import mmap  # 0.3 ms of an import

    if size >= _LARGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # where the system has none after all
            memory = mmap.mmap(-1, size + _LARGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            start = -np.frombuffer(memory, np.uint8).__array_interface__["data"][0] % _LARGE_PAGE
            memory.madvise(mmap.MADV_HUGEPAGE, start, size // _LARGE_PAGE * _LARGE_PAGE)
            return kind(size, np.uint8, memory, start)  # type: ignore[arg-type]
    return kind(size, np.uint8)


def has_own(x: ndarray) -> bool:
    """Whether an array has its memory to itself and is no view of another."""
    base = x.base  # half as dear as x.flags
    return base is None or type(base) is _Loan


def limit(most: int | None = None) -> int:
    """The bytes of memory that are kept for coming arrays while nobody uses them; ``most`` changes it, 0 keeps none."""
    if most is not None:
        _POOL.most = max(int(most), 0)
        if _LIBC is not None:
            _LIBC.mallopt(_TRIM_THRESHOLD, min(_POOL.most, 2**31 - 1))
        if _POOL.held > _POOL.most:
            _POOL.clear()
    return _POOL.most


def held() -> int:
    """The bytes of memory that are kept at present."""
    return _POOL.held


def clear() -> None:
    """Give the memory that nobody uses back to the system."""
    _POOL.clear()
    if _LIBC is not None:
        _LIBC.malloc_trim(0)
