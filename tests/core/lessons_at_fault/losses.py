"""Lessons that go wrong: activations, losses, dropout."""

from core.lessons_at_fault.lesson import M, X, case

CASES = [
    case("kernel class_weight", M + "ops.cross_entropy(m, Tensor([0, 1]), [1.0])", ValueError, "3", "(1,)"),
    case("kernel axes", X + "ops.dropout2d(x)", ValueError, "Dropout2D", "4", "(2,)"),
    case("kernel gelu_approximate", X + 'ops.gelu(x, approximate="erf")', ValueError, "GELU", "'erf'"),
    case("ctc_shapes", M + "ops.ctc_loss(m, m, m, m)", ValueError, "(2, 3)", "(T, N, C)"),
    case("focal_labels", M + "nn.FocalLoss()(m, Tensor([0, 1]))", ValueError, "(2, 3)", "(2,)"),
    case("same_shape", M + "nn.DiceLoss()(m, m[0])", ValueError, "DiceLoss", "(2, 3)", "(3,)"),
    case("sampled_labels", M + "nn.SampledSoftmaxLoss(2, 2)(m, m[:, 0], Tensor([1]), m)", ValueError, "(2, 1)", "(1,)"),
    case("even_axis", M + "ops.glu(m)", ValueError, "glu", "1", "(2, 3)"),
    case("prelu_weight", M + "nn.PReLU(2)(m)", ValueError, "(2, 3)", "(2,)", "3"),
    case("probability_target", M + "nn.CrossEntropyLoss()(m, Tensor([0.0, 1.0]))", ValueError, "(2, 3)", "(2,)"),
    case("row_target", M + "ops.cosine_embedding_loss(m, m, m)", ValueError, "cosine_embedding_loss", "(2,)", "(2, 3)"),
    case("score_labels", M + "nn.MultiMarginLoss()(m, m)", ValueError, "multi_margin_loss", "(2, 3)"),
    case("softmax2d_axes", M + "nn.Softmax2d()(m)", ValueError, "Softmax2d", "(2, 3)"),
    case("sparse_labels", M + "nn.SoftmaxCrossEntropyWithLogits()(m, Tensor([0, 1]))", TypeError, "False", "Int64"),
    case("variance_shape", M + "nn.GaussianNLLLoss()(m, m, m[0])", ValueError, "(3,)", "(2, 3)"),
    case("interval", M + "ops.gumbel_softmax(m, tau=0.0)", ValueError, "tau", "0.0"),
    case("kernel interval", M + "ops.binary_cross_entropy(m * 2, m)", ValueError, "BinaryCrossEntropy", "2.0"),
    case("kernel interval", M + "ops.huber_loss(m, m, delta=0.0)", ValueError, "Huber", "delta", "0.0"),
    case("reduction", 'nn.KLDivLoss("batch")', ValueError, "'batch'", "'batchmean'"),
]  # fmt: skip
