"""Lessons that go wrong: tensors."""

from core.lessons_at_fault.lesson import X, case

NO_RETURN = """
class Net(nn.Cell):
    def construct(self, x):
        x * 2
"""

CASES = [
    case("bfloat16", 'Tensor([1.0]).astype("bfloat16")', TypeError, "bfloat16", "float16", "float32"),
    case("bfloat16", "Tensor([1.0], tc.bfloat16)", TypeError),
    case("bfloat16", X + "x.bfloat16()", TypeError, "float16"),
    case("language", 'tc.set_language("fr")', ValueError, "fr", "en, zh"),
    case("dtype_unsupported", "Tensor(np.array([1j]))", TypeError, "complex128", "Float32"),
    case("dtype_unknown", 'Tensor([1.0]).astype("float23")', TypeError, "float23", "float16"),
    case("tensor_data tensor_none", "Tensor(None)", TypeError, "NoneType"),
    case(
        "tensor_data tensor_none", NO_RETURN + "nn.SequentialCell(Net(), nn.ReLU())(Tensor([1.0]))", TypeError, "ReLU",
    ),
    case("tensor_ragged", "Tensor([[1, 2], [3]])", TypeError),
    case(
        "array_of_recorded", "def f(x):\n    return Tensor(np.array(x))  # here\ngrad(f)(Tensor([1.0]))", UserWarning,
        "asnumpy",
    ),
    case("not_one_element", X + "bool(x > 0)", ValueError, "(2,)"),
    case("not_an_index", "[1, 2][Tensor(0.0)]", TypeError, "Float32"),
    case("tensor_data list_of", "Tensor([1j])", TypeError, "complex128", "list"),
    case("no_axis iteration", "list(Tensor(1.0))", TypeError),
    case("no_axis", "len(Tensor(1.0))", TypeError, "len()"),
    case("format_spec", 'f"{Tensor(1.0):.3f}"', TypeError, ".3f"),
    case("index_kind", X + "x[1.0]", IndexError, "1.0"),
    case("index_kind array_of", X + "x[Tensor([0.5])]", IndexError, "float32"),
    case("write", X + "x[0] = [1.0, 2.0]", ValueError, "(2,)"),
    case("write tensor_data", X + 'x[0] = "one"', TypeError, "(2,)", "str"),
]  # fmt: skip
