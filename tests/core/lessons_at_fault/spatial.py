"""Lessons that go wrong: convolution, pooling and other ops over space."""

from core.lessons_at_fault.lesson import M, case

I = "x = Tensor(np.ones((1, 3, 4, 4)))\n"  # noqa: E741 - an image
V = "v = Tensor(np.ones((1, 3, 2, 2)))\n"

CASES = [
    case("interval", "ops.fractional_max_pool2d(Tensor(np.ones((1, 4, 4))), 2, output_ratio=2.0)", ValueError, "2.0"),
    case("interval", "ops.avg_pool2d(Tensor(np.ones((1, 1, 4, 4))), 2, divisor_override=-1)", ValueError, "-1"),
    case("per_axis", "nn.Conv2d(1, 1, 0)", ValueError, "kernel_size", "2", "0"),
    case("per_axis", I + "ops.max_pool2d(x, 2.5)", TypeError, "kernel_size", "2.5"),
    case("choice", 'nn.Conv2d(1, 1, 1, pad_mode="full")', ValueError, "pad_mode", "'same', 'valid', 'pad'", "'full'"),
    case("needs_pad_mode", "nn.Conv2d(1, 1, 1, padding=1)", ValueError, "padding", "1", "'same'"),
    case("needs_pad_mode", "nn.Conv2dTranspose(1, 1, 3, 2, output_padding=1)", ValueError, "output_padding", "same"),
    case("interval", 'nn.Conv2dTranspose(1, 1, 3, 2, "pad", 1, 2)', ValueError, "output_padding", "[0, 2)", "2"),
    case("kernel window", I + "ops.max_pool2d(x, 5)", ValueError, "MaxPool", "kernel=(5, 5)", "(5,)", "(4,)"),
    case("kernel axes", M + "ops.conv2d(m, m)", ValueError, "Conv", "(2, 3)", "4"),
    case("kernel conv_channels", "nn.Conv2d(2, 1, 1)(Tensor(np.ones((1, 3, 2, 2))))", ValueError, "3", "2"),
    case("conv_weight", I + "ops.Conv2D(2, 3)(x, x)", ValueError, "(2, C, 3, 3)", "(1, 3, 4, 4)"),
    case("conv_group", "nn.Conv2d(3, 4, 1, group=2)", ValueError, "Conv2d", "(3, 4)", "2"),
    case("kernel transposed_channels", I + "nn.Conv2dTranspose(2, 1, 1)(x)", ValueError, "ConvTranspose", "3", "2"),
    case(
        "kernel transposed_size", I + "ops.Conv2DTranspose(1, 2)(x, Tensor(np.ones((3, 1, 2, 2))), (1, 1, 4, 4))",
        ValueError, "(4, 4)", "(3, 3)",
    ),
    case("kernel fold_columns", V + "ops.fold(v[0], (3, 3), 2)", ValueError, "Fold", "(N, C · 4, 4)", "(3, 2, 2)"),
    case("unfold_ends", "nn.Unfold([2, 2, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1])", ValueError, "ksizes", "[2, 2, 1, 1]"),
    case("pool_padding", I + "ops.max_pool2d(x, 2, padding=2)", ValueError, "2", "(2, 2)"),
    case("kernel axes", M + "ops.max_pool2d(m, 2)", ValueError, "MaxPool", "3 … 4", "(2, 3)"),
    case("axes", M + "ops.pixel_shuffle(m, 2)", ValueError, "input", "≥ 3", "(2, 3)"),
    case("multiple", I + "ops.channel_shuffle(x, 2)", ValueError, "channels", "3", "2"),
    case("one_of_two", I + "ops.interpolate(x)", ValueError, "size", "scale_factor"),
    case("fractional_size", I + "ops.fractional_max_pool2d(x, 3, 3)", ValueError, "(3, 3)", "(4, 4)"),
    case("unpool_index", V + "ops.max_unpool2d(v, v, 2)", ValueError, "(1, 3, 2, 2)", "float64"),
    case(
        "unpool_range", V + "ops.max_unpool2d(v, Tensor(np.full((1, 3, 2, 2), 16)), 2)", IndexError, "16", "(4, 4)",
        "15",
    ),
    case("resize_axes", I + 'ops.interpolate(x, 2, mode="linear")', ValueError, "'linear'", "3", "(1, 3, 4, 4)"),
    case("align_corners", I + "ops.interpolate(x, 2, align_corners=True)", ValueError, "'nearest'"),
    case("scale_factor", I + "ops.interpolate(x, scale_factor=-1.0)", ValueError, "2", "-1.0"),
    case("affine", I + "ops.affine_grid(x, (1, 3, 4, 4))", ValueError, "(1, 3, 4, 4)"),
    case("affine_batch", "ops.affine_grid(Tensor(np.ones((2, 2, 3))), (1, 3, 4, 4))", ValueError, "1", "2"),
    case("grid", I + "ops.grid_sample(x, x)", ValueError, "(1, 3, 4, 4)"),
    case("pad_ints", 'nn.ZeroPad2d("1")', TypeError, "ZeroPad2d", "4"),
    case("pad_ints", "nn.ReflectionPad2d((1, 2, 3))", ValueError, "ReflectionPad2d", "4", "(1, 2, 3)"),
]  # fmt: skip
