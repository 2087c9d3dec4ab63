"""Public reductions of runs of slices, whose lengths or bounds are given."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["_segment_reduce", "segment_reduce"]

KINDS = {"sum": "sum", "mean": "sum", "max": "amax", "min": "amin", "prod": "prod"}
STARTS = {"sum": 0.0, "mean": 0.0, "max": -math.inf, "min": math.inf, "prod": 1.0}


@public
def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: float | None = None,
) -> Tensor:
    """Return the sum, mean, max, min or product of each segment of a dimension.

    `data`: (*outer, n, ...), floating point. `lengths`: (*outer, segments); or `offsets`:
    (*outer, segments + 1), where the segments begin and the last one ends. `initial`: a value that
    takes part in each. `unsafe`: lengths need not add up to n. Returns (*outer, segments, ...);
    the mean of nothing is NaN. Raises RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.segment_reduce(torch.tensor([1.0, 2.0, 3.0]), "max", lengths=torch.tensor([2, 1]))
    tensor([2., 3.])
    """
    if reduce not in KINDS:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if data._array.dtype.kind in "biuc":
        name = data.dtype.scalar_name
        raise NotImplementedError(f"\"_segment_reduce_cpu\" not implemented for '{name}'")
    bounds = _bounds(data, lengths, offsets, axis, unsafe)
    return _reduced(data, reduce, bounds, bounds.ndim - 1, initial)


_segment_reduce = segment_reduce


def _bounds(data: Any, lengths: Any, offsets: Any, axis: int, unsafe: bool) -> Any:
    """Where the segments begin, and where the last one ends, as an array."""
    given = lengths if lengths is not None else offsets
    if given is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    array = given._array
    if data.ndim < array.ndim:
        raise RuntimeError(
            "Expected data.dim() >= lengths_value.dim() to be true, but got false.  (Could this "
            "error message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    place = axis + data.ndim if axis < 0 else axis
    if place != array.ndim - 1:
        raise RuntimeError(
            f"segment_reduce(): Expected axis to be the last dimension of lengths but got {place}."
        )
    if lengths is None:
        return array
    if not unsafe and (array < 0).any():
        raise RuntimeError("lengths contains negative value!")
    if not unsafe and (array.sum(-1) != data.shape[place]).any():
        raise RuntimeError(
            "segment_reduce(): Expected all rows of lengths along axis to sum to "
            "data.size(lengths.dim()-1) when !unsafe."
        )
    return np.concatenate(
        [np.zeros((*array.shape[:-1], 1), array.dtype), np.cumsum(array, -1)], -1
    )


def _reduced(data: Any, reduce: str, bounds: Any, axis: int, initial: float | None) -> Any:
    """The slices scattered to their segments; those of none to a spare one, which is left out."""
    size, segments = data.shape[axis], bounds.shape[-1] - 1
    edges = np.concatenate([bounds[..., :1] * 0, bounds, bounds[..., :1] * 0 + size], -1)
    names = np.array([segments, *range(segments), segments])
    counts = np.diff(edges, axis=-1)
    spare = int(counts[..., [0, -1]].any())
    rows = np.broadcast_to(names, counts.shape)
    places = np.repeat(rows.reshape(-1), counts.reshape(-1)).reshape(data.shape[: axis + 1])
    after = (1,) * (data.ndim - axis - 1)
    places = np.broadcast_to(places.reshape(places.shape + after), tuple(data.shape))
    shape = (*data.shape[:axis], segments + spare, *data.shape[axis + 1 :])
    ordered = reduce in ("max", "min")
    first = STARTS[reduce] if ordered or initial is None else initial
    start = wrap(np.full(shape, first, data._array.dtype))
    found = op.scatter_reduce(start, axis, wrap(places), data, KINDS[reduce], True)
    if spare:
        found = op.clone(op.slice(found, axis, 0, segments, 1), "contiguous")
    if ordered and initial is not None:  # a tie is the data's
        least = wrap(np.asarray(initial, data._array.dtype))
        beaten = op.lt(found, least) if reduce == "max" else op.gt(found, least)
        return op.where(beaten, least, found)
    if reduce != "mean":
        return found
    held = counts[..., 1:-1].reshape(*counts.shape[:-1], segments, *after)
    return op.div(found, wrap(held if initial is None else np.maximum(held, 1)))
