"""Lessons that go wrong: hooks and bprop."""

from core.lessons_at_fault.lesson import NET, RULED, WEIGHTED, P, X, case

import teachcell as tc

TRANSPOSED = """
class Net(nn.Cell):
    def construct(self, x):
        return x * 2
    def bprop(self, x, out, dout):
        return (dout.T,)
grad(Net())(Tensor(np.ones((2, 3))))"""

MISFIT = """
class Net(nn.Cell):
    def construct(self, x):
        return x * 2
    def bprop(self, x, out):
        return (out,)
grad(Net())(Tensor([1.0, 2.0]))"""

CASES = [
    case(
        "direct_construct", NET + "net.register_forward_hook(lambda *_: None)\nnet.construct(x, x)", tc.HookNote,
        "Net(", "net(x)",
    ),
    case("hook_not_callable", NET + "net.register_forward_hook(3)", TypeError, "register_forward_hook", "int"),
    case("hook_is_jit", NET + "net.register_backward_hook(tc.jit(print))", TypeError, "register_backward_hook"),
    case(
        "hook_arguments arity", NET + "net.register_backward_hook(lambda g: g)", TypeError,
        "Net.register_backward_hook",
        "<lambda>(g)", "(cell, grad_input, grad_output)",
    ),
    case(
        "hook_arguments arity", NET + "net.register_forward_pre_hook(lambda c, a: a, with_kwargs=True)", TypeError,
        "Net.register_forward_pre_hook", "<lambda>(c, a)", "(cell, args, kwargs)",
    ),
    case(
        "hook_arguments arity", X + "x.register_hook(lambda c, gi, go: gi)", TypeError, "register_hook", "(gradient)",
    ),
    case("bprop_arguments arity", MISFIT, TypeError, "Net.bprop", "bprop(x, out)", "bprop(x, out, dout)"),
    case("tensor_hook_type", X + "x.register_hook(lambda g: 1.0)\ngrad(ops.exp)(x)", RuntimeError, "float"),
    case(
        "tensor_hook replaced_gradient", X + "x.register_hook(lambda g: g[0])\ngrad(ops.exp)(x)", ValueError,
        "() float32", "(2,) float32",
    ),
    case(
        "replaced_gradient backward_hook",
        NET + "net.register_backward_hook(lambda c, gi, go: (gi[0][0], gi[1]))\ngrad(net)(x, x)",
        ValueError, "Net", "() float32", "(2,) float32",
    ),
    case(
        "hook_return kinds", NET + "net.register_backward_hook(lambda c, gi, go: gi[0])\ngrad(net)(x, x)", TypeError,
        "Net", "2", "Tensor",
    ),
    case(
        "hook_return backward_pre_hook kinds",
        NET + "net.register_backward_pre_hook(lambda c, go: [go[0]])\ngrad(net)(x, x)", TypeError, "Net", "list",
    ),
    case("hook_backward_inputs", "ops.HookBackward(print)(1.0)", TypeError, "float"),
    case(
        "pre_hook_kwargs", NET + "net.register_forward_pre_hook(lambda c, a, k: a, with_kwargs=True)\nnet(x, x)",
        RuntimeError, "Net", "Tensor",
    ),
    case("bprop_return", RULED.format("None"), TypeError, "Net.bprop", "2", "NoneType"),
    case("bprop_count", RULED.format("(dout,)"), RuntimeError, "Net.bprop", "1", "2", "None"),
    case("bprop_entry input", RULED.format("(dout, 1.0)"), TypeError, "Net.bprop", "1", "float"),
    case("bprop_shape", RULED.format("(dout[0], dout)"), RuntimeError, "Net.bprop", "0", "()", "(2,)"),
    case("bprop_shape bprop_transposed", TRANSPOSED, RuntimeError, "Net.bprop", "0", "(3, 2)", "(2, 3)"),
    case("internal_params", WEIGHTED, RuntimeError, "Net", "w"),
    case(
        "bprop_parameter_graph", "tc.set_context(mode=tc.GRAPH_MODE)\n" + P + RULED.format("(dout * w, w)  # here"),
        RuntimeError, "Net",
    ),
    case(
        "hook_in_graph",
        """tc.set_context(mode=tc.GRAPH_MODE)
class Net(nn.Cell):
    def construct(self, x):
        self.register_forward_hook(print)  # here
Net()(1)""",
        RuntimeError, "Net",
    ),
    case("function_method", "tc._Function.apply(Tensor([1.0]))", NotImplementedError, "forward(ctx"),
]  # fmt: skip
