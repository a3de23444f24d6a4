"""Lessons that go wrong: cells and Parameters."""

from core.lessons_at_fault.lesson import NET, TWO, P, case

NO_CONSTRUCT = """
class Net(nn.Cell):
    def {}(self, x):
        return x
Net()(1)"""

CASES = [
    case("state_dict", TWO + "cell.load_state_dict([1])", TypeError, "list"),
    case("new_name", NET + "net.construct = nn.ReLU()", KeyError, "construct"),
    case("new_name", TWO + "cell.cells = Parameter(1.0)", KeyError, "cells"),
    case("bfloat16", TWO + "cell.to_float(tc.bfloat16)", ValueError, "float16"),
    case(
        "cell_init", "class Net(nn.Cell):\n    def __init__(self):\n        self.fc = nn.ReLU()  # here\nNet()",
        AttributeError, "Net",
    ),
    case("no_attribute", "nn.ReLU().weight", AttributeError, "ReLU", "weight"),
    case("no_attribute nearest_name", "nn.Dense(2, 2).weigth", AttributeError, "Dense", "weigth", "weight"),
    case("no_attribute nearest_name", TWO + "cell.register_foward_hook", AttributeError, "register_forward_hook"),
    case("no_construct", "nn.Cell()(1)", AttributeError, "Cell"),
    case("no_construct construct_meant", NO_CONSTRUCT.format("forward"), AttributeError, "Net", "forward"),
    case("no_construct construct_meant", NO_CONSTRUCT.format("constuct"), AttributeError, "Net", "constuct"),
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
]  # fmt: skip
