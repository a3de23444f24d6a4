"""Errors: element-wise functions."""

TABLE = {
    "errors.whole_numbers": (
        "bits and divisors are those of whole numbers, not of {dtype}; cast to int32 first",
        "位运算和约数只适用于整数，不适用于 {dtype}；请先转换为 int32",
    ),
    "errors.rounding_mode": (
        "rounding_mode must be None, 'floor' or 'trunc', got {got}",
        "rounding_mode 只能是 None、'floor' 或 'trunc'，得到 {got}",
    ),
    "errors.no_bound": (
        "{op}: {names} are both None; give at least one bound",
        "{op}：{names} 都是 None；请至少给出一个界",
    ),
    "errors.not_finite": (
        "{count} of {size} values are not finite; the first is {value}, at {place}",
        "{size} 个值中有 {count} 个不是有限数；第一个是 {value}，位于 {place}",
    ),
    "errors.order": (
        "{op}: {name} must be an int >= {least}, got {got}",
        "{op}：{name} 必须是不小于 {least} 的整数，得到 {got}",
    ),
}
