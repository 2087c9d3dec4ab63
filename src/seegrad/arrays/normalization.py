"""Kernels that standardise: subtract the mean, divide by the deviation, scale and shift.

They return mean and inverse deviation too, of which their gradients are made.
"""

from math import prod
from typing import Any

import numpy as np

from seegrad.arrays.reduce import total_of
from seegrad.arrays.refusals import need_float

Array = Any  # an ndarray
Size = tuple[int, ...]


def _standardized(self: Array, dims: Size, eps: float) -> tuple[Array, Array, Array, Array]:
    """Standardised over dimensions, and mean, inverse deviation and variance, dims kept."""
    count = self.dtype.type(prod(self.shape[dim] for dim in dims))
    mean = total_of(self, dims, None, None, True) / count
    out = self - mean
    variance = total_of(out * out, dims, None, None, True) / count
    inverse = 1 / np.sqrt(variance + self.dtype.type(eps))
    out *= inverse
    return out, mean, inverse, variance


def _scaled(out: Array, weight: Array | None, bias: Array | None, shape: Size) -> Array:
    """Times weight and plus bias, both viewed as `shape`, in place."""
    if weight is not None:
        out *= weight.reshape(shape)
    if bias is not None:
        out += bias.reshape(shape)
    return out


def native_layer_norm(
    input: Array,
    normalized_shape: Size,
    weight: Array | None,
    bias: Array | None,
    eps: float,
) -> tuple[Array, Array, Array]:
    """Standardised over the last dimensions, which weight and bias have too."""
    _check_layer(input, normalized_shape, weight, bias)
    need_float(input, "LayerNormKernelImpl")
    dims = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    out, mean, inverse, _ = _standardized(input, dims, eps)
    return _scaled(out, weight, bias, normalized_shape), mean, inverse


def _check_layer(
    input: Array, normalized_shape: Size, weight: Array | None, bias: Array | None
) -> None:
    wanted = list(normalized_shape)
    if not wanted:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            "one element, but got normalized_shape = []"
        )
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and list(value.shape) != wanted:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of "
                f"shape {list(value.shape)} and normalized_shape = {wanted}"
            )
    if input.ndim < len(wanted) or list(input.shape[input.ndim - len(wanted) :]) != wanted:
        sizes = ", ".join(map(str, wanted))
        raise RuntimeError(
            f"Given normalized_shape={wanted}, expected input with shape [*, {sizes}], but got "
            f"input of size{list(input.shape)}"
        )
    for value in (weight, bias):
        if value is not None and value.dtype != input.dtype:
            raise RuntimeError("expected scalar type of input and parameters to be the same")


def native_group_norm(
    input: Array,
    weight: Array | None,
    bias: Array | None,
    batch: int,
    channels: int,
    inner: int,
    group: int,
    eps: float,
) -> tuple[Array, Array, Array]:
    """Standardised over groups of channels, (n, c, *)."""
    need_float(input, "GroupNormKernelImpl")
    grouped = input.reshape(batch, group, channels // group * inner)
    out, mean, inverse, _ = _standardized(grouped, (2,), eps)
    shape = (channels, *[1] * (input.ndim - 2))
    out = _scaled(out.reshape(input.shape), weight, bias, shape)
    return out, mean.reshape(batch, group), inverse.reshape(batch, group)


def native_batch_norm(
    input: Array,
    weight: Array | None,
    bias: Array | None,
    running_mean: Array | None,
    running_var: Array | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Array, Array, Array, Array]:
    """Standardised over all but the channels, (n, c, *); the last result is the variance."""
    channels = input.shape[1]
    shape = (1, channels, *[1] * (input.ndim - 2))
    _check_batch(channels, weight, bias, running_mean, running_var)
    need_float(input, "batch_norm")
    if training:
        dims = (0, *range(2, input.ndim))
        out, *found = _standardized(input, dims, eps)
        mean, inverse, variance = (value.reshape(channels) for value in found)
    else:
        mean, variance = np.array(running_mean), np.array(running_var)
        inverse = 1 / np.sqrt(variance + variance.dtype.type(eps))
        out = (input - mean.reshape(shape)) * inverse.reshape(shape)
    return _scaled(out, weight, bias, shape), mean, inverse, variance


def _check_batch(channels: int, weight: Any, bias: Any, mean: Any, variance: Any) -> None:
    for name, value in (
        ("running_mean", mean), ("running_var", variance), ("weight", weight), ("bias", bias)
    ):  # fmt: skip
        if value is not None and value.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {value.size}")


# What their gradients are made of


def normalized(self: Array, mean: Array, inverse: Array, dim: Size) -> Array:
    """Self less its mean, times its inverse deviation, both of which are known."""
    out = self - mean
    out *= inverse
    return out


def inverse_deviation(self: Array, mean: Array, inverse: Array, dim: Size) -> Array:
    """The inverse deviation, which is known."""
    return inverse.copy()
