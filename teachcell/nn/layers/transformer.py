"""The transformer: layers of attention and a small network, normalised, with shortcuts  (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from ...core.dtypes import float32
from ...core.public import FUNCTIONS
from ...core.tensor import Tensor
from ...texts import say
from ..cell import Cell
from ..containers import CellList
from ..initializer import XavierUniform, initializer
from .attention import MultiheadAttention
from .basic import Dense
from .dropout import Dropout
from .norm import LayerNorm


class _Layer(Cell):
    """What encoder and decoder layers share: the small network, and a shortcut around each part."""

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: Any = "relu",
        layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, dtype: Any = float32,
    ):  # fmt: skip
        super().__init__()
        self.norm_first = norm_first
        attentions = ("self_attn", "multihead_attn")[: self.attentions]
        for name in attentions:
            setattr(self, name, MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype))
        self.dense1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(dim_feedforward, d_model, dtype=dtype)
        parts = range(1, self.attentions + 2)
        for i in parts:
            setattr(self, f"norm{i}", LayerNorm((d_model,), epsilon=layer_norm_eps))
        for i in parts:
            setattr(self, f"dropout{i}", Dropout(p=dropout))
        self.activation = _activation(activation)

    attentions: int

    def _around(self, i: int, x: Tensor, part: Callable[[Tensor], Tensor]) -> Tensor:
        """x + part(x), normalised behind the sum, or before the part with ``norm_first``."""
        norm, dropout = getattr(self, f"norm{i}"), getattr(self, f"dropout{i}")
        if self.norm_first:
            return x + dropout(part(norm(x)))
        return norm(x + dropout(part(x)))

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dense2(self.dropout(self.activation(self.dense1(x))))


def _activation(activation: Any) -> Callable[[Tensor], Tensor]:
    if isinstance(activation, str) and activation in ("relu", "gelu"):
        return FUNCTIONS[activation]
    if isinstance(activation, str) or not callable(activation):
        raise ValueError(say("errors.choice", name="activation", got=repr(activation), known="'relu', 'gelu', f(x)"))
    return activation


class TransformerEncoderLayer(_Layer):
    """Attention of a sequence to itself, then two Dense layers, each with a shortcut and a LayerNorm.

    Args:
        d_model: number of features E.
        nhead: number of heads.
        dim_feedforward: number of features between the two Dense layers.
        dropout: probability of dropping, in training, at four places.
        activation: ``"relu"``, ``"gelu"``, a Cell or a function, between the two Dense layers.
        layer_norm_eps: ``epsilon`` of the LayerNorms.
        batch_first: whether sequences are (N, L, E) instead of (L, N, E).
        norm_first: whether the LayerNorms stand before the parts instead of behind the sums.
        dtype: data type of the linear maps.
    """

    attentions = 1

    def construct(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None
    ) -> Tensor:
        """Same shape. For the masks see :class:`MultiheadAttention`."""

        def attend(x: Tensor) -> Tensor:
            return self.self_attn(x, x, x, src_key_padding_mask, False, src_mask)[0]

        return self._around(2, self._around(1, src, attend), self._feed_forward)


class TransformerDecoderLayer(_Layer):
    """Attention of a sequence to itself, attention to ``memory``, then two Dense layers; arguments as of the encoder's.

    See :class:`TransformerEncoderLayer`.
    """

    attentions = 2

    def construct(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        """``tgt``'s shape. For the masks see :class:`MultiheadAttention`."""

        def attend(x: Tensor) -> Tensor:
            return self.self_attn(x, x, x, tgt_key_padding_mask, False, tgt_mask)[0]

        def look_up(x: Tensor) -> Tensor:
            return self.multihead_attn(x, memory, memory, memory_key_padding_mask, False, memory_mask)[0]

        return self._around(3, self._around(2, self._around(1, tgt, attend), look_up), self._feed_forward)


class _Stack(Cell):
    """Copies of a layer, one behind the other, and a normalisation behind the last.

    Args:
        layer: the layer; its copies start with its values.
        num_layers: how many.
        norm: a Cell, or None.
    """

    def __init__(self, layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__()
        self.layers = CellList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def _through(self, x: Tensor, *others: Any) -> Tensor:
        for layer in self.layers:
            x = layer(x, *others)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """Copies of an encoder layer, one behind the other.

    Args:
        encoder_layer: the layer; its copies start with its values.
        num_layers: how many.
        norm: a Cell behind the last, or None.
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__(encoder_layer, num_layers, norm)

    def construct(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None
    ) -> Tensor:
        """Same shape."""
        return self._through(src, src_mask, src_key_padding_mask)


class TransformerDecoder(_Stack):
    """Copies of a decoder layer, one behind the other.

    Args:
        decoder_layer: the layer; its copies start with its values.
        num_layers: how many.
        norm: a Cell behind the last, or None.
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__(decoder_layer, num_layers, norm)

    def construct(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        """``tgt``'s shape."""
        return self._through(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)


class Transformer(Cell):
    """Encoder and decoder: ``src`` is encoded, ``tgt`` decoded with attention to the code.

    Args:
        d_model: number of features E.
        nhead: number of heads.
        num_encoder_layers, num_decoder_layers: numbers of layers.
        dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype: as of
            :class:`TransformerEncoderLayer`.
        custom_encoder, custom_decoder: Cells in the place of ours.
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: Any = "relu",
        custom_encoder: Cell | None = None, custom_decoder: Cell | None = None, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, dtype: Any = float32,
    ):  # fmt: skip
        super().__init__()
        options = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype
        )  # fmt: skip

        def norm() -> LayerNorm:
            return LayerNorm((d_model,), epsilon=layer_norm_eps)

        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*options), num_encoder_layers, norm()
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*options), num_decoder_layers, norm()
        )
        for p in self.get_parameters():
            if p.ndim > 1:
                p.set_data(initializer(XavierUniform(), p.shape, p.dtype))

    def construct(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        """``src`` (S, N, E) and ``tgt`` (T, N, E) to (T, N, E). For the masks see :class:`MultiheadAttention`."""
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(
            tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask
        )  # fmt: skip
