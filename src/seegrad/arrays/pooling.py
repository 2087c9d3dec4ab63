"""Kernels of pools: the largest element or the mean of every window."""

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from seegrad.arrays.refusals import need_float, need_numbers, need_order
from seegrad.arrays.windows import offsets, overlay, padded, under

Array = Any  # an ndarray
Size = tuple[int, ...]


# The largest element


def max_pool2d_with_indices(
    self: Array, kernel_size: Size, stride: Size, padding: Size, dilation: Size, ceil_mode: bool
) -> tuple[Array, Array]:
    """The largest element of every window, and where in its plane it stands."""
    return _max_pool("max_pool2d", self, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(
    self: Array, kernel_size: Size, stride: Size, padding: Size, dilation: Size, ceil_mode: bool
) -> tuple[Array, Array]:
    """The same for volumes."""
    name = "max_pool3d_with_indices"
    return _max_pool(name, self, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool(
    name: str,
    self: Array,
    kernel: Size,
    stride: Size,
    padding: Size,
    dilation: Size,
    ceil_mode: bool,
) -> tuple[Array, Array]:
    depth = len(kernel)
    _check_pool(
        self, kernel, stride, padding, dilation, "max_pool3d_with_indices_out_cpu_template"
    )
    need_numbers(self, name)
    need_order(self, name)
    sizes = self.shape[-depth:]
    count = _counted(self, kernel, stride, padding, dilation, ceil_mode)
    extra = _missing(sizes, count, kernel, stride, padding, dilation)
    large = padded(self, padding, _least(self), extra)
    firsts = [
        _first(many, jump, low, step)
        for many, jump, low, step in zip(count, stride, padding, dilation, strict=True)
    ]
    starts = [
        np.arange(many) * jump - low
        for many, jump, low in zip(count, stride, padding, strict=True)
    ]
    pieces = (
        (
            np.ascontiguousarray(large[under(offset, count, stride, dilation)]),
            [s + at * d for s, at, d in zip(starts, offset, dilation, strict=True)],
        )
        for offset in offsets(kernel)
    )
    shape = (*self.shape[:-depth], *count)
    return _largest(self, shape, firsts, prod(kernel), pieces)


def _largest(
    self: Array,
    shape: Size,
    firsts: list[Array],
    count: int,
    pieces: Iterable[tuple[Array, list[Array]]],
) -> tuple[Array, Array]:
    """The first of the largest, the last NaN, among pieces that come with their places."""
    sizes = self.shape[self.ndim - len(firsts) :]
    best = np.full(shape, _least(self), self.dtype)
    nan = self.dtype.kind == "f" and self.size and np.isnan(self.max())
    # Which piece it is, in the smallest numbers: 0 where nothing is larger than the least.
    number = np.zeros(shape, np.uint8 if count < 255 else np.uint32)
    flat = [_flat(firsts, sizes)]
    for piece, places in pieces:
        better = np.greater(piece, best)
        if nan:
            better |= np.isnan(piece)
        np.maximum(best, piece, out=best)
        np.maximum(number, better * number.dtype.type(len(flat)), out=number)
        flat.append(_flat(places, sizes))
    plane = number.reshape(prod(shape[: self.ndim - len(firsts)]), flat[0].size).astype(np.int64)
    plane *= flat[0].size
    plane += np.arange(flat[0].size)
    return best, np.stack(flat).take(plane).reshape(shape)


def _least(self: Array) -> Any:
    return -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min


def _first(count: int, jump: int, low: int, step: int) -> Array:
    """Where each window enters the input."""
    start = np.arange(count) * jump - low
    return np.where(start < 0, start % step, start)


def _flat(places: list[Array], sizes: Size) -> Array:
    """Places along each dimension as numbers of elements in a plane."""
    out: Array = np.zeros((), np.int64)
    for place, size in zip(places, sizes, strict=True):
        out = out[..., None] * size + place
    return out


def max_pool_backward(grad_output: Array, indices: Array, self_shape: Size, dims: int) -> Array:
    """Zeros with the gradients added where the largest elements stood."""
    lead = prod(self_shape[: len(self_shape) - dims])
    size = prod(self_shape[len(self_shape) - dims :])
    flat = (
        indices.reshape(lead, prod(indices.shape[len(self_shape) - dims :]))
        + np.arange(lead)[:, None] * size
    )
    out = np.zeros(lead * size, grad_output.dtype)
    np.add.at(out, flat.reshape(-1), grad_output.reshape(-1))
    return out.reshape(self_shape)


def max_pool_pick(self: Array, indices: Array, dims: int) -> Array:
    """The elements that indices into the planes name."""
    lead = self.shape[: self.ndim - dims]
    planes = self.reshape(*lead, prod(self.shape[self.ndim - dims :]))
    flat = indices.reshape(*lead, prod(indices.shape[self.ndim - dims :]))
    return np.take_along_axis(planes, flat, -1).reshape(indices.shape)


def max_unpool2d(self: Array, indices: Array, output_size: Size) -> Array:
    """Zeros with the elements put where indices into the planes name."""
    depth = len(output_size)
    if indices.dtype != np.int64:
        kind = indices.dtype.name.capitalize().replace("32", "").replace("16", "")
        found = f" but got: {kind}" if depth == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{found}")
    if self.ndim not in (depth + 1, depth + 2):
        raise RuntimeError(
            f"Input to max_unpooling{depth}d should be a {depth + 1}d or {depth + 2}d Tensor, but "
            f"got a tensor with {self.ndim} dimensions."
        )
    if self.shape != indices.shape:
        raise RuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({list(self.shape)}) but got indices tensor with shape: {list(indices.shape)}"
        )
    need_planes(self, depth, f"max_unpooling{depth}d_forward_out_cpu()", " ")
    size = prod(output_size)
    wrong = indices[(indices < 0) | (indices >= size)]
    if wrong.size and size:
        by = "x".join(map(str, output_size))
        raise RuntimeError(
            f"Found an invalid max index: {wrong[0]} (output volumes are of size {by})"
        )
    lead = self.shape[: self.ndim - depth]
    out = np.zeros((*lead, size), self.dtype)
    if not size:
        return out.reshape(*lead, *output_size)
    count = prod(self.shape[self.ndim - depth :])
    np.put_along_axis(out, indices.reshape(*lead, count), self.reshape(*lead, count), -1)
    return out.reshape(*lead, *output_size)


max_unpool3d = max_unpool2d


def need_planes(self: Array, depth: int, name: str, space: str = "") -> None:
    """Raise where a dimension has no elements, but that of the batch."""
    for dim, size in enumerate(self.shape):
        if not size and dim >= self.ndim - depth - 1:
            raise RuntimeError(
                f"{name}: Expected input to have non-zero size for non-batch dimensions, but got"
                f"{space}{list(self.shape)} with dimension {dim} being empty."
            )


# Windows that divide the input into a given number


def _edges(size: int, count: int) -> tuple[Array, Array]:
    """Where each of `count` windows begins and ends."""
    number = np.arange(count)
    return number * size // max(count, 1), -((number + 1) * -size // max(count, 1))


def adaptive_max_pool2d(self: Array, output_size: Size) -> tuple[Array, Array]:
    """The largest element of each of so many windows, and where it stands."""
    depth = len(output_size)
    need_float(self, f"adaptive_max_pool{depth}d")
    sizes = self.shape[-depth:]
    edges = [_edges(size, count) for size, count in zip(sizes, output_size, strict=True)]
    kernel = tuple(int((stop - start).max(initial=0)) for start, stop in edges)
    pieces = []
    for offset in offsets(kernel):
        # A shorter window repeats its last element.
        places = [
            np.minimum(start + at, stop - 1)
            for at, (start, stop) in zip(offset, edges, strict=True)
        ]
        pieces.append((self[(..., *np.ix_(*places))], places))
    firsts = [start for start, _ in edges]
    shape = (*self.shape[:-depth], *output_size)
    return _largest(self, shape, firsts, len(pieces), pieces)


adaptive_max_pool3d = adaptive_max_pool2d


def fractional_max_pool2d(
    self: Array, kernel_size: Size, output_size: Size, random_samples: Array
) -> tuple[Array, Array]:
    """The largest element of windows at random distances; samples (n, c, dims) from 0 to 1."""
    depth = len(kernel_size)
    sizes = self.shape[-depth:]
    batch = self if self.ndim == depth + 2 else self[None]
    starts = [
        _random_starts(random_samples[..., axis if depth == 3 else 1 - axis], size, width, count)
        for axis, (size, width, count) in enumerate(
            zip(sizes, kernel_size, output_size, strict=True)
        )
    ]
    planes = batch.reshape(*batch.shape[:2], prod(sizes))
    shape = (*batch.shape[:2], *output_size)
    best = np.full(shape, -np.inf, self.dtype)
    index = np.zeros(shape, np.int64)
    for offset in offsets(kernel_size):
        flat: Array = np.zeros(batch.shape[:2], np.int64)
        for start, at, size in zip(starts, offset, sizes, strict=True):
            new = (start + at)[(..., *[None] * (flat.ndim - 2), slice(None))]
            flat = flat[..., None] * size + new
        piece = np.take_along_axis(
            planes, flat.reshape(*shape[:2], prod(output_size)), -1
        ).reshape(shape)
        better = (piece > best) | np.isnan(piece)
        np.copyto(best, piece, where=better)
        np.copyto(index, flat, where=better)
    wanted = (*self.shape[:-depth], *output_size)
    return best.reshape(wanted), index.reshape(wanted)


def _random_starts(samples: Array, size: int, width: int, count: int) -> Array:
    """Where windows begin, (n, c, count)."""
    number = np.arange(count)
    if not count:
        return np.zeros((*samples.shape, 0), np.int64)
    if count == 1:
        return np.full((*samples.shape, 1), size - width)
    alpha = samples.dtype.type(size - width) / samples.dtype.type(count - 1)
    begin = ((number + samples[..., None]) * alpha).astype(np.int64)
    begin -= (samples[..., None] * alpha).astype(np.int64)
    begin[..., -1] = size - width
    return begin


fractional_max_pool3d = fractional_max_pool2d


# The mean


def avg_pool2d(
    self: Array,
    kernel_size: Size,
    stride: Size,
    padding: Size,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Array:
    """The mean of every window; `divisor_override` divides the sum instead of the count."""
    depth = len(kernel_size)
    one = (1,) * depth
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    _check_pool(self, kernel_size, stride, padding, one, "avg_pool3d")
    if self.dtype != np.int64:
        need_float(self, f"avg_pool{depth}d")
    count = _counted(self, kernel_size, stride, padding, one, ceil_mode)
    sizes = self.shape[-depth:]
    large = padded(self, padding, 0, _missing(sizes, count, kernel_size, stride, padding, one))
    out = np.zeros((*self.shape[:-depth], *count), self.dtype)
    for offset in offsets(kernel_size):
        out += large[under(offset, count, stride, one)]
    counts = _divisor(sizes, count, kernel_size, stride, padding, count_include_pad)
    divisor = counts if divisor_override is None else np.asarray(divisor_override)
    if out.dtype.kind == "f":
        return out / divisor.astype(out.dtype)
    return (out - np.fmod(out, divisor)) // divisor


def avg_pool_backward(
    grad_output: Array,
    self_shape: Size,
    kernel_size: Size,
    stride: Size,
    padding: Size,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Array:
    """The share of each element in the means it was part of."""
    depth = len(kernel_size)
    sizes, count = self_shape[-depth:], grad_output.shape[-depth:]
    counts = _divisor(sizes, count, kernel_size, stride, padding, count_include_pad)
    divisor = counts if divisor_override is None else np.asarray(divisor_override)
    share = grad_output / divisor.astype(grad_output.dtype)
    one = (1,) * depth
    lead = share.shape[:-depth]
    columns = np.broadcast_to(share.reshape(*lead, *one, *count), (*lead, *kernel_size, *count))
    extra = _missing(sizes, count, kernel_size, stride, padding, one)
    large = tuple(s + 2 * low + more for s, low, more in zip(sizes, padding, extra, strict=True))
    out = overlay(columns, large, stride, one)
    inner = tuple(slice(low, low + size) for low, size in zip(padding, sizes, strict=True))
    return np.ascontiguousarray(out[(..., *inner)])


avg_pool3d = avg_pool2d


def _divisor(
    sizes: Size, count: Size, kernel: Size, stride: Size, padding: Size, with_margin: bool
) -> Array:
    """How many elements each window has, margins counted or not."""
    out: Array = np.ones((), np.int64)
    for size, many, width, jump, low in zip(sizes, count, kernel, stride, padding, strict=True):
        start = np.arange(many) * jump - low
        stop = np.minimum(start + width, size + low)
        if not with_margin:
            start, stop = np.maximum(start, 0), np.minimum(stop, size)
        out = out[..., None] * (stop - start)
    return out


# How many windows there are


def _counted(
    self: Array, kernel: Size, stride: Size, padding: Size, dilation: Size, ceil_mode: bool
) -> Size:
    depth = len(kernel)
    sizes = self.shape[-depth:]
    count = []
    for size, width, jump, low, step in zip(sizes, kernel, stride, padding, dilation, strict=True):
        room = size + 2 * low - step * (width - 1) - 1
        many = (-(-room // jump) if ceil_mode else room // jump) + 1
        # The last window has to begin inside of the input or its left margin.
        count.append(many - 1 if ceil_mode and (many - 1) * jump >= size + low else many)
    if min(count) < 1:
        channels = self.shape[-depth - 1]
        before, after = (
            "x".join(map(str, (channels, *some))) for some in (sizes, [max(c, 0) for c in count])
        )
        raise RuntimeError(
            f"Given input size: ({before}). Calculated output size: ({after}). Output size is too "
            "small"
        )
    return tuple(count)


def _missing(
    sizes: Size, count: Size, kernel: Size, stride: Size, padding: Size, dilation: Size
) -> Size:
    """How far the last windows reach beyond the margins."""
    return tuple(
        max(0, (many - 1) * jump + step * (width - 1) + 1 - size - 2 * low)
        for size, many, width, jump, low, step in zip(
            sizes, count, kernel, stride, padding, dilation, strict=True
        )
    )


def _check_pool(
    self: Array, kernel: Size, stride: Size, padding: Size, dilation: Size, volume: str
) -> None:
    """Refuses what makes no windows; `volume` is the name of the pool of volumes in a message."""
    depth = len(kernel)
    if min(stride) <= 0:
        raise RuntimeError("stride should not be zero")
    if min(kernel) <= 0:
        raise RuntimeError("kernel size should be greater than zero")
    if min(dilation) <= 0:
        names = ("T", "H", "W")[-depth:]
        said = " ".join(f"dilation{n}: {d}" for n, d in zip(names, dilation, strict=True))
        raise RuntimeError(f"dilation should be greater than zero, but got {said}")
    if self.ndim not in (depth + 1, depth + 2):
        raise RuntimeError(
            f"non-empty {depth + 1}D or {depth + 2}D (batch mode) tensor expected for input"
        )
    for low, width, step in zip(padding, kernel, dilation, strict=True):
        if low < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {low}")
        if low > ((width - 1) * step + 1) // 2:
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={low}, kernel_size={width} and dilation={step}"
            )
    if 0 not in self.shape[1 if self.ndim == depth + 2 else 0 :]:
        return
    if depth == 3:
        raise RuntimeError(
            f"{volume}(): Expected input's non-batch dimensions to have positive length, but "
            f"input has a shape of {list(self.shape)} and non-batch dimension 0 has length zero!"
        )
    raise RuntimeError(
        f"Expected {depth + 1}D or {depth + 2}D (batch mode) tensor with optional 0 dim batch "
        f"size for input, but got:{list(self.shape)}"
    )
