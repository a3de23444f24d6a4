"""Lessons that go wrong: functions of functions."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("map_containers", X + "ops.Map(ops.exp)(x)", TypeError, "Map", "Tensor"),
    case("map_lengths", X + "ops.Map(ops.add)((x,), (x, x))", ValueError, "[1, 2]"),
    case("not_a_function", X + "ops.HyperMap()(x, (x,))", TypeError, "HyperMap", "Tensor"),
    case("not_a_function", "ops.partial(3)", TypeError, "partial", "int"),
    case("multitype_kind", 'ops.MultitypeFuncGraph("f").register("Tensr")', ValueError, "Tensr", "Tensor"),
    case("multitype", 'ops.MultitypeFuncGraph("f")(1)', ValueError, "f", "int"),
]  # fmt: skip
