"""Lessons that go wrong: reductions, order, statistics and distances."""

from core.lessons_at_fault.lesson import M, X, case

E = "e = Tensor(np.ones((0, 3)))\n"
CASES = [
    case("kernel one_axis_twice", M + "m.sum((0, -2))", ValueError, "Sum", "0"),
    case("kernel axis_range", X + "ops.sort(Tensor(2.0))", ValueError, "Sort", "-1", "0"),
    case("kernel axis_range", M + "ops.max(m, 2)", ValueError, "Max", "(2, 3)", "2"),
    case("kernel axis_kind", M + "ops.max(m, (0, 1))", TypeError, "Max", "(0, 1)"),
    case("kernel reduce_empty", E + "e.max()", ValueError, "Max", "(0, 3)"),
    case("kernel reduce_empty", E + "ops.argmin(e, 0)", ValueError, "Argmin", "(0, 3)"),
    case("kernel reduce_empty", E + "ops.median(e, 0)", ValueError, "Median", "(0, 3)"),
    case("operand where_without_initial", M + "ops.amax(m, where=m > 0)", ValueError, "Max"),
    case("operand index_dtype", M + "ops.Argmax(0, float32)(m)", ValueError, "Argmax", "Float32"),
    case("kernel axis_range", M + "ops.var(m, 2)", ValueError, "Var", "2"),
    case("operand reduce_empty", E + "ops.quantile(e, 0.5)", ValueError, "Quantile"),
    case("kernel whole", M + "ops.std(m, 0, 0.5)", TypeError, "Std", "ddof", "0.5"),
    case("operand axis_range", M + "ops.diff(m, axis=2)", ValueError, "Diff", "2"),
    case("operand interval", M + "ops.diff(m, -1)", ValueError, "Diff", "n", "-1"),
    case("operand sample_points", M + "ops.trapz(m, Tensor([0.0, 1.0]))", ValueError, "Trapz", "2", "3"),
    case("kernel whole", X + "ops.topk(x, 1.5)", TypeError, "TopK", "k", "1.5"),
    case("kernel interval", X + "ops.topk(x, 3)", ValueError, "TopK", "k", "1 … 2", "3"),
    case("kernel logits_shape", M + "ops.intopk(m, Tensor([1]), 1)", ValueError, "InTopK", "(2, 3)", "(1,)"),
    case("kernel sorted_rows", M + "ops.searchsorted(m, m[0])", ValueError, "SearchSorted", "(2, 3)", "(3,)"),
    case("operand side", X + "ops.searchsorted(x, x, side='left', right=True)", ValueError, "left", "True"),
    case("kernel counted", "ops.bincount(Tensor([1, -1]))", ValueError, "BinCount", "(2,)"),
    case("kernel weights_shape", X + "ops.bincount(Tensor([1, 1, 0]), x)", ValueError, "BinCount", "(3,)", "(2,)"),
    case("kernel interval", X + "ops.histc(x, 0)", ValueError, "Histogram", "bins", "0"),
    case("operand cov_axes", M + "ops.cov(m[None])", ValueError, "Cov", "(1, 2, 3)"),
    case("operand interval", X + "ops.quantile(x, 1.5)", ValueError, "Quantile", "q", "1.5"),
    case("kernel norm_order", X + "x.norm('l2', 0)", TypeError, "Norm", "'l2'"),
    case("operand matrix_norm_order", M + "m.norm(3)", ValueError, "Norm", "3"),
    case("operand norm_axes", M + "m[None].norm(2)", ValueError, "Norm", "3"),
    case("operand rows", M + "ops.cdist(m, m.T)", ValueError, "Cdist", "(2, 3)", "(3, 2)"),
    case("interval", M + "ops.pdist(m, -1)", ValueError, "Pdist.p", "-1"),
    case("kernel broadcast_why broadcast_remedy", M + "ops.cosine_similarity(m, m.T)", ValueError, "(2, 3)", "(3, 2)"),
]
