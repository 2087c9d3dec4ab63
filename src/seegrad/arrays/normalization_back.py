"""Kernels of the gradients of norms, all of one norm in one go.

The formulas stand in `rules/normalization.py` (Note [Fast] in `rules/spec.py`).
With y the standardised input, r the inverse deviation and w the weight:

    input: r (w grad - mean(w grad) - y mean(w grad y))    weight: sum(grad y)    bias: sum(grad)

They go through memory a block at a time.
"""

from math import prod
from typing import Any

import numpy as np

from seegrad.arrays.blocks import BLOCK, Unbuffered, spans
from seegrad.arrays.normalization import channel_products
from seegrad.arrays.reduce import sums, total_of

Array = Any  # an ndarray
Size = tuple[int, ...]
Gradients = tuple[Array | None, Array | None, Array | None]


def layer_norm_backward(
    grad: Array,
    wanted: tuple[bool, bool, bool],
    input: Array,
    weight: Array | None,
    normalized_shape: Size,
    result1: Array,
    result2: Array,
) -> Gradients:
    """Rows are standardised, and each element of a row has its weight."""
    size = prod(normalized_shape)
    rows = prod(input.shape[: input.ndim - len(normalized_shape)])
    flat, grad = input.reshape(rows, size), grad.reshape(rows, size)
    mean, inverse = result1.reshape(rows, 1), result2.reshape(rows, 1)
    factors = (np.ones(size, input.dtype) if weight is None else weight).reshape(size, 1)
    ones = np.ones(min(rows, BLOCK), input.dtype)
    to_input = np.empty((rows, size), input.dtype) if wanted[0] else None
    to_weight, to_bias = (np.zeros(size, input.dtype) if want else None for want in wanted[1:])
    with Unbuffered(size):
        for part in spans(rows, size):
            slope, scale = grad[part], inverse[part]
            apart = flat[part] - mean[part]
            along = slope * apart
            if to_weight is not None:
                to_weight += np.matmul(scale.T, along)[0]
            if to_bias is not None:
                to_bias += np.matmul(ones[: len(slope)], slope)
            if to_input is not None:
                out = to_input[part]
                np.multiply(slope, factors[:, 0], out=out)
                apart *= np.matmul(along, factors) * (scale * scale / size)
                out -= apart
                out -= np.matmul(slope, factors) / size
                out *= scale
    return (
        None if to_input is None else to_input.reshape(input.shape),
        None if to_weight is None else to_weight.reshape(normalized_shape),
        None if to_bias is None else to_bias.reshape(normalized_shape),
    )


def group_norm_backward(
    grad: Array,
    wanted: tuple[bool, bool, bool],
    input: Array,
    weight: Array | None,
    result1: Array,
    result2: Array,
) -> Gradients:
    """Groups of channels are standardised, and each channel has its weight."""
    (batch, groups), channels = result1.shape, input.shape[1]
    shape = (batch, groups, channels // groups, prod(input.shape[2:]))
    flat, grad = input.reshape(shape), grad.reshape(shape)
    mean, inverse = (one.reshape(batch, groups, 1, 1) for one in (result1, result2))
    factors = None if weight is None else weight.reshape(groups, channels // groups, 1)
    count = channels // groups * shape[3]
    to_input = np.empty(shape, input.dtype) if wanted[0] else None
    to_weight, to_bias = (np.zeros((groups, channels // groups, 1), input.dtype) for _ in range(2))
    with Unbuffered(shape[3]):
        for part in spans(batch, channels * shape[3]):
            y = (flat[part] - mean[part]) * inverse[part]
            whole, along = sums(grad[part], 3), np.vecdot(grad[part], y)[..., None]
            to_weight += total_of(along, 0)
            to_bias += total_of(whole, 0)
            if to_input is not None:
                out = to_input[part]
                if factors is None:
                    out[...] = grad[part]
                else:
                    np.multiply(grad[part], factors, out=out)
                    whole, along = whole * factors, along * factors
                out -= total_of(whole, 2, None, None, True) / count
                y *= total_of(along, 2, None, None, True) / count
                out -= y
                out *= inverse[part]
    return (
        None if to_input is None else to_input.reshape(input.shape),
        to_weight.reshape(channels) if wanted[1] else None,
        to_bias.reshape(channels) if wanted[2] else None,
    )


def batch_norm_backward(
    grad: Array,
    wanted: tuple[bool, bool, bool],
    input: Array,
    weight: Array | None,
    training: bool,
    result1: Array,
    result2: Array,
) -> Gradients:
    """Each channel is standardised over the batch; later by constants."""
    channels, inner = input.shape[1], prod(input.shape[2:])
    shape = (1, channels, *[1] * (input.ndim - 2))
    whole = total_of(grad, (0, *range(2, grad.ndim)))
    apart, along = np.empty_like(input), np.zeros_like(result2)
    parts = spans(len(input), channels * inner)
    with Unbuffered(inner):
        for part in parts:
            np.subtract(input[part], result1.reshape(shape), out=apart[part])
            along += channel_products(grad[part], apart[part])
        along *= result2
        if wanted[0]:
            count = len(input) * inner
            slope = (result2 if weight is None else result2 * weight).reshape(shape)
            slant, shift = (
                (-along * result2 / count).reshape(shape),
                (whole / count).reshape(shape),
            )
            for part in parts:
                one = apart[part]
                if training:
                    one *= slant
                    one += grad[part]
                    one -= shift
                    one *= slope
                else:
                    np.multiply(grad[part], slope, out=one)
    return (
        apart if wanted[0] else None,
        along if wanted[1] else None,
        whole if wanted[2] else None,
    )
