"""Kernels of margins made of the input itself, and of writing into a part of a copy."""

from functools import lru_cache
from typing import Any

import numpy as np

from seegrad.arrays import views
from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.strides import storage, strided
from seegrad.arrays.strides import storage_offset as offset_of
from seegrad.errors import COPY_ON_OVERLAP

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]


@lru_cache(maxsize=256)
def _mirrored(size: int, low: int, high: int) -> Array:
    """Places of a line with margins that mirror it, its ends not repeated."""
    place = np.abs(np.arange(-low, size + high))
    return np.where(place >= size, 2 * (size - 1) - place, place)


@lru_cache(maxsize=256)
def _clamped(size: int, low: int, high: int) -> Array:
    """Places of a line with margins that repeat its ends."""
    return np.clip(np.arange(-low, size + high), 0, size - 1)


def _picked(self: Array, padding: Size, places: Any) -> Array:
    for margin in range(len(padding) // 2):
        axis = self.ndim - 1 - margin
        low, high = padding[2 * margin], padding[2 * margin + 1]
        self = self.take(places(self.shape[axis], low, high), axis)
    return self


def _added(grad: Array, self_shape: Size, padding: Size, places: Any) -> Array:
    for margin in range(len(padding) // 2):
        axis = grad.ndim - 1 - margin
        low, high = padding[2 * margin], padding[2 * margin + 1]
        wanted = places(self_shape[axis], low, high)
        lines = grad.swapaxes(0, axis)
        out = np.zeros((self_shape[axis], *lines.shape[1:]), grad.dtype)
        for place, line in zip(wanted.tolist(), lines, strict=True):
            out[place] += line
        grad = out.swapaxes(0, axis)
    return np.ascontiguousarray(grad)


def reflection_pad1d(self: Array, padding: Size) -> Array:
    """Margins that mirror what is inside; from the last dimension on, a pair for each."""
    for margin in range(len(padding) // 2):
        axis = self.ndim - 1 - margin
        low, high = padding[2 * margin], padding[2 * margin + 1]
        if max(low, high) >= self.shape[axis]:
            raise RuntimeError(
                f"Argument #{4 + 2 * margin}: Padding size should be less than the corresponding "
                f"input dimension, but got: padding ({low}, {high}) at dimension {axis} of input "
                f"{list(self.shape)}"
            )
    return _picked(self, padding, _mirrored)


def replication_pad1d(self: Array, padding: Size) -> Array:
    """Margins that repeat the outermost slices."""
    return _picked(self, padding, _clamped)


def reflection_pad_backward(grad_output: Array, self_shape: Size, padding: Size) -> Array:
    """The gradient of the margins added to what they mirrored."""
    return _added(grad_output, self_shape, padding, _mirrored)


def replication_pad_backward(grad_output: Array, self_shape: Size, padding: Size) -> Array:
    """The gradient of the margins added to what they repeated."""
    return _added(grad_output, self_shape, padding, _clamped)


reflection_pad2d = reflection_pad3d = reflection_pad1d
replication_pad2d = replication_pad3d = replication_pad1d


def _written(part: Array, out: Array, src: Array) -> Array:
    if part.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. "
            f"src size = {list(src.shape)}, slice size = {list(part.shape)}"
        )
    part[...] = src
    return out


def select_scatter(self: Array, src: Array, dim: int, index: int) -> Array:
    """A copy with one slice replaced."""
    out = self.copy()
    return _written(views.select(out, dim, index), out, src)


def slice_scatter(
    self: Array,
    src: Array,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Array:
    """A copy with a range of slices replaced."""
    out = self.copy()
    wrap_dim(dim, self.ndim)
    return _written(views.slice(out, dim, start, end, step), out, src)


def diagonal_scatter(
    self: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Array:
    """A copy with a diagonal replaced."""
    out = self.copy()
    part = views.diagonal(out, offset, dim1, dim2)
    return _written(part, out, src)


def as_strided_scatter(
    self: Array,
    src: Array,
    size: Size,
    stride: Size,
    storage_offset: int,
    base_stride: Size,
    base_offset: int,
) -> Array:
    """A copy of the memory that `self` looks at, of which a strided view is replaced."""
    owner, item = storage(self), self.itemsize
    memory = strided(owner, (owner.size,), (owner.itemsize,)).copy()
    out = np.ndarray(self.shape, self.dtype, memory, offset_of(self) * item, self.strides)
    part = views.as_strided(out, size, stride, storage_offset, base_stride, base_offset)
    if part.size > 1 and any(n > 1 and not step for n, step in zip(size, stride, strict=True)):
        raise RuntimeError(COPY_ON_OVERLAP)
    return _written(part, out, src)


def channel_shuffle(self: Array, groups: int) -> Array:
    """The first channel of every group, then the second ones ..."""
    if self.ndim < 3:
        raise RuntimeError(
            "channel_shuffle expects input with > 2 dims, but got input with sizes "
            f"{list(self.shape)}"
        )
    channels = self.shape[1]
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    if channels % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {channels} channels and "
            f"{groups} groups."
        )
    split = self.reshape(self.shape[0], groups, channels // groups, *self.shape[2:])
    return np.ascontiguousarray(split.swapaxes(1, 2)).reshape(self.shape)


def pixel_shuffle(self: Array, upscale_factor: int) -> Array:
    """Groups of channels as blocks of pixels."""
    _check_image("pixel_shuffle", self)
    *lead, channels, height, width = self.shape
    factor = upscale_factor
    if factor <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {factor}")
    if channels % (factor * factor):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={channels} is not divisible by "
            f"{factor * factor}"
        )
    left = channels // (factor * factor)
    apart = self.reshape(*lead, left, factor, factor, height, width)
    n = len(lead)
    blocks = apart.transpose(*range(n + 1), n + 3, n + 1, n + 4, n + 2)
    return np.ascontiguousarray(blocks).reshape(*lead, left, height * factor, width * factor)


def pixel_unshuffle(self: Array, downscale_factor: int) -> Array:
    """Blocks of pixels as groups of channels."""
    _check_image("pixel_unshuffle", self)
    *lead, channels, height, width = self.shape
    factor = downscale_factor
    if factor <= 0:
        raise RuntimeError(
            f"pixel_unshuffle expects a positive downscale_factor, but got {factor}"
        )
    for name, place, size in (("height", -2, height), ("width", -1, width)):
        if size % factor:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but "
                f"input.size({place})={size} is not divisible by {factor}"
            )
    high, wide = height // factor, width // factor
    apart = self.reshape(*lead, channels, high, factor, wide, factor)
    n = len(lead)
    blocks = apart.transpose(*range(n + 1), n + 2, n + 4, n + 1, n + 3)
    made = np.ascontiguousarray(blocks)
    return made.reshape(*lead, channels * factor * factor, high, wide)


def _check_image(name: str, self: Array) -> None:
    if self.ndim < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {self.ndim} "
            "dimension(s)"
        )
