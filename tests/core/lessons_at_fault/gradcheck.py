"""Lessons that go wrong: gradcheck."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("gradcheck_input", "tc.gradcheck(ops.exp, [1.0])", TypeError, "0", "list"),
    case("gradcheck_order", X + "tc.gradcheck(ops.exp, x, order=3)", ValueError, "3"),
    case("gradcheck_nothing float_input", "tc.gradcheck(ops.exp, Tensor([1, 2]))"),
    case("gradcheck_nothing float_output", X + "tc.gradcheck(lambda t: t > 0, x)"),
    case("gradcheck_precision", X + "tc.gradcheck(lambda t: t.astype(tc.float16), x)"),
]
