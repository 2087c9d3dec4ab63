"""Kernels that standardise: subtract the mean, divide by the deviation, scale and shift.

They return mean and inverse deviation too, of which their gradients are made.
"""

from math import prod
from typing import Any

import numpy as np

from seegrad.arrays.blocks import Unbuffered, spans
from seegrad.arrays.reduce import sums, total_of
from seegrad.arrays.refusals import need_float

Array = Any  # an ndarray
Size = tuple[int, ...]


def squares(self: Array) -> Array:
    """The squares of the last dimension added up, which is kept."""
    return np.vecdot(self, self)[..., None]


def _centred(self: Array, eps: float, out: Array) -> tuple[Array, Array]:
    """Writes what the last dimension is less its mean; returns mean and inverse deviation."""
    count = self.dtype.type(self.shape[-1])
    mean = sums(self, self.ndim - 1) / count
    np.subtract(self, mean, out=out)
    return mean, 1 / np.sqrt(squares(out) / count + self.dtype.type(eps))


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
    lead = input.shape[: input.ndim - len(normalized_shape)]
    rows, size = prod(lead), prod(normalized_shape)
    flat = input.reshape(rows, size)
    out = np.empty((rows, size), input.dtype)
    mean, inverse = (np.empty((rows, 1), input.dtype) for _ in range(2))
    with Unbuffered(size):
        for part in spans(rows, size):
            one = out[part]
            mean[part], inverse[part] = _centred(flat[part], eps, one)
            one *= inverse[part]
            if weight is not None:
                one *= weight.reshape(size)
            if bias is not None:
                one += bias.reshape(size)
    shape = (*lead, *[1] * len(normalized_shape))
    return out.reshape(input.shape), mean.reshape(shape), inverse.reshape(shape)


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
    flat = input.reshape(batch, group, channels // group * inner)
    out = np.empty(flat.shape, input.dtype)
    mean, inverse = (np.empty((batch, group, 1), input.dtype) for _ in range(2))
    with Unbuffered(inner):
        for part in spans(batch, channels * inner):
            one = out[part]
            mean[part], inverse[part] = _centred(flat[part], eps, one)
            if weight is None:
                one *= inverse[part]
            else:
                one = one.reshape(-1, group, channels // group, inner)
                one *= inverse[part][..., None] * weight.reshape(group, channels // group, 1)
            if bias is not None:
                one = one.reshape(-1, channels, inner)
                one += bias.reshape(channels, 1)
    shape = (batch, group)
    return out.reshape(input.shape), mean.reshape(shape), inverse.reshape(shape)


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
    channels, inner = input.shape[1], prod(input.shape[2:])
    shape = (1, channels, *[1] * (input.ndim - 2))
    _check_batch(channels, weight, bias, running_mean, running_var)
    need_float(input, "batch_norm")
    out, parts = np.empty_like(input), spans(len(input), channels * inner)
    with Unbuffered(inner):
        if training:
            count = input.dtype.type(len(input) * inner)
            mean = total_of(input, (0, *range(2, input.ndim))) / count
            variance = np.zeros_like(mean)
            for part in parts:
                np.subtract(input[part], mean.reshape(shape), out=out[part])
                variance += channel_products(out[part], out[part])
            variance /= count
        else:
            mean, variance = np.array(running_mean), np.array(running_var)
            np.subtract(input, mean.reshape(shape), out=out)
        inverse = 1 / np.sqrt(variance + variance.dtype.type(eps))
        scale = (inverse if weight is None else inverse * weight).reshape(shape)
        for part in parts:
            one = out[part]
            one *= scale
            if bias is not None:
                one += bias.reshape(shape)
    return out, mean, inverse, variance


def channel_products(self: Array, other: Array) -> Array:
    """What two arrays (n, c, *) have as product, summed to (c,)."""
    if self.ndim == 2:
        return total_of(self * other, 0)
    flat = (*self.shape[:2], prod(self.shape[2:]))
    return total_of(np.vecdot(self.reshape(flat), other.reshape(flat)), 0)


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
