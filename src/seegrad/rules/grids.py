"""Derivatives of looking images up at places, with respect to image and places.

A value is the sum over the elements around a place (its corners) of element times weight, and a
weight the product over dimensions of functions of the share of the way to the next element.
"""

from math import prod
from typing import Any

from seegrad.arrays.grids import BILINEAR, NEAREST, corners, grid_sampler_backward
from seegrad.rules.shape import reshaped
from seegrad.rules.spec import constant, general, linear

Xp = Any  # a namespace of operators: `raw` on arrays or `recorded` on tensors
Value = Any  # an array or a tensor, as the namespace has it
Size = tuple[int, ...]
A = -0.75  # of the cubic

general(
    "grid_places(grid, sizes, mode, padding, align)",
    grid=lambda xp, grad, grid, sizes, mode, padding, align: (
        xp.view(grad, grid.shape) * xp.grid_slopes(grid, sizes, mode, padding, align)
    ),
)
constant("grid_slopes(grid, sizes, mode, padding, align)", operands="grid")
constant(
    "grid_corner(base, offset, sizes, mode, padding, align)",
    operands="base",
    outputs="number inside",
)


def weight(share: Value, step: int, mode: int) -> Value:
    """How much an element counts that is `step` from the whole place before."""
    if mode == BILINEAR:
        return share if step else 1 - share
    distance = share - step if step < 1 else step - share
    if step in (0, 1):
        return ((A + 2) * distance - (A + 3)) * distance * distance + 1
    return ((A * distance - 5 * A) * distance + 8 * A) * distance - 4 * A


def slope(share: Value, step: int, mode: int) -> Value:
    """The derivative of `weight` by the share."""
    if mode == BILINEAR:
        return share * 0 + (1 if step else -1)
    distance, sign = (share - step, 1) if step < 1 else (step - share, -1)
    if step in (0, 1):
        return (3 * (A + 2) * distance - 2 * (A + 3)) * distance * sign
    return ((3 * A * distance - 10 * A) * distance + 8 * A) * sign


def around(
    xp: Xp, grid: Value, sizes: Size, mode: int, padding: int, align: bool
) -> tuple[list[Value], list[tuple[Size, Value, Value]]]:
    """The shares along each dimension; and all corners: offset, numbers, 1 where inside."""
    place = xp.grid_places(grid, sizes, mode, padding, align)
    base = xp.round(place) if mode == NEAREST else xp.floor(place)
    away = place - base
    shares = [xp.select(away, 2, axis) for axis in range(len(sizes))]
    found = [
        (offset, *xp.grid_corner(base, offset, sizes, mode, padding, align))
        for offset in corners(mode, len(sizes))
    ]
    return shares, found


def product_of(
    shares: list[Value], offset: Size, mode: int, but: int = -1, start: Value | None = None
) -> Value:
    """The weights of all dimensions but one, times `start`."""
    out = start
    for axis, step in enumerate(offset):
        if axis != but and mode != NEAREST:
            out = out * weight(shares[axis], step, mode)
    return out


def sampler_input(
    xp: Xp,
    grad: Value,
    input_shape: Size,
    grid: Value,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Value:
    """Each element gets the gradients of the places around it, as far as it counts there."""
    batch, channels, *sizes = input_shape
    options = (tuple(sizes), interpolation_mode, padding_mode, align_corners)
    shares, found = around(xp, grid, *options)
    places = shares[0].shape[1]
    flat = reshaped(xp, grad, (batch, channels, places))
    out = xp.new_zeros(grad, (batch, channels, prod(sizes)))
    for offset, number, inside in found:
        whole = product_of(shares, offset, interpolation_mode, start=inside)
        index = xp.expand(xp.unsqueeze(number, 1), (batch, channels, places))
        out = xp.scatter_add(out, 2, index, flat * xp.unsqueeze(whole, 1))
    return xp.view(out, input_shape)


def sampler_grid(
    xp: Xp,
    grad: Value,
    input: Value,
    grid: Value,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Value:
    """The elements around a place, as far as their weights change with it."""
    if interpolation_mode == NEAREST:
        return xp.zeros_like(grid)
    batch, channels, *sizes = input.shape
    options = (tuple(sizes), interpolation_mode, padding_mode, align_corners)
    shares, found = around(xp, grid, *options)
    places = shares[0].shape[1]
    values = reshaped(xp, input, (batch, channels, prod(sizes)))
    flat = reshaped(xp, grad, (batch, channels, places))
    moved: list[Value] = [0.0] * len(sizes)
    for offset, number, inside in found:
        index = xp.expand(xp.unsqueeze(number, 1), (batch, channels, places))
        share = xp.sum_dim(flat * xp.gather(values, 2, index), (1,), False) * inside
        for axis, step in enumerate(offset):
            rest = product_of(shares, offset, interpolation_mode, axis, share)
            moved[axis] = moved[axis] + rest * slope(shares[axis], step, interpolation_mode)
    along = xp.view(xp.cat([xp.unsqueeze(one, 2) for one in moved], 2), grid.shape)
    return along * xp.grid_slopes(grid, *options)


for _dims in (2, 3):
    general(
        f"grid_sampler_{_dims}d(input, grid, interpolation_mode, padding_mode, align_corners)",
        node=f"GridSampler{_dims}DBackward0",
        fused=True,
        fast=grid_sampler_backward,
        input=sampler_input,
        grid=sampler_grid,
    )

linear(
    "affine_grid_generator(theta, size, align_corners)",
    theta=lambda xp, grad, size, align_corners: xp.affine_grid_generator_backward(
        grad, size, align_corners
    ),
)
linear(
    "affine_grid_generator_backward(grad_output, size, align_corners)",
    grad_output=lambda xp, grad, size, align_corners: xp.affine_grid_generator(
        grad, size, align_corners
    ),
)
