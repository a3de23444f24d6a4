"""Lessons that go wrong: indices, masks, segments and what is written at them."""

from core.lessons_at_fault.lesson import M, P, X, case

CASES = [
    case("kernel index_range", M + "ops.gather(m, Tensor([0, 2]), 0)", IndexError, "Gather", "2"),
    case("index_range", M + "ops.gather_nd(m, Tensor([[0, 3]]))", IndexError, "3"),
    case("index_range", P + "ops.scatter_add(w, Tensor([5]), Tensor([1.0]))", IndexError, "5"),
    case("kernel index_kind", M + "ops.gather(m, Tensor([0.5]), 0)", IndexError, "float32"),
    case("kernel along_shape", M + "ops.gather_elements(m, 1, Tensor([0]))", ValueError, "(2, 3)", "(1,)"),
    case("nd_depth", X + "ops.gather_nd(x, Tensor([[0, 1]]))", ValueError, "(1, 2)"),
    case("kernel batch_dims", M + "ops.gather(m, Tensor([[0]]), 1, 1)", ValueError, "1"),
    case("sequence_lengths", M + "ops.reverse_sequence(m, Tensor([1, 9]), 1)", ValueError, "[1, 9]", "3"),
    case("depth", "ops.one_hot(Tensor([1]), -2)", ValueError, "-2"),
    case("mask", X + "ops.masked_select(x, Tensor([1, 0]))", TypeError, "int64"),
    case("kernel broadcast_why", X + "ops.masked_select(x, Tensor([True, False, True]))", ValueError, "(3,)", "(2,)"),
    case("mask_shape", X + "x.masked_scatter(Tensor([[True]]), x)", ValueError, "(1, 1)"),
    case("masked_source", X + "x.masked_scatter(Tensor([True, True]), Tensor([1.0]))", ValueError, "2", "1"),
    case("updates_shape", M + "ops.tensor_scatter_add(m, Tensor([[0, 0]]), m)", ValueError, "(1,)", "(2, 3)"),
    case("segment_shape", M + "ops.unsorted_segment_sum(m, Tensor([0]), 1)", ValueError, "(1,)", "(2, 3)"),
    case("segment_order", X + "ops.SegmentSum()(x, Tensor([1, 0]))", ValueError, "[1, 0]"),
]  # fmt: skip
