"""Data types: MindSpore's names over NumPy's types, and the promotion table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..texts import say


class DType:
    """A Tensor's data type. ``str(float32)`` is ``"Float32"``; equal and hashed by identity.

    Attributes:
        name: lower-case name, ``"float32"``.
        numpy: the NumPy dtype.
        rank: place in the promotion order (a higher rank wins).
    """

    __slots__ = ("name", "numpy", "rank", "title")

    def __init__(self, title: str, rank: int):
        self.title = title
        self.name = title.lower()
        self.rank = rank
        self.numpy = np.dtype(self.name)

    def __str__(self) -> str:
        return self.title

    def __repr__(self) -> str:
        return f"teachcell.{'bool_' if self.name == 'bool' else self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


bool_ = DType("Bool", 0)
uint8 = DType("UInt8", 1)
int8 = DType("Int8", 1)
uint16 = DType("UInt16", 2)
int16 = DType("Int16", 2)
uint32 = DType("UInt32", 3)
int32 = DType("Int32", 3)
uint64 = DType("UInt64", 4)
int64 = DType("Int64", 4)
float16 = DType("Float16", 5)
float32 = DType("Float32", 6)
float64 = DType("Float64", 7)


class _BFloat16(DType):
    """A type that NumPy does not have: known by name, so that asking for it can say what to take instead."""

    __slots__ = ()

    def __init__(self) -> None:
        self.title, self.name, self.rank = "BFloat16", "bfloat16", float16.rank

    @property
    def numpy(self) -> np.dtype:  # type: ignore[override]
        raise TypeError(say("errors.bfloat16"))


bfloat16 = _BFloat16()
ALL = (bool_, uint8, int8, uint16, int16, uint32, int32, uint64, int64, float16, float32, float64)
_by_name = {d.name: d for d in ALL} | {"bool_": bool_, "bfloat16": bfloat16}
_by_num = {d.numpy.num: d for d in ALL}
_by_python: dict[object, DType] = {bool: bool_, int: int64, float: float32}
_promoted: dict[tuple[int, int], np.dtype] = {}


def of_array(dtype: np.dtype) -> DType:
    """The DType of a NumPy dtype; TypeError where there is none (object, text, complex …)."""
    found = _by_num.get(dtype.num) or _by_name.get(dtype.name)
    if found is None:
        raise TypeError(say("errors.dtype_unsupported", got=dtype, known=", ".join(map(str, ALL))))
    return found


def as_dtype(value: object) -> DType:
    """Read ``value`` as a DType: a DType, a lower-case name, a NumPy dtype or type, or bool, int, float."""
    if isinstance(value, DType):
        return value
    if isinstance(value, str):
        found = _by_name.get(value)
    elif value in _by_python:
        found = _by_python[value]
    elif isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return of_array(np.dtype(value))
    else:
        found = None
    if found is None:
        raise TypeError(say("errors.dtype_unknown", got=repr(value), known=", ".join(d.name for d in ALL)))
    return found


def promote(a: np.dtype, b: np.dtype) -> np.dtype:
    """The common dtype of two Tensors: the higher rank wins and any float beats any integer.

    At equal rank (UInt8 with Int8) the next wider signed type is taken.
    """
    key = a.num, b.num
    found = _promoted.get(key)
    if found is None:
        da, db = of_array(a), of_array(b)
        if da is db or da.rank != db.rank:
            found = (da if da.rank >= db.rank else db).numpy
        else:
            found = np.promote_types(a, b) if da.rank < int64.rank else int64.numpy
        _promoted[key] = found
    return found


def with_number(dtype: np.dtype, number: object) -> np.dtype:
    """The dtype of a Tensor of ``dtype`` combined with a Python number: a higher kind of number widens it."""
    if isinstance(number, float) and dtype.kind != "f":
        return float32.numpy
    if dtype.kind == "b" and isinstance(number, int) and not isinstance(number, bool):
        return int64.numpy
    return dtype


def dtype_to_nptype(type_: DType) -> type:
    """The NumPy type of a dtype: ``float32`` gives ``numpy.float32``."""
    return as_dtype(type_).numpy.type


def dtype_to_pytype(type_: DType) -> type:
    """The Python type of a dtype's numbers: bool, int or float."""
    return {"b": bool, "f": float}.get(as_dtype(type_).numpy.kind, int)


def pytype_to_dtype(obj: Any) -> Any:
    """The dtype of a Python or NumPy type: int is Int64, float Float64; list and tuple stay what they are."""
    return float64 if obj is float else obj if obj in (list, tuple, str) else as_dtype(obj)


def get_py_obj_dtype(obj: Any) -> Any:
    """The dtype of a Python or NumPy number, or of a Tensor; for a list or tuple its type."""
    found = getattr(obj, "dtype", None)
    return as_dtype(found) if found is not None else pytype_to_dtype(type(obj))
