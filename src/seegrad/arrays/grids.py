"""Kernels that look images up at given places, and make such places."""

from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from seegrad.arrays.mixing import mixture
from seegrad.arrays.picking import pick
from seegrad.arrays.reduce import total_of
from seegrad.arrays.refusals import need_float
from seegrad.arrays.sequences import spaced

Array = Any  # an ndarray
Size = tuple[int, ...]

BILINEAR, NEAREST, BICUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2
STEPS = {BILINEAR: (0, 1), NEAREST: (0,), BICUBIC: (-1, 0, 1, 2)}


def grid_places(grid: Array, sizes: Size, mode: int, padding: int, align: bool) -> Array:
    """Places in -1 to 1, (n, *out, dims), as places among elements, (n, prod(out), dims).

    The last coordinate of a place is that of the first of `sizes`, as in `grid`.
    """
    return _placed(grid, sizes, mode, padding, align)[0]


def grid_slopes(grid: Array, sizes: Size, mode: int, padding: int, align: bool) -> Array:
    """How fast the places among elements move, of the shape of `grid`."""
    return _placed(grid, sizes, mode, padding, align)[1].reshape(grid.shape)


def _placed(grid: Array, sizes: Size, mode: int, padding: int, align: bool) -> tuple[Array, Array]:
    flat = grid.reshape(grid.shape[0], prod(grid.shape[1:-1]), grid.shape[-1])
    size = np.array(sizes[::-1], grid.dtype)
    scale = (size - 1) / 2 if align else size / 2
    place = (flat + 1) * scale if align else (flat + 1) * scale - grid.dtype.type(0.5)
    slope = np.broadcast_to(scale, place.shape)
    if padding == ZEROS or mode == BICUBIC:
        return place, slope
    if padding == REFLECTION:
        place, turn = _reflected(place, size, align)
        slope = slope * turn
    inside = (place > 0) & (place < size - 1)
    return np.minimum(np.fmax(place, 0), size - 1), np.where(inside, slope, 0)  # NaN counts as 0


def _reflected(place: Array, size: Array, align: bool) -> tuple[Array, Array]:
    """Places mirrored at the ends, and 1 or -1 for the way they go."""
    low = np.zeros_like(size) if align else np.full_like(size, -0.5)
    span = size - 1 if align else size
    safe = np.where(span > 0, span, 1)
    away = np.abs(place - low)
    odd = np.floor(away / safe) % 2 == 1
    extra = np.fmod(away, safe)
    mirrored = np.where(span > 0, np.where(odd, safe - extra, extra) + low, 0)
    turn = np.where(place < low, -1, 1) * np.where(odd, -1, 1)
    return mirrored, np.where(span > 0, turn, 0).astype(place.dtype)


def grid_corner(
    base: Array, offset: Size, sizes: Size, mode: int, padding: int, align: bool
) -> tuple[Array, Array]:
    """Numbers of the elements at an offset from whole places, and 1 where they are inside."""
    number: Array = 0
    inside: Array = True
    for length, along, step in zip(
        sizes, np.moveaxis(base, -1, 0)[::-1], offset[::-1], strict=True
    ):
        place, is_there = _beside(along, step, length, mode, padding, align)
        number = number * length + place
        inside = inside & is_there
    return number, inside.astype(base.dtype)


def _beside(
    base: Array, step: int, length: int, mode: int, padding: int, align: bool
) -> tuple[Array, Array]:
    """Numbers along one dimension at a step from whole places, and whether they are inside."""
    place, size = base + base.dtype.type(step), base.dtype.type(length)
    if mode == BICUBIC and padding == REFLECTION:
        place = _reflected(place, size, align)[0]
    near = np.fmin(np.fmax(place, 0), size - 1)  # NaN counts as 0
    is_there = near == place
    if mode == BICUBIC and padding != ZEROS:
        is_there = place == place
    return near.astype(np.int64), is_there


def corners(mode: int, dims: int) -> list[Size]:
    """The offsets of the elements that a place is made of."""
    return list(product(STEPS[mode], repeat=dims))


def grid_sampler_2d(
    input: Array, grid: Array, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Array:
    """(n, c, *sizes) looked up at (n, *out, dims): (n, c, *out)."""
    kernel = "grid_sampler3d_cpu" if input.ndim == 5 else "grid_sampler_2d_cpu_kernel_impl"
    need_float(input, kernel)
    if grid.dtype != input.dtype:
        names = {"float32": "Float", "float64": "Double"}
        found, wanted = (names.get(x.dtype.name, x.dtype.name) for x in (grid, input))
        raise RuntimeError(f"expected scalar type {wanted} but found {found}")
    mode = interpolation_mode
    around = _around(grid, input.shape[2:], mode, padding_mode, align_corners)
    rows = _rows(input)
    out = _matrix(around, mode, input, rows) @ rows
    return _channels(out, (*input.shape[:2], *grid.shape[1:-1]))


grid_sampler_3d = grid_sampler_2d


def grid_sampler_backward(
    grad: Array,
    wanted: tuple[bool, bool],
    input: Array,
    grid: Array,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> tuple[Array | None, Array | None]:
    """The formulas of `rules/grids.py`, the elements around a place found once (Note [Fast])."""
    mode, sizes, slopes = interpolation_mode, input.shape[2:], _rows(grad)
    options = (sizes, mode, padding_mode, align_corners)
    around = _around(grid, *options)
    to_input = to_grid = None
    if wanted[0]:
        to_input = _channels(_matrix(around, mode, input, slopes).T @ slopes, input.shape)
    if wanted[1]:
        to_grid = np.zeros_like(grid)
        if mode != NEAREST:
            to_grid += _moved(around, mode, _rows(input), slopes).reshape(grid.shape)
            to_grid *= grid_slopes(grid, *options)
    return to_input, to_grid


# The share of the way to the next element, (dims, places), and by offset of the elements around
# a place their numbers and whether they are inside, (places,).
Around = tuple[Array, dict[Size, tuple[Array, Array]]]


def _around(grid: Array, sizes: Size, mode: int, padding: int, align: bool) -> Around:
    place = np.moveaxis(grid_places(grid, sizes, mode, padding, align), -1, 0)
    place = np.ascontiguousarray(place).reshape(len(sizes), place[0].size)
    base = np.rint(place) if mode == NEAREST else np.floor(place)
    number = np.repeat(np.arange(len(grid)) * prod(sizes), prod(grid.shape[1:-1]))
    found: dict[Size, tuple[Array, Array]] = {(): (number, np.True_)}
    for axis, length in enumerate(sizes[::-1]):
        ways = [
            (step, *_beside(base[axis], step, length, mode, padding, align))
            for step in STEPS[mode]
        ]
        stride = prod(sizes[len(sizes) - axis :])
        found = {
            (*offset, step): (number + along * stride, inside & is_there)
            for offset, (number, inside) in found.items()
            for step, along, is_there in ways
        }
    return place - base, found


def _matrix(around: Around, mode: int, input: Array, others: Array) -> Any:
    """All places by all elements: how much an element counts for a place.

    It will be multiplied by `others`; where these are finite, nothing is left out.
    """
    share, found = around
    shape = (share.shape[1], len(found))
    numbers, weights, used = np.empty(shape, np.int64), np.empty(shape, input.dtype), np.True_
    for column, (offset, (number, inside)) in enumerate(found.items()):
        numbers[:, column] = number
        weight = inside.astype(input.dtype)
        for axis, step in enumerate(offset):
            weight *= _weight(share[axis], step, mode)
        weights[:, column] = weight
    if not np.isfinite(total_of(others, None)):
        used = (weights != 0) | np.stack([inside for _, inside in found.values()], -1)
    return mixture(numbers, weights, used, input.size // max(input.shape[1], 1))


def _moved(around: Around, mode: int, rows: Array, slopes: Array) -> Array:
    """What a place gains by moving along each dimension: (places, dims)."""
    share, found = around
    out = np.zeros_like(share)
    for offset, (number, inside) in found.items():
        value = pick(inside, np.vecdot(rows.take(number, 0), slopes), 0)
        for along in range(len(offset)):
            part = value
            for axis, step in enumerate(offset):
                weigh = _weight_slope if axis == along else _weight
                part = part * weigh(share[axis], step, mode)
            out[along] += part
    return out.T


def _rows(images: Array) -> Array:
    """(n, c, *sizes) as one row of channels for each element: (n * prod(sizes), c)."""
    batch, channels = images.shape[:2]
    flat = images.reshape(batch, channels, prod(images.shape[2:]))
    return np.ascontiguousarray(flat.transpose(0, 2, 1)).reshape(-1, channels)


def _channels(rows: Array, shape: Size) -> Array:
    """Rows of channels as (n, c, *sizes) again."""
    flat = rows.reshape(shape[0], prod(shape[2:]), shape[1])
    return np.ascontiguousarray(flat.transpose(0, 2, 1)).reshape(shape)


def _weight(share: Array, step: int, mode: int) -> Any:
    """How much an element counts that is `step` from the whole place before."""
    if mode == NEAREST:
        return 1
    if mode == BILINEAR:
        return share if step else 1 - share
    a, d = -0.75, np.abs(share - step)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    return near if step in (0, 1) else ((a * d - 5 * a) * d + 8 * a) * d - 4 * a


def _weight_slope(share: Array, step: int, mode: int) -> Any:
    """The derivative of a weight by the share."""
    if mode == BILINEAR:
        return 1 if step else -1
    a, d = -0.75, np.abs(share - step)
    near = (3 * (a + 2) * d - 2 * (a + 3)) * d
    slope = near if step in (0, 1) else (3 * a * d - 10 * a) * d + 8 * a
    return slope if step < 1 else -slope


@lru_cache(maxsize=16)
def _affine_base(size: Size, align: bool, single: bool) -> Array:
    """The places of an output of `size` (n, c, *sizes), and a one: (places, dims + 1)."""
    # To the last place as PyTorch: a place between two elements decides which of them counts.
    real = np.dtype(np.float32 if single else np.float64)
    lines = []
    for length in size[2:]:
        line = spaced(-1, 1, length, real) if length > 1 else np.zeros(1, real)
        lines.append(line if align else line * real.type(length - 1) / real.type(length))
    places = np.meshgrid(*lines, indexing="ij")
    columns = [one.reshape(-1) for one in places[::-1]]
    return np.stack([*columns, np.ones_like(columns[0])], 1)


def affine_grid_generator(theta: Array, size: Size, align_corners: bool) -> Array:
    """The places that affine maps (n, dims, dims + 1) make of an output's own."""
    base = _affine_base(size, align_corners, theta.dtype == np.float32)
    return np.matmul(base, theta.mT).reshape(theta.shape[0], *size[2:], theta.shape[1])


def affine_grid_generator_backward(grad_output: Array, size: Size, align_corners: bool) -> Array:
    """The gradient of the maps."""
    base = _affine_base(size, align_corners, grad_output.dtype == np.float32)
    dims = grad_output.shape[-1]
    flat = grad_output.reshape(grad_output.shape[0], prod(grad_output.shape[1:-1]), dims)
    return np.matmul(flat.mT, base)
