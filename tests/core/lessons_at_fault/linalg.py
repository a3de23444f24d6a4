"""Lessons that go wrong: linear algebra."""

from core.lessons_at_fault.lesson import M, case

CASES = [
    case("axes_count", M + "ops.mv(m, m)", ValueError, "mv", "vec", "1", "(2, 3)"),
    case("axes_count", M + "ops.bmm(m, m)", ValueError, "bmm", "input_x", "3"),
    case("contract", M + "ops.tensor_dot(m, m, 1)", ValueError, "tensor_dot", "(1,)", "(0,)", "(2, 3)"),
    case("contract", M + "ops.tensor_dot(m, m, 3)", ValueError, "tensor_dot", "3"),
    case("contract", M + "ops.batch_dot(m, m.T)", ValueError, "batch_dot", "(2, 3)", "(3, 2)"),
    case("batch_axis", M + "ops.batch_dot(m, m, axes=0)", ValueError, "(2, 3)"),
    case("kernel einsum_text", M + "ops.einsum(m, m)", TypeError, "Einsum", "Tensor"),
    case("kernel einsum_letters", M + "ops.einsum('i2', m)", ValueError, "Einsum", "i2"),
    case("kernel einsum_operands", M + "ops.einsum('ij,jk', m)", ValueError, "2", "1"),
    case("kernel einsum_axes", M + "ops.einsum('ijk->k', m)", ValueError, "ijk", "(2, 3)"),
    case("kernel einsum_length", M + "ops.einsum('ij,jk->ik', m, m)", ValueError, "'j'", "3, 2"),
    case("kernel einsum_length", M + "ops.einsum('ii', m)", ValueError, "'i'", "2, 3"),
    case("kernel einsum_output", M + "ops.einsum('ij->iz', m)", ValueError, "iz"),
]  # fmt: skip
