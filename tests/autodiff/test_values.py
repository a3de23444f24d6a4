"""The numbers: which uses count, how often, in which dtype, to which order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, nn, ops, value_and_grad


def arrays(values: Any) -> Any:
    return tuple(v.tolist() for v in values) if isinstance(values, tuple) else values.tolist()


def hessian(f: Any, x: Tensor) -> np.ndarray:
    """Row by row, each the gradient of one component of the gradient."""
    return np.array([grad(lambda t, i=i: grad(f)(t)[i])(x).asnumpy() for i in range(x.size)])


# Which uses count ------------------------------------------------------------------------------------------------


def test_one_tensor_in_two_slots_has_two_gradients() -> None:
    x = Tensor([1.0, 2.0])
    assert arrays(grad(lambda a, b: a * b * b, (0, 1))(x, x)) == ([1.0, 4.0], [2.0, 8.0])


def test_an_outer_argument_seen_through_a_closure_is_a_constant_for_the_inner_gradient() -> None:
    def outer(a: Tensor) -> Tensor:
        return grad(lambda b: b * b * a)(a)

    assert outer(Tensor(3.0)).item() == 18.0  # 2 a², not 3 a²
    assert grad(outer)(Tensor(3.0)).item() == 12.0  # both uses count for the outer one


def test_perturbations_are_not_confused() -> None:
    assert grad(lambda x: x * grad(lambda y: x + y)(Tensor(1.0)))(Tensor(1.0)).item() == 1.0
    assert grad(lambda x: x * grad(lambda y: x * y)(Tensor(2.0)))(Tensor(3.0)).item() == 6.0
    assert grad(lambda x: grad(lambda y: grad(lambda z: x * y * z)(Tensor(1.0)) * y)(x))(Tensor(3.0)).item() == 12.0


def test_temporaries_as_arguments() -> None:
    v = Tensor([1.0, 2.0, -1.0])
    assert arrays(grad(ops.matmul, (0, 1))(v, v * 2)) == ([2.0, 4.0, -2.0], [1.0, 2.0, -1.0])
    assert arrays(grad(lambda a, b: a * b, (0, 1))(v * 1, v * 3)) == ([3.0, 6.0, -3.0], [1.0, 2.0, -1.0])


def test_an_argument_returned_as_it_is() -> None:
    x = Tensor([1.0, 2.0])
    assert grad(lambda t: t)(x).tolist() == [1.0, 1.0]
    assert grad(lambda t: (t, t, [t]))(x).tolist() == [3.0, 3.0]
    value, slope = value_and_grad(lambda t: t)(x)
    slope[0] = 9.0
    assert (value.tolist(), x.tolist()) == ([1.0, 2.0], [1.0, 2.0])


def test_unused_and_constant_give_zeros_of_the_input_s_kind() -> None:
    for f in (lambda x, y: y * 2, lambda x, y: Tensor([1.0]), lambda x, y: x > y, lambda x, y: 2, lambda x, y: ()):
        zero = grad(f)(Tensor([[1.0, 2.0]], tc.float16), Tensor(3.0))
        assert (zero.tolist(), zero.dtype) == ([[0.0, 0.0]], tc.float16)
    with pytest.warns(UserWarning, match="return missing"):
        assert grad(lambda x: None)(Tensor([1.0, 2.0])).tolist() == [0.0, 0.0]


def test_only_what_depends_on_the_argument_counts() -> None:
    w = Parameter(Tensor([2.0]), name="w")
    v = Parameter(Tensor([3.0]), name="v", requires_grad=False)

    def f(x: Tensor) -> Tensor:
        return x * w * v

    x = Tensor([5.0])
    assert arrays(grad(f)(x)) == [6.0]
    assert arrays(grad(f, None, [w, v])(x)) == ([15.0], [0.0])  # frozen
    v.requires_grad = True
    assert arrays(grad(f, None, [w, v])(x)) == ([15.0], [10.0])
    w.requires_grad = False
    assert arrays(grad(f, 0, [w, v])(x)[1]) == ([0.0], [10.0])


def test_a_parameter_reached_several_ways_adds_up() -> None:
    class Tied(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Dense(1, 1, weight_init=Tensor([[3.0]]), has_bias=False)
            self.second = self.first

        def construct(self, x: Tensor) -> Tensor:
            return self.second(self.first(x)) * self.first.weight

    net = Tied()
    assert len(net.trainable_params()) == 1
    assert grad(net, None, net.trainable_params())(Tensor([[2.0]]))[0].item() == 3 * 2 * 3.0**2
    assert len(grad(net, None, [net.first.weight, net.first.weight])(Tensor([[2.0]]))) == 2


def test_the_forward_runs_exactly_once() -> None:
    calls: list[int] = []

    def f(x: Tensor) -> Tensor:
        calls.append(1)
        return x * x

    for entry in (grad(f), value_and_grad(f), tc.GradOperation()(f), grad(grad(f))):
        calls.clear()
        entry(Tensor(1.0))
        assert calls == [1]


def test_python_control_flow_just_executes() -> None:
    def power(x: Tensor, n: int) -> Tensor:
        return x if n == 1 else power(x, n - 1) * x

    def clipped(x: Tensor) -> Any:
        try:
            if x > 2:
                raise ArithmeticError
            return sum([x * k for k in range(3)], x * 0)
        except ArithmeticError:
            return x * 100

    assert grad(power)(Tensor(2.0), 5).item() == 80.0
    assert (grad(clipped)(Tensor(1.0)).item(), grad(clipped)(Tensor(3.0)).item()) == (3.0, 100.0)


def test_a_diamond_and_a_chain_of_sharing() -> None:
    def shared(a: Tensor) -> Tensor:  # naive recursion visits b twice
        b = a + a
        return b + b

    assert grad(shared)(Tensor(1.0)).item() == 4.0

    def diamond(a: Tensor) -> Tensor:
        b, c = a * 2, a * 3
        d = b * c
        e = d + b
        return e * d * c

    numeric = tc.gradcheck(diamond, Tensor(0.7), order=2)
    assert numeric


def test_stop_gradient_cuts_one_of_two_paths() -> None:
    def f(x: Tensor, y: Tensor) -> Tensor:
        z = x * y
        return z + ops.stop_gradient(z)

    x, y = Tensor(3.0), Tensor(5.0)
    assert arrays(grad(f, (0, 1))(x, y)) == (5.0, 3.0)
    assert arrays(grad(lambda a, b: a * b + a * b, (0, 1))(x, y)) == (10.0, 6.0)


# Known right where MindSpore 2.10 is not --------------------------------------------------------------------------


def test_hessians_through_matmul_reshape_and_sum() -> None:
    a = np.array([[2, 0.5, 0], [0.5, 1, -1], [0, -1, 3.0]])
    x = Tensor([1.0, -2.0, 0.5])
    f = lambda t: 0.5 * t @ Tensor(a) @ t + (t**3).sum()  # noqa: E731
    np.testing.assert_allclose(hessian(f, x), a + np.diag(6 * x.asnumpy()), rtol=1e-6)
    np.testing.assert_allclose(hessian(lambda t: t.sum() * t.sum(), x), np.full((3, 3), 2.0))
    np.testing.assert_allclose(hessian(lambda t: (t.reshape(3, 1) * t.reshape(3, 1)).sum(), x), 2 * np.eye(3))
    np.testing.assert_allclose(hessian(lambda t: t[0] * t[1] * t[2], x), [[0, 0.5, -2], [0.5, 0, 1], [-2, 1, 0]])


def test_second_order_through_matrix_products() -> None:
    m, n = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[5.0, 6.0], [7.0, 8.0]])
    assert grad(lambda t: grad(lambda s: (s @ s).sum())(t).sum())(m).tolist() == [[4.0, 4.0], [4.0, 4.0]]
    mixed = grad(lambda q: grad(lambda p: (p @ q).sum())(m).sum())(n)
    assert mixed.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_gradient_penalty() -> None:
    x, w = Tensor([[0.2, -0.4]]), Tensor([[1.0, 2.0], [0.5, -1.0]])

    def penalty(x: Tensor, w: Tensor) -> Tensor:
        return (grad(lambda t: ops.tanh(t @ w).sum())(x) ** 2).sum()

    by_x, by_w = grad(penalty, (0, 1))(x, w)
    np.testing.assert_allclose(by_x.asnumpy(), [[-12.7564, 6.3782]], atol=1e-3)
    np.testing.assert_allclose(by_w.asnumpy(), [[4.2362, 1.0926], [-0.1181, 2.4852]], atol=1e-3)


def test_differentiating_through_an_inner_step() -> None:
    x, y = Tensor(np.array([[1.0, 2.0], [-1.0, 0.5], [0.3, -0.7]])), Tensor(np.array([1.0, -0.5, 0.2]))

    def loss(w: Tensor) -> Tensor:
        return ((x @ w - y) ** 2).mean()

    def adapted(w: Tensor) -> Tensor:
        return loss(w - 0.1 * grad(loss)(w))

    assert tc.gradcheck(adapted, Tensor(np.array([0.3, -0.6])), order=2)


def test_sine_four_times() -> None:
    f: Any = ops.sin
    for wanted in (np.cos(0.5), -np.sin(0.5), -np.cos(0.5), np.sin(0.5)):
        f = grad(f)
        assert f(Tensor(0.5)).item() == pytest.approx(wanted)


def test_second_derivatives_of_several_outputs_and_inputs() -> None:
    both = lambda x: (ops.sin(x), ops.cos(x))  # noqa: E731
    assert grad(grad(both))(Tensor(np.pi)).item() == pytest.approx(1.0)  # −sin π − cos π
    slopes = grad(grad(lambda x, y: x * x * y * y), (0, 1))(Tensor(3.0), Tensor(5.0))
    assert arrays(slopes) == (50.0, 60.0)
    xyz = grad(lambda x, y, z: x * x * y * z, (0, 1, 2))(Tensor(3.0), Tensor(5.0), Tensor(1.0))
    assert arrays(xyz) == (30.0, 9.0, 45.0)


def test_gradients_of_parameters_can_be_differentiated() -> None:
    w = Parameter(Tensor([2.0, 3.0]), name="w")

    def slope(x: Tensor) -> Tensor:
        return grad(lambda t: (w * w * t).sum(), None, w)(x).sum()  # Σ 2 w x

    assert grad(slope)(Tensor([1.0, 1.0])).tolist() == [4.0, 6.0]
    assert grad(slope, None, w)(Tensor([5.0, 7.0])).tolist() == [10.0, 14.0]


def test_unused_gradients_inside_an_outer_one_are_zeros_too() -> None:
    assert grad(lambda x: grad(lambda y: x * 2)(x) + x)(Tensor([1.0, 2.0])).tolist() == [1.0, 1.0]


def test_the_logits_returned_beside_the_loss_change_the_gradient() -> None:
    tc.set_seed(42)
    w, b, x, y = (Tensor(np.random.default_rng(0).normal(size=s)) for s in ((5, 3), (3,), (5,), (3,)))

    def loss(w: Tensor, with_logits: bool) -> Any:
        z = x @ w + b
        value = ((z - y) ** 2).mean()
        return (value, z) if with_logits else value

    plain, with_logits = grad(loss)(w, False), grad(loss)(w, True)
    np.testing.assert_allclose(with_logits.asnumpy() - plain.asnumpy(), np.outer(x.asnumpy(), np.ones(3)))
    np.testing.assert_allclose(grad(loss, has_aux=True)(w, True)[0].asnumpy(), plain.asnumpy())
