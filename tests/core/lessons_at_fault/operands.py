"""Lessons that go wrong: operands and kernels."""

from core.lessons_at_fault.lesson import M, X, case

CASES = [
    case("kernel broadcast_why broadcast_remedy", X + "x + Tensor([1.0, 2.0, 3.0])", ValueError, "Add", "(2,)", "(3,)"),
    case("kernel matmul_why matmul_remedy", M + "m @ m", ValueError, "MatMul", "(2, 3) float64 × (2, 3) float64"),
    case("kernel reshape_why reshape_remedy", M + "m.reshape(4, 2)", ValueError, "Reshape", "(2, 3)", "shape=(4, 2)"),
    case("kernel transpose_why transpose_remedy", M + "m.transpose((0, 0))", ValueError, "Transpose", "dims=(0, 0)"),
    case("kernel broadcast_to_why broadcast_to_remedy", M + "m.broadcast_to((2, 4))", ValueError, "(2, 3)", "(2, 4)"),
    case("kernel concat_why concat_remedy", M + "ops.concat((m, m.T))", ValueError, "Concat", "(2, 3)", "(3, 2)"),
    case("kernel stack_why stack_remedy", M + "ops.stack((m, m.T))", ValueError, "Stack", "(2, 3)", "(3, 2)"),
    case("kernel power_why power_remedy", "Tensor([2]) ** -1", ValueError, "Pow", "int64"),
    case("kernel axis_range", M + "m.sum(axis=2)", ValueError, "Sum", "(2, 3)", "2"),
    case("kernel axis_range", M + "ops.softmax(m, axis=5)", ValueError, "Softmax", "5"),
    case("kernel axis_kind", M + "m.mean(axis=0.5)", TypeError, "Mean", "0.5"),
    case("kernel axis_length", M + "m.squeeze(0)", ValueError, "Squeeze", "(2, 3)"),
    case("kernel bias_size", M + "ops.bias_add(m, m[0, :2])", ValueError, "BiasAdd", "(2, 3)", "(2,)"),
    case("kernel label_range", "ops.cross_entropy(Tensor([[1.0, 2.0]]), Tensor([2]))", ValueError, "CrossEntropy", "2"),
    case("kernel logits_shape", "ops.cross_entropy(Tensor([1.0]), Tensor([0]))", ValueError, "(1,) float32"),
    case("kernel channels", M + "net = nn.BatchNorm1d(3)\nnet.beta = Parameter(m[:, 0])\nnet(m)", ValueError, "(2,)"),
    case("kernel batch_empty", "nn.BatchNorm1d(2).set_train()(Tensor(np.ones((0, 2))))", ValueError, "(0, 2)"),
    case("kernel interval", X + "ops.dropout(x, 1.0)", ValueError, "Dropout", "1.0"),
    case("operand number_range", "Tensor([1], uint8) * -1", OverflowError, "Mul", "-1", "UInt8"),
    case("operand tensor_data", X + 'x + "1"', TypeError, "Add", "str"),
    case(
        "dropped", X + """with ExitStack() as late:
    rule = (lambda F, g, out, x: F.multiply(g, x),)  # here
    grad(lambda x: (ops.tanh(x), late.enter_context(OPS["tanh"].override(rule)))[0])(x)""", RuntimeError, "Tanh",
        "override",
    ),
    case("too_many", X + "ops.log_softmax(x, 0, 1)", TypeError, "log_softmax", "2", "3"),
    case("twice", X + "ops.log_softmax(x, 0, axis=0)", TypeError, "log_softmax", "axis"),
    case("twice", X + "ops.matmul(x, x, other=x)", TypeError, "matmul", "other"),
    case("unknown_argument", X + "ops.mean(x, dim=0)", TypeError, "mean", "dim", "axis, keep_dims"),
    case("missing", "ops.concat()", TypeError, "concat", "tensors"),
    case("missing", X + "ops.matmul(x, transpose_a=True)", TypeError, "matmul", "other"),
    case("primitive_init nothing", "ops.Add(1)", TypeError, "Add"),
    case("primitive_init", X + "ops.Softmax(0, x)", TypeError, "Softmax", "axis"),
    case("reduction", 'nn.CrossEntropyLoss(reduction="avg")', ValueError, "avg"),
]  # fmt: skip
