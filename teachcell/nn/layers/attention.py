"""Attention: every query takes a mixture of the values, weighted by how well it fits the keys."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.dtypes import float32
from ...core.op import TENSORS as T
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import in_interval
from ...ops.neural.dropout import dropout as drop
from ...texts import say
from ..cell import Cell
from ..initializer import XavierNormal, XavierUniform, initializer
from ..parameter import Parameter
from .basic import Dense
from .checks import check_shape, positive_int
from .weights import affine


class MultiheadAttention(Cell):
    """softmax(q · kᵀ / √d + mask) · v in several heads of d features each, side by side  (Vaswani et al., 2017).

    q, k and v are learnt linear maps of query, key and value; the heads' results, joined, pass one more.

    Args:
        embed_dim: number of features E, of the query and of the result.
        num_heads: number of heads; E = num_heads · d.
        dropout: probability of dropping a weight, in training; in [0, 1).
        has_bias: whether the linear maps have biases.
        add_bias_kv: whether a learnt key and value stand behind those of the sequence.
        add_zero_attn: whether a key and value of zeros stand behind them.
        kdim, vdim: number of features of key and value, by default E.
        batch_first: whether sequences are (N, L, …) instead of (L, N, …).
        dtype: data type of the Parameters.

    Attributes:
        in_proj_weight: (3 · E, E), the maps to q, k and v; with ``kdim`` or ``vdim`` there are ``q_proj_weight``
            (E, E), ``k_proj_weight`` (E, kdim) and ``v_proj_weight`` (E, vdim) in its place.
        in_proj_bias: (3 · E,), or None.
        bias_k, bias_v: (1, 1, E), or None.
        out_proj: the Dense layer behind the heads.
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, has_bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        dtype: Any = float32,
    ):  # fmt: skip
        super().__init__()
        self.embed_dim = positive_int("MultiheadAttention", "embed_dim", embed_dim)
        self.num_heads = positive_int("MultiheadAttention", "num_heads", num_heads)
        if embed_dim % num_heads:
            raise ValueError(say("errors.heads", embed_dim=embed_dim, num_heads=num_heads))
        in_interval("MultiheadAttention.dropout", dropout, "[0, 1)")
        self.depends_on_mode = dropout > 0
        self.dropout, self.add_zero_attn, self.batch_first = dropout, add_zero_attn, batch_first
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self._add_maps(has_bias, dtype)
        self.bias_k = self._parameter("bias_k", XavierNormal(), (1, 1, embed_dim), dtype) if add_bias_kv else None
        self.bias_v = self._parameter("bias_v", XavierNormal(), (1, 1, embed_dim), dtype) if add_bias_kv else None
        self.out_proj = Dense(embed_dim, embed_dim, has_bias=has_bias, dtype=dtype)

    def _add_maps(self, has_bias: bool, dtype: Any) -> None:
        size, packed = self.embed_dim, self.kdim == self.vdim == self.embed_dim
        shapes = {"q_proj_weight": (size, size), "k_proj_weight": (size, self.kdim), "v_proj_weight": (size, self.vdim)}
        for name, shape in {"in_proj_weight": (3 * size, size)}.items() if packed else shapes.items():
            setattr(self, name, self._parameter(name, XavierUniform(), shape, dtype))
        self.in_proj_bias = self._parameter("in_proj_bias", "zeros", (3 * size,), dtype) if has_bias else None

    @staticmethod
    def _parameter(name: str, init: Any, shape: tuple[int, ...], dtype: Any) -> Parameter:
        return Parameter(initializer(init, shape, dtype), name=name)

    def construct(
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
        need_weights: bool = True, attn_mask: Tensor | None = None, average_attn_weights: bool = True,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        """The result, shaped as the query, and the weights.

        Args:
            query: (L, N, E), or (L, E) without a batch.
            key, value: (S, N, kdim) and (S, N, vdim), or without N as well.
            key_padding_mask: (N, S), which keys to leave out.
            need_weights: whether the weights are given; the result is alone in its tuple otherwise.
            attn_mask: (L, S) or (N · num_heads, L, S), which keys to leave out for which query.
            average_attn_weights: give (N, L, S), the mean over the heads, instead of (N, num_heads, L, S).

        In a mask of Bools (or UInt8) True leaves out; a mask of floats is added to q · kᵀ / √d.
        """
        single = isinstance(query, Tensor) and query.ndim == 2
        named = {"query": query, "key": key, "value": value}
        query, key, value = (self._batched(name, x, single) for name, x in named.items())
        _check_pairs(query, key, value)
        q, k, v = self._maps(query, key, value)
        k, v = self._extended(k, self.bias_k), self._extended(v, self.bias_v)
        mask = self._mask(attn_mask, key_padding_mask, query.shape[:2], key.shape[1], k)
        context, weights = self._attend(self._in_heads(q), self._in_heads(k), self._in_heads(v), mask)
        result = self.out_proj(T.reshape(T.swapaxes(context, 1, 2), query.shape))
        if not self.batch_first and not single:
            result = T.swapaxes(result, 0, 1)
        if average_attn_weights:
            weights = T.mean(weights, 1)
        if single:
            result, weights = T.squeeze(result, 0), T.squeeze(weights, 0)
        return (result, weights) if need_weights else (result,)

    # Steps of construct: everything is (N, L, features) from here on ----------------------------------------

    def _batched(self, name: str, x: Tensor, single: bool) -> Tensor:
        features = {"query": self.embed_dim, "key": self.kdim, "value": self.vdim}[name]
        length = "L" if name == "query" else "S"
        axes = (length,) if single else ("N", length) if self.batch_first else (length, "N")
        check_shape("MultiheadAttention", name, x, (*axes, features))
        if single:
            return T.expand_dims(x, 0)
        return x if self.batch_first else T.swapaxes(x, 0, 1)

    def _maps(self, query: Tensor, key: Tensor, value: Tensor) -> list[Tensor]:
        """q, k and v."""
        rows = [slice(i * self.embed_dim, (i + 1) * self.embed_dim) for i in range(3)]
        if self.kdim == self.vdim == self.embed_dim:
            weights = [self.in_proj_weight[part] for part in rows]
        else:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        biases = [None if self.in_proj_bias is None else self.in_proj_bias[part] for part in rows]
        return [affine(*xwb) for xwb in zip((query, key, value), weights, biases, strict=True)]

    def _extended(self, x: Tensor, bias: Tensor | None) -> Tensor:
        """Keys or values with the learnt one and the one of zeros behind them, where wanted."""
        one = (x.shape[0], 1, x.shape[2])
        parts = [x]
        if bias is not None:
            parts.append(T.broadcast_to(bias, one))
        if self.add_zero_attn:
            parts.append(wrap(np.zeros(one, x._array.dtype)))
        return T.concat(parts, axis=1) if len(parts) > 1 else x

    def _in_heads(self, x: Tensor) -> Tensor:
        """(N, L, E) as (N, num_heads, L, d)."""
        split = T.reshape(x, (*x.shape[:2], self.num_heads, self.embed_dim // self.num_heads))
        return T.swapaxes(split, 1, 2)

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        scores = T.matmul(q * (1 / math.sqrt(q.shape[-1])), k, transpose_b=True)
        weights = T.softmax(scores if mask is None else scores + mask, -1)
        used = drop(weights, self.dropout) if self.training and self.dropout else weights
        return T.matmul(used, v), weights

    def _mask(
        self, attn_mask: Any, key_padding_mask: Any, query_shape: tuple[int, ...], keys: int, k: Tensor
    ) -> Tensor | None:
        """Both masks as one that is added to the scores (N, num_heads, L, S); None if there is none."""
        (batch, queries), heads = query_shape, self.num_heads
        masks = []
        if attn_mask is not None:
            if getattr(attn_mask, "ndim", 2) == 2:
                check_shape("MultiheadAttention", "attn_mask", attn_mask, (queries, keys))
                masks.append(_added("attn_mask", attn_mask, k))
            else:
                check_shape("MultiheadAttention", "attn_mask", attn_mask, (batch * heads, queries, keys))
                masks.append(T.reshape(_added("attn_mask", attn_mask, k), (batch, heads, queries, keys)))
        if key_padding_mask is not None:
            axes = (keys,) if batch == 1 and getattr(key_padding_mask, "ndim", 2) == 1 else (batch, keys)
            check_shape("MultiheadAttention", "key_padding_mask", key_padding_mask, axes)
            masks.append(T.reshape(_added("key_padding_mask", key_padding_mask, k), (batch, 1, 1, keys)))
        if not masks:
            return None
        mask = masks[0] if len(masks) == 1 else masks[0] + masks[1]
        more = k.shape[1] - keys  # the learnt key and the one of zeros are never left out
        return T.concat([mask, wrap(np.zeros((*mask.shape[:-1], more), mask._array.dtype))], axis=-1) if more else mask


def _check_pairs(query: Tensor, key: Tensor, value: Tensor) -> None:
    """ValueError unless all have one batch, and there is a value for each key."""
    if not (query.shape[0] == key.shape[0] == value.shape[0] and key.shape[1] == value.shape[1]):
        sizes = {name: x.shape[:2] for name, x in (("query", query), ("key", key), ("value", value))}
        raise ValueError(say("errors.attention_pairs", **sizes))


def _added(name: str, mask: Tensor, like: Tensor) -> Tensor:
    """A mask that is added: −∞ where Bools say to leave out."""
    array, dtype = mask._array, like._array.dtype
    if array.dtype.kind == "f":
        return mask
    if array.dtype.name not in ("bool", "uint8"):
        raise ValueError(say("errors.mask_dtype", name=name, got=mask.dtype))
    return wrap(np.where(array, dtype.type(-np.inf), dtype.type(0)))
