"""Derivatives of embedding_bag."""

from typing import Any

from seegrad.arrays.bags import MAX
from seegrad.rules.spec import general

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it


def bag_weight(
    xp: Xp,
    grad: Value,
    weight_shape: tuple[int, ...],
    indices: Value,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Value | None,
    offset2bag: Value,
    share: Value,
    frequency: Value,
    max_indices: Value,
) -> Value:
    """Each row of the table gets the gradients of its bags, as far as it counts there."""
    zeros = xp.new_zeros(grad, weight_shape)
    if mode == MAX:
        found = xp.ge(max_indices, 0)
        return xp.scatter_add(
            zeros, 0, xp.clamp_min(max_indices, 0), xp.where(found, grad, xp.zeros_like(grad))
        )
    scale = share if per_sample_weights is None else share * per_sample_weights
    if scale_grad_by_freq:
        scale = scale * frequency
    values = xp.index_select(grad, 0, offset2bag) * xp.unsqueeze(scale, 1)
    return xp.index_add(zeros, 0, indices, values, 1)


def bag_samples(
    xp: Xp, grad: Value, weight: Value, indices: Value, offset2bag: Value, share: Value
) -> Value:
    """The product of each row with the gradient of its bag."""
    rows = xp.index_select(weight, 0, indices)
    return xp.sum_dim(xp.index_select(grad, 0, offset2bag) * rows, (1,), False) * share


general(
    "embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, "
    "per_sample_weights=None, include_last_offset=False, padding_idx=-1)",
    operands="weight indices offsets per_sample_weights",
    outputs="output offset2bag share frequency max_indices",
    weight=bag_weight,
    per_sample_weights=bag_samples,
)
