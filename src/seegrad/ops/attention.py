"""Public functions of attention."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import cpp_type_name, float32
from seegrad.graph.tensor import requires, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.dropout import dropout
from seegrad.ops.grids import repeat_interleave
from seegrad.ops.linalg import matmul

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return values weighed by softmax of the products of queries and keys.

    `query`: (..., l, e). `key`: (..., s, e). `value`: (..., s, v). `attn_mask`: (..., l, s), True
    where a key counts, or numbers that are added. `is_causal`: a query sees no later key. `scale`:
    of the products, 1 / sqrt(e) by default. `enable_gqa`: groups of queries share a head of keys.
    Returns (..., l, v). Raises RuntimeError where shapes or types do not fit.

    >>> import seegrad as torch
    >>> x = torch.eye(2)
    >>> torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)
    tensor([[1.0000, 0.0000],
            [0.3302, 0.6698]])
    """
    _check(query, key, value, attn_mask, is_causal)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    mask = _causal(query, key) if is_causal else _additive(attn_mask, query)
    if _is_one_kernel(query, key, value, mask, dropout_p, enable_gqa):
        options = (dropout_p, is_causal, mask, factor)
        return op.flash_attention(query, key, value, *options)[0]
    if enable_gqa:
        key, value = _shared(query, key), _shared(query, value)
    if query.dtype.itemsize == 2:
        q, k, v = (op.to_copy(one, float32) for one in (query, key, value))
        return op.to_copy(_composed(q, k, v, mask, dropout_p, factor), query.dtype)
    return _composed(query, key, value, mask, dropout_p, factor)


def _composed(query: Any, key: Any, value: Any, mask: Any, dropout_p: float, factor: float) -> Any:
    """Two products and a softmax, as PyTorch's graph has them without its one kernel."""
    root = math.sqrt(factor)
    products = matmul(op.mul_scalar(query, root), op.mul_scalar(key.mT, root))
    weights = op.safe_softmax(products if mask is None else op.add(products, mask), -1)
    return matmul(dropout(weights, dropout_p) if dropout_p > 0 else weights, value)


def _check(query: Any, key: Any, value: Any, attn_mask: Any, is_causal: bool) -> None:
    three = (query, key, value)
    if not query.dtype is key.dtype is value.dtype:
        kinds = [cpp_type_name(one.dtype) for one in three]
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{kinds[0]} key.dtype: {kinds[1]} and value.dtype: {kinds[2]} instead."
        )
    if min(one.ndim for one in three) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.ndim} key.dim: {key.ndim} and value.dim: {value.ndim} instead."
        )
    if attn_mask is None:
        return
    kind = attn_mask._array.dtype
    if kind != np.bool_ and kind not in (np.float32, query._array.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {cpp_type_name(attn_mask.dtype)} and  query.dtype: "
            f"{cpp_type_name(query.dtype)} instead."
        )
    if is_causal:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )


def _shared(query: Any, other: Any) -> Any:
    """The heads repeated for the groups of queries that share them."""
    wrap_dim(-3, query.ndim)
    groups, rest = divmod(query.shape[-3], other.shape[-3])
    if rest or not groups:
        # PyTorch's sentence ends there.
        raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
    return other if groups == 1 else repeat_interleave(other, groups, -3)


def _causal(query: Any, key: Any) -> Any:
    """-inf for the keys after a query."""
    shape = (query.shape[-2], key.shape[-2])
    later = np.triu(np.ones(shape, np.bool_), 1)
    return wrap(np.where(later, -np.inf, 0).astype(query._array.dtype))


def _additive(attn_mask: Any, query: Any) -> Any:
    """A mask of what counts as numbers to add."""
    if attn_mask is None or attn_mask._array.dtype != np.bool_:
        return attn_mask
    return wrap(np.where(attn_mask._array, 0, -np.inf).astype(query._array.dtype))


def _is_one_kernel(
    query: Any, key: Any, value: Any, mask: Any, dropout_p: float, grouped: bool
) -> bool:
    """Whether PyTorch has one kernel for this on the CPU: what its graph shows."""
    four = all(one.ndim == 4 and one._array.size for one in (query, key, value))
    if not four or dropout_p > 0 or not query.dtype.is_floating_point:
        return False
    if mask is not None and (requires(mask) or mask.ndim not in (2, 4)):
        return False
    heads = query.shape[1] % key.shape[1] == 0 if grouped else query.shape[1] == key.shape[1]
    alike = query.shape[0] == key.shape[0] and heads and key.shape == value.shape
    rows = all(one._array.strides[-1] == one._array.itemsize for one in (query, key, value))
    return alike and rows and query.shape[3] == key.shape[3]
