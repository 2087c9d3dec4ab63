"""Kernels of attention."""

from typing import Any

import numpy as np

from seegrad.arrays.activations import exponentials, softmax
from seegrad.arrays.reduce import largest_of, total_of
from seegrad.arrays.refusals import need_float
from seegrad.arrays.strides import dense_like

Array = Any  # an ndarray


def safe_softmax(self: Array, dim: int) -> Array:
    """Softmax, with zeros where everything is -inf."""
    need_float(self, "softmax_lastdim_kernel_impl")
    if not self.size:
        return np.zeros_like(self)
    nothing = largest_of(self, dim, None, None, True) == -np.inf
    out = softmax(self, dim)
    np.copyto(out, 0, where=nothing)
    return out


BLOCK = 1 << 17  # products that are held at a time, so that they stay in the cache


def flash_attention(
    query: Array,
    key: Array,
    value: Array,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Array | None,
    scale: float,
) -> tuple[Array, Array]:
    """The values weighed by softmax of the products, (n, h, l, e), and the sums' logarithms."""
    key, value = _for_each_head(query, key), _for_each_head(query, value)
    # Laid out as the query, so that heads which came of one row are joined without a copy.
    out = dense_like(query, query.dtype)
    logsumexp = np.empty(query.shape[:3], query.dtype)
    for part in _parts(query, key):
        scores = _scores(query, key, attn_mask, scale, part)
        weights = np.empty_like(scores)
        shift, total = exponentials(scores, -1, weights)
        logsumexp[part] = (np.log(total) + shift)[..., 0]
        total[total == 0] = 1
        # The result is smaller than the weights, or about as large.
        np.matmul(weights, value[part], out=out[part])
        out[part] /= total
    return out, logsumexp


def _for_each_head(query: Array, shared: Array) -> Array:
    """Keys or values, repeated for the heads of queries that share them."""
    groups = query.shape[1] // shared.shape[1]
    return shared if groups == 1 else np.repeat(shared, groups, 1)


def _parts(query: Array, key: Array) -> list[tuple[Any, ...]]:
    """The indices of groups of heads whose products are few enough."""
    batch, heads, rows = query.shape[:3]
    each = max(1, rows * key.shape[2])
    if each * heads <= BLOCK:
        step = BLOCK // (each * heads)
        return [(slice(first, first + step),) for first in range(0, batch, step)]
    step = max(1, BLOCK // each)
    return [
        (n, slice(first, first + step)) for n in range(batch) for first in range(0, heads, step)
    ]


def _scores(
    query: Array, key: Array, attn_mask: Array | None, scale: float, part: tuple[Any, ...]
) -> Array:
    """The products of queries and keys of some heads, masked."""
    scores = np.matmul(query[part] * query.dtype.type(scale), key[part].mT)
    if attn_mask is not None:
        shape = (*query.shape[:3], key.shape[2])
        scores += np.broadcast_to(attn_mask, shape)[part]
    return scores


def flash_attention_backward(
    grad: Array,
    wanted: tuple[bool, ...],
    query: Array,
    key: Array,
    value: Array,
    attn_mask: Array | None,
    scale: float,
    output: Array,
    logsumexp: Array,
) -> tuple[Array | None, ...]:
    """The gradients of queries, keys and values, from weights that are computed once more."""
    given = (query, key, value)
    key, value = _for_each_head(query, key), _for_each_head(query, value)
    outs = tuple(
        dense_like(one, one.dtype) if want else None
        for one, want in zip((query, key, value), wanted, strict=True)
    )
    known = np.where(logsumexp == -np.inf, 0, logsumexp)[..., None]
    for part in _parts(query, key):
        weights = _scores(query, key, attn_mask, scale, part)
        weights -= known[part]
        np.exp(weights, out=weights)
        if outs[2] is not None:
            np.matmul(weights.mT, grad[part], out=outs[2][part])
        if outs[0] is None and outs[1] is None:
            continue
        back = np.matmul(grad[part], value[part].mT)
        back -= np.einsum("...e,...e->...", grad[part], output[part])[..., None]
        back *= weights
        back *= back.dtype.type(scale)
        if outs[0] is not None:
            np.matmul(back, key[part], out=outs[0][part])
        if outs[1] is not None:
            np.matmul(back.mT, query[part], out=outs[1][part])
    return tuple(
        out if out is None or out.shape == one.shape else _summed(out, one.shape)
        for out, one in zip(outs, given, strict=True)
    )


def _summed(self: Array, shape: tuple[int, ...]) -> Array:
    """(n, h, s, e) summed over heads that share: (n, heads, s, e)."""
    batch, heads, *rest = shape
    return total_of(self.reshape(batch, heads, self.shape[1] // heads, *rest), 2)
