"""Every text of ``texts/errors.py``: reached by a statement that deserves it, in both languages, with the facts.

A lesson below is what a learner might write; its last line, or the one marked ``# here``, is at fault. The error
(or warning) must come from that line, be of the class named, match every text named, and mention what is listed.
"""

from __future__ import annotations

import re
import string
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import pytest

import teachcell as tc
from teachcell.core import modes
from teachcell.core.op import OPS
from teachcell.texts.errors import TABLE


@dataclass
class Case:
    """One lesson."""

    keys: str
    lesson: str
    kind: type[BaseException]
    mentions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.keys


def case(keys: str, lesson: str, kind: type[BaseException] = ValueError, *mentions: str) -> Case:
    return Case(keys, lesson, kind, mentions)


X = "x = Tensor([1.0, 2.0])\n"
M = "m = Tensor(np.ones((2, 3)))\n"
P = 'w = Parameter(Tensor([1.0, 2.0]), name="w")\n'
OVERRIDDEN = """with OPS["tanh"].override((lambda F, g, out, x: {},)):{}
    grad(ops.tanh)(x)"""
NET = """
class Net(nn.Cell):
    def construct(self, x, y):
        return x * y
net, x = Net(), Tensor([1.0, 2.0])
"""
RULED = """
class Net(nn.Cell):
    def construct(self, x, y):
        return x * y
    def bprop(self, x, y, out, dout):
        return {}
x = Tensor([1.0, 2.0])
grad(Net())(x, x)"""
WEIGHTED = """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.internal_params = [self.w]
    def construct(self, x):
        return self.w * x
    def bprop(self, x, out, dout):
        return (dout * self.w,)
grad(Net())(Tensor([1.0]))"""
TWO = "cell = nn.Cell()\ncell.p, cell.c = Parameter(1.0), nn.ReLU()\n"

CASES = [
    # Operands and kernels
    case("kernel broadcast_why broadcast_remedy", X + "x + Tensor([1.0, 2.0, 3.0])", ValueError, "Add", "(2,)", "(3,)"),
    case("kernel matmul_why matmul_remedy", M + "m @ m", ValueError, "MatMul", "(2, 3) float64 × (2, 3) float64"),
    case("kernel reshape_why reshape_remedy", M + "m.reshape(4, 2)", ValueError, "Reshape", "(2, 3)", "shape=(4, 2)"),
    case("kernel transpose_why transpose_remedy", M + "m.transpose(0, 0)", ValueError, "Transpose", "axes=(0, 0)"),
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
    case("kernel channel_axis", X + "ops.Dropout2D(0.5)(x)", ValueError, "Dropout2D", "(2,)"),
    case("kernel batch_empty", "nn.BatchNorm1d(2).set_train()(Tensor(np.ones((0, 2))))", ValueError, "(0, 2)"),
    case("kernel interval", X + "ops.dropout(x, 1.0)", ValueError, "Dropout", "1.0"),
    case("kernel conv_axes", M + "ops.conv2d(m, m)", ValueError, "Conv2d", "(2, 3)"),
    case("kernel conv_channels", "nn.Conv2d(2, 1, 1)(Tensor(np.ones((1, 3, 2, 2))))", ValueError, "3", "2"),
    case("operand tensor_data", X + 'x + "1"', TypeError, "Add", "str"),
    case(
        "dropped", X + """with ExitStack() as late:
    rule = (lambda F, g, out, x: F.multiply(g, x),)  # here
    grad(lambda x: (ops.tanh(x), late.enter_context(OPS["tanh"].override(rule)))[0])(x)""", RuntimeError, "Tanh",
        "override",
    ),
    case("too_many", X + "ops.softmax(x, 0, 1)", TypeError, "softmax", "2", "3"),
    case("twice", X + "ops.softmax(x, 0, axis=0)", TypeError, "softmax", "axis"),
    case("twice", X + "ops.matmul(x, x, y=x)", TypeError, "matmul", "y"),
    case("unknown_argument", X + "ops.sum(x, axis=0)", TypeError, "sum", "axis", "dim, keepdim"),
    case("missing", "ops.concat()", TypeError, "concat", "inputs"),
    case("missing", X + "ops.matmul(x, transpose_a=True)", TypeError, "matmul", "y"),
    case("primitive_init nothing", "ops.Add(1)", TypeError, "Add"),
    case("primitive_init", X + "ops.Softmax(0, x)", TypeError, "Softmax", "axis"),
    case("reduction", 'nn.CrossEntropyLoss(reduction="avg")', ValueError, "avg"),
    case("conv_size", "nn.Conv2d(1, 1, 0)", ValueError, "kernel_size", "0"),
    case("padding", 'nn.Conv2d(1, 1, 1, pad_mode="pad", padding=(1, 2, 3))', ValueError, "(1, 2, 3)"),
    case("padding_mode", "nn.Conv2d(1, 1, 1, padding=1)", ValueError, "1", "same"),
    case("pad_mode", 'nn.Conv2d(1, 1, 1, pad_mode="full")', ValueError, "full"),
    case("no_op", "ops.rleu", AttributeError, "rleu", "relu"),
    # Tensors
    case("language", 'tc.set_language("fr")', ValueError, "fr", "en, zh"),
    case("dtype_unsupported", "Tensor(np.array([1j]))", TypeError, "complex128", "Float32"),
    case("dtype_unknown", 'Tensor([1.0]).astype("float23")', TypeError, "float23", "float16"),
    case("tensor_data", "Tensor(None)", TypeError, "NoneType"),
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
    # Differentiation
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
    # Hooks and bprop
    case("hook_not_callable", NET + "net.register_forward_hook(3)", TypeError, "register_forward_hook", "int"),
    case("hook_is_jit", NET + "net.register_backward_hook(tc.jit(print))", TypeError, "register_backward_hook"),
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
    case("bprop_count", RULED.format("(dout,)"), RuntimeError, "Net.bprop", "1", "2"),
    case("bprop_entry input", RULED.format("(dout, 1.0)"), TypeError, "Net.bprop", "1", "float"),
    case("bprop_shape", RULED.format("(dout[0], dout)"), RuntimeError, "Net.bprop", "0", "()", "(2,)"),
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
    # Cells and Parameters
    case(
        "cell_init", "class Net(nn.Cell):\n    def __init__(self):\n        self.fc = nn.ReLU()  # here\nNet()",
        AttributeError, "Net",
    ),
    case("no_attribute", "nn.ReLU().weight", AttributeError, "ReLU", "weight"),
    case("no_construct", "nn.Cell()(1)", AttributeError, "Cell"),
    case("over_cell", TWO + "cell.c = 3", TypeError, "Cell.c", "int"),
    case("over_parameter", TWO + "cell.p = 3", TypeError, "Cell.p", "int"),
    case("name_taken", TWO + "cell.p = nn.ReLU()", KeyError, "Cell.p", "Parameter"),
    case("new_name", TWO + 'cell.insert_child_to_cell("a.b", nn.ReLU())', KeyError, "a.b"),
    case("new_name_kind", TWO + "cell.insert_child_to_cell(1, nn.ReLU())", TypeError, "int"),
    case("not_a_parameter", TWO + 'cell.insert_param_to_cell("q", 1.0)', TypeError, "float"),
    case("not_a_cell", "nn.SequentialCell(ops.relu)", TypeError, "function"),
    case("cell_index", "nn.SequentialCell(nn.ReLU())[1]", IndexError, "1"),
    case("cell_index_kind", 'nn.SequentialCell(nn.ReLU())["0"]', TypeError, "str"),
    case("container_call", "nn.CellList([nn.ReLU()])(1)", NotImplementedError, "CellList"),
    case("container_call", "nn.CellDict({'a': nn.ReLU()})(1)", NotImplementedError, "CellDict"),
    case("parameter_data", "Parameter(True)", ValueError, "bool"),
    case("parameter_data", "Parameter(None)", TypeError, "NoneType"),
    case("parameter_name", "Parameter(1.0, name=2)", ValueError, "2"),
    case("parameter_tuple", "tc.ParameterTuple([Tensor(1.0)])", TypeError, "Tensor"),
    case("parameter_same_name", P + 'tc.ParameterTuple([w, Parameter(1.0, name="w")])', ValueError, "w"),
    case("set_data_type", P + "w.set_data([1.0, 2.0])", TypeError, "w", "list"),
    case("assign_shape", P + "w.set_data(Tensor([1.0]))", ValueError, "w", "(2,)", "(1,)"),
    case("assign_shape", P + "ops.assign(w, Tensor([1.0]))", ValueError, "w", "(2,)", "(1,)"),
    case("buffer_type", TWO + 'cell.register_buffer("b", 1.0)', TypeError, "b", "float"),
    case("state_keys", TWO + 'cell.load_state_dict({"q": Tensor(1.0)})', RuntimeError, "['p']", "['q']"),
    case("state_type", TWO + 'cell.load_state_dict({"p": np.zeros(())})', TypeError, "p", "ndarray"),
    case(
        "always_call", NET + "net.register_forward_hook(lambda *_: 1 / 0, always_call=True)\nnet(x, None)", UserWarning,
        "ZeroDivisionError", "Net(",
    ),  # fmt: skip
    case("state_shape", TWO + 'cell.load_state_dict({"p": Tensor([1.0])})', RuntimeError, "p", "(1,)", "()"),
    case("to_float", TWO + "cell.to_float(tc.int32)", ValueError, "Int32"),
    # Layers, losses, optimizers
    case("positive_int", "nn.Dense(0, 1)", ValueError, "Dense", "in_channels", "0"),
    case("dense_input", X + "nn.Dense(3, 1)(x)", ValueError, "(2,)", "3"),
    case("interval", "nn.Dropout(1.5)", ValueError, "Dropout", "1.5"),
    case("dropout_both", "nn.Dropout(p=0.5, keep_prob=0.5)"),
    case("activation", 'nn.Dense(1, 1, activation="rleu")', KeyError, "rleu", "relu"),
    case("conv_group", "nn.Conv2d(3, 4, 1, group=2)", ValueError, "(3, 4)", "2"),
    case("picture_ending", 'tc.draw(ops.exp, Tensor([1.0])).save("x.png")', ValueError, ".png", ".svg"),
    case("norm_one_value", "nn.BatchNorm1d(2).set_train()(Tensor([[1.0, 2.0]]))", UserWarning, "BatchNorm1d"),
    case("norm_input", M + "nn.BatchNorm2d(3)(m)", ValueError, "BatchNorm2d", "(2, 3)", "(N, 3, H, W)"),
    case("optimizer_empty", "nn.SGD([])"),
    case("optimizer_value", P + "nn.SGD([w], -1)", ValueError, "learning_rate", "-1"),
    case("interval", P + "nn.SGD([w], loss_scale=0)", ValueError, "loss_scale", "0"),
    case("optimizer_gradients", P + "nn.SGD([w])(w)", TypeError, "Parameter"),
    case("optimizer_twice", P + "nn.SGD([w, w])"),
    case("optimizer_count", P + "nn.SGD([w])(())", ValueError, "0", "1"),
    case("nesterov", P + "nn.SGD([w], nesterov=True)"),
    case("init_shape", "initializer(Tensor([1.0]), (2,))", ValueError, "(1,)", "(2,)"),
    case("init_name", 'initializer("xavier", (2, 2))', ValueError, "xavier", "xavier_uniform"),
    case("init_type", "initializer([1.0], (2,))", TypeError, "list"),
    case("fan_shape", 'initializer("he_normal", (2,))', ValueError, "(2,)"),
    case("fan_mode", 'HeNormal(mode="fan")', ValueError, "fan"),
    case("nonlinearity", 'HeNormal(nonlinearity="swish")', ValueError, "swish", "leaky_relu"),
    case("shape_kind", 'initializer("ones", (-2,))', ValueError, "-2"),
    case("seed", "tc.set_seed(-1)", ValueError, "-1"),
    # Context and jit
    case("context_key", 'tc.get_context("modes")', ValueError, "modes"),
    case("context_mode", "tc.set_context(mode=2)", ValueError, "2"),
    case(
        "jit_hooks", NET + "net.register_forward_hook(lambda *_: None)\nf = tc.jit(lambda x: net(x, x))  # here\nf(x)",
        tc.HookNote, "Net(",
    ),
]  # fmt: skip


@pytest.fixture(autouse=True)
def everything_put_back() -> Iterator[None]:
    rules = {name: (op.rules, op.step) for name, op in OPS.items()}
    yield
    for name, (rule, step) in rules.items():
        OPS[name].rules, OPS[name].step = rule, step
    tc.set_context(mode=tc.PYNATIVE_MODE)
    tc.set_language("en")
    assert modes.recording() is None and modes.silence() is None


def pattern(text: str) -> re.Pattern[str]:
    """What a filled text looks like."""
    parts = [(re.escape(literal), "" if name is None else ".*") for literal, name, *_ in string.Formatter().parse(text)]
    return re.compile("".join(a + b for a, b in parts), re.DOTALL)


def run(lesson: str) -> tuple[BaseException, int]:
    """The error or warning that a lesson gives, and the learner's line it comes from."""
    names = {"np": np, "tc": tc, "OPS": OPS, "ExitStack": ExitStack, **vars(tc), **vars(tc.common.initializer)}
    code = compile(lesson, "<lesson>", "exec")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            exec(code, names)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            return error, next(f.lineno or 0 for f in reversed(frames) if f.filename == "<lesson>")
    raise AssertionError(f"no error from {lesson}")


@pytest.mark.parametrize("language", [0, 1], ids=["en", "zh"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_statement_at_fault_gets_the_text(case: Case, language: int) -> None:
    tc.set_language(("en", "zh")[language])
    error, line = run(case.lesson)
    message = str(error.args[0])
    assert type(error) is case.kind, message
    for key in case.keys.split():
        assert pattern(TABLE[f"errors.{key}"][language]).search(f"{message} "), (key, message)
    for fact in case.mentions:
        assert fact in message
    lines = case.lesson.splitlines()
    assert line == next((i for i, text in enumerate(lines, 1) if "# here" in text), len(lines))
    assert error.__cause__ is None or error.__suppress_context__


def test_every_text_has_a_lesson() -> None:
    assert {f"errors.{key}" for c in CASES for key in c.keys.split()} == set(TABLE)
