"""Lessons that go wrong: initializers."""

from core.lessons_at_fault.lesson import case

CASES = [
    case("choice", 'HeNormal(mode="fan")', ValueError, "mode", "fan"),
    case("choice", 'VarianceScaling(distribution="normal")', ValueError, "distribution", "uniform"),
    case("interval", "VarianceScaling(0)", ValueError, "VarianceScaling.scale", "0"),
    case("interval", "Sparse(1.5)", ValueError, "Sparse.sparsity", "1.5"),
    case("initializer_method", 'initializer(type("Mine", (Initializer,), {})(), 3)', NotImplementedError, "Mine"),
    case("truncation", "TruncatedNormal(0.1, a=1, b=2)", ValueError, "0.1", "[1, 2]"),
    case("init_axes", 'initializer("identity", (2, 2, 2))', ValueError, "Identity", "(2, 2, 2)"),
    case("dirac_groups", "initializer(Dirac(4), (6, 2, 3))", ValueError, "(6, 2, 3)", "4"),
]
