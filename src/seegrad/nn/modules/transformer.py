"""`Transformer`, and the stacks of layers that it is made of."""

import copy
import warnings
from typing import Any

from seegrad.autograd.grad_mode import is_grad_enabled
from seegrad.functions import arange, equal, full, triu
from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.container import ModuleList
from seegrad.nn.modules.module import Module
from seegrad.nn.modules.normalization import LayerNorm
from seegrad.nn.modules.transformer_layers import (
    Activation,
    TransformerDecoderLayer,
    TransformerEncoderLayer,
)
from seegrad.ops.heads import added_mask
from seegrad.tensor.tensor import Tensor

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


def square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
    """(sz, sz): -inf where a column comes after its row, else 0."""
    return triu(full((sz, sz), float("-inf"), dtype=dtype, device=device), diagonal=1)


def _is_causal(mask: Tensor | None, said: bool | None, x: Tensor, batch_first: bool) -> bool:
    """Whether the mask hides what comes later, and nothing else; where nobody says, it is seen."""
    if said is not None or mask is None:
        return bool(said)
    length = x.size(1 if batch_first and x.dim() == 3 else 0)
    causal = square_subsequent_mask(length, dtype=mask.dtype)
    return mask.size() == causal.size() and bool(equal(mask, causal))


def _get_clones(module: Module, N: int) -> ModuleList:
    """Copies of a module; programs with layers of their own ask for it by this name."""
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


class TransformerEncoder(Module):
    """Copies of an encoder layer, one after the other, and `norm` at the end.

    Args: `encoder_layer`, `num_layers`, `norm` (a module or None), `enable_nested_tensor` (see
    below), `mask_check` (whether it is looked whether padding stands at the ends only). Shapes as
    of the layer. As in PyTorch, with `enable_nested_tensor` the padded rows of the output are 0 in
    evaluation without gradients, if padding stands at the ends and the layer is a usual one.

    >>> import seegrad as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, batch_first=True)
    >>> torch.nn.TransformerEncoder(layer, num_layers=2)(torch.ones(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    norm: Module | None

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        unusual = _unusual(encoder_layer)
        if enable_nested_tensor and unusual:
            warnings.warn(
                "enable_nested_tensor is True, but self.use_nested_tensor is False because "
                + unusual,
                stacklevel=2,
            )
            self.use_nested_tensor = False

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """Same shape as `src`. `mask`: (t, t). `src_key_padding_mask`: (b, t)."""
        padding = added_mask(src_key_padding_mask, "src_key_padding_mask", src, mask, "mask")
        mask = added_mask(mask, "mask", src)
        hidden = self._hidden_rows(src, mask, padding)
        if hidden is not None:
            padding = added_mask(hidden, "src_key_padding_mask", src)
        first: Any = self.layers[0]
        causal = _is_causal(mask, is_causal, src, first.self_attn.batch_first)
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if hidden is not None:
            output = output.masked_fill(hidden.unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _hidden_rows(self, src: Tensor, mask: Any, padding: Any) -> Tensor | None:
        """(b, t): the rows that PyTorch leaves out of what it computes, or None."""
        first: Any = self.layers[0]
        usual = self.use_nested_tensor and not first.training and src.dim() == 3
        if not usual or mask is not None or padding is None:
            return None
        if is_grad_enabled() and any(one.requires_grad for one in (src, *first.parameters())):
            return None
        there = padding == 0
        hidden: Tensor = arange(src.size(1)) >= there.sum(1, keepdim=True)
        if self.mask_check and bool((hidden == there).any()):
            return None
        if bool(hidden.all()):
            raise RuntimeError(
                "to_padded_tensor: at least one constituent tensor should have non-zero numel"
            )
        return hidden


def _unusual(layer: Any) -> str:
    """What keeps PyTorch from its kernel of a whole layer, '' where nothing does."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer was not TransformerEncoderLayer"
    attention: Any = layer.self_attn
    reasons = [
        (layer.norm_first, "norm_first was True"),
        (
            not attention.batch_first,
            "self_attn.batch_first was not True(use batch_first for better inference performance)",
        ),
        (attention.in_proj_bias is None, "self_attn was passed bias=False"),
        (not attention._qkv_same_embed_dim, "self_attn._qkv_same_embed_dim was not True"),
        (not layer.activation_relu_or_gelu, "activation_relu_or_gelu was not True"),
        (layer.norm1.eps != layer.norm2.eps, "norm1.eps was not equal to encoder_layer.norm2.eps"),
        (attention.num_heads % 2 == 1, "self_attn.num_heads is odd"),
    ]
    return next((f"encoder_layer.{text}" for holds, text in reasons if holds), "")


class TransformerDecoder(Module):
    """Copies of a decoder layer, one after the other, and `norm` at the end.

    Args: `decoder_layer`, `num_layers`, `norm` (a module or None). Shapes as of the layer.

    >>> import seegrad as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, 2, dim_feedforward=16)
    >>> decoder = torch.nn.TransformerDecoder(layer, num_layers=2)
    >>> decoder(torch.ones(5, 3, 8), torch.ones(7, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    norm: Module | None

    def __init__(
        self,
        decoder_layer: TransformerDecoderLayer,
        num_layers: int,
        norm: Module | None = None,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Same shape as `tgt`. `tgt_mask`: (t, t). `memory_mask`: (t, s). Padding: (b, t), (b, s).

        `tgt_is_causal` None: it is seen in the mask whether it hides what comes later.
        """
        first: Any = self.layers[0]
        causal = _is_causal(tgt_mask, tgt_is_causal, tgt, first.self_attn.batch_first)
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder of `src` and a decoder of `tgt` that attends to what the encoder made.

    Args: `d_model`, `nhead`, `num_encoder_layers`, `num_decoder_layers`, `dim_feedforward`,
    `dropout`, `activation`, `custom_encoder` and `custom_decoder` (modules instead of the usual
    ones), `layer_norm_eps`, `batch_first`, `norm_first`, `bias`. Shapes: src (s, b, d_model), tgt
    and output (t, b, d_model), with `batch_first` b first, or without b. Raises RuntimeError where
    batches or widths differ.

    >>> import seegrad as torch
    >>> model = torch.nn.Transformer(8, 2, 1, 1, dim_feedforward=16, batch_first=True)
    >>> model(torch.ones(3, 7, 8), torch.ones(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        custom_encoder: Any | None = None,
        custom_decoder: Any | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        options: Any = {"bias": bias, "device": device, "dtype": dtype}
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        rest = {"batch_first": batch_first, "norm_first": norm_first, **options}
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            encoder_layer = TransformerEncoderLayer(*layer, **rest)
            norm = LayerNorm(d_model, eps=layer_norm_eps, **options)
            self.encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            decoder_layer = TransformerDecoderLayer(*layer, **rest)
            norm = LayerNorm(d_model, eps=layer_norm_eps, **options)
            self.decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Same shape as `tgt`. Masks are (to, from), those of padding (b, length)."""
        place = 0 if self.batch_first else 1
        if src.size(place) != tgt.size(place) and src.dim() == 3:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src,
            mask=src_mask,
            src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )
        output: Tensor = self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
        return output

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """A mask (sz, sz) that hides what comes later: -inf there, else 0.

        >>> import seegrad as torch
        >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return square_subsequent_mask(sz, device, dtype)

    def _reset_parameters(self) -> None:
        for weight in self.parameters():
            if weight.dim() > 1:
                init.xavier_uniform_(weight)
