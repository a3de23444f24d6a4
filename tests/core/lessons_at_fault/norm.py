"""Lessons that go wrong: normalisation."""

from core.lessons_at_fault.lesson import M, case

CASES = [
    case("norm_input", M + "ops.layer_norm(m, (2,))", ValueError, "layer_norm", "(2, 3)", "(…, 2)"),
    case("kernel norm_weight", M + "ops.rms_norm(m, m[:, 0])", ValueError, "RMSNorm", "(2,)"),
    case("kernel norm_weight", M + "ops.layer_norm(m, 3, m[0], m)", ValueError, "LayerNorm", "(2, 3)"),
    case("norm_weight", M + "ops.LayerNorm()(m, m[0, :2], m[0, :2])", ValueError, "(2,)"),
    case("kernel norm_groups", M + "ops.group_norm(m, 2)", ValueError, "GroupNorm", "3", "2"),
    case("operand norm_groups", "nn.GroupNorm(3, 4)", ValueError, "GroupNorm", "4", "3"),
    case("channel_axis", "ops.instance_norm(Tensor([1.0]))"),
    case("norm_region", M + "ops.lrn(m, norm_region='WITHIN_CHANNEL')", ValueError, "WITHIN_CHANNEL"),
    case("data_format", "nn.BatchNorm2d(2, data_format='NHWC')", ValueError, "BatchNorm2d", "NHWC"),
]
