"""Lessons that go wrong: element-wise functions."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("kernel whole_numbers", X + "x & 3", TypeError, "BitwiseAnd", "float32"),
    case("kernel whole_numbers", X + "ops.bitwise_left_shift(x, x)", TypeError, "LeftShift", "float32"),
    case("kernel whole_numbers", "ops.gcd(Tensor([True]), Tensor([False]))", TypeError, "Gcd", "bool"),
    case("rounding_mode", X + 'ops.div(x, x, rounding_mode="ceil")', ValueError, "ceil"),
    case("no_bound", X + "ops.clamp(x)", ValueError, "clamp", "min / max"),
    case("no_bound", X + "ops.clip_by_value(x)", ValueError, "clip_value_min / clip_value_max"),
    case("not_finite", X + "ops.CheckNumerics()(ops.log(x - 1))", RuntimeError, "-inf", "(0,)"),
    case("order", X + "ops.polygamma(-1, x)", ValueError, "polygamma", "n", "-1"),
    case("order", X + "ops.mvlgamma(x, 1.5)", TypeError, "mvlgamma", "p", "1.5"),
    case("interval", X + "ops.mvlgamma(x, 4)", ValueError, "input", "(1.5, ∞)", "1.0"),
    case("kernel stack_why", X + "ops.addn([x, x[:1]])", ValueError, "AddN", "(2,)", "(1,)"),
]  # fmt: skip
