"""Public histograms: how many elements, or points, fall into each bin."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import cpp_type_name, from_numpy
from seegrad.graph.tensor import TensorBase
from seegrad.operators.general import is_half
from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.out import into
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["histc", "histogram", "histogramdd"]


@public
def histc(
    input: Tensor, bins: int = 100, min: float = 0, max: float = 0, *, out: Tensor | None = None
) -> Tensor:
    """Return how many elements fall into each of `bins` equal parts of a range.

    `input`: any shape, floating point. `min` and `max`: the range; where they are equal, that of
    the elements. What is outside counts nowhere. Returns (bins,) of the type of input. Raises
    RuntimeError for no bins and for a range that is not finite.

    >>> import seegrad as torch
    >>> torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    array = input._array
    low, high = min, max
    if low == high and array.size and array.dtype.kind != "c":
        low, high = float(array.min()), float(array.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if out is not None:
        return into(out, "histc", op.histc, input, bins, low, high)
    return op.histc(input, bins, low, high)


@public
def histogram(
    input: Tensor,
    bins: Any = 100,
    *,
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
    out: Any = None,
) -> return_types.histogram:
    """Return how many elements, or how much weight, falls into each bin, and the edges.

    `input`: any shape, float32 or float64. `bins`: a number of equal bins of `range`, or a tensor
    (n + 1,) of edges in order. `weight`: of the shape of input. With `density` the area is 1.
    Returns a named tuple of (n,) and (n + 1,). Raises RuntimeError for what does not fit.

    >>> import seegrad as torch
    >>> torch.histogram(torch.tensor([1.0, 2.0, 1.0]), bins=2, range=(0.0, 3.0)).hist
    tensor([2., 1.])
    """
    points: Any = reshape(input, (-1, 1))
    weights: Any = None if weight is None else reshape(weight, (-1,))
    edges = _edges(points, [bins], range, weights)
    if out is not None:
        made = into(tuple(out), "histogram", _both, points, edges, weights, density)
        return return_types.histogram(made)
    return return_types.histogram(_both(points, edges, weights, density))


def _both(points: Any, edges: list[Any], weights: Any, density: bool) -> tuple[Any, Any]:
    return op.histogramdd(points, edges, weights, density), edges[0]


@public
def histogramdd(
    input: Tensor,
    bins: Any,
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> return_types.histogramdd:
    """Return how many points, or how much weight, falls into each cell, and the edges.

    `input`: (..., d), float32 or float64. `bins`: a number of equal bins for all or for each of
    the dimensions, or a tensor of edges for each. `range`: lowest and highest of each dimension,
    2 d numbers. `weight`: (...). With `density` the volume is 1. Returns a named tuple of a tensor
    of d dimensions and a tuple of edges. Raises RuntimeError for what does not fit.

    >>> import seegrad as torch
    >>> torch.histogramdd(torch.tensor([[0.0, 1.0], [2.0, 2.0]]), bins=[2, 2]).hist
    tensor([[1., 0.],
            [0., 1.]])
    """
    if input._array.ndim < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    size = input._array.shape[-1]
    each = [bins] * size if isinstance(bins, int) else list(bins)
    if len(each) != size:
        raise RuntimeError(
            "histogramdd: The size of bins must be equal to the innermost dimension of the input."
        )
    _check_weight(input._array, None if weight is None else weight._array)
    points: Any = reshape(input, (-1, size))
    weights: Any = None if weight is None else reshape(weight, (-1,))
    edges = _edges(points, each, range, weights)
    hist = op.histogramdd(points, edges, weights, density)
    shown = (
        one if isinstance(one, TensorBase) else edge for one, edge in zip(each, edges, strict=True)
    )
    return return_types.histogramdd((hist, tuple(shown)))


def _edges(points: Any, bins: list[Any], range: Any, weights: Any) -> list[Any]:
    """The edges of each dimension as tensors, after all is checked."""
    array = points._array
    _check_weight(array, None if weights is None else weights._array)
    searched = all(isinstance(one, TensorBase) for one in bins) or not array.size
    if array.dtype.char not in "fd" and not (searched and is_half(array.dtype)):
        kernel = "histogram_cpu" if searched else "histogramdd"
        name = from_numpy(array.dtype).scalar_name
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")
    for dim, one in enumerate(bins):
        if isinstance(one, TensorBase):
            _check_edges(array, one._array, dim)
        number = one._array.size - 1 if isinstance(one, TensorBase) else index(one)
        if number <= 0:
            raise RuntimeError(
                f"torch.histogram(): bins must be > 0, but got {number} for dimension {dim}"
            )
    if range is not None and len(range) != 2 * len(bins):
        raise RuntimeError(
            f"torch.histogramdd: for a {len(bins)}-dimensional histogram range should have "
            f"{2 * len(bins)} elements, but got {len(range)}"
        )
    return [
        op.bin_edges(points, one, range and range[2 * dim : 2 * dim + 2], dim)
        for dim, one in enumerate(bins)
    ]


def _check_weight(array: Any, weight: Any) -> None:
    if weight is None:
        return
    start = "torch.histogramdd: if weight tensor is provided"
    if weight.dtype != array.dtype:
        kinds = f"input({_kind(array)}), and weight({_kind(weight)})"
        raise RuntimeError(
            f"{start}, input tensor and weight tensor should have the same dtype, but got {kinds}"
        )
    if weight.shape != array.shape[:-1]:
        raise RuntimeError(
            f"{start} it should have the same shape as the input tensor excluding its innermost "
            f"dimension, but got input with shape {list(array.shape)} and weight with shape "
            f"{list(weight.shape)}"
        )


def _check_edges(array: Any, edges: Any, dim: int) -> None:
    if edges.dtype != array.dtype:
        raise RuntimeError(
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
            f"input with dtype {_kind(array)} and bins for dimension {dim} with dtype "
            f"{_kind(edges)}"
        )
    if edges.ndim != 1:
        raise RuntimeError(
            f"torch.histogramdd: bins tensor should have one dimension, but got {edges.ndim} "
            f"dimensions in the bins tensor for dimension {dim}"
        )
    if not edges.size:
        raise RuntimeError(
            "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in "
            f"the bins tensor for dimension {dim}"
        )


def _kind(array: Any) -> str:
    return cpp_type_name(from_numpy(array.dtype))
