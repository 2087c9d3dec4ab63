"""The layers of a Transformer: attention and a small network, each around a residual."""

from collections.abc import Callable
from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.activation import GELU, ReLU
from seegrad.nn.modules.attention import MultiheadAttention
from seegrad.nn.modules.dropout import Dropout
from seegrad.nn.modules.linear import Linear
from seegrad.nn.modules.module import Module
from seegrad.nn.modules.normalization import LayerNorm
from seegrad.ops.heads import added_mask
from seegrad.tensor.tensor import Tensor

Activation = str | Callable[[Tensor], Tensor]


def activation_of(activation: Activation) -> Any:
    """The function of a name; a function is what it is."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


class TransformerEncoderLayer(Module):
    """Self-attention and a network of two layers, each added to its input and normalised.

    Args: `d_model`, `nhead`, `dim_feedforward`, `dropout`, `activation` ("relu", "gelu" or a
    function), `layer_norm_eps`, `batch_first`, `norm_first` (normalise before, not after), `bias`.
    Shapes: src and output (t, b, d_model), with `batch_first` (b, t, d_model), or without b.
    `src_mask`: (t, t). `src_key_padding_mask`: (b, t). Raises RuntimeError for another activation.

    >>> import seegrad as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, 2, dim_feedforward=16)
    >>> layer(torch.ones(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        options: Any = {"bias": bias, "device": device, "dtype": dtype}
        super().__init__()
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, batch_first=batch_first, **options
        )
        self.linear1 = Linear(d_model, dim_feedforward, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = activation_of(activation)
        # PyTorch's number for what its kernel of a whole layer knows.
        known = {F.relu: 1, F.gelu: 2}
        kind = 1 if isinstance(self.activation, ReLU) else 2
        is_known = isinstance(self.activation, ReLU | GELU)
        self.activation_relu_or_gelu = kind if is_known else known.get(self.activation, 0)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Same shape as `src`. `is_causal` says that `src_mask` hides what comes later."""
        padding = added_mask(
            src_key_padding_mask, "src_key_padding_mask", src, src_mask, "src_mask"
        )
        mask = added_mask(src_mask, "src_mask", src)
        if self.norm_first:
            x = src + self._sa_block(self.norm1(src), mask, padding, is_causal)
            return x + self._ff_block(self.norm2(x))  # type: ignore[no-any-return]
        x = self.norm1(src + self._sa_block(src, mask, padding, is_causal))
        return self.norm2(x + self._ff_block(x))  # type: ignore[no-any-return]

    def _sa_block(self, x: Tensor, attn_mask: Any, padding: Any, is_causal: bool) -> Tensor:
        attended = _attended(self.self_attn, x, x, attn_mask, padding, is_causal)
        return self.dropout1(attended)  # type: ignore[no-any-return]

    def _ff_block(self, x: Tensor) -> Tensor:
        inner = self.dropout(self.activation(self.linear1(x)))
        return self.dropout2(self.linear2(inner))  # type: ignore[no-any-return]


class TransformerDecoderLayer(Module):
    """Self-attention, attention to `memory` and a network, each added to its input and normalised.

    Arguments as of `TransformerEncoderLayer`. Shapes: tgt and output (t, b, d_model), memory
    (s, b, d_model), with `batch_first` b before t and s, or without b.

    >>> import seegrad as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, 2, dim_feedforward=16)
    >>> layer(torch.ones(5, 3, 8), torch.ones(7, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        options: Any = {"bias": bias, "device": device, "dtype": dtype}
        attention: Any = {"dropout": dropout, "batch_first": batch_first, **options}
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.linear1 = Linear(d_model, dim_feedforward, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **options)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, **options)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = activation_of(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Same shape as `tgt`. The flags say that a mask hides what comes later."""
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = tgt + self._sa_block(self.norm1(tgt), *own)
            x = x + self._mha_block(self.norm2(x), memory, *other)
            return x + self._ff_block(self.norm3(x))  # type: ignore[no-any-return]
        x = self.norm1(tgt + self._sa_block(tgt, *own))
        x = self.norm2(x + self._mha_block(x, memory, *other))
        return self.norm3(x + self._ff_block(x))  # type: ignore[no-any-return]

    def _sa_block(self, x: Tensor, attn_mask: Any, padding: Any, is_causal: bool) -> Tensor:
        attended = _attended(self.self_attn, x, x, attn_mask, padding, is_causal)
        return self.dropout1(attended)  # type: ignore[no-any-return]

    def _mha_block(
        self, x: Tensor, memory: Tensor, attn_mask: Any, padding: Any, is_causal: bool
    ) -> Tensor:
        attended = _attended(self.multihead_attn, x, memory, attn_mask, padding, is_causal)
        return self.dropout2(attended)  # type: ignore[no-any-return]

    def _ff_block(self, x: Tensor) -> Tensor:
        inner = self.dropout(self.activation(self.linear1(x)))
        return self.dropout3(self.linear2(inner))  # type: ignore[no-any-return]


def _attended(
    attention: Any, x: Tensor, memory: Tensor, attn_mask: Any, padding: Any, is_causal: bool
) -> Any:
    return attention(
        x,
        memory,
        memory,
        attn_mask=attn_mask,
        key_padding_mask=padding,
        need_weights=False,
        is_causal=is_causal,
    )[0]
