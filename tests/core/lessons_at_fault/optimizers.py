"""Lessons that go wrong: optimizers and schedules."""

from core.lessons_at_fault.lesson import P, case

CASES = [
    case("optimizer_empty", "nn.SGD([])"),
    case("optimizer_value", P + "nn.SGD([w], -1)", ValueError, "learning_rate", "-1"),
    case("interval", P + "nn.SGD([w], loss_scale=0)", ValueError, "loss_scale", "0"),
    case("optimizer_gradients", P + "nn.SGD([w])(w)", TypeError, "Parameter"),
    case("optimizer_twice", P + "nn.SGD([w, w])"),
    case("optimizer_count", P + "nn.SGD([w])(())", ValueError, "0", "1"),
    case("nesterov", P + "nn.SGD([w], nesterov=True)"),
    case("optimizer_parameters", P + "nn.Adam(w)", TypeError, "Parameter", "trainable_params"),
    case("optimizer_parameters", P + "nn.Adam(nn.Dense(2, 3))", TypeError, "Dense", "trainable_params"),
    case("optimizer_parameters", P + "nn.Adam(None)", TypeError, "NoneType"),
    case("optimizer_parameters", P + 'nn.Adam([{"params": 3}])', TypeError, "int"),
    case("optimizer_group", P + 'nn.Adam([{"params": [w], "rate": 0.1}])', ValueError, "rate"),
    case("optimizer_fixed", P + "nn.SGD([w]).parameters = [w]", AttributeError, "SGD"),
    case(
        "optimizer_shape", P + "o = nn.SGD([w], momentum=0.9)\nw.set_data(Tensor([1.0]), True)\no((w,))", ValueError,
        "w", "(1,)", "(2,)",
    ),
    case("optimizer_order", P + 'nn.Adam([{"params": [w]}, {"order_params": [w, Parameter(1.0, name="v")]}])'),
    case("optimizer_stranger", P + "nn.SGD([w]).get_lr_parameter(Parameter(1.0, name='v'))", ValueError, "'v'"),
    case("optimizer_rate", P + 'nn.SGD([w], "fast")', TypeError, "fast"),
    case("optimizer_rate", P + "nn.SGD([w], None)", TypeError, "learning_rate", "None"),
    case("optimizer_value", P + "nn.SGD([w], float('nan'))", ValueError, "learning_rate", "nan"),
    case("optimizer_value", P + "nn.SGD([w], [0.1, -0.1])", ValueError, "-0.1"),
    case("optimizer_value", P + "nn.SGD([w], weight_decay=-1)", ValueError, "weight_decay", "-1"),
    case("parameter_tuple", "nn.SGD([Tensor([1.0])])", TypeError, "Tensor"),
    case("interval", P + "nn.Adam([w], beta1=1.0)", ValueError, "beta1", "1.0"),
    case("interval", P + "nn.SGD([w], momentum=-0.1)", ValueError, "momentum", "-0.1"),
    case("interval", "nn.ExponentialDecayLR(0.1, 0.5, 0)", ValueError, "decay_steps", "0"),
    case("interval", "nn.WarmUpLR(0.0, 5)", ValueError, "learning_rate", "0.0"),
    case("not_a_number", P + "nn.SGD([w], momentum=True)", TypeError, "momentum", "True"),
    case("relative_step", P + "nn.AdaFactor([w], 0.1)"),
    case("lars_optimizer", "nn.LARS(nn.ReLU())", TypeError, "ReLU"),
    case("milestones", "nn.piecewise_constant_lr([5, 2], [0.1, 0.2])", ValueError, "[5, 2]"),
]  # fmt: skip
