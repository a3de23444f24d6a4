"""Shapes, orders, parts, frames and diagonals beyond the generated tests: views, methods, class forms, dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, ops
from teachcell.core.public import PRIMITIVES


def numbered(*shape: int) -> Tensor:
    return Tensor(np.arange(1.0, np.prod(shape) + 1).reshape(shape))


VIEWS: dict[str, Any] = {
    "split": lambda x: ops.split(x, 1)[1][0],
    "chunk": lambda x: x.chunk(2)[1][0],
    "tensor_split": lambda x: ops.tensor_split(x, 2, 1)[0][1],
    "unstack": lambda x: ops.unstack(x)[1],
    "unbind": lambda x: x.unbind(1)[0],
    "narrow": lambda x: x.narrow(0, 1, 1),
    "select": lambda x: x.select(0, 1),
    "slice": lambda x: ops.slice(x, (1, 0), (1, 1)),
    "strided_slice": lambda x: ops.strided_slice(x, (1, 0), (2, 1), (1, 1)),
    "diagonal": lambda x: x.diagonal(-1),
    "movedim": lambda x: ops.movedim(x, 0, 1)[0],
    "swapdims": lambda x: x.swapdims(0, 1)[0],
    "t": lambda x: x.t()[0],
    "mT": lambda x: x.mT[0],
    "view_as": lambda x: x.view_as(numbered(3, 2))[1:],
    "unsqueeze": lambda x: x.unsqueeze(0)[0, 1],
    "ravel": lambda x: x.ravel()[3:4],
}


@pytest.mark.parametrize("name", VIEWS)
def test_writing_into_a_view_reaches_the_tensor_also_while_recording(name: str) -> None:
    def write(x: Tensor) -> Tensor:
        VIEWS[name](x)[...] = 9.0
        return x

    x = numbered(2, 3)
    assert write(numbered(2, 3)).asnumpy()[1, 0] == 9

    def program(x: Tensor) -> Tensor:
        return (write(x * 1.0) * Tensor(np.arange(6.0).reshape(2, 3))).sum()

    written = write(x.copy()).asnumpy() == 9
    np.testing.assert_array_equal(grad(program)(x).asnumpy(), np.where(written, 0, np.arange(6.0).reshape(2, 3)))


@pytest.mark.parametrize("copy", [lambda x: ops.flip(x, (0,)), lambda x: ops.tile(x, (1, 1)), lambda x: ops.roll(x, 0)])
def test_what_moves_or_repeats_elements_is_a_copy(copy: Any) -> None:
    x = numbered(2, 3)
    copy(x)[...] = 9.0
    assert not (x.asnumpy() == 9).any()


def test_methods_with_several_forms() -> None:
    x = numbered(2, 3, 4)
    assert x.transpose(0, 2).shape == x.transpose().shape == (4, 3, 2) and x.transpose(0, 2, 1).shape == (2, 4, 3)
    assert x.transpose(dim0=0, dim1=2).shape == (4, 3, 2)
    matrix = x[0]  # MindSpore exchanges axes 0 and 1 here, and leaves them in place there
    assert matrix.transpose(0, 1).shape == (4, 3) and matrix.transpose((0, 1)).shape == (3, 4)
    assert x.transpose((2, 0, 1)).shape == x.permute(2, 0, 1).shape == x.permute((2, 0, 1)).shape == (4, 2, 3)
    assert x.flatten(1).shape == (2, 12) and x.flatten(0, 1).shape == (6, 4) and x.flatten(end_dim=1).shape == (6, 4)
    m = numbered(2, 2)
    assert m.flatten("F").tolist() == [1, 3, 2, 4] == ops.flatten(m, "F", start_dim=0).tolist()
    assert m.tile((2,)).shape == (2, 4) and m.tile(2, 1).shape == (4, 2) and m.repeat(1, 3).shape == (2, 6)
    assert numbered(2, 1).expand(-1, 3).shape == numbered(2, 1).expand((2, 3)).shape == (2, 3)
    assert m.repeat_interleave(2, 1).tolist() == ops.repeat_elements(m, 2, 1).tolist() == [[1, 1, 2, 2], [3, 3, 4, 4]]
    assert [p.shape for p in m.split([1, 1], dim=1)] == [(2, 1), (2, 1)] == [p.shape for p in m.chunk(2, dim=1)]
    for chosen in (m.select(Tensor([True, False]), 0.0), m.where(Tensor([True, False]), 0.0)):
        assert chosen.tolist() == [[1, 0], [3, 0]]
    assert m.resize(3).tolist() == [1, 2, 3] and m.resize(2, 3).tolist() == [[1, 2, 3], [4, 0, 0]]
    assert numbered(2, 3).sum_to_size(1, 3).tolist() == [[5, 7, 9]] == numbered(2, 3).sum_to_size((1, 3)).tolist()
    assert numbered(2, 2, 3).diagonal(0, 1, 2).tolist() == [[1, 5], [7, 11]]
    assert m.expand_as(x[:, :2, :2]).shape == (2, 2, 2) and ops.expand_as(m, x[:, :2, :2]).shape == (2, 2, 2)
    assert ops.view_as(m, numbered(4)).shape == m.reshape_as(numbered(4)).shape == (4,)
    assert m.H.tolist() == m.mH.tolist() == m.mT.tolist() == m.T.tolist()


def test_several_at_once() -> None:
    a, b = ops.atleast_1d([Tensor(1.0), numbered(2)])
    assert a.shape == (1,) and b.shape == (2,)
    assert [t.shape for t in ops.atleast_3d([numbered(3, 2), Tensor(1.0)])] == [(3, 2, 1), (1, 1, 1)]
    assert ops.hstack([[1.0], Tensor([2.0])]).tolist() == [1, 2]  # lists are Tensors
    assert ops.block_diag(numbered(1, 1), Tensor([2])).dtype is tc.float64


CLASS_FORMS: dict[str, Any] = {
    "Reshape": lambda P, x: (P()(x, (3, 2)), x.reshape(3, 2)),
    "Transpose": lambda P, x: (P()(x, (1, 0)), x.T),
    "Flatten": lambda P, x: (P()(x), x),
    "ExpandDims": lambda P, x: (P()(x, 0), x[None]),
    "Squeeze": lambda P, x: (P(0)(x[None]), x),
    "Tile": lambda P, x: (P()(x, (2, 1)), ops.vstack([x, x])),
    "BroadcastTo": lambda P, x: (P((2, 2, 3))(x), ops.stack([x, x])),
    "Roll": lambda P, x: (P(1, 1)(x), ops.roll(x, 1, 1)),
    "Concat": lambda P, x: (P(1)((x, x)), ops.tile(x, (1, 2))),
    "Stack": lambda P, x: (P(axis=0)([x, x]), ops.tile(x, (2, 1, 1))),
    "Split": lambda P, x: (P(0, 2)(x)[1], x[1:]),
    "Unstack": lambda P, x: (P(axis=1)(x)[2], x[:, 2]),
    "Slice": lambda P, x: (P()(x, (0, 1), (2, 2)), x[:, 1:]),
    "StridedSlice": lambda P, x: (P(begin_mask=1)(x, (1, 0), (2, 3), (1, 2)), x[:, ::2]),
    "Pad": lambda P, x: (P(((0, 0), (1, 0)))(x)[:, 1:], x),
    "PadV3": lambda P, x: (P()(x, (1, 2), 7.0), ops.pad(x, (1, 2), value=7.0)),
    "MirrorPad": lambda P, x: (P("SYMMETRIC")(x, Tensor([[0, 0], [1, 0]]))[:, :2], x[:, [0, 0]]),
    "Padding": lambda P, x: (P(2)(x[:, :1]), ops.pad(x[:, :1], (0, 1))),
    "Meshgrid": lambda P, x: (P("ij")((x[0], x[1]))[0], ops.tile(x[0][:, None], (1, 3))),
    "Diag": lambda P, x: (P()(x[0]), ops.diagflat(x[0])),
    "DiagPart": lambda P, x: (P()(ops.diag(x)), x),
    "FillDiagonal": lambda P, x: (P(9.0)(x), x.fill_diagonal(9.0)),
    "Tril": lambda P, x: (P(1)(x), ops.tril(x, 1)),
    "Triu": lambda P, x: (P()(x), ops.triu(x)),
    "TrilIndices": lambda P, x: (P(2, 3)(), ops.tril_indices(2, 3, dtype=tc.int32)),
    "TriuIndices": lambda P, x: (P(2, 3, 1)(), ops.triu_indices(2, 3, 1, dtype=tc.int32)),
    "MatrixBandPart": lambda P, x: (P()(x, Tensor(0), Tensor(-1)), ops.triu(x)),
    "MatrixDiagV3": lambda P, x: (P()(x, 0, -1, -1, 0.0), ops.diag_embed(x)),
    "MatrixDiagPartV3": lambda P, x: (P()(x, Tensor(0), Tensor(0.0)), x.diagonal()),
    "MatrixSetDiagV3": lambda P, x: (P()(x, Tensor([9.0, 9.0]), 0), x.fill_diagonal(9.0)),
}


@pytest.mark.parametrize("name", CLASS_FORMS)
def test_class_forms_are_the_functions(name: str) -> None:
    got, want = CLASS_FORMS[name](PRIMITIVES[name], numbered(2, 3))
    assert got.dtype is want.dtype
    np.testing.assert_array_equal(got.asnumpy(), want.asnumpy())


def test_diagonals_of_tall_matrices() -> None:
    tall = Tensor(np.zeros((7, 3)))
    assert tall.fill_diagonal(1.0).asnumpy().nonzero()[0].tolist() == [0, 1, 2]
    assert tall.fill_diagonal(1.0, wrap=True).asnumpy().nonzero()[0].tolist() == [0, 1, 2, 4, 5, 6]
    cube = Tensor(np.zeros((2, 2, 2))).fill_diagonal(1.0)
    assert np.argwhere(cube.asnumpy()).tolist() == [[0, 0, 0], [1, 1, 1]]


def test_matrices_of_diagonals_are_as_small_as_can_be() -> None:
    rows = Tensor([[8.0, 9.0, 0.0], [1.0, 2.0, 3.0], [0.0, 4.0, 5.0]])
    assert ops.matrix_diag(rows, (-1, 1), align="LEFT_RIGHT").tolist() == [[1, 8, 0], [4, 2, 9], [0, 5, 3]]
    assert ops.matrix_diag(Tensor([1.0, 2.0]), 1).shape == (3, 3)
    assert ops.matrix_diag(Tensor([1.0, 2.0]), 0, 2, 4, 7.0).tolist() == [[1, 7, 7, 7], [7, 2, 7, 7]]
    assert ops.matrix_diag(Tensor([1.0, 2.0]), -1, num_cols=2).shape == (3, 2)
    assert grad(lambda x: (ops.matrix_diag(x, 1) * 3.0).sum())(Tensor([1.0, 2.0])).tolist() == [3, 3]


def test_triangles_drop_what_is_no_number() -> None:
    x = Tensor([[1.0, np.nan], [np.inf, 2.0]])
    assert ops.tril(x).tolist() == [[1, 0], [np.inf, 2]]
    assert ops.triu(Tensor([[True, True], [True, True]])).dtype is tc.bool_


def test_integers_pass_through() -> None:
    x = Tensor([[1, 2], [3, 4]], tc.int32)
    for y in (ops.flip(x, 0), ops.tile(x, (2, 1)), ops.pad(x, (1, 1)), ops.tril(x), ops.diag(x[0]), ops.roll(x, 1)):
        assert y.dtype is tc.int32
    assert ops.pad(x, (1, 0), value=7)[0, 0].item() == 7
    assert ops.concat((x, Tensor([[0.5, 0.5]]))).dtype is tc.float32


def test_a_length_alone_is_a_shape() -> None:
    assert ops.broadcast_to(Tensor([1.0]), 3).tolist() == Tensor([1.0]).broadcast_to((3,)).tolist() == [1.0, 1.0, 1.0]
    assert grad(lambda x: x.broadcast_to(3))(Tensor(1.0)).item() == 3.0


def test_the_class_flatten_gives_rows() -> None:
    x = Tensor(np.arange(12, dtype=np.float32).reshape(2, 3, 2))
    assert ops.Flatten()(x).shape == (2, 6) and ops.flatten(x).shape == (2, 6)
    assert ops.Flatten()(Tensor([1.0, 2.0])).tolist() == [[1.0], [2.0]] and ops.flatten(Tensor([1.0, 2.0])).ndim == 1
    assert grad(ops.Flatten())(x).shape == x.shape
