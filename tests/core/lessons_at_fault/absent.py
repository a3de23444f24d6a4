"""Lessons that go wrong: names that do not exist here."""

from core.lessons_at_fault.lesson import X, case

CASES = [
    case("no_name absent nearest_name", "ops.rleu", AttributeError, "rleu", "relu"),
    case("no_name absent_complex", X + "x.angle()", AttributeError, "Tensor", "angle"),
    case("no_name absent_sparse", "ops.COOTensor", AttributeError, "COOTensor"),
    case("no_name absent_compiler", "ops.PrimitiveWithInfer", AttributeError, "bprop"),
    case("no_name absent_devices", "nn.PipelineCell", AttributeError, "nn", "PipelineCell"),
    case("no_name absent", "tc.Tenser", AttributeError, "teachcell", "Tensor"),
    case("no_name absent_images", "ops.NMSWithMask", AttributeError, "NMSWithMask"),
    case("no_name absent_data", "tc.dataset", AttributeError, "dataset", "Model.train"),
    case("no_name absent_one_interface", "tc.mint", AttributeError, "mint", "ops"),
    case("no_name absent_no_tape", X + "x.backward()", AttributeError, "Tensor", "grad(f)(x)"),
    case("no_name absent_other_name", "nn.Module", AttributeError, "Module", "Cell"),
    case("no_name absent_widgets", "tc.explore", AttributeError, "teachcell_widgets", "Explorer"),
    case("no_name absent_text", "tc.BleuScore", AttributeError, "Perplexity"),
    case("no_name absent_rare", "ops.deformable_conv2d", AttributeError, "grid_sample"),
]  # fmt: skip
