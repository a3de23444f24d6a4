"""Tensor methods about where and how values are kept."""

from __future__ import annotations

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad


def matrix() -> Tensor:
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_types() -> None:
    x = matrix()
    assert x.type() == "Float32" and x.type(tc.int32).dtype is tc.int32
    assert x.to(tc.float16).dtype is tc.float16 and x.to("CPU").dtype is tc.float32
    assert x.type_as(Tensor([1])).dtype is tc.int64
    assert x.numpy() is x.asnumpy()
    assert x.set_dtype(tc.float64) is x and x.dtype is tc.float64
    with pytest.raises(TypeError, match="bfloat16"):
        x.to(tc.bfloat16)


def test_layout() -> None:
    x = matrix()
    assert x.stride() == [3, 1] and x.stride(0) == 3 and x.T.stride() == [1, 3]
    assert x.is_contiguous() and not x.T.is_contiguous() and x.T.contiguous().is_contiguous()
    assert x.contiguous() is x and x[1].storage_offset() == 3 and x.storage_offset() == 0
    assert x[1].data_ptr() - x.data_ptr() == 12 and x.get_bytes() == x.asnumpy().tobytes()


def test_values() -> None:
    x = matrix()
    assert x.value() is x and x.move_to("CPU").tolist() == x.tolist() and x.set_const_arg() is x
    assert x.flush_from_cache() is None and x.has_init is False
    assert x.assign_value(Tensor([1.0])) is x and x.tolist() == [1.0]
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    with pytest.raises(ValueError, match="'p' has shape"):
        p.assign_value(Tensor([1.0]))
    assert p.assign_value(Tensor([3.0, 4.0])) is p
    assert grad(lambda: p * p, None, p)().tolist() == [6.0, 8.0]
    with pytest.raises(TypeError, match="list"):
        p.assign_value([1.0, 2.0])
    y = matrix()
    assert y.itemset(1, 9.0).tolist() == [[0, 9, 2], [3, 4, 5]] and y.itemset((1, 2), 9.0)[1, 2].item() == 9.0
    assert y[0, 1].item() == 1.0 and Tensor(1.0).itemset(2.0).item() == 2.0


def test_clones_pass_gradients_and_data_does_not() -> None:
    x = Tensor([2.0])
    assert grad(lambda t: t.clone() * t.T.contiguous())(x).item() == 4.0
    assert grad(lambda t: t.data * t)(x).item() == 2.0
    assert x.clone() is not x


def test_hooks_are_listed() -> None:
    x = Tensor([1.0])
    assert x.hooks() == []
    x.register_hook(print)
    assert x.hooks() == [print]
