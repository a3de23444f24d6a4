"""Data types under the name ``teachcell.dtype``, with the older names of some, and Python types as kinds."""

from .core.dtypes import (
    DType,
    bfloat16,
    bool_,
    dtype_to_nptype,
    dtype_to_pytype,
    float16,
    float32,
    float64,
    get_py_obj_dtype,
    int8,
    int16,
    int32,
    int64,
    pytype_to_dtype,
    uint8,
    uint16,
    uint32,
    uint64,
)

byte, short, intc, long = int8, int16, int32, int64
ubyte, ushort, uintc, uint = uint8, uint16, uint32, uint32
half, single, double = float16, float32, float64
int_, float_, intp, uintp = int32, float32, int64, uint64
int_type, uint_type = (int8, int16, int32, int64), (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64)
number_type = (*int_type, *uint_type, *float_type)
Type = DType
globals().update({"bool": bool_, "float": float32, "int": int32})  # for ``teachcell.int``
list_, tuple_, string, type_none = list, tuple, str, type(None)

__all__ = [
    "DType", "Type", "bfloat16", "bool_", "byte", "double", "dtype_to_nptype", "dtype_to_pytype", "float16", "float32",
    "float64", "float_", "float_type", "get_py_obj_dtype", "half", "int16", "int32", "int64", "int8", "int_",
    "int_type", "intc", "intp", "list_", "long", "number_type", "pytype_to_dtype", "short", "single", "string",
    "tuple_", "type_none", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8", "uint_type", "uintc", "uintp",
    "ushort",
]  # fmt: skip
