"""Lessons that go wrong: clipping."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("clip_input", "ops.clip_by_norm(Tensor([1, 2]), 1.0)", TypeError, "Int64", "(2,)"),
    case("clip_list", X + "ops.clip_by_global_norm({'w': x})", TypeError, "dict"),
    case(
        "norm_not_finite", "x = Tensor([float('inf')])\nops.clip_by_norm(x, 1.0, error_if_nonfinite=True)", ValueError,
        "inf",
    ),
    case("interval", X + "ops.clip_by_norm(x, 1, 0)", ValueError, "norm_type", "0"),
    case("interval", X + "ops.clip_by_norm(x, 0)", ValueError, "max_norm", "0"),
    case("interval", X + "ops.clip_by_global_norm([x], -1.0)", ValueError, "clip_norm", "-1.0"),
]  # fmt: skip
