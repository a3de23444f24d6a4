"""Attention and the transformer beside formulas in NumPy: values, masks, gradients, Parameters, what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn, ops

DRAWS = np.random.default_rng(4)
plain = nn.MultiheadAttention(4, 2)


def drawn(*shape: int) -> np.ndarray:
    return DRAWS.normal(size=shape)


def tensors(*arrays: np.ndarray) -> list[Tensor]:
    return [Tensor(a) for a in arrays]


def named(cell: nn.Cell) -> dict[str, np.ndarray]:
    return {p.name: p.asnumpy() for p in cell.get_parameters()}


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attended(w: dict[str, np.ndarray], heads: int, query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """One sequence of each: the result (L, E) and the weights (heads, L, S); ``mask`` is added, head by head."""
    size = query.shape[1]
    maps = np.split(w["in_proj_weight"], 3) if "in_proj_weight" in w else [w[f"{x}_proj_weight"] for x in "qkv"]
    biases = np.split(w.get("in_proj_bias", np.zeros(3 * size)), 3)
    q, k, v = (x @ m.T + b for x, m, b in zip((query, key, value), maps, biases, strict=True))
    results, weights = [], []
    for h, part in enumerate(np.split(np.arange(size), heads)):
        scores = q[:, part] @ k[:, part].T / np.sqrt(size // heads)
        weights.append(softmax(scores if mask is None else scores + mask[h]))
        results.append(weights[-1] @ v[:, part])
    return np.concatenate(results, 1) @ w["out_proj.weight"].T + w.get("out_proj.bias", 0), np.array(weights)


# Attention ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"has_bias": False}, {"kdim": 3, "vdim": 5}, {"batch_first": True}], ids=str)
def test_attention_sequence_by_sequence(options: dict[str, Any]) -> None:
    layer = nn.MultiheadAttention(4, 2, dtype=tc.float64, **options)
    query, key, value = drawn(3, 5, 4), drawn(3, 6, options.get("kdim", 4)), drawn(3, 6, options.get("vdim", 4))
    inputs = (query, key, value)
    batch_first = options.get("batch_first", False)
    out, weights = layer(*tensors(*(x if batch_first else x.swapaxes(0, 1) for x in inputs)))
    each = layer(*tensors(*(x if batch_first else x.swapaxes(0, 1) for x in inputs)), average_attn_weights=False)[1]
    for n in range(3):
        want, by_head = attended(named(layer), 2, query[n], key[n], value[n])
        np.testing.assert_allclose(out.asnumpy()[n] if batch_first else out.asnumpy()[:, n], want, atol=1e-12)
        np.testing.assert_allclose(each.asnumpy()[n], by_head, atol=1e-12)
        np.testing.assert_allclose(weights.asnumpy()[n], by_head.mean(0), atol=1e-12)
    alone = nn.MultiheadAttention(4, 2, dtype=tc.float64)
    want, by_head = attended(named(alone), 2, query[0], query[0], query[0])
    out, weights = alone(*tensors(query[0], query[0], query[0]))
    np.testing.assert_allclose(out.asnumpy(), want, atol=1e-12)
    np.testing.assert_allclose(weights.asnumpy(), by_head.mean(0), atol=1e-12)
    assert len(alone(*tensors(query[0], query[0], query[0]), need_weights=False)) == 1


def test_masks() -> None:
    layer, x = nn.MultiheadAttention(4, 2, dtype=tc.float64), drawn(3, 2, 4)
    later = np.triu(np.ones((3, 3), bool), 1)
    padding = np.array([[False, False, True], [False, False, False]])
    each, added = drawn(4, 3, 3), drawn(3, 3)
    no = np.where([[False]], -np.inf, 0.0)
    cases: list[tuple[dict[str, Any], Any]] = [
        ({"attn_mask": later}, lambda n: [np.where(later, -np.inf, no)] * 2),
        ({"attn_mask": later.astype(np.uint8)}, lambda n: [np.where(later, -np.inf, no)] * 2),
        ({"attn_mask": added}, lambda n: [added] * 2),
        ({"attn_mask": each}, lambda n: each[2 * n : 2 * n + 2]),
        ({"key_padding_mask": padding}, lambda n: [np.where(padding[n], -np.inf, no)] * 2),
        ({"attn_mask": later, "key_padding_mask": padding}, lambda n: [np.where(later | padding[n], -np.inf, no)] * 2),
    ]
    for masks, of_sequence in cases:
        inputs = tensors(x, x, x)
        out = layer(*inputs, **{name: Tensor(mask) for name, mask in masks.items()})[0].asnumpy()
        for n in range(2):
            want = attended(named(layer), 2, x[:, n], x[:, n], x[:, n], of_sequence(n))[0]
            np.testing.assert_allclose(out[:, n], want, atol=1e-12)
    causal = grad(lambda q: layer(q, q, q, attn_mask=Tensor(later))[0][0].sum())(Tensor(x)).asnumpy()
    assert (causal[1:] == 0).all() and (causal[0] != 0).all()
    row = layer(*tensors(*[x[:, 0]] * 3), key_padding_mask=Tensor(padding[0]))[1].asnumpy()
    assert (row[:, 2] == 0).all()


def test_a_learnt_key_and_one_of_zeros() -> None:
    layer = nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True, dtype=tc.float64)
    x, later = drawn(3, 1, 4), Tensor(np.triu(np.ones((3, 3), bool), 1))
    weights = layer(*tensors(x, x, x), attn_mask=later)[1].asnumpy()[0]
    assert weights.shape == (3, 5) and (weights[:, 3:] > 0).all() and (weights[0, 1:3] == 0).all()
    np.testing.assert_allclose(weights.sum(1), 1)
    layer.bias_k.set_data(Tensor(np.zeros((1, 1, 4))))  # type: ignore[union-attr]
    layer.bias_v.set_data(Tensor(np.zeros((1, 1, 4))))  # type: ignore[union-attr]
    weights = layer(*tensors(x, x, x))[1].asnumpy()[0]
    np.testing.assert_allclose(weights[:, 3], weights[:, 4])
    assert {"bias_k", "bias_v"} <= set(named(layer))


def test_gradients_of_attention_to_second_order() -> None:
    layer = nn.MultiheadAttention(4, 2, add_bias_kv=True)
    assert gradcheck(layer, *tensors(drawn(2, 2, 4), drawn(3, 2, 4), drawn(3, 2, 4)), order=2)
    inputs = tensors(drawn(2, 3), drawn(2, 1, 4), drawn(3, 1, 4))
    assert gradcheck(lambda mask, q, k: plain(q, k, k, attn_mask=mask), *inputs)


def test_parameters_of_attention() -> None:
    layer = nn.MultiheadAttention(100, 2)
    shapes = {name: value.shape for name, value in named(layer).items()}
    assert shapes == {
        "in_proj_weight": (300, 100), "in_proj_bias": (300,), "out_proj.weight": (100, 100), "out_proj.bias": (100,)
    }  # fmt: skip
    bound = np.abs(named(layer)["in_proj_weight"]).max() / np.sqrt(6 / 400)
    assert 0.99 < bound <= 1 and not named(layer)["in_proj_bias"].any()
    apart = nn.MultiheadAttention(4, 2, kdim=3, has_bias=False)
    assert list(named(apart)) == ["q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight"]
    assert apart.v_proj_weight.shape == (4, 4) and apart.in_proj_bias is None


def test_weights_are_dropped_in_training_only() -> None:
    tc.set_seed(0)
    layer, x = nn.MultiheadAttention(8, 2, dropout=0.5), Tensor(drawn(6, 1, 8))
    assert layer(x, x, x)[0].tolist() == layer(x, x, x)[0].tolist()
    layer.set_train()
    first, second = layer(x, x, x), layer(x, x, x)
    assert first[0].tolist() != second[0].tolist() and first[1].tolist() == second[1].tolist()


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda x: nn.MultiheadAttention(5, 2), ValueError, "embed_dim = 5 must be divisible by num_heads = 2"),
        (lambda x: nn.MultiheadAttention(4, 0), ValueError, "num_heads must be a positive int, got 0"),
        (lambda x: nn.MultiheadAttention(4, 2, 1.0), ValueError, r"MultiheadAttention.dropout"),
        (lambda x: plain(x[..., :3], x, x), ValueError, r"query has shape \(5, 3, 3\), expected \(L, N, 4\)"),
        (lambda x: plain(x, x[0], x[0]), ValueError, r"key has shape \(3, 4\), expected \(S, N, 4\)"),
        (lambda x: plain(x[0], x, x), ValueError, r"key has shape \(5, 3, 4\), expected \(S, 4\)"),
        (lambda x: plain(x.asnumpy(), x, x), TypeError, "query must be a Tensor, got ndarray"),
        (lambda x: plain(x, x[:, :2], x[:, :2]), ValueError, r"is \(3, 5\), \(2, 5\), \(2, 5\)"),
        (lambda x: plain(x, x, x[:4]), ValueError, r"is \(3, 5\), \(3, 5\), \(3, 4\)"),
        (lambda x: plain(x, x, x, attn_mask=x[0, :, :3]), ValueError, r"has shape \(3, 3\), expected \(5, 5\)"),
        (lambda x: plain(x, x, x, attn_mask=x), ValueError, r"attn_mask has shape \(5, 3, 4\), expected \(6, 5, 5\)"),
        (lambda x: plain(x, x, x, attn_mask=[[True]]), TypeError, "attn_mask must be a Tensor, got list"),
        (lambda x: plain(x, x, x, x[:, :, 0] > 0), ValueError, r"padding_mask has shape \(5, 3\)"),
        (lambda x: plain(x, x, x, Tensor(np.ones((3, 5), int))), ValueError, "key_padding_mask must be Bool or UInt8"),
    ],
)
def test_attention_refuses(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make(Tensor(np.ones((5, 3, 4))))


# The transformer ----------------------------------------------------------------------------------------------------


def normalised(x: np.ndarray, w: dict[str, np.ndarray], name: str, eps: float = 1e-5) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps)
    return scaled * w[f"{name}.gamma"] + w[f"{name}.beta"]


def part(w: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(prefix): value for name, value in w.items() if name.startswith(prefix)}


def network(x: np.ndarray, w: dict[str, np.ndarray]) -> np.ndarray:
    return np.maximum(x @ w["dense1.weight"].T + w["dense1.bias"], 0) @ w["dense2.weight"].T + w["dense2.bias"]


def disturbed(cell: Any) -> Any:
    """The Cell with float64 Parameters drawn anew, so that no gamma is 1 and no beta 0."""
    for p in cell.get_parameters():
        p.set_data(Tensor(drawn(*p.shape).astype(np.float32)))
    return cell


@pytest.mark.parametrize("norm_first", [False, True])
def test_encoder_and_decoder_layers(norm_first: bool) -> None:
    encoder = disturbed(nn.TransformerEncoderLayer(4, 2, 6, norm_first=norm_first))
    decoder = disturbed(nn.TransformerDecoderLayer(4, 2, 6, norm_first=norm_first))
    x, memory = drawn(3, 4), drawn(5, 4)

    def around(y: np.ndarray, w: dict[str, np.ndarray], i: int, inner: Any) -> np.ndarray:
        if norm_first:
            return y + inner(normalised(y, w, f"norm{i}"))
        return normalised(y + inner(y), w, f"norm{i}")

    def to_itself(w: dict[str, np.ndarray]) -> Any:
        return lambda y: attended(part(w, "self_attn."), 2, y, y, y)[0]

    w = named(encoder)
    want = around(around(x, w, 1, to_itself(w)), w, 2, lambda y: network(y, w))
    np.testing.assert_allclose(encoder(Tensor(x)).asnumpy(), want, rtol=1e-5, atol=1e-5)
    w = named(decoder)
    want = around(x, w, 1, to_itself(w))
    want = around(want, w, 2, lambda y: attended(part(w, "multihead_attn."), 2, y, memory, memory)[0])
    want = around(want, w, 3, lambda y: network(y, w))
    np.testing.assert_allclose(decoder(*tensors(x, memory)).asnumpy(), want, rtol=1e-5, atol=1e-5)
    assert gradcheck(encoder, Tensor(x)) and gradcheck(decoder, *tensors(x, memory))


def test_stacks_are_copies() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 6)
    stack = nn.TransformerEncoder(layer, 2, nn.LayerNorm((4,)))
    first, second = stack.layers
    assert first.dense1.weight.tolist() == second.dense1.weight.tolist() and first.dense1 is not layer.dense1
    assert first.dense1.weight.name == "layers.0.dense1.weight"
    x = Tensor(drawn(3, 2, 4))
    np.testing.assert_allclose(stack(x).asnumpy(), stack.norm(second(first(x))).asnumpy())
    tgt = Tensor(drawn(2, 2, 4))
    decoders = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6), 1)
    np.testing.assert_array_equal(decoders(tgt, x).asnumpy(), decoders.layers[0](tgt, x).asnumpy())


def test_the_whole_transformer() -> None:
    net = nn.Transformer(4, 2, 1, 2, 6, dropout=0.0)
    src, tgt = tensors(drawn(3, 2, 4), drawn(5, 2, 4))
    assert net(src, tgt).shape == (5, 2, 4)
    np.testing.assert_allclose(net(src, tgt).asnumpy(), net.decoder(tgt, net.encoder(src)).asnumpy())
    names = [p.name for p in net.get_parameters()]
    assert names[0] == "encoder.layers.0.self_attn.in_proj_weight" and names[-1] == "decoder.norm.beta"
    assert len(net.decoder.layers) == 2
    layers = [layer.dense1.weight.tolist() for layer in net.decoder.layers]
    assert layers[0] != layers[1]  # drawn anew
    later = Tensor(np.triu(np.ones((5, 5), bool), 1))
    gradient = grad(lambda t: net(src, t, tgt_mask=later)[0].square().sum())(tgt).asnumpy()
    assert (gradient[1:] == 0).all() and (gradient[0] != 0).any()
    pad = Tensor(np.array([[False, False, True]] * 2))
    gradient = grad(
        lambda s: net(s, tgt, src_key_padding_mask=pad, memory_key_padding_mask=pad).square().sum()
    )(src).asnumpy()  # fmt: skip
    assert (gradient[2] == 0).all() and (gradient[:2] != 0).any()
    swapped = nn.Transformer(4, 2, 1, 1, 6, batch_first=True)
    assert swapped(src.swapaxes(0, 1), tgt.swapaxes(0, 1)).shape == (2, 5, 4)
    own = nn.Transformer(4, 2, custom_encoder=net.encoder, custom_decoder=net.decoder)
    assert own.encoder is net.encoder and own(src, tgt).shape == (5, 2, 4)


def test_dropout_and_activations() -> None:
    tc.set_seed(0)
    layer, x = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.5), Tensor(drawn(3, 2, 4))
    assert layer(x).tolist() == layer(x).tolist()
    assert layer.set_train()(x).tolist() != layer(x).tolist()
    cell = nn.TransformerEncoderLayer(4, 2, 6, activation=nn.Tanh())
    function = nn.TransformerEncoderLayer(4, 2, 6, activation=ops.tanh)
    function.load_state_dict(cell.state_dict())
    assert cell(x).tolist() == function(x).tolist()
    for bad in ("tanh", 3):
        with pytest.raises(ValueError, match="activation must be one of 'relu', 'gelu'"):
            nn.TransformerDecoderLayer(4, 2, 6, activation=bad)
