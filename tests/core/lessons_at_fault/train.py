"""Lessons that go wrong: cells of training, Model, callbacks, metrics."""

from core.lessons_at_fault.lesson import case

CASES = [
    case("weights_missing", "nn.ForwardValueAndGrad(nn.Dense(1, 1), get_by_list=True)", TypeError, "weights"),
    case(
        "micro_size", "nn.GradAccumulationCell(nn.Identity(), 2)(Tensor([1.0, 2.0, 3.0]))", ValueError, "(3,)", "2",
    ),
    case("not_an_optimizer", "nn.TrainOneStepCell(nn.Identity(), 0.1)", TypeError, "float"),
    case(
        "scale_kind", """net = nn.Dense(1, 1)
nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params()), 8.0)""", TypeError, "float",
    ),
]  # fmt: skip
