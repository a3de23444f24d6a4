"""Reading and writing by index, also while a gradient is recorded: values and gradients as if memory were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import teachcell as tc
from teachcell import Parameter, Tensor, grad, ops, value_and_grad

# Random programs of views and writes -----------------------------------------------------------------------------

VIEWS = ("row", "every_second", "backwards", "last", "transposed", "flat", "new_axis", "picked", "times")
STEP = st.tuples(st.sampled_from((*VIEWS, "write", "write", "write")), st.integers(0, 9), st.integers(0, 9))


def index_of(kind: str, shape: tuple[int, ...], n: int) -> Any:
    if 0 in (shape or (0,)):
        return Ellipsis
    return {
        "row": n % shape[0],
        "every_second": slice(n % 2, None, 2),
        "backwards": slice(None, None, -1),
        "last": (Ellipsis, n % shape[-1]),
        "new_axis": (None, Ellipsis),
        "picked": ([0, n % shape[0]],),
    }[kind]


def viewed(kind: str, t: Any, n: int) -> Any:
    if kind == "transposed":
        return t.T
    if kind == "flat":
        return t.reshape(-1)
    if kind == "times":
        return t * (1 + n / 10)
    index = index_of(kind, t.shape, n)
    if kind == "row" and t.shape and isinstance(t, np.ndarray):
        return t[index, ...]  # NumPy would give a number where Tensors have 0-d views
    return t[index]


def run(program: list[tuple[str, int, int]], x: Any) -> Any:
    """The same statements on an ndarray or a Tensor."""
    members = [x * 1.0]
    for kind, which, n in program:
        t = members[which % len(members)]
        if kind == "write":
            source = members[n % len(members)]
            index = index_of(VIEWS[n % 6] if n % 6 < 4 else "row", t.shape, n)
            t[index] = (source * source).sum() * 0.1 + x.sum() * (n - 4)
        else:
            members.append(viewed(kind, t, n))
    return sum(((m * m).sum() * (i + 1) + m.sum() for i, m in enumerate(members)), 0 * x.sum())


@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(st.lists(STEP, min_size=1, max_size=9))
def test_writes_through_views_have_the_values_and_gradients_of_memory(program: list[tuple[str, int, int]]) -> None:
    x = np.linspace(-0.9, 1.1, 6).reshape(2, 3)
    want = run(program, x.copy())
    np.testing.assert_allclose(run(program, Tensor(x)).asnumpy(), want, rtol=1e-10)
    value, slope = tc.value_and_grad(lambda t: run(program, t))(Tensor(x))
    np.testing.assert_allclose(value.asnumpy(), want, rtol=1e-10)
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    numeric = np.array([float(run(program, x + s)) - float(run(program, x - s)) for s in steps]).reshape(x.shape) / 2e-6
    np.testing.assert_allclose(slope.asnumpy(), numeric, rtol=1e-4, atol=1e-4 * max(1.0, abs(float(want))))


# Chosen cases ----------------------------------------------------------------------------------------------------


def written(change: Any) -> Any:
    """A function of x that changes a copy in place and weighs the elements 1, 2, 3, …"""

    def f(x: Tensor) -> Tensor:
        y = x * 1.0
        change(y, x)
        return (y.reshape(-1) * ops.arange(1.0, y.size + 1)).sum()

    return f


def put(index: Any, value: Any) -> Any:
    def change(y: Tensor, x: Tensor) -> None:
        y[index] = value(x) if callable(value) else value

    return change


def through(view: Any) -> Any:
    def change(y: Tensor, x: Tensor) -> None:
        view(y)[0] = x[2] * x[2]

    return change


@pytest.mark.parametrize(
    ("change", "slopes"),
    [
        (put(0, 5.0), [0, 2, 3]),
        (put(slice(1, None), lambda x: x[0] * x[0]), [1 + 5 * 2, 0, 0]),
        (put([True, False, True], lambda x: x[:2] * 3), [3, 2 + 9, 0]),
        (put([0, 0], lambda x: x[1:] * 3), [0, 2, 3 + 3]),  # of two writes to one place the last stays
        (put(slice(None), lambda x: x[::-1]), [3, 2, 1]),
        (through(lambda y: y[1:]), [1, 0, 3 + 2 * 6]),
        (through(lambda y: y[1:][1:]), [1, 2, 3 * 6]),
        (through(lambda y: y.reshape(3, 1).T[0]), [0, 2, 3 + 6]),
        (through(lambda y: y[[1]]), [1, 2, 3]),  # NumPy's rule: a fancy index reads a copy
        (through(lambda y: y * 1), [1, 2, 3]),
        (through(lambda y: y[None][0]), [0, 2, 3 + 6]),
    ],
)
def test_gradients_of_writes(change: Any, slopes: list[float]) -> None:
    np.testing.assert_allclose(grad(written(change))(Tensor([1.0, 2.0, 3.0])).asnumpy(), slopes)


def test_a_view_sees_what_is_written_to_its_base_and_the_other_way() -> None:
    def f(x: Tensor) -> Tensor:
        base = x * 1.0
        view, later = base[1:], base[:2]
        base[1] = x[0] * 10
        seen = view[0] * 1.0  # 10 x0
        view[0] = x[2] * 100
        return seen + later[1]  # 10 x0 + 100 x2

    assert f(Tensor([1.0, 2.0, 3.0])).item() == 310.0
    assert grad(f)(Tensor([1.0, 2.0, 3.0])).tolist() == [10.0, 0.0, 100.0]


def test_a_stopped_tensor_is_no_view() -> None:
    """Whether anybody records or not, writes pass between it and what it was made from in neither direction."""

    def stopped(x: Tensor) -> Tensor:
        a = x * 1
        t = ops.stop_gradient(a)
        t[0] = 5.0
        return (a * t).sum()

    def source(x: Tensor) -> Tensor:
        a = x * 1
        t = ops.stop_gradient(a)
        a[0] = 5.0
        return (a * t).sum()

    for f, slopes in ((stopped, [5.0, 3.0]), (source, [0.0, 3.0])):
        value, slope = value_and_grad(f)(Tensor([2.0, 3.0]))
        assert f(Tensor([2.0, 3.0])).item() == value.item() == 19.0
        assert slope.asnumpy().tolist() == slopes


def test_an_element_is_a_view_too() -> None:
    x = Tensor([1.0, 2.0])
    first, last = x[0], x[Tensor(-1)]
    x[0] = 5.0
    first[...] = first * 2
    last[()] = 9.0
    assert (x.tolist(), first.item()) == ([10.0, 2.0], 10.0)

    def f(x: Tensor) -> Tensor:
        y = x * 1
        element = y[1]
        y[1] = x[0] * 3
        element[...] = element * element
        return y[1]  # 9 x0²

    assert grad(f)(Tensor([2.0, 1.0])).tolist() == [36.0, 0.0]


def test_history_is_not_rewritten() -> None:
    def f(x: Tensor) -> Tensor:
        y = ops.exp(x)  # the rule reads this value
        z = y * y
        y[0] = 7.0
        return z.sum() + y.sum()

    slopes = grad(f)(Tensor([0.5, 1.0])).asnumpy()
    np.testing.assert_allclose(slopes, [2 * np.exp(1.0), 2 * np.exp(2.0) + np.exp(1.0)], rtol=1e-6)


def test_a_write_to_an_argument_does_not_reach_the_caller() -> None:
    x, labels, other = Tensor([1.0, 2.0]), Tensor([1, 2]), Tensor([1.0])
    w = Parameter(Tensor([3.0]), name="w")

    def f(a: Tensor, i: Tensor, o: Tensor | None = None) -> Tensor:
        a[0] = 5.0
        i[0] = 9
        if o is not None:
            o[0] = 7.0
        return (a * i * w).sum()

    assert grad(f)(x, labels, o=other).tolist() == [0.0, 6.0]
    assert grad(f, None, w)(x, labels, other).tolist() == [49.0]
    assert (x.tolist(), labels.tolist(), other.tolist()) == ([1.0, 2.0], [1, 2], [1.0])
    f(x, labels)
    assert (x.tolist(), labels.tolist()) == ([5.0, 2.0], [9, 2])  # outside of a gradient it does


def test_hooks_registered_before_a_write_stay_with_the_value_before() -> None:
    log: list[str] = []

    def f(x: Tensor) -> Tensor:
        y = x * 1
        y.register_hook(lambda g: log.append(f"before {g.tolist()}"))
        y[0] = 0.0
        y.register_hook(lambda g: log.append(f"after {g.tolist()}"))
        return y * 5

    assert grad(f)(Tensor([1.0, 2.0])).tolist() == [0.0, 5.0]
    assert log == ["after [5.0, 5.0]", "before [0.0, 5.0]"]


def test_assigning_to_a_tensor_is_a_write_like_any_other() -> None:
    def f(x: Tensor) -> Tensor:
        y = x * 1
        view = y[0]
        ops.assign(y, x * x)
        ops.assign_add(y, x)
        return view + y[1] * 10  # x0² + x0 + 10 (x1² + x1)

    x = Tensor([1.0, 2.0])
    assert f(x).item() == 62.0 and grad(f)(x).tolist() == [3.0, 50.0]
    with pytest.raises(TypeError, match="a Parameter is needed, got float"):
        ops.assign(1.0, x)  # type: ignore[arg-type]


def test_a_write_to_a_parameter_while_recording_is_kept_but_not_differentiated() -> None:
    w = Parameter(Tensor([1.0, 2.0]), name="w")

    def f(x: Tensor) -> Tensor:
        y = w * x
        w[0] = 10.0
        return (y + w * x).sum()

    gx, gw = grad(f, 0, w)(Tensor([1.0, 1.0]))
    assert (gx.tolist(), gw.tolist(), w.tolist()) == ([11.0, 4.0], [2.0, 2.0], [10.0, 2.0])


def test_a_cell_with_its_own_bprop_may_write_to_its_input() -> None:
    class Clip(tc.nn.Cell):
        def construct(self, v: Tensor) -> Tensor:
            v[0] = 0.0
            return v * 2

        def bprop(self, v: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (dout * 2,)

    x = Tensor([1.0, 2.0])
    slope = grad(lambda t: Clip()(ops.exp(t)))(x).asnumpy()
    np.testing.assert_allclose(slope, 2 * np.exp([1.0, 2.0]), rtol=1e-6)
    grad(Clip())(x)
    assert x.tolist() == [1.0, 2.0]


# Indexing like NumPy's -------------------------------------------------------------------------------------------

DATA = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "index",
    [
        0, -1, (1, 2, 3), slice(None, None, -1), (slice(None), 1), (0, slice(None, None, 2), slice(1, 3)), None,
        (Ellipsis, 0), (slice(None), None, 0), (0, Ellipsis, None), True, (), Ellipsis, [1, 0], ([0, 1], [2, 0]),
        (slice(None, None, -1), slice(None, None, -2)), (np.array([[0], [1]]), [0, 2]), DATA > 5, (0, DATA[0] > 5),
        np.int64(1), [],
    ],
    ids=str,
)  # fmt: skip
def test_reading_and_writing_follow_numpy(index: Any) -> None:
    x, expected = Tensor(DATA), DATA.copy()
    np.testing.assert_array_equal(x[index].asnumpy(), DATA[index])
    expected[index] = -1.0
    x[index] = -1.0
    np.testing.assert_array_equal(x.asnumpy(), expected)


def test_tensors_as_indices() -> None:
    x = Tensor(DATA)
    assert x[Tensor(1)].tolist() == DATA[1].tolist()
    assert x[Tensor([1, 0]), Tensor([2, 2])].tolist() == DATA[[1, 0], [2, 2]].tolist()
    assert x[x > 20].tolist() == [21.0, 22.0, 23.0]
    assert x[[Tensor(1), 0]].shape == (2, 3, 4)


@pytest.mark.parametrize("index", [5, (0, 0, 0, 0), "a", 1.0, ("a", 0), Tensor([0.5]), [1.5], (0, 5)])
def test_bad_indices_are_index_errors_and_change_nothing(index: Any) -> None:
    x = Tensor(DATA)
    with pytest.raises(IndexError):
        _ = x[index]
    with pytest.raises(IndexError):
        x[index] = 0.0
    with pytest.raises(IndexError):
        grad(lambda t: t[index])(x)
    np.testing.assert_array_equal(x.asnumpy(), DATA)


@pytest.mark.parametrize(("value", "kind"), [([1.0, 2.0], ValueError), ("text", TypeError), (None, TypeError)])
def test_bad_values_change_nothing(value: Any, kind: Any) -> None:
    x = Tensor(DATA)
    with pytest.raises(kind):
        x[0] = value
    with pytest.raises(kind):
        grad(written(put(0, value)))(x)
    np.testing.assert_array_equal(x.asnumpy(), DATA)


def test_written_values_are_cast() -> None:
    x = Tensor([1, 2])
    x[0] = Tensor(2.7)
    assert (x.tolist(), x.dtype) == ([2, 2], tc.int64)


def test_a_zero_step_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="GetItem"):
        Tensor([1.0])[::0]


def test_a_tensor_of_one_element_goes_where_a_number_goes() -> None:
    x = Tensor([[1, 2], [3, 4]])
    x[0, 1] = Tensor([5.9])
    x[-1][0] = [7]
    assert x.tolist() == [[1, 5], [7, 4]]
    with pytest.raises(IndexError):
        x[0, 2] = Tensor([1])

    def written(v: Tensor) -> Tensor:
        y = Tensor([1.0, 2.0])
        y[1] = v
        return y * y

    assert grad(written)(Tensor([3.0])).tolist() == [6.0]
