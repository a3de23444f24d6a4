"""Lessons that go wrong: layers, losses."""

from core.lessons_at_fault.lesson import M, X, case

CASES = [
    case("positive_int", "nn.Dense(0, 1)", ValueError, "Dense", "in_channels", "0"),
    case("positive_int", "nn.Dense(2.0, 1)", TypeError, "Dense", "in_channels", "2.0"),
    case("dense_input", X + "nn.Dense(3, 1)(x)", ValueError, "(2,)", "Dense(3, 1)"),
    case(
        "dense_input", X + "nn.SequentialCell(nn.Dense(2, 4), nn.ReLU(), nn.Dense(5, 1))(x)", ValueError, "Dense(5, 1)",
        "'2.weight'", "(4,)",
    ),
    case("interval", "nn.Dropout(1.5)", ValueError, "Dropout", "1.5"),
    case("dropout_both", "nn.Dropout(p=0.5, keep_prob=0.5)"),
    case("activation", 'nn.Dense(1, 1, activation="rleu")', KeyError, "rleu", "relu"),
    case("activation_kind", "nn.Dense(1, 1, activation=nn.ReLU)", TypeError, "Dense", "ReLU", "nn.ReLU()"),
    case("picture_ending", 'tc.draw(ops.exp, Tensor([1.0])).save("x.gif")', ValueError, ".gif", ".svg"),
    case("norm_one_value", "nn.BatchNorm1d(2).set_train()(Tensor([[1.0, 2.0]]))", UserWarning, "BatchNorm1d"),
    case("norm_input", M + "nn.BatchNorm2d(3)(m)", ValueError, "BatchNorm2d", "(2, 3)", "(N, 3, H, W)"),
    case("init_shape", "initializer(Tensor([1.0]), (2,))", ValueError, "(1,)", "(2,)"),
    case("init_name", 'initializer("xavier", (2, 2))', ValueError, "xavier", "xavier_uniform"),
    case("init_type", "initializer([1.0], (2,))", TypeError, "list"),
    case("fan_shape", 'initializer("he_normal", (2,))', ValueError, "(2,)"),
    case("nonlinearity", 'HeNormal(nonlinearity="swish")', ValueError, "swish", "leaky_relu"),
    case("shape_kind", 'initializer("ones", (-2,))', ValueError, "-2"),
    case("seed", "tc.set_seed(-1)", ValueError, "-1"),
]  # fmt: skip
