"""Lessons that go wrong: gradcheck."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("gradcheck_input", "tc.gradcheck(ops.exp, [1.0])", TypeError, "0", "list"),
    case("gradcheck_order", X + "tc.gradcheck(ops.exp, x, order=3)", ValueError, "3"),
    case("not_a_number", X + 'tc.gradcheck(ops.exp, x, rtol="x")', TypeError, "rtol", "'x'"),
    case("interval", X + "tc.gradcheck(ops.exp, x, atol=-1)", ValueError, "atol", "-1"),
    case("gradcheck_nothing float_input", "tc.gradcheck(ops.exp, Tensor([1, 2]))"),
    case("gradcheck_nothing float_output", X + "tc.gradcheck(lambda t: t > 0, x)"),
    case("gradcheck_precision", X + "tc.gradcheck(lambda t: t.astype(tc.float16), x)"),
]
