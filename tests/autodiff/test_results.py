"""What the derivative functions return, for every form of asking, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

import teachcell as tc
from teachcell import GradOperation, Parameter, ParameterTuple, Tensor, get_grad, grad, nn, ops, value_and_grad


class Net(nn.Cell):
    """w · x² + b · y: slopes by x, y, w, b at (2, 3) with w = 5, b = 7 are 20, 7, 4, 3."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(5.0), name="w")
        self.b = Parameter(Tensor(7.0), name="b")

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.w * x * x + self.b * y


X, Y = Tensor(2.0), Tensor(3.0)


def plain(result: Any) -> Any:
    """Tensors as numbers, tuples and lists as they are."""
    if isinstance(result, (tuple, list)):
        return type(result)(map(plain, result))
    return result.item() if isinstance(result, Tensor) else result


@pytest.mark.parametrize(
    ("position", "weights", "wanted"),
    [
        (0, None, 20), (1, None, 7), ((0, 1), None, (20, 7)), ((1, 0), None, (7, 20)), ((0,), None, 20),
        ((1,), None, 7), (None, "list", (4, 3)), (None, "tuple", (4, 3)), (None, "ParameterTuple", (4, 3)),
        (None, "one in a list", (4,)), (None, "w", 4), (0, "w", (20, 4)), (0, "list", (20, (4, 3))),
        ((0,), "list", (20, (4, 3))), ((0, 1), "one in a list", ((20, 7), (4,))), ((0, 1), "w", ((20, 7), 4)),
        (0, "none", (20, ())),
    ],
)  # fmt: skip
def test_structure_follows_positions_and_weights(position: Any, weights: Any, wanted: Any) -> None:
    net = Net()
    given = {
        "list": [net.w, net.b], "tuple": (net.w, net.b), "ParameterTuple": ParameterTuple([net.w, net.b]),
        "one in a list": [net.w], "w": net.w, "none": [], None: None,
    }[weights]  # fmt: skip
    assert plain(grad(net, position, given)(X, Y)) == wanted
    assert plain(value_and_grad(net, position, given)(X, Y)) == (41, wanted)
    assert plain(ops.grad(net, grad_position=position, weights=given)(X, Y)) == wanted


def test_by_default_the_first_argument() -> None:
    assert plain(grad(Net())(X, Y)) == 20 and plain(value_and_grad(Net())(X, Y)) == (41, 20)


def test_everything_returned_is_differentiated_as_a_sum() -> None:
    def several(x: Tensor) -> Any:
        return x * x, [x * 3, {"a": x * 5, "b": "text"}], x > 0, 7, None, x.argmax()

    value, slope = value_and_grad(several)(Tensor([1.0, 2.0]))
    assert slope.tolist() == [10.0, 12.0]
    assert type(value) is tuple and type(value[1]) is list and value[3:5] == (7, None)
    assert (value[0].tolist(), value[1][1]["a"].tolist()) == ([1.0, 4.0], [5.0, 10.0])


def test_aux_outputs_are_handed_back_undifferentiated() -> None:
    def f(x: Tensor) -> Any:
        return x * x, x * 100, "note"

    slopes, aux = grad(f, has_aux=True)(X)
    assert (slopes.item(), aux[0].item(), aux[1], len(aux)) == (4.0, 200.0, "note", 2)
    value, slopes = value_and_grad(f, has_aux=True)(X)
    assert (plain(value), slopes.item()) == ((4.0, 200.0, "note"), 4.0)
    for single in (lambda x: x, lambda x: (x,), lambda x: [x, x]):
        with pytest.raises(ValueError, match="has_aux needs a function that returns at least two values"):
            grad(single, has_aux=True)(X)


def test_ids_tell_gradients_apart() -> None:
    net = Net()
    found = grad(net, (0, 1), [net.w, net.b], return_ids=True)(X, Y)
    assert plain(found) == (((0, 20), (1, 7)), (("w", 4), ("b", 3)))
    assert get_grad(found, 1).item() == 7 and get_grad(found, net.b).item() == 3 and get_grad(found, "w").item() == 4
    one = grad(net, 1, return_ids=True)(X, Y)
    assert plain(one) == (1, 7) and get_grad(one, 1).item() == 7
    assert plain(grad(net, None, net.w, return_ids=True)(X, Y)) == ("w", 4)
    for missing in (2, "v", True):
        with pytest.raises(RuntimeError, match="return_ids=True"):
            get_grad(found, missing)


def test_grad_operation() -> None:
    net = Net()
    params = ParameterTuple(net.trainable_params())
    assert plain(GradOperation()(net)(X, Y)) == 20
    assert plain(GradOperation(get_all=True)(net)(X, Y)) == (20, 7)
    assert plain(GradOperation(get_by_list=True)(net, params)(X, Y)) == (4, 3)
    assert plain(GradOperation(get_all=True, get_by_list=True)(net, params)(X, Y)) == ((20, 7), (4, 3))
    assert plain(GradOperation(sens_param=True)(net)(X, Y, Tensor(10.0))) == 200
    assert plain(GradOperation(get_all=True, sens_param=True)(net)(X, Y, Tensor(10.0))) == (200, 70)
    assert plain(tc.grad(net, sens_param=True)(X, Y, Tensor(10.0))) == 200
    value, slopes = tc.value_and_grad(net, (0, 1), params, sens_param=True)(X, y=Y, sens=Tensor(10.0))
    assert plain(value) == plain(net(X, Y)) and plain(slopes) == ((200, 70), (40, 30))
    assert plain(tc.grad(lambda x: (x * x, x), has_aux=True, sens_param=True)(X, Tensor(10.0))) == (40, (2,))
    assert ops.GradOperation is GradOperation
    with pytest.raises(TypeError, match="get_all must be True or False, got 1"):
        GradOperation(get_all=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"op\(net, params\)"):
        GradOperation(get_by_list=True)(lambda x: x)
    with pytest.raises(ValueError, match="get_by_list needs the Parameters"):
        GradOperation(get_by_list=True)(type(net))
    assert plain(GradOperation(get_by_list=True)(net)(X, Y)) == (4, 3)
    assert plain(GradOperation(sens_param=True)(net)(X, Y, 10.0)) == 200
    assert plain(tc.grad(net, sens_param=True)(X, Y, sens=10)) == 200


def test_a_seed_has_the_outputs_shapes() -> None:
    op = GradOperation(sens_param=True)
    two = op(lambda x: (x * 2, x * 3))
    assert two(Tensor([1.0]), (Tensor([10.0]), Tensor([100.0]))).tolist() == [320.0]
    assert op(lambda x: x * 2)(Tensor([1.0]), Tensor([10.0], tc.float64)).dtype is tc.float32
    for seed in (Tensor(1.0), Tensor([1.0, 2.0]), (Tensor([1.0]), Tensor([1.0]))):
        with pytest.raises(ValueError, match="the given output gradients have shapes"):
            op(lambda x: x * 2)(Tensor([1.0]), seed)


# What is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"grad_position": None}, ValueError, "nothing to differentiate by"),
        ({"grad_position": -1}, ValueError, "must not be negative, got -1"),
        ({"grad_position": 1.0}, TypeError, "int or a tuple of ints, got 1.0"),
        ({"grad_position": (0, "1")}, TypeError, "got '1'"),
        ({"grad_position": True}, TypeError, "got True"),
        ({"weights": [Tensor([1.0])]}, TypeError, "weights must be Parameters, got Tensor"),
        ({"weights": Tensor([1.0])}, TypeError, "weights must be Parameters, got Tensor"),
        ({"weights": ["w"]}, TypeError, "got str"),
    ],
)
def test_bad_requests_are_refused_at_once(arguments: Any, kind: type[Exception], text: str) -> None:
    for entry in (grad, value_and_grad):
        with pytest.raises(kind, match=text):
            entry(Net(), **arguments)


@pytest.mark.parametrize(
    ("position", "args", "kind", "text"),
    [
        (2, (X, Y), RuntimeError, r"grad_position 2 is out of range: the function got 2 argument\(s\)"),
        (0, (2.0, Y), TypeError, r"argument 0 has type float, not Tensor; wrap it in Tensor\(...\)"),
        ((0, 1), (X, [Y]), TypeError, "argument 1 has type list"),
        (0, (Tensor([1, 2]), Y), TypeError, r"a Tensor of Int64, shape \(2,\); only floats.*astype\(float32\)"),
        (1, (X, Tensor([True])), TypeError, "argument 1 is a Tensor of Bool"),
    ],
)
def test_arguments_that_have_no_gradient_are_named(position: Any, args: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        grad(lambda *a: a[0], position)(*args)


def test_integer_arguments_elsewhere_are_constants() -> None:
    assert grad(lambda x, i: x * i)(X, Tensor(3)).item() == 3.0
    assert plain(GradOperation(get_all=True)(lambda x, i: x * i)(X, Tensor(3))) == (3,)


# Any callable ----------------------------------------------------------------------------------------------------


class Doubler:
    def __call__(self, x: Tensor) -> Tensor:
        return 2 * x

    def thrice(self, x: Tensor, factor: float = 3.0) -> Tensor:
        return x * factor


@pytest.mark.parametrize(
    ("fn", "wanted"),
    [
        (lambda x: x * 2, 2), (Doubler(), 2), (Doubler().thrice, 3), (ops.square, 4), (ops.Square(), 4), (nn.ReLU(), 1),
        (Tensor.exp, 7.389056), (tc.jit(lambda x: x * 2), 2),
    ],
)  # fmt: skip
def test_functions_methods_cells_ops_and_primitives(fn: Any, wanted: float) -> None:
    assert grad(fn)(X).item() == pytest.approx(wanted)


def test_keyword_arguments_and_defaults_pass_through() -> None:
    assert grad(Doubler().thrice)(X, factor=5.0).item() == 5.0
    assert grad(lambda x, *, k: x * k)(X, k=Tensor(4.0)).item() == 4.0


def test_primitives_of_two_inputs() -> None:
    a, b = grad(ops.MatMul(), (0, 1))(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    assert (a.tolist(), b.tolist()) == ([[3.0, 4.0]], [[1.0], [2.0]])


def test_the_gradient_function_may_be_used_again_and_sees_current_parameters() -> None:
    net = Net()
    slope = grad(net)
    assert slope(X, Y).item() == 20
    net.w.set_data(Tensor(6.0))
    assert slope(Tensor([1.0, 2.0]), Y).tolist() == [12.0, 24.0]


def test_names_tell_what_a_gradient_function_is_of() -> None:
    assert grad(ops.square).__name__ == "grad(square)" and value_and_grad(nn.ReLU()).__name__ == "value_and_grad(ReLU)"
