"""Recurrent cells and layers beside formulas in NumPy: values, gradients, Parameters, lengths, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn

DRAWS = np.random.default_rng(3)
LAYERS = {"RNN": nn.RNN, "GRU": nn.GRU, "LSTM": nn.LSTM}
CELLS = {"RNN": nn.RNNCell, "GRU": nn.GRUCell, "LSTM": nn.LSTMCell}


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def stepped(kind: str, x: np.ndarray, h: np.ndarray, c: np.ndarray, w: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """One step of one sequence, gate by gate."""
    a = [w["weight_ih"][rows] @ x + w["bias_ih"][rows] for rows in np.split(np.arange(len(w["bias_ih"])), w["gates"])]
    b = [w["weight_hh"][rows] @ h + w["bias_hh"][rows] for rows in np.split(np.arange(len(w["bias_hh"])), w["gates"])]
    if kind == "RNN":
        return np.tanh(a[0] + b[0]), c
    if kind == "GRU":
        reset, update = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
        return (1 - update) * np.tanh(a[2] + reset * b[2]) + update * h, c
    write, keep, read = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1]), sigmoid(a[3] + b[3])
    c = keep * c + write * np.tanh(a[2] + b[2])
    return read * np.tanh(c), c


def weights(cell: nn.Cell, kind: str, suffix: str = "") -> dict[str, Any]:
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[kind]
    named = {p.name: p.asnumpy() for p in cell.get_parameters()}
    found: dict[str, Any] = {"gates": gates}
    for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        found[part] = named.get(part + suffix, np.zeros(gates * cell.hidden_size))
    return found


def run(layer: Any, kind: str, x: np.ndarray, h0: np.ndarray, c0: np.ndarray, lengths: list[int]) -> Any:
    """All sequences one by one; x is (L, N, I)."""
    ways = ["", "_reverse"] if layer.bidirectional else [""]
    h_n, c_n = h0.copy(), c0.copy()
    for k in range(layer.num_layers):
        outputs = np.zeros((*x.shape[:2], len(ways) * layer.hidden_size))
        for d, way in enumerate(ways):
            unit, w = k * len(ways) + d, weights(layer, kind, f"_l{k}{way}")
            for n, length in enumerate(lengths):
                h, c = h0[unit, n], c0[unit, n]
                for t in range(length) if not way else range(length - 1, -1, -1):
                    h, c = stepped(kind, x[t, n], h, c, w)
                    outputs[t, n, d * layer.hidden_size : (d + 1) * layer.hidden_size] = h
                h_n[unit, n], c_n[unit, n] = h, c
        x = outputs
    return x, h_n, c_n


def given(kind: str, h: Any, c: Any) -> Any:
    return (Tensor(h), Tensor(c)) if kind == "LSTM" else Tensor(h)


# Cells --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("has_bias", [True, False])
def test_cells_take_one_step(kind: str, has_bias: bool) -> None:
    cell = CELLS[kind](3, 4, has_bias, dtype=tc.float64)
    x, h, c = DRAWS.normal(size=(2, 3)), DRAWS.normal(size=(2, 4)), DRAWS.normal(size=(2, 4))
    want = [stepped(kind, x[n], h[n], c[n], weights(cell, kind)) for n in range(2)]
    got = cell(Tensor(x), given(kind, h, c))
    for part, value in enumerate(got if kind == "LSTM" else (got,)):
        np.testing.assert_allclose(value.asnumpy(), [w[part] for w in want], atol=1e-12)


@pytest.mark.parametrize("kind", CELLS)
def test_gradients_of_cells_to_second_order(kind: str) -> None:
    cell, state = CELLS[kind](2, 2), (drawn(3, 2), drawn(3, 2))

    def step(x: Tensor, h: Tensor, c: Tensor) -> Any:
        return cell(x, (h, c) if kind == "LSTM" else h + 0 * c)

    assert gradcheck(step, drawn(3, 2), *state, order=2)


def test_parameters_of_cells() -> None:
    for kind, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
        cell = CELLS[kind](2, 100)
        rows = 100 * gates
        assert [(p.name, p.shape) for p in cell.trainable_params()] == [
            ("weight_ih", (rows, 2)), ("weight_hh", (rows, 100)), ("bias_ih", (rows,)), ("bias_hh", (rows,))
        ]  # fmt: skip
        assert all(0.08 < np.abs(p.asnumpy()).max() <= 0.1 for p in cell.get_parameters())
    bare = nn.GRUCell(2, 3, has_bias=False, dtype=tc.float16)
    assert bare.bias_ih is None and [p.dtype for p in bare.get_parameters()] == [tc.float16] * 2
    assert repr(nn.LSTMCell(2, 3)) == "LSTMCell(input_size=2, hidden_size=3, has_bias=True)"


def test_relu_in_the_place_of_tanh() -> None:
    cell = nn.RNNCell(1, 1, nonlinearity="relu")
    for p, value in zip(cell.trainable_params(), (2.0, 3.0, 0.5, 0.25), strict=True):
        p.set_data(Tensor(np.full(p.shape, value, np.float32)))
    assert cell(Tensor([[1.0], [-9.0]]), Tensor([[1.0], [1.0]])).tolist() == [[5.75], [0.0]]
    layer = nn.RNN(1, 1, nonlinearity="relu")
    for p, value in zip(layer.trainable_params(), (2.0, 3.0, 0.5, 0.25), strict=True):
        p.set_data(Tensor(np.full(p.shape, value, np.float32)))
    assert layer(Tensor([[[1.0]], [[1.0]]]))[0].tolist() == [[[2.75]], [[11.0]]]


# Layers -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("num_layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_layers_over_a_sequence(kind: str, num_layers: int, bidirectional: bool) -> None:
    layer = LAYERS[kind](3, 2, num_layers, bidirectional=bidirectional, dtype=tc.float64)
    units = num_layers * (1 + bidirectional)
    x, h0, c0 = DRAWS.normal(size=(4, 2, 3)), DRAWS.normal(size=(units, 2, 2)), DRAWS.normal(size=(units, 2, 2))
    for lengths in ([4, 4], [1, 3]):
        want = run(layer, kind, x, h0, c0, lengths)
        got = layer(Tensor(x), given(kind, h0, c0), Tensor(lengths))
        state = got[1] if kind == "LSTM" else (got[1],)
        for value, expected in zip((got[0], *state), want, strict=False):
            np.testing.assert_allclose(value.asnumpy(), expected, atol=1e-12)
    whole = layer(Tensor(x), given(kind, h0, c0))[0]
    np.testing.assert_array_equal(whole.asnumpy(), layer(Tensor(x), given(kind, h0, c0), [4, 4])[0].asnumpy())


@pytest.mark.parametrize("kind", LAYERS)
def test_batch_first_zeros_as_the_first_state_and_no_bias(kind: str) -> None:
    layer = LAYERS[kind](3, 2, 2, has_bias=False, batch_first=True, bidirectional=True, dtype=tc.float64)
    x, zeros = DRAWS.normal(size=(5, 4, 3)), np.zeros((4, 5, 2))
    want, h_n, _ = run(layer, kind, x.swapaxes(0, 1), zeros, zeros, [4] * 5)
    out, state = layer(Tensor(x))
    np.testing.assert_allclose(out.asnumpy(), want.swapaxes(0, 1), atol=1e-12)
    np.testing.assert_allclose((state[0] if kind == "LSTM" else state).asnumpy(), h_n, atol=1e-12)
    assert len(list(layer.get_parameters())) == 8


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("lengths", [None, [3, 1]])
def test_gradients_of_layers(kind: str, lengths: Any) -> None:
    layer, state = LAYERS[kind](2, 2, 2, bidirectional=True), (drawn(4, 2, 2), drawn(4, 2, 2))

    def run_it(x: Tensor, h: Tensor, c: Tensor) -> Any:
        return layer(x, (h, c) if kind == "LSTM" else h + 0 * c, lengths)

    assert gradcheck(run_it, drawn(3, 2, 2), *state)


def test_gradients_of_weights_beside_differences() -> None:
    layer, x = nn.GRU(2, 2, dtype=tc.float64), drawn(3, 2, 2)
    gradients = grad(lambda x: layer(x)[0].square().sum(), None, layer.trainable_params())(x)
    for p, gradient in zip(layer.trainable_params(), gradients, strict=True):
        place = (0,) * p.ndim
        values = []
        for move in (1e-6, -2e-6, 1e-6):
            p[place] = p[place] + move
            values.append(layer(x)[0].square().sum().item())
        assert gradient[place].item() == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-5)


def test_what_stands_behind_the_end_of_a_sequence_has_no_influence() -> None:
    layer, x = nn.LSTM(2, 3, bidirectional=True), drawn(4, 2, 2)
    gradient = grad(lambda x: layer(x, None, Tensor([2, 4]))[0].sum())(x).asnumpy()
    assert (gradient[2:, 0] == 0).all() and (gradient[:2] != 0).all() and (gradient[:, 1] != 0).all()
    out, (h, _) = layer(x, None, [0, 4])
    assert (out.asnumpy()[:, 0] == 0).all() and (h.asnumpy()[:, 0] == 0).all()


def test_parameters_of_layers_stand_by_kind() -> None:
    net = nn.SequentialCell(nn.LSTM(2, 3, 2, bidirectional=True))
    units = ["l0", "l0_reverse", "l1", "l1_reverse"]
    kinds = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
    assert [p.name for p in net.trainable_params()] == [f"0.{kind}_{unit}" for kind in kinds for unit in units]
    assert net[0].weight_ih_l1.shape == (12, 6) and net[0].weight_hh_l1_reverse.shape == (12, 3)
    assert "input_size=2, hidden_size=3, num_layers=2" in repr(net) and "(dropout_op): Dropout(p=0.0)" in repr(net)


def test_dropout_between_layers_in_training_only() -> None:
    tc.set_seed(0)
    layer, x = nn.RNN(2, 50, 2, dropout=0.5), drawn(3, 2, 2)
    still = [layer(x)[0].tolist() for _ in range(2)]
    layer.set_train()
    moved = [layer(x)[0].tolist() for _ in range(2)]
    assert still[0] == still[1] and moved[0] != moved[1] and moved[0] != still[0]
    alone = nn.RNN(2, 3, 1, dropout=0.5).set_train()
    assert alone(x)[0].tolist() == alone(x)[0].tolist()


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: nn.RNNCell(0, 2), ValueError, "RNNCell: input_size must be a positive int, got 0"),
        (lambda: nn.LSTM(2, 2.0), TypeError, "LSTM: hidden_size must be a positive int"),
        (lambda: nn.GRU(2, 2, 0), ValueError, "GRU: num_layers must be a positive int"),
        (lambda: nn.RNNCell(2, 2, nonlinearity="sigmoid"), ValueError, "nonlinearity must be one of 'tanh', 'relu'"),
        (lambda: nn.RNN(2, 2, nonlinearity="sigmoid"), ValueError, "nonlinearity must be one of"),
        (lambda: nn.RNN(2, 2, 2, dropout=1.0), ValueError, r"Dropout.p must .* got 1.0"),
        (lambda: nn.RNNCell(2, 3)(drawn(2), drawn(3)), ValueError, r"RNNCell: x has shape \(2,\), expected \(N, 2\)"),
        (lambda: nn.RNNCell(2, 3)(drawn(1, 3), drawn(1, 3)), ValueError, r"x has shape \(1, 3\), expected \(N, 2\)"),
        (lambda: nn.GRUCell(2, 3)(drawn(4, 2), drawn(1, 3)), ValueError, r"h has shape \(1, 3\), expected \(4, 3\)"),
        (lambda: nn.GRUCell(2, 3)(drawn(4, 2), None), TypeError, "GRUCell: the state hx must be h, .* got NoneType"),
        (lambda: nn.GRUCell(2, 3)([[1.0, 2.0]], drawn(1, 3)), TypeError, "GRUCell: x must be a Tensor, got list"),
        (lambda: nn.LSTMCell(2, 3)(drawn(4, 2), drawn(4, 3)), TypeError, r"must be \(h, c\), .* got Tensor"),
        (lambda: nn.LSTMCell(2, 3)(drawn(4, 2), (drawn(4, 3), 0)), TypeError, r"got tuple of 2: \(Tensor, int\)"),
        (lambda: nn.LSTM(2, 3)(drawn(4, 2)), ValueError, r"LSTM: x has shape \(4, 2\), expected \(L, N, 2\)"),
        (lambda: nn.RNN(2, 3, batch_first=True)(drawn(4, 2, 3)), ValueError, r"expected \(N, L, 2\)"),
        (lambda: nn.LSTM(2, 3)(drawn(4, 5, 2), (drawn(1, 5, 3), drawn(2, 5, 3))), ValueError, r"c has shape"),
        (lambda: nn.RNN(2, 3)(drawn(4, 5, 2), None, [1, 2]), ValueError, r"5 ints, .* got \(2,\) int64"),
        (lambda: nn.RNN(2, 3)(drawn(4, 1, 2), None, Tensor([1.0])), ValueError, r"1 ints, .* got \(1,\) float32"),
    ],
)
def test_recurrence_refuses(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make()
