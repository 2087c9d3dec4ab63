"""Derivatives of attention: the products of queries and keys compete, and weigh the values."""

from typing import Any

from seegrad.arrays.attention import flash_attention_backward
from seegrad.rules.activations import softmax_self
from seegrad.rules.shape import reshaped
from seegrad.rules.spec import general

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it

general(
    "safe_softmax(self, dim)",
    fused=True,
    self=lambda xp, grad, result, dim: softmax_self(xp, grad, result, dim),
)


def product(xp: Xp, left: Value, right: Value) -> Value:
    """The matrix product of (n, h, a, b) and (n, h, b, c)."""
    batch, heads, rows, inner = left.shape
    columns = right.shape[3]
    one = reshaped(xp, left, (batch * heads, rows, inner))
    two = reshaped(xp, right, (batch * heads, inner, columns))
    return reshaped(xp, xp.bmm(one, two), (batch, heads, rows, columns))


def for_each_head(xp: Xp, query: Value, shared: Value) -> Value:
    """Keys or values (n, heads, s, e), repeated for the heads of queries that share them."""
    batch, heads, *rest = shared.shape
    groups = query.shape[1] // heads
    if groups == 1:
        return shared
    many = xp.expand(xp.unsqueeze(shared, 2), (batch, heads, groups, *rest))
    return reshaped(xp, many, (batch, heads * groups, *rest))


def summed(xp: Xp, grad: Value, shape: tuple[int, ...]) -> Value:
    """The way back: the gradients of heads that share are added up."""
    batch, heads, *rest = shape
    groups = grad.shape[1] // heads
    if groups == 1:
        return grad
    return xp.sum_dim(reshaped(xp, grad, (batch, heads, groups, *rest)), (2,), False)


def attention(xp: Xp, query: Value, key: Value, attn_mask: Value | None, scale: float) -> Value:
    """What each place of the queries gives to each of the keys, (n, h, l, s)."""
    scores = product(xp, query, for_each_head(xp, query, key).mT) * scale
    return xp.safe_softmax(scores if attn_mask is None else scores + attn_mask, 3)


def scores_back(
    xp: Xp,
    grad: Value,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None,
    scale: float,
) -> Value:
    """The gradient of the products of queries and keys."""
    weights = attention(xp, query, key, attn_mask, scale)
    back = product(xp, grad, for_each_head(xp, query, value).mT)
    return softmax_self(xp, back, weights, 3) * scale


def query_back(
    xp: Xp,
    grad: Value,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None,
    scale: float,
) -> Value:
    """The keys, as far as their products count."""
    back = scores_back(xp, grad, query, key, value, attn_mask, scale)
    return product(xp, back, for_each_head(xp, query, key))


def key_back(
    xp: Xp,
    grad: Value,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None,
    scale: float,
) -> Value:
    """The queries, as far as their products count."""
    back = scores_back(xp, grad, query, key, value, attn_mask, scale)
    return summed(xp, product(xp, back.mT, query), key.shape)


# PyTorch's name of what is one kernel on the CPU; its `scale` is None where it is the usual one.
general(
    "flash_attention(query, key, value, dropout_p, is_causal, attn_mask=None, scale=1.0)",
    node="ScaledDotProductFlashAttentionForCpuBackward0",
    operands="query key value attn_mask",
    outputs="output logsumexp",
    fused=True,
    fast=flash_attention_backward,
    query=query_back,
    key=key_back,
    value=lambda xp, grad, query, key, value_shape, attn_mask, scale: summed(
        xp, product(xp, attention(xp, query, key, attn_mask, scale).mT, grad), value_shape
    ),
)
