"""Plans: when they are used, that they own their memory, and that nothing is left behind."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from jit.plans import inside, plans_of

import teachcell as tc
from teachcell import JitNote, Parameter, Tensor, grad, nn, ops, value_and_grad, vjp
from teachcell.core import tracing
from teachcell.core.events import OBSERVERS
from teachcell.jit.function import Jitted
from teachcell.kernels import random

X = Tensor(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))


def hits(jitted: Any) -> int:
    return sum(plan.hits for plan in plans_of(jitted))


def count(jitted: Any) -> int:
    return len(plans_of(jitted))


def test_plans_are_used_one_per_kind_of_call() -> None:
    calls = []
    f = tc.jit(lambda x, n=1: (calls, x * n)[1])
    for _ in range(3):
        for x in (X, X[0], X.astype(tc.float16), X.T):
            f(x), f(x, 2), f(x, n=2)
    assert count(f) == 12 and hits(f) == 24


@pytest.mark.filterwarnings("ignore:.* its arguments are others in every call")
def test_a_shape_that_comes_late_is_captured_in_the_end() -> None:
    f = tc.jit(lambda x: x * 2)
    for n in range(1, 30):
        f(ops.ones(n))
    for _ in range(200):
        f(X)
    assert hits(f) > 20


def test_both_branches_have_their_plans() -> None:
    f = tc.jit(lambda x: x * 2 if x.sum() > 0 else -x)
    for x in (X + 1, X - 1) * 4:
        assert (f(x).asnumpy() == (x * 2 if x.sum() > 0 else -x).asnumpy()).all()
    assert count(f) == 2 and hits(f) == 6


def test_results_are_allocated_anew_and_constants_stay() -> None:
    f = tc.jit(lambda x: (ops.exp(x * 1), ops.ones(2), x.reshape(-1)[:1] * 0 + Tensor([1.0])))
    expected = [t.asnumpy().copy() for t in f(X)]
    for _ in range(3):
        for found, wanted in zip(f(X), expected, strict=True):
            assert (found.asnumpy() == wanted).all()
            found[...] = 7.0
    assert hits(f) == 3
    g = grad(tc.jit(lambda x: (x + 1).sum()))
    for _ in range(3):
        found = g(X)
        assert (found.asnumpy() == 1).all()
        found.asnumpy()[...] = 7


def test_parameters_are_read_in_each_run() -> None:
    w = Parameter(np.ones(4, np.float32), name="w")
    f = tc.jit(lambda x: (x * w).sum())
    for value in (1.0, 2.0, 3.0):
        w.set_data(Tensor(np.full(4, value, np.float32)))
        assert np.isclose(f(X + 1).item(), 12 * value)
    w[0] = 0.0
    assert np.isclose(f(X + 1).item(), ((X + 1) * w).sum().item()) and hits(f) == 3


def test_random_ops_draw_anew() -> None:
    f = tc.jit(lambda x: ops.dropout(x, 0.5) + ops.randn_like(x))
    tc.set_seed(1)
    plain = [f.__wrapped__(X).asnumpy() for _ in range(4)]
    tc.set_seed(1)
    assert all((f(X).asnumpy() == wanted).all() for wanted in plain) and hits(f) == 3


def test_a_gradient_taken_outside_goes_through_the_plan() -> None:
    net = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 2))
    f = tc.jit(lambda x: net(x).sum())
    for weights in (net.trainable_params(), net[2].trainable_params()):
        for g in (value_and_grad(f, 0, weights), value_and_grad(lambda x: f(x) * 2, None, weights)):
            found, wanted = flat(g(X)), flat(swapped(f, g, X))
            assert all(np.allclose(a, b, rtol=1e-6) for a, b in zip(found, wanted, strict=True))
    assert hits(f) == 2


def swapped(f: Any, g: Callable[..., Any], x: Tensor) -> Any:
    """What ``g`` gives while the function runs eagerly."""
    jitted = inside(f)
    plans, captures = jitted.plans, jitted._captures
    jitted.plans, jitted._captures, jitted._usual = {}, 10**9, None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return g(x)
    finally:
        jitted.plans, jitted._captures = plans, captures


def flat(value: Any) -> list[np.ndarray]:
    return [value.asnumpy()] if isinstance(value, Tensor) else [a for item in value for a in flat(item)]


def test_several_results_and_sweeps() -> None:
    f = tc.jit(lambda x: (ops.exp(x), ops.sin(x), x > 0))
    plain = f.__wrapped__
    for choose in (lambda y: y[0].sum(), lambda y: y[1].sum(), lambda y: (y[0] * y[1]).sum()):
        for _ in range(2):
            found, wanted = grad(lambda x, c=choose: c(f(x)))(X), grad(lambda x, c=choose: c(plain(x)))(X)
            assert np.allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-6)
    value, pull = vjp(tc.jit(ops.exp), X)
    assert (pull(X)[0].asnumpy() == (X * value).asnumpy()).all()
    assert hits(f) == 5


def test_one_plan_may_be_in_a_graph_often() -> None:
    f = tc.jit(lambda x: ops.tanh(x) * x)
    for _ in range(2):
        found = grad(lambda x: f(f(f(x))).sum())(X)
    assert np.allclose(found.asnumpy(), grad(lambda x: (lambda g: g(g(g(x))))(f.__wrapped__).sum())(X).asnumpy())


def test_recursion_and_threads_run_eagerly() -> None:
    started, go = threading.Event(), threading.Event()

    class Slow(nn.SGD):
        def updated(self, i: int, p: Any, g: Any, lr: float, t: int, decay: float) -> Any:
            started.set()
            go.wait(5)
            return super().updated(i, p, g, lr, t, decay)

    w = Parameter(np.ones(4, np.float32), name="w")
    opt = Slow([w], 0.1)
    step = Jitted(lambda x: (opt((x[0],)), w * 1)[1])
    plan = Jitted(lambda x: x * 2 + 1)
    for _ in range(2):
        assert (plan((X,), {}).asnumpy() == (X * 2 + 1).asnumpy()).all()
    held = next(iter(plan.plans.values()))[0]
    with held._lock:
        assert (plan((X,), {}).asnumpy() == (X * 2 + 1).asnumpy()).all() and held.hits == 1
    go.set()
    assert np.allclose(step((X,), {}).asnumpy(), 1 - 0.1 * X[0].asnumpy()) and started.is_set()


def test_many_threads_at_once() -> None:
    f, failures = tc.jit(lambda x: ops.exp(ops.tanh(x * 2) + x).sum()), []

    def work(k: int) -> None:
        x = X + k
        wanted = f.__wrapped__(x).item()
        failures.extend(k for _ in range(50) if f(x).item() != wanted)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and hits(f)


OPTIMIZERS = {
    name: cls for name, cls in ((name, getattr(nn, name)) for name in nn.__all__)
    if isinstance(cls, type) and issubclass(cls, nn.Optimizer) and cls not in (nn.Optimizer, nn.LARS)
}  # fmt: skip
NEEDS = {"Momentum": {"momentum": 0.9}, "AdaFactor": {"relative_step": False, "scale_parameter": False}}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_no_optimizer_keeps_a_gradient(name: str) -> None:
    """A plan computes gradients into buffers that its next run writes over."""
    w = Parameter(np.ones((2, 3), np.float32), name="w")
    opt = OPTIMIZERS[name]([w], learning_rate=0.1, **NEEDS.get(name, {}))
    for k in range(3):
        gradient = Tensor(np.full((2, 3), 0.5 + k, np.float32))
        opt((gradient,))
        for p in (*opt.get_parameters(), w):
            assert not np.may_share_memory(p.asnumpy(), gradient.asnumpy())


def test_one_note_says_why_it_runs_eagerly() -> None:
    log: list[float] = []
    f = tc.jit(lambda x: (log.append(x.sum().item()), x)[1])
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        for k in range(20):
            f(X + k)
    assert [n.category for n in notes] == [JitNote] and notes[0].filename == __file__ and len(log) == 20
    assert str(notes[0].message) == "<lambda> runs eagerly inside jit: it changes log"


def test_what_no_run_can_leave_out_is_said_at_once() -> None:
    array, first = np.zeros((30, 30)), []
    certain = {
        "it calls print": lambda x: (print(end=""), x * 2)[1],
        "array is a NumPy array: make it a Tensor": lambda x: x * float(array[0, 0]),
        "a Tensor's values leave the engine": lambda x: x * x.asnumpy(),
        "it returns a slice": lambda x: slice(x),
    }
    for reason, function in certain.items():
        f = tc.jit(function)
        with pytest.warns(JitNote, match=reason):
            f(X)
        f(X), f(X)  # another note would be an error

    @tc.jit
    def keeps(x: Tensor) -> Tensor:
        if not first:
            first.append(1.0)
        return x * first[0]

    keeps(X), keeps(X), keeps(X)
    assert hits(keeps) == 1 and inside(keeps).reason is None


def test_a_function_that_prints_at_first_has_its_plan_in_the_end() -> None:
    greeted: list[bool] = []

    @tc.jit
    def f(x: Tensor) -> Tensor:
        if not greeted:
            greeted.append(True), print(end="")
        return x * 2

    with pytest.warns(JitNote, match="it calls print"):
        f(X)
    f(X), f(X)
    assert hits(f) == 1 and inside(f).reason is None


def test_numbers_that_are_others_in_every_run() -> None:
    f = tc.jit(lambda x: x * float(x.sum()))
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        for k in range(20):
            assert (f(X + k).asnumpy() == f.__wrapped__(X + k).asnumpy()).all()
    assert [n.category for n in notes] == [JitNote] and "others in every run" in str(notes[0].message)


def test_an_error_leaves_nobody_listening() -> None:
    f = tc.jit(lambda x: x.reshape(5))
    for _ in range(3):
        with pytest.raises(ValueError, match=r"Reshape.*\(3, 4\)") as error:
            f(X)
        assert "Traced" not in str(error.value)
    assert tracing.current is None and random.witness is None and not OBSERVERS


def test_an_error_in_a_run_is_python_s() -> None:
    labels = Tensor(np.array([0, 1, 2], np.int32))
    f = tc.jit(lambda x, y: ops.cross_entropy(x, y))
    f(X, labels), f(X, labels)
    with pytest.raises(ValueError, match="CrossEntropy"):
        f(X, labels + 7)
    assert hits(f) == 1


def test_a_plan_keeps_no_arguments_and_makes_no_garbage() -> None:
    f = tc.jit(lambda x: ops.exp(x).sum())
    x = Tensor(X)
    held = weakref.ref(x)
    f(x), f(x)
    del x
    assert held() is None
    gc.collect()
    gc.disable()
    try:
        g = value_and_grad(f)
        g(X), g(X)
        gc.collect()
        for _ in range(5):
            f(X), g(X)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_many_writes_through_views_stay_few_steps() -> None:
    @tc.jit
    def f(x: Tensor) -> Tensor:
        c = x * 1
        part = c[0]
        for i in range(12):
            part[...] = c[1] * i
        return c.sum()

    for _ in range(2):
        assert grad(f)(X).asnumpy().tolist() == [[0.0] * 4, [12.0] * 4, [1.0] * 4]
