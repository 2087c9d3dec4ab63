"""Kernels of attention."""

from typing import Any

import numpy as np

from seegrad.arrays.activations import softmax
from seegrad.arrays.refusals import need_float
from seegrad.arrays.strides import dense_like

Array = Any  # an ndarray


def safe_softmax(self: Array, dim: int) -> Array:
    """Softmax, with zeros where everything is -inf."""
    need_float(self, "softmax_lastdim_kernel_impl")
    if not self.size:
        return np.zeros_like(self)
    nothing = np.maximum.reduce(self, axis=dim, keepdims=True) == -np.inf
    out = softmax(self, dim)
    np.copyto(out, 0, where=nothing)
    return out


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
    scores = np.matmul(query, key.mT)
    scores *= scale
    if attn_mask is not None:
        scores = scores + attn_mask
    largest = np.maximum.reduce(scores, axis=-1, keepdims=True)
    largest[largest == -np.inf] = 0
    weights = np.exp(scores - largest)
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    logsumexp = (np.log(total) + largest)[..., 0]
    total[total == 0] = 1
    weights /= total
    # Laid out as the query, so that heads which came of one row are joined without a copy.
    return np.matmul(weights, value, out=dense_like(query, query.dtype)), logsumexp
