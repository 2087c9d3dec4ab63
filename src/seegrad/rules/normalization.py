"""Derivatives of standardising over dimensions, as layer, group and batch norm do.

Forward passes save mean and inverse deviation, which are functions of the input. `normalized` and
`inverse_deviation` are given them, and differentiate as the functions of `self` that they are: so
these rules are right at every order, and cost no second pass to find the mean.
"""

import math
from typing import Any

from seegrad.arrays.normalization_back import (
    batch_norm_backward,
    group_norm_backward,
    layer_norm_backward,
)
from seegrad.arrays.reduce import count_of
from seegrad.rules.shape import reshaped
from seegrad.rules.spec import general

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Dims = tuple[int, ...]


def normalized_back(
    xp: Xp, grad: Value, self: Value, mean: Value, inverse: Value, dim: Dims
) -> Value:
    """`r (grad - mean(grad) - y mean(grad y))`, r the inverse deviation and y the result."""
    y = xp.normalized(self, mean, inverse, dim)
    scale = xp.inverse_deviation(self, mean, inverse, dim)
    rest = y * xp.mean_dim(grad * y, dim, True)
    return scale * (grad - xp.mean_dim(grad, dim, True) - rest)


def inverse_deviation_back(
    xp: Xp, grad: Value, self: Value, mean: Value, inverse: Value, dim: Dims
) -> Value:
    """`-r^2 y / n`."""
    scale = xp.inverse_deviation(self, mean, inverse, dim)
    y = xp.normalized(self, mean, inverse, dim)
    return -grad * scale * scale * y / count_of(self.shape, dim)


general(
    "normalized(self, mean, inverse, dim)",
    operands="self mean inverse",
    fused=True,
    self=normalized_back,
)
general(
    "inverse_deviation(self, mean, inverse, dim)",
    operands="self mean inverse",
    fused=True,
    self=inverse_deviation_back,
)


def last(ndim: int, count: int) -> Dims:
    """The last dimensions."""
    return tuple(range(ndim - count, ndim))


def layer_input(
    xp: Xp,
    grad: Value,
    input: Value,
    weight: Value | None,
    normalized_shape: Dims,
    result1: Value,
    result2: Value,
) -> Value:
    """That of standardising, of the gradient times the weight."""
    inner = grad if weight is None else grad * weight
    dims = last(input.ndim, len(normalized_shape))
    return normalized_back(xp, inner, input, result1, result2, dims)


def layer_weight(
    xp: Xp, grad: Value, input: Value, normalized_shape: Dims, result1: Value, result2: Value
) -> Value:
    """The gradient times what was scaled; the loop sums it to the weight's shape."""
    dims = last(input.ndim, len(normalized_shape))
    return grad * xp.normalized(input, result1, result2, dims)


general(
    "native_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05)",
    outputs="result0 result1 result2",
    fused=True,
    fast=layer_norm_backward,
    input=layer_input,
    weight=layer_weight,
    bias=lambda xp, grad: grad,
)


def channels_of(xp: Xp, value: Value, ndim: int) -> Value:
    """(c,) as (c, 1, ...), which broadcasts along (n, c, *)."""
    return xp.view(value, (*value.shape, *[1] * (ndim - 2)))


def group_input(
    xp: Xp, grad: Value, input: Value, weight: Value | None, result1: Value, result2: Value
) -> Value:
    """That of standardising the groups, of the gradient times the weight."""
    inner = grad if weight is None else grad * channels_of(xp, weight, input.ndim)
    mean, inverse = xp.unsqueeze(result1, 2), xp.unsqueeze(result2, 2)
    flat, inner = (in_groups(xp, value, result1.shape) for value in (input, inner))
    return xp.view(normalized_back(xp, inner, flat, mean, inverse, (2,)), input.shape)


def in_groups(xp: Xp, value: Value, groups: Dims) -> Value:
    """(n, c, *) as (n, groups, rest)."""
    rest = math.prod(value.shape) // max(math.prod(groups), 1)
    return reshaped(xp, value, (*groups, rest))


def group_weight(xp: Xp, grad: Value, input: Value, result1: Value, result2: Value) -> Value:
    """The gradient times what was scaled, summed over all but channels."""
    mean, inverse = xp.unsqueeze(result1, 2), xp.unsqueeze(result2, 2)
    flat = in_groups(xp, input, result1.shape)
    y = xp.view(xp.normalized(flat, mean, inverse, (2,)), input.shape)
    return per_channel(xp, grad * y)


def per_channel(xp: Xp, value: Value) -> Value:
    """(n, c, *) summed to (c,)."""
    return xp.sum_dim(value, (0, *range(2, value.ndim)), False)


general(
    "native_group_norm(input, weight=None, bias=None, N=0, C=0, HxW=0, group=1, eps=1e-05)",
    outputs="result0 result1 result2",
    fused=True,
    fast=group_norm_backward,
    input=group_input,
    weight=group_weight,
    bias=lambda xp, grad: per_channel(xp, grad),
)


def batch_input(
    xp: Xp,
    grad: Value,
    input: Value,
    weight: Value | None,
    training: bool,
    result1: Value,
    result2: Value,
) -> Value:
    """That of standardising while training; later statistics are constant."""
    if training:
        dims = (0, *range(2, input.ndim))
        mean, inverse = (channels_of(xp, value, input.ndim) for value in (result1, result2))
        inner = normalized_back(xp, grad, input, mean, inverse, dims)
    else:
        inner = grad * channels_of(xp, result2, input.ndim)
    return inner if weight is None else inner * channels_of(xp, weight, input.ndim)


def batch_weight(
    xp: Xp,
    grad: Value,
    input: Value,
    training: bool,
    result1: Value,
    result2: Value,
) -> Value:
    """The gradient times what was scaled, summed over all but channels."""
    mean, inverse = (channels_of(xp, value, input.ndim) for value in (result1, result2))
    if training:
        y = xp.normalized(input, mean, inverse, (0, *range(2, input.ndim)))
    else:
        y = (input - mean) * inverse
    return per_channel(xp, grad * y)


general(
    "native_batch_norm(input, weight=None, bias=None, running_mean=None, running_var=None, "
    "training=True, momentum=0.1, eps=1e-05)",
    operands="input weight bias running_mean running_var",
    outputs="result0 result1 result2 variance",
    fused=True,
    fast=batch_norm_backward,
    input=batch_input,
    weight=batch_weight,
    bias=lambda xp, grad: per_channel(xp, grad),
)
