"""Lessons that go wrong: differentiation."""

from core.lessons_at_fault.lesson import OVERRIDDEN, X, case

CASES = [
    case("no_value", X + "grad(lambda a: None)(x)", UserWarning, "NoneType", "return"),
    case("no_value", X + "grad(nn.ReLU)(x)", UserWarning, "ReLU"),
    case("position_twice", "grad(ops.mul, (0, 0))", ValueError, "(0, 0)"),
    case("nothing_to_differentiate", "grad(ops.exp, ())"),
    case("gradient_shape", X + OVERRIDDEN.format("np.ones(3)", ""), RuntimeError, "(3,)", "(2,)"),
    case("nothing_to_differentiate", "grad(ops.exp, None)"),
    case("position_kind", "grad(ops.exp, 0.5)", TypeError, "0.5"),
    case("position_negative", "grad(ops.exp, -1)", ValueError, "-1"),
    case("position_range", X + "grad(ops.exp, 1)(x)", RuntimeError, "1"),
    case("position_type", "grad(ops.exp)(3.0)", TypeError, "float", "0"),
    case("position_dtype", "grad(ops.square)(Tensor([2]))", TypeError, "Int64", "(1,)", ".astype(float32)"),
    case("weight_type", X + "grad(ops.exp, 0, [x])", TypeError, "Tensor"),
    case("has_aux", X + "grad(ops.exp, has_aux=True)(x)"),
    case("sens_shape", X + "tc.GradOperation(sens_param=True)(ops.exp)(x, x[0])", ValueError, "(2,)", "()"),
    case("flag", "tc.GradOperation(get_all=1)", TypeError, "get_all", "1"),
    case("sens_missing", "tc.GradOperation(sens_param=True)(ops.exp)()", TypeError),
    case("get_by_list", "tc.GradOperation(get_by_list=True)(ops.exp)"),
    case("get_grad", X + "tc.get_grad(grad(ops.exp)(x), 0)", RuntimeError, "0"),
    case("write_lent", "t = Tensor.from_numpy(np.broadcast_to(np.ones(2), (3, 2)))\nt[0] = 1.0", ValueError, "(3, 2)"),
    case("not_a_function", "grad(ops.exp(Tensor([1.0])))", TypeError, "grad", "Tensor"),
    case("gradcheck_input", "tc.gradcheck(ops.exp, [1.0])", TypeError, "0", "list"),
    case("gradcheck_order", X + "tc.gradcheck(ops.exp, x, order=3)", ValueError, "3"),
    case("gradcheck_nothing float_input", "tc.gradcheck(ops.exp, Tensor([1, 2]))"),
    case("gradcheck_nothing float_output", X + "tc.gradcheck(lambda t: t > 0, x)"),
    case("gradcheck", X + "tc.gradcheck(lambda t: ops.stop_gradient(t) * t, x)", AssertionError, "0", "(1,)"),
]  # fmt: skip
