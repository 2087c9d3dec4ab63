"""Kernels that resample the last dimensions: nearest, linear, cubic, means of equal parts.

All are linear and treat one dimension after the other. A dimension is described by its taps: for
each place of the result the places that count, and by how much.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from seegrad.arrays.reduce import total_of

Array = Any  # an ndarray
Size = tuple[int, ...]
How = tuple[str, int, int, bool, float | None, bool]  # the arguments of `taps`
Taps = tuple[Array, Array]  # places and weights, both (taps, size of the result)

A_SMOOTH, A_SHARP = -0.75, -0.5  # of the cubic: as everywhere, and with antialiasing


def resample(
    self: Array, kind: str, output_size: Size, align_corners: bool, scales: tuple[Any, ...]
) -> Array:
    """The last dimensions in other sizes."""
    sizes = self.shape[self.ndim - len(output_size) :]
    by_product = kind not in STEPS and _is_finite(self)
    single = self.dtype == np.float32
    ways = _ways(kind, sizes, output_size, align_corners, scales, single)
    if self.dtype == np.uint8 and kind not in STEPS:
        return _resampled_bytes(self, list(ways))
    for axis, how in ways:
        self = _multiplied(self, axis, how) if by_product else _along(self, axis, *taps(*how))
    return np.ascontiguousarray(self)


def _ways(
    kind: str,
    sizes: Size,
    output_size: Size,
    align_corners: bool,
    scales: tuple[Any, ...],
    single: bool,
) -> Iterator[tuple[int, How]]:
    """Each axis, and the arguments of `taps`.

    As in PyTorch, some sizes are reached the short way, whatever the factor that was asked for;
    so are those of small images to their nearest element.
    """
    small = len(sizes) == 2 and sum(output_size) <= 128
    for axis in range(-len(sizes), 0):
        size, wanted, scale = sizes[axis], output_size[axis], scales[axis]
        if kind == "nearest":
            short = small and wanted in (size, 2 * size)
        else:
            short = wanted == size and kind.startswith(("linear", "cubic-aa", "lanczos-aa"))
        yield axis, (kind, size, wanted, align_corners, None if short else scale, single)


def resample_backward(
    grad_output: Array,
    sizes: Size,
    kind: str,
    output_size: Size,
    align_corners: bool,
    scales: tuple[Any, ...],
) -> Array:
    """The gradient of the elements that were resampled, their last dimensions of `sizes`."""
    single = grad_output.dtype == np.float32
    back = _multiplied_back if _is_finite(grad_output) else _back
    for axis, how in _ways(kind, sizes, output_size, align_corners, scales, single):
        grad_output = back(grad_output, axis, how)
    return np.ascontiguousarray(grad_output)


STEPS = ("nearest", "nearest-exact")


def _resampled_bytes(self: Array, ways: list[tuple[int, How]]) -> Array:
    """Images of bytes: the last dimension first, rounded to bytes after each dimension."""
    for axis, how in reversed(ways):
        sums = np.moveaxis(np.moveaxis(self, axis, -1) @ _fixed_point(*how).T, -1, axis)
        self = np.clip(np.floor(sums + 0.5), 0, 255)
    return np.ascontiguousarray(self.astype(np.uint8))


@lru_cache(maxsize=256)
def _fixed_point(*how: Any) -> Array:
    """What each place of the result takes of the input, in as many binary digits as 16 bits hold.

    (places of the result, places of the input).
    """
    index, weight = taps(*how)
    matrix = np.zeros((how[2], how[1]))
    np.add.at(matrix, (np.arange(how[2]), index), weight)
    digits = 0
    while digits < 22 and int(0.5 + matrix.max() * 2 ** (digits + 1)) < 2**15:
        digits += 1
    return np.trunc(matrix * 2**digits + np.copysign(0.5, matrix)) / 2**digits


def _along(self: Array, axis: int, index: Array, weight: Array) -> Array:
    if self.dtype.kind not in "fc" or (len(index) == 1 and (weight == 1).all()):
        return self.take(index[0], axis)
    column = (slice(None), *[None] * (-axis - 1))
    weight = weight.astype(self.real.dtype, copy=False)
    out = self.take(index[0], axis) * weight[0][column]
    for place, share in zip(index[1:], weight[1:], strict=True):
        out += self.take(place, axis) * share[column]
    return out


def _back(grad: Array, axis: int, how: How) -> Array:
    """Places of a tap never fall, so that what belongs to one place lies side by side."""
    index, weight = taps(*how)
    out = np.zeros((*grad.shape[:axis], how[1], *grad.shape[grad.ndim + axis + 1 :]), grad.dtype)
    if not grad.size:
        return out
    before = (slice(None),) * (grad.ndim + axis)
    column = (slice(None), *[None] * (-axis - 1))
    for place, share in zip(index, weight.astype(grad.real.dtype, copy=False), strict=True):
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        sums = np.add.reduceat(grad * share[column], starts, axis)
        out[(*before, place[starts])] += sums
    return out


# Products with the taps as matrices, which are fast: a band of places needs a few neighbours only


def _is_finite(self: Array) -> bool:
    """Whether products are the same: the zeros of a matrix would spread what is not finite."""
    return self.dtype.kind == "f" and bool(np.isfinite(total_of(self, None)))


def _multiplied(self: Array, axis: int, how: How) -> Array:
    shape, (lead, rest) = self.shape, _around(self, axis)
    flat = self.reshape(lead, how[1], rest)
    out = np.empty((lead, how[2], rest), self.dtype)
    for inputs, outputs, matrix in bands(*how):
        _product(matrix, flat[:, inputs], out[:, outputs])
    return out.reshape(*shape[:axis], how[2], *shape[len(shape) + axis + 1 :])


def _multiplied_back(grad: Array, axis: int, how: How) -> Array:
    shape, (lead, rest) = grad.shape, _around(grad, axis)
    flat = grad.reshape(lead, how[2], rest)
    out = np.zeros((lead, how[1], rest), grad.dtype)
    for inputs, outputs, matrix in bands(*how):
        target = out[:, inputs]
        target += _product(matrix.T, flat[:, outputs])
    return out.reshape(*shape[:axis], how[1], *shape[len(shape) + axis + 1 :])


def _around(self: Array, axis: int) -> tuple[int, int]:
    """How many elements there are before and after an axis that counts from the end."""
    return math.prod(self.shape[:axis]), math.prod(self.shape[self.ndim + axis + 1 :])


def _product(matrix: Array, self: Array, out: Array | None = None) -> Array:
    """The matrix times (n, places, rest)."""
    if self.shape[2] > 1:
        return np.matmul(matrix, self, out=out)
    flat = None if out is None else out[:, :, 0]
    return np.matmul(self[:, :, 0], matrix.T, out=flat)[:, :, None]


BAND = 32


@lru_cache(maxsize=256)
def bands(*how: Any) -> list[tuple[slice, slice, Array]]:
    """The places of the input, those of the result, and how much each of these takes of each."""
    index, weight = taps(*how)
    found = []
    for first in range(0, how[2], BAND):
        place, share = index[:, first : first + BAND], weight[:, first : first + BAND]
        low, high = int(place.min()), int(place.max()) + 1
        matrix = np.zeros((place.shape[1], high - low), np.float32 if how[5] else np.float64)
        np.add.at(matrix, (np.arange(place.shape[1]), place - low), share)
        found.append((slice(low, high), slice(first, first + place.shape[1]), matrix))
    return found


@lru_cache(maxsize=256)
def taps(
    kind: str, size: int, wanted: int, align_corners: bool, scale: float | None, single: bool
) -> Taps:
    """The taps of one dimension; `scale` is the factor that was asked for, if one was."""
    if kind == "area":
        return _parts(size, wanted)
    if kind in STEPS:
        return _nearest(size, wanted, scale, 0.5 if kind == "nearest-exact" else 0.0)
    if kind.endswith("-aa"):
        return _smoothed(kind, size, wanted, align_corners, scale)
    real: Any = np.float32 if single else np.float64
    number = np.arange(wanted).astype(real)
    if align_corners:
        place = number * real((size - 1) / (wanted - 1) if wanted > 1 else 0)
    else:
        place = (number + real(0.5)) * real(_step(size, wanted, scale)) - real(0.5)
    if kind == "linear":
        return _linear(np.maximum(place, 0), size)
    return _cubic(place, size)


def _step(size: int, wanted: int, scale: float | None) -> float:
    """How far apart two neighbours of the result are in the input."""
    return 1 / scale if scale else size / wanted


def _nearest(size: int, wanted: int, scale: float | None, shift: float) -> Taps:
    # In single precision for every type, as PyTorch has it: it decides which neighbour is taken.
    step = np.float32(_step(size, wanted, scale))
    place = (np.arange(wanted).astype(np.float32) + np.float32(shift)) * step
    index = np.minimum(np.floor(place).astype(np.int64), size - 1)
    return index[None], np.ones((1, wanted))


def _linear(place: Array, size: int) -> Taps:
    low = np.minimum(place.astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    share = np.clip(place - low, 0, 1)
    return np.stack([low, high]), np.stack([1 - share, share])


def _cubic(place: Array, size: int) -> Taps:
    low = np.floor(place).astype(np.int64)
    share = place - low
    weights = [_bend(share + 1), _bend(share), _bend(1 - share), _bend(2 - share)]
    index = np.clip(low + np.arange(-1, 3)[:, None], 0, size - 1)
    return index, np.stack(weights)


def _bend(distance: Array, a: float = A_SMOOTH) -> Array:
    """The cubic kernel at a distance."""
    d = np.abs(distance)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def _parts(size: int, wanted: int) -> Taps:
    """The mean of each of `wanted` parts, which overlap where they do not come out even."""
    number = np.arange(wanted)
    start = number * size // max(wanted, 1)
    stop = -((number + 1) * -size // max(wanted, 1))
    length = stop - start
    step = np.arange(int(length.max(initial=1)))[:, None]
    weight = np.where(step < length, 1 / np.maximum(length, 1), 0)
    return np.minimum(start + step, stop - 1), weight


def _smoothed(kind: str, size: int, wanted: int, align_corners: bool, scale: float | None) -> Taps:
    """With antialiasing: the kernel is as wide as what it makes one element of."""
    if align_corners:
        step = (size - 1) / (wanted - 1) if wanted > 1 else 0.0
    else:
        step = _step(size, wanted, scale)
    reach = {"linear-aa": 1.0, "cubic-aa": 2.0, "lanczos-aa": 3.0}[kind]
    support = reach * max(step, 1.0)
    center = step * (np.arange(wanted) + 0.5)
    start = np.maximum((center - support + 0.5).astype(np.int64), 0)
    stop = np.minimum((center + support + 0.5).astype(np.int64), size)
    length = np.minimum(stop - start, math.ceil(support) * 2 + 1)
    at = np.arange(int(length.max(initial=1)))[:, None]
    distance = (at + start - center + 0.5) / max(step, 1.0)
    if kind == "linear-aa":
        weight = np.maximum(1 - np.abs(distance), 0)
    elif kind == "cubic-aa":
        weight = _bend(distance, A_SHARP)
    else:
        weight = np.where(np.abs(distance) < 3, np.sinc(distance) * np.sinc(distance / 3), 0)
    weight = np.where(at < length, weight, 0)
    return np.minimum(start + at, size - 1), weight / weight.sum(0)


def adaptive_avg_pool2d(self: Array, output_size: Size) -> Array:
    """The means of so many parts of equal size."""
    return resample(self, "area", output_size, False, (None,) * len(output_size))


adaptive_avg_pool3d = adaptive_avg_pool2d


def upsample_nearest1d(self: Array, output_size: Size, *scales: Any) -> Array:
    """The element to the left of each place."""
    return resample(self, "nearest", output_size, False, scales)


def upsample_nearest_exact1d(self: Array, output_size: Size, *scales: Any) -> Array:
    """The nearest element to the middle of each place."""
    return resample(self, "nearest-exact", output_size, False, scales)


def upsample_linear1d(self: Array, output_size: Size, align_corners: bool, *scales: Any) -> Array:
    """The straight line between two neighbours, dimension by dimension."""
    return resample(self, "linear", output_size, align_corners, scales)


def upsample_bicubic2d(self: Array, output_size: Size, align_corners: bool, *scales: Any) -> Array:
    """A cubic of four neighbours, dimension by dimension."""
    return resample(self, "cubic", output_size, align_corners, scales)


def upsample_bilinear2d_aa(
    self: Array, output_size: Size, align_corners: bool, *scales: Any
) -> Array:
    """As the straight line, smoothed where the result is smaller."""
    return resample(self, "linear-aa", output_size, align_corners, scales)


def upsample_bicubic2d_aa(
    self: Array, output_size: Size, align_corners: bool, *scales: Any
) -> Array:
    """As the cubic, smoothed where the result is smaller."""
    return resample(self, "cubic-aa", output_size, align_corners, scales)


def upsample_lanczos2d_aa(
    self: Array, output_size: Size, align_corners: bool, *scales: Any
) -> Array:
    """A wave that fades out over three elements on either side."""
    return resample(self, "lanczos-aa", output_size, align_corners, scales)


upsample_nearest2d = upsample_nearest3d = upsample_nearest1d
upsample_nearest_exact2d = upsample_nearest_exact3d = upsample_nearest_exact1d
upsample_bilinear2d = upsample_trilinear3d = upsample_linear1d
