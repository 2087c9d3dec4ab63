"""The public estimate of derivatives by differences of neighbours."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import TensorBase
from seegrad.operators.general import is_half
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.differences import neighbours
from seegrad.ops.dims import wrap_dim
from seegrad.ops.elementwise import add, div, mul, sub
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["gradient"]

Numbers = int | float | complex


@public
def gradient(
    input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: int = 1
) -> tuple[Tensor, ...]:
    """Return estimates of the derivatives along dimensions, from values at points.

    `input`: any shape. `spacing`: the distance of neighbours (1), one number or one for each
    dimension, or one tensor (n,) of coordinates for each. `dim`: a dimension or several, all by
    default. `edge_order`: 1 or 2, of the polynomials through the points at the ends. Returns a
    tuple of tensors of the shape of input. Raises RuntimeError for dimensions that are too short,
    and for spacings that are not as many as dimensions.

    >>> import seegrad as torch
    >>> torch.gradient(torch.tensor([1.0, 2.0, 4.0, 8.0]))
    (tensor([1.0000, 1.5000, 3.0000, 4.0000]),)
    """
    ndim = input._array.ndim
    dims = [dim] if isinstance(dim, int) else range(ndim) if dim is None else dim
    steps = _steps(spacing, len(dims), dim is None)
    places = [wrap_dim(one, ndim) for one in dims]
    if places and not ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    _check(input._array, places, edge_order)
    whole: Any = input
    if is_half(input._array.dtype):  # differences of differences: rounded once, at the end
        whole, *steps = (_wide(one) for one in (input, *steps))
    pairs = zip(places, steps, strict=True)
    made = (_along(whole, place, step, edge_order) for place, step in pairs)
    return tuple(one if whole is input else one.to(input.dtype) for one in made)


def _wide(value: Any) -> Any:
    """A tensor in float32; a number stays."""
    return value.float() if hasattr(value, "_array") else value


def _steps(spacing: Any, count: int, whole: bool) -> list[Any]:
    """For each dimension a number, or a tensor of coordinates."""
    if isinstance(spacing, TensorBase) and not spacing._array.ndim:
        spacing = spacing._array.item()
    if spacing is None or isinstance(spacing, Numbers):
        return [1 if spacing is None else spacing] * count
    if not isinstance(spacing, tuple | list):
        kind = type(spacing).__name__
        raise TypeError(f"gradient(): argument 'spacing' must be Number or tuple, not {kind}")
    if len(spacing) != count:
        start = "torch.gradient expected spacing to be unspecified, a scalar"
        if whole:
            raise RuntimeError(
                f"{start}, or a list of length equal to 'self.dim() = {count}', since dim "
                f"argument was not given, but got a list of length {len(spacing)}"
            )
        raise RuntimeError(
            f"{start} or it's spacing and dim arguments to have the same length, but got a "
            f"spacing argument of length {len(spacing)} and a dim argument of length {count}."
        )
    if len({isinstance(one, TensorBase) for one in spacing}) > 1:
        raise TypeError("gradient(): 'spacing' must be all numbers or all tensors")
    for one in spacing:
        if isinstance(one, TensorBase) and one._array.ndim != 1:
            raise RuntimeError(
                "torch.gradient expected each element of spacing to have one dimension, but got "
                f"an element with {one._array.ndim} dimensions!"
            )
    return list(spacing)


def _check(array: Any, places: list[int], edge_order: int) -> None:
    for position, place in enumerate(places):
        if place in places[:position]:
            raise RuntimeError(f"dim {place} appears multiple times in the list of dims")
    if array.dtype == np.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if any(array.shape[place] <= edge_order for place in places if array.ndim):
        raise RuntimeError(
            "torch.gradient expected each dimension size to be at least edge_order+1"
        )


def _along(input: Any, dim: int, step: Any, edge_order: int) -> Any:
    """The slopes at both ends, and between them those of parabolas through three points."""
    size = input._array.shape[dim]
    gap = _gaps(step, input._array.ndim, dim) if isinstance(step, TensorBase) else step
    slope = div(sub(*neighbours(input, dim)), gap)
    if isinstance(step, TensorBase):
        later, earlier = neighbours(gap, dim)
        right, left = neighbours(slope, dim)
        inner = div(add(mul(left, later), mul(right, earlier)), add(later, earlier))
    else:
        ends = op.slice(input, dim, 2, size, 1), op.slice(input, dim, 0, size - 2, 1)
        inner = div(sub(*ends), 2 * step)
    first = _edge(slope, gap, dim, 0, 1, edge_order)
    last = _edge(slope, gap, dim, size - 2, size - 3, edge_order)
    return op.cat([first, inner, last], dim)


def _gaps(points: Any, ndim: int, dim: int) -> Any:
    """The distances of points, in a shape that broadcasts along a dimension."""
    shape = (*(1,) * dim, -1, *(1,) * (ndim - dim - 1))
    return reshape(sub(*neighbours(points, 0)), shape)


def _edge(slope: Any, gap: Any, dim: int, own: int, next: int, edge_order: int) -> Any:
    """The slope between the outermost points, for order 2 that of a parabola at the outermost."""
    outer = op.slice(slope, dim, own, own + 1, 1)
    if edge_order == 1:
        return outer
    bend = sub(outer, op.slice(slope, dim, next, next + 1, 1))
    if not isinstance(gap, TensorBase):
        return add(outer, div(bend, 2))
    near, far = (op.slice(gap, dim, place, place + 1, 1) for place in (own, next))
    return add(outer, div(mul(bend, near), add(near, far)))
