"""What plans keep alive, which calls share one, what is too dear to compare, and what is said."""

from __future__ import annotations

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn, ops, value_and_grad


def plans(jitted: Callable[..., Any]) -> int:
    """How many plans there are."""
    said = repr(jitted.plan())  # type: ignore[attr-defined]
    return 0 if said.startswith("no plan of ") else int(said.split()[0])


def test_a_cell_with_a_jitted_construct_dies_and_takes_its_plans_along() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.scale = nn.Dense(4, 2, has_bias=False), 2.0

        @tc.jit
        def construct(self, x: Tensor) -> Tensor:
            return self.fc(x) * self.scale

    x = Tensor(np.ones((3, 4), np.float32))
    living = []
    for i in range(6):
        net = Net()
        net.fc.weight.set_data(Tensor(np.full((2, 4), i, np.float32)))
        for _ in range(3):
            np.testing.assert_allclose(net(x).asnumpy(), np.full((3, 2), i * 8.0), atol=1e-6)
        net.scale = 1.0
        np.testing.assert_allclose(net(x).asnumpy(), np.full((3, 2), i * 4.0), atol=1e-6)
        living.append(weakref.ref(net))
    del net
    gc.collect()
    assert not any(ref() for ref in living)


def in_an_attribute(net: nn.Cell) -> Any:
    net.run = tc.jit(lambda x: net(x).sum())
    return net.run


def of_a_method(net: nn.Cell) -> Any:
    class Owner(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.net, self.k, self.run = net, 2.0, tc.jit(self.forward)

        def forward(self, x: Tensor) -> Tensor:
            return self.net(x).sum() * self.k

    return Owner().run


def in_a_list_that_it_looks_at(net: nn.Cell) -> Any:
    known: list[Any] = []
    known.append(tc.jit(lambda x: net(x).sum() * len(known)))
    return known[0]


def in_a_closure_of_its_own(net: nn.Cell) -> Any:
    opt = nn.SGD(net.trainable_params(), 0.1)
    slopes = value_and_grad(lambda x: net(x).sum(), None, opt.parameters)

    def work(x: Tensor) -> Tensor:
        value, found = slopes(x)
        opt(found)
        return value if work is not None else jitted(x)

    jitted = tc.jit(work)
    return jitted


@pytest.mark.parametrize("make", [in_an_attribute, of_a_method, in_a_list_that_it_looks_at, in_a_closure_of_its_own])
def test_a_function_that_its_own_plan_leads_to_is_garbage_in_the_end(make: Callable[[nn.Cell], Any]) -> None:
    net = nn.Dense(4, 2)
    f, living = make(net), weakref.ref(net)
    for _ in range(4):
        f(Tensor(np.ones((3, 4), np.float32)))
    assert plans(f) == 1
    del f, net
    gc.collect()
    assert living() is None


def test_an_object_that_changes_its_class_or_its_dict() -> None:
    class One:
        rate = 1.0

        def of(self, x: Tensor) -> Tensor:
            return x * self.rate

    class Two(One):
        rate = 2.0

    f = tc.jit(lambda x, o: o.of(x))
    x, o = Tensor([1.0, 2.0]), One()
    for _ in range(3):
        assert f(x, o).asnumpy().tolist() == [1, 2]
    o.__class__ = Two
    assert f(x, o).asnumpy().tolist() == [2, 4]
    for rate in (3.0, 4.0):
        o.__dict__ = {"rate": rate}
        assert f(x, o).asnumpy().tolist() == [rate, 2 * rate]


def test_a_named_tuple_is_one_of_the_arguments() -> None:
    class Pair(NamedTuple):
        a: Tensor
        factor: float

    f = tc.jit(lambda pair: pair.a * pair.factor)
    for factor in (2.0, 3.0, 2.0, 3.0):
        assert f(Pair(Tensor([1.0, 2.0]), factor)).asnumpy().tolist() == [factor, 2 * factor]
    assert plans(f) == 2


def test_what_costs_more_to_compare_than_to_run_is_run() -> None:
    numbers = [*map(float, range(5000))]
    f = tc.jit(lambda x: x * len(numbers))
    with pytest.warns(tc.JitNote, match="Python values would have to be compared"):
        for _ in range(4):
            assert f(Tensor([1.0])).item() == 5000
    assert plans(f) == 0


def test_a_plan_says_that_a_profiler_was_on(capsys: pytest.CaptureFixture[str]) -> None:
    f = tc.jit(lambda x: x * 2)
    before = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        f(Tensor([1.0]))
    finally:
        sys.setprofile(before)
    f.plan()
    assert "a profiler is on" in capsys.readouterr().out
    f(Tensor([1.0]))
    f.plan()
    assert "a profiler is on" not in capsys.readouterr().out


def test_an_error_after_a_step_reads_as_elsewhere() -> None:
    net = nn.Dense(4, 3)
    opt = nn.SGD(net.trainable_params(), 0.1)
    slopes = value_and_grad(lambda x: net(x).sum(), None, opt.parameters)

    def step(x: Tensor, labels: Tensor) -> Tensor:
        opt(slopes(x)[1])
        return ops.cross_entropy(net(x), labels)

    x, labels = Tensor(np.ones((2, 4), np.float32)), Tensor([0, 1], tc.int32)
    jitted = tc.jit(step)
    jitted(x, labels), jitted(x, labels)
    assert plans(jitted) == 1
    texts = []
    for f in (jitted, step):
        with pytest.raises(ValueError) as error:
            f(x, labels + 7)
        texts.append(str(error.value))
    assert texts[0] == texts[1]
    assert "(2, 3) float32" in texts[0]


def test_a_capture_lets_go_of_what_the_run_lets_go_of() -> None:
    def f(x: Tensor) -> Tensor:
        for _ in range(30):
            x = ops.tanh(x) * 1.5
        return x

    x, peaks = Tensor(np.ones(250_000, np.float32)), []
    for call in (f, tc.jit(f)):
        call(x[:2])  # so that all is imported
        tracemalloc.start()
        call(x)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 3e6  # of 60 results of 1 MB each
