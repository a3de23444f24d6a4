"""Lessons that go wrong: random draws and writing in place."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("random_dtype", "ops.rand(2, dtype=tc.int32)", ValueError, "rand", "Int32"),
    case("kernel broadcast_why", "ops.normal((3,), Tensor([0.0, 1.0]), 1.0)", ValueError, "normal", "(3,)", "(2,)"),
    case("random_range", "ops.randint(5, 5, (2,))", ValueError, "5"),
    case("weights", "ops.multinomial(Tensor([1.0, -1.0]), 2)", ValueError, "(2,)"),
    case("draws", "ops.multinomial(Tensor([1.0, 1.0]), 3, replacement=False)", ValueError, "3", "2"),
    case("random_state", X + "tc.nn.seed.set_rng_state(x)", ValueError, "get_rng_state"),
    case("generator", X + "x.uniform_(generator=3)", TypeError, "int"),
    case("interval", X + "x.normal_(std=-1.0)", ValueError, "std", "-1.0"),
    case("interval", X + "ops.bernoulli(x, 1.5)", ValueError, "1.5"),
    case("in_place", X + "x.add_(Tensor([[1.0], [2.0]]))", ValueError, "add_", "(2, 2)"),
    case("in_place", "Tensor([1, 2]).mul_(0.5)", TypeError, "mul_", "Float32"),
]  # fmt: skip
