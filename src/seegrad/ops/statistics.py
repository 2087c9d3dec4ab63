"""Public statistics: medians without NaN, most frequent values, quantiles, means without NaN."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import from_numpy
from seegrad.graph.tensor import TensorBase, wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim, wrap_dims
from seegrad.ops.out import into
from seegrad.ops.reduce import cast
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = ["mode", "nanmean", "nanmedian", "nanquantile", "quantile"]

Dims = int | tuple[int, ...] | list[int] | None
ROUNDINGS = {"lower": "floor", "higher": "ceil", "nearest": "round"}
INTERPOLATIONS = ("linear", "midpoint", *ROUNDINGS)
INT64 = from_numpy(np.dtype(np.int64))
MOST = 16_000_000  # elements that PyTorch takes quantiles of


@public
def nanmedian(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None
) -> Any:
    """Return the lower middle element of those that are no NaN; along a dimension, with indices.

    `input`: (...), real, no bools. `dim`: the dimension to reduce; without it ties share the
    gradient. Returns (), or a named tuple of values and indices of the shape that is left. Raises
    IndexError where a dimension has no elements.

    >>> import seegrad as torch
    >>> torch.nanmedian(torch.tensor([3.0, float('nan'), 2.0]))
    tensor(2.)
    """
    if dim is None:
        return op.nanmedian(input) if out is None else into(out, "nanmedian", op.nanmedian, input)
    return _along("nanmedian", op.nanmedian_dim, input, dim, keepdim, out)


@public
def mode(
    input: Tensor, dim: int = -1, keepdim: bool = False, *, out: Any = None
) -> return_types.mode:
    """Return the most frequent value along a dimension, and where it stands last.

    `input`: (...), real. The smallest of several that are as frequent. Returns a named tuple of
    values and indices of the shape that is left. Raises IndexError where a dimension has no
    elements.

    >>> import seegrad as torch
    >>> torch.mode(torch.tensor([3, 1, 3]))
    torch.return_types.mode(
    values=tensor(3),
    indices=tensor(2))
    """
    return _along("mode", op.mode, input, dim, keepdim, out)


def _along(name: str, operator: Any, input: Any, dim: int, keepdim: bool, out: Any) -> Any:
    """Values and indices along a dimension."""
    made = getattr(return_types, name)
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return made(into(tuple(out), name, operator, input, dim, keepdim))
    return made(operator(input, dim, keepdim))


@public
def nanmean(
    input: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the mean of the elements that are no NaN.

    `input`: (...), floating point. `dim`: the dimensions to reduce, all if None; with `keepdim`
    they stay, of size one. `dtype`: the type to compute in. Returns the shape that is left. Raises
    RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.nanmean(torch.tensor([1.0, float('nan'), 3.0]))
    tensor(2.)
    """
    for one, text in (
        (input.dtype, "expected input to have floating point or complex dtype but got "),
        (
            input.dtype if dtype is None else dtype,
            "could not infer output dtype. Optional dtype must be either a floating point or "
            "complex dtype. Got: ",
        ),
    ):
        if not (one.is_floating_point or one.is_complex):
            raise RuntimeError(f"nanmean(): {text}{one.scalar_name}")
    if out is not None:
        return into(out, "nanmean", _nanmean, input, dim, keepdim, dtype)
    return _nanmean(input, dim, keepdim, dtype)


def _nanmean(input: Any, dim: Dims, keepdim: bool, dtype: Any) -> Any:
    dims = wrap_dims(dim, input.ndim)
    count = op.sum_dim(op.logical_not(op.isnan(input)), dims, keepdim)
    return op.div(op.nansum(cast(input, dtype), dims, keepdim), count)


# Quantiles


@public
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:
    """Return what a share `q` of the elements is below, between two of them by `interpolation`.

    `input`: (...), float32 or float64. `q`: a number from 0 to 1, or a tensor () or (n,) of the
    type of input. `dim`: the dimension to reduce, all if None. `interpolation`: "linear", "lower",
    "higher", "midpoint" or "nearest". NaN where an element is NaN. Returns the shape that is left,
    with n before it for a vector. Raises RuntimeError for other types, and for no elements.

    >>> import seegrad as torch
    >>> torch.quantile(torch.tensor([1.0, 2.0, 3.0, 5.0]), torch.tensor([0.5, 1.0]))
    tensor([2.5000, 5.0000])
    """
    return _quantile(input, q, dim, keepdim, interpolation, out, False)


@public
def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:
    """Return `quantile` of the elements that are no NaN, NaN where there are none.

    `input`: (...), float32 or float64. `q`: a number from 0 to 1, or a tensor () or (n,) of the
    type of input. Arguments and result as of `quantile`.

    >>> import seegrad as torch
    >>> torch.nanquantile(torch.tensor([1.0, float('nan'), 3.0]), 0.5)
    tensor(2.)
    """
    return _quantile(input, q, dim, keepdim, interpolation, out, True)


def _quantile(
    input: Any, q: Any, dim: int | None, keepdim: bool, how: str, out: Any, without_nan: bool
) -> Any:
    if not isinstance(q, TensorBase):
        q = _checked_number(q, input)
    _check_quantile(input, q, how)
    if out is None:
        return _computed_quantile(input, q, dim, keepdim, how, without_nan)
    if out.dtype is not input.dtype:
        raise RuntimeError("quantile() out tensor must be same dtype as the input tensor")
    arguments = input, q, dim, keepdim, how, without_nan
    return into(out, "quantile", _computed_quantile, *arguments)


def _checked_number(q: Any, input: Any) -> Any:
    """A number of the type of input, from 0 to 1."""
    if not isinstance(q, bool | int | float):
        raise TypeError(
            f"quantile(): argument 'q' (position 2) must be Tensor or float, not "
            f"{type(q).__name__}"
        )
    if not 0 <= q <= 1:
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    return wrap(np.asarray(q, input._array.dtype))


def _check_quantile(input: Any, q: Any, how: str) -> None:
    """Raise for what has no quantiles."""
    array, shares = input._array, q._array
    if how not in INTERPOLATIONS:
        wanted = "linear, lower, higher, midpoint or nearest"
        raise RuntimeError(f"quantile() interpolation must be one of {wanted}, but got {how}")
    for holds, text in (
        (array.size, "input tensor must be non-empty"),
        (shares.ndim < 2, "q must be a scalar or 1D tensor"),
        (array.dtype.char in "fd", "input tensor must be either float or double dtype"),
        (shares.dtype == array.dtype, "q tensor must be same dtype as the input tensor"),
        (np.all((shares >= 0) & (shares <= 1)), "q values must be in the range [0, 1]"),
        (array.size <= MOST, "input tensor is too large"),
    ):
        if not holds:
            raise RuntimeError(f"quantile() {text}")


def _computed_quantile(
    input: Any, q: Any, dim: int | None, keepdim: bool, how: str, without_nan: bool
) -> Any:
    """Lines in order along the last dimension; of each the values at the ranks of `q`."""
    ndim, shares = input._array.ndim, q._array.ndim
    axis = wrap_dim(0 if dim is None else dim, ndim)
    if dim is None or not ndim:
        lines = reshape(input, (*(1,) * (ndim if keepdim else 0), -1))
    else:
        lines = op.transpose(op.unsqueeze(input, -1), axis, -1)
        lines = lines if keepdim else op.squeeze_dim(lines, axis)
    ordered = op.sort(lines, -1, False)[0]
    found = _between(ordered, _ranks(ordered, reshape(q, (-1,)), without_nan), how)
    if shares:
        found = op.transpose(op.unsqueeze(found, 0), 0, -1)
    return op.squeeze_made(found, found._array.ndim - 1)


def _ranks(ordered: Any, q: Any, without_nan: bool) -> Any:
    """Where the quantiles stand in each line: (..., n); the last place where there is NaN."""
    last = ordered._array.shape[-1] - 1
    missing = op.isnan(ordered)
    if without_nan:
        count = op.sum_dim(op.logical_not(missing), (ordered._array.ndim - 1,), True)
        return op.clamp_min(op.mul(q, op.sub(count, 1)), 0)
    return op.where(
        op.any(missing, (ordered._array.ndim - 1,), True), float(last), op.mul(q, last)
    )


def _between(ordered: Any, ranks: Any, how: str) -> Any:
    """The values at ranks that may lie between two places."""
    if how in ROUNDINGS:
        return _at(ordered, getattr(op, ROUNDINGS[how])(ranks))
    floor = op.floor(ranks)
    below, above = _at(ordered, floor), _at(ordered, op.ceil(ranks))
    if how == "midpoint":
        found = op.lerp_scalar(below, above, 0.5)
    else:
        found = op.lerp(below, above, op.sub(ranks, floor))
    infinite = np.isinf(below._array) & (above._array != -below._array)
    return op.where(wrap(infinite), below, found) if infinite.any() else found


def _at(ordered: Any, places: Any) -> Any:
    return op.gather(ordered, -1, op.to_copy(places.detach(), INT64))
