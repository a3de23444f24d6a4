"""A call finds the plan that it has to run."""

from __future__ import annotations

from typing import Any

import teachcell as tc
from teachcell import Parameter, Tensor, grad


def test_a_plan_that_is_tried_first_is_only_for_calls_like_its_own() -> None:
    scale = 2.0

    def f(x: Any, y: Any = 3.0) -> Any:
        return x * scale if x is y else x * scale + y * y.shape[0] if isinstance(y, Tensor) else x + y

    jitted, a, b = tc.jit(f), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    others: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((a, a), {}), ((a, 5.0), {}), ((a,), {}), ((a,), {"y": b}), ((a, Tensor([1.0])), {}),
        ((a, Tensor([1, 2])), {}), ((a, Parameter([5.0, 6.0], name="p")), {}), ((Tensor([[1.0], [2.0]]), b), {}),
    ]  # fmt: skip
    for args, kwargs in others:
        for _ in range(3):
            assert (jitted(a, b).asnumpy() == f(a, b).asnumpy()).all()
        found, wanted = jitted(*args, **kwargs), f(*args, **kwargs)
        assert found.dtype == wanted.dtype and (found.asnumpy() == wanted.asnumpy()).all()
    for scale in (2.0, 2.0, 2.0, 5.0):  # noqa: B007 f asks for it
        assert (jitted(a, b).asnumpy() == f(a, b).asnumpy()).all()
    for _ in range(3):
        assert (grad(jitted)(a, b).asnumpy() == 5).all() and (jitted(a, b).asnumpy() == f(a, b).asnumpy()).all()
