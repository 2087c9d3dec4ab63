"""Attention of several heads, as `torch.nn.MultiheadAttention` computes it."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.activations import softmax
from seegrad.ops.attention import scaled_dot_product_attention
from seegrad.ops.calls import public
from seegrad.ops.dropout import dropout
from seegrad.ops.join import cat, chunk, split
from seegrad.ops.linalg import baddbmm, bmm, linear
from seegrad.ops.reduce import mean
from seegrad.ops.shape import pad

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Return attention of several heads, and the weights if they are wanted.

    `query`: (l, n, e). `key`, `value`: (s, n, ...). Without n all of them have one dimension less.
    `key_padding_mask`: (n, s), True for keys that do not count. `attn_mask`: (l, s) or
    (n * num_heads, l, s), True where a key does not count, or numbers that are added. Returns
    (l, n, e), and weights (n, l, s), or (n, num_heads, l, s) where they are not averaged.

    >>> import seegrad as torch
    >>> x, w = torch.ones(2, 1, 4), torch.eye(4)
    >>> weights = {"in_proj_weight": torch.cat([w, w, w]), "in_proj_bias": None}
    >>> rest = {"bias_k": None, "bias_v": None, "add_zero_attn": False, "dropout_p": 0.0}
    >>> out, share = torch.nn.functional.multi_head_attention_forward(
    ...     x, x, x, 4, 2, **weights, **rest, out_proj_weight=w, out_proj_bias=None)
    >>> share
    tensor([[[0.5000, 0.5000],
             [0.5000, 0.5000]]])
    """
    batched = _is_batched(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = (op.unsqueeze(one, 1) for one in (query, key, value))
        if key_padding_mask is not None:
            key_padding_mask = op.unsqueeze(key_padding_mask, 0)
    length, batch, width = query.shape
    head = width // num_heads
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    # The hint alone is used where neither weights nor padding ask for the mask.
    hinted = is_causal and key_padding_mask is None and not need_weights
    key_padding_mask = added_mask(
        key_padding_mask, "key_padding_mask", query, attn_mask, "attn_mask"
    )
    attn_mask = None if hinted else added_mask(attn_mask, "attn_mask", query)
    if use_separate_proj_weight:
        biases = (None,) * 3 if in_proj_bias is None else chunk(in_proj_bias, 3)
        q, k, v = (
            linear(one, weight, bias)  # type: ignore[arg-type]
            for one, weight, bias in zip(
                (query, key, value),
                (q_proj_weight, k_proj_weight, v_proj_weight),
                biases,
                strict=True,
            )
        )
    else:
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    attn_mask = _masked(attn_mask, length, k.shape[0], batch * num_heads)
    if bias_k is not None and bias_v is not None:
        k = cat([k, op.repeat(bias_k, (1, batch, 1))])
        v = cat([v, op.repeat(bias_v, (1, batch, 1))])
        attn_mask, key_padding_mask = _longer(attn_mask), _longer(key_padding_mask)
    rows = batch * num_heads
    q = op.transpose(op.view(q, (length, rows, head)), 0, 1)
    k = _heads(k, rows, head) if static_k is None else static_k
    v = _heads(v, rows, head) if static_v is None else static_v
    if add_zero_attn:
        k, v = (cat([one, wrap(np.zeros((rows, 1, head), one._array.dtype))], 1) for one in (k, v))
        attn_mask, key_padding_mask = _longer(attn_mask), _longer(key_padding_mask)
    keys = k.shape[1]
    attn_mask = _merged(attn_mask, key_padding_mask, batch, num_heads, keys)
    drop = dropout_p if training else 0.0
    sizes = (batch, num_heads, length, keys, head)
    if need_weights:
        out, weights = _weighed(q, k, v, attn_mask, drop, sizes)
    else:
        out, weights = _attended(q, k, v, attn_mask, drop, hinted, sizes), None
    out = op.view(linear(out, out_proj_weight, out_proj_bias), (length, batch, width))
    if weights is not None and average_attn_weights:
        weights = mean(weights, dim=1)
    if not batched:
        out = op.squeeze_dim(out, 1)
        weights = None if weights is None else op.squeeze_dim(weights, 0)
    return out, weights


def _is_batched(
    query: Any, key: Any, value: Any, key_padding_mask: Any, attn_mask: Any, num_heads: int
) -> bool:
    """Whether there is a dimension of the batch; the tensors have to agree."""
    if query.ndim not in (2, 3):
        raise AssertionError(
            "query should be unbatched 2D or batched 3D tensor but received "
            f"{query.ndim}-D query tensor"
        )
    batched = bool(query.ndim == 3)
    rank, word = (3, "batched") if batched else (2, "unbatched")
    if key.ndim != rank or value.ndim != rank:
        raise AssertionError(
            f"For {word} ({rank}-D) `query`, expected `key` and `value` to be {rank}-D but found "
            f"{key.ndim}-D and {value.ndim}-D tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.ndim != rank - 1:
        raise AssertionError(
            f"For {word} ({rank}-D) `query`, expected `key_padding_mask` to be `None` or "
            f"{rank - 1}-D but found {key_padding_mask.ndim}-D tensor instead"
        )
    if attn_mask is not None and attn_mask.ndim not in (2, 3):
        raise AssertionError(
            f"For {word} ({rank}-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D but "
            f"found {attn_mask.ndim}-D tensor instead"
        )
    if not batched and attn_mask is not None and attn_mask.ndim == 3:
        wanted = (num_heads, query.shape[0], key.shape[0])
        if tuple(attn_mask.shape) != wanted:
            raise AssertionError(
                f"Expected `attn_mask` shape to be {wanted} but got {attn_mask.shape}"
            )
    return batched


def _check_sizes(
    query: Any, key: Any, value: Any, wanted: int, num_heads: int, separate: bool
) -> None:
    width = query.shape[-1]
    if width != wanted:
        raise AssertionError(f"was expecting embedding dimension of {wanted}, but got {width}")
    if width // num_heads * num_heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    if separate:
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's "
                f"{value.shape[:2]}"
            )
    elif key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")


def added_mask(mask: Any, name: str, query: Any, other: Any = None, other_name: str = "") -> Any:
    """A mask as numbers to add: -inf where it is True. PyTorch wants `other` of the same type."""
    if mask is None:
        return mask
    if not mask.dtype.is_floating_point and mask._array.dtype != np.bool_:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if other is not None and other.dtype is not mask.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. "
            "Use same type for both instead.",
            stacklevel=4,
        )
    if mask.dtype.is_floating_point:
        return mask
    return wrap(np.where(mask._array, -np.inf, 0).astype(query._array.dtype))


def _projected(query: Any, key: Any, value: Any, weight: Any, bias: Any) -> Any:
    """The three products with the parts of one weight; one product where they share an input."""
    width = query.shape[-1]
    if key is value:
        if query is key:
            joined = linear(query, weight, bias)
            parts = op.view(joined, (*joined.shape[:-1], 3, width))
            parts = op.squeeze_dim(op.transpose(op.unsqueeze(parts, 0), 0, -2), -2)
            parts = op.clone(parts, "contiguous")
            return tuple(op.select(parts, 0, place) for place in range(3))
        first, rest = split(weight, [width, width * 2])
        one, two = (None, None) if bias is None else split(bias, [width, width * 2])
        q, joined = linear(query, first, one), linear(key, rest, two)
        parts = op.view(joined, (*joined.shape[:-1], 2, width))
        parts = op.squeeze_dim(op.transpose(op.unsqueeze(parts, 0), 0, -2), -2)
        parts = op.clone(parts, "contiguous")
        return q, op.select(parts, 0, 0), op.select(parts, 0, 1)
    biases = (None,) * 3 if bias is None else chunk(bias, 3)
    parts = zip((query, key, value), chunk(weight, 3), biases, strict=True)
    return tuple(linear(one, factor, shift) for one, factor, shift in parts)


def _masked(attn_mask: Any, length: int, keys: int, rows: int) -> Any:
    """The mask with a dimension for the heads."""
    if attn_mask is None:
        return None
    wanted = (length, keys) if attn_mask.ndim == 2 else (rows, length, keys)
    if tuple(attn_mask.shape) != wanted:
        rank = attn_mask.ndim
        raise RuntimeError(
            f"The shape of the {rank}D attn_mask is {attn_mask.shape}, but should be {wanted}."
        )
    return op.unsqueeze(attn_mask, 0) if attn_mask.ndim == 2 else attn_mask


def _longer(mask: Any) -> Any:
    """One key more, which counts."""
    return None if mask is None else pad(mask, (0, 1))


def _heads(one: Any, rows: int, head: int) -> Any:
    """(s, n, e) as (n * num_heads, s, head)."""
    return op.transpose(op.view(one, (one.shape[0], rows, head)), 0, 1)


def _merged(attn_mask: Any, padding: Any, batch: int, heads: int, keys: int) -> Any:
    """Both masks together."""
    if padding is None:
        return attn_mask
    for axis, size in enumerate((batch, keys)):
        if padding.shape[axis] != size:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{axis}] to be {size}, but got "
                f"{padding.shape[axis]}"
            )
    wide = op.expand(op.view(padding, (batch, 1, 1, keys)), (-1, heads, -1, -1))
    wide = op.view(op.clone(wide, "contiguous"), (batch * heads, 1, keys))
    return wide if attn_mask is None else op.add(attn_mask, wide)


def _weighed(q: Any, k: Any, v: Any, mask: Any, drop: float, sizes: tuple[int, ...]) -> Any:
    """The result as rows, and the weights of all heads."""
    batch, heads, length, keys, head = sizes
    scaled = op.mul(q, math.sqrt(1.0 / head))
    turned = op.transpose(k, -2, -1)
    scores = bmm(scaled, turned) if mask is None else baddbmm(mask, scaled, turned)
    weights = softmax(scores, -1)
    if drop > 0:
        weights = dropout(weights, drop)
    out = bmm(weights, v)
    rows = op.clone(op.transpose(out, 0, 1), "contiguous")
    out = op.unsafe_view(rows, (length * batch, heads * head))
    return out, op.view(weights, (batch, heads, length, keys))


def _attended(
    q: Any, k: Any, v: Any, mask: Any, drop: float, is_causal: bool, sizes: tuple[int, ...]
) -> Any:
    """The result as rows, without weights."""
    batch, heads, length, keys, head = sizes
    if mask is not None:
        if mask.shape[0] == 1 and mask.ndim == 3:
            mask = op.unsqueeze(mask, 0)
        else:
            mask = op.view(mask, (batch, heads, -1, keys))
    q = op.view(q, (batch, heads, length, head))
    k, v = (op.view(one, (batch, heads, keys, head)) for one in (k, v))
    out = scaled_dot_product_attention(q, k, v, mask, drop, is_causal)
    rows = op.permute(out, (2, 0, 1, 3))
    if not rows._array.flags.c_contiguous:
        rows = op.clone(rows, "contiguous")
    return op.view(rows, (batch * length, heads * head))
