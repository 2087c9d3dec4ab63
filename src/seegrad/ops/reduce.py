"""Public sums, means, variances, products and norms."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import from_numpy, get_default_dtype
from seegrad.arrays.promotion import result_dtype
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim, wrap_dims
from seegrad.ops.once import warn
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Dims = int | tuple[int, ...] | list[int] | None


def cast(input: Any, dtype: Any) -> Any:
    """Input in the type asked for, itself if none is."""
    return input if dtype is None or input.dtype is dtype else op.to_copy(input, dtype)


def alike(*tensors: Any) -> tuple[Any, ...]:
    """The tensors in their common type."""
    common = from_numpy(result_dtype([one._array for one in tensors]))
    return tuple(cast(one, common) for one in tensors)


@public
def sum(
    input: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the sum of all elements, or over dimensions.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `dtype`: the type to compute in. Integers and bools are summed in int64. Returns
    the shape that is left. Raises IndexError for a dimension out of range.

    >>> import seegrad as torch
    >>> torch.sum(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([4., 6.])
    """
    if dim is None and dtype is None and out is None and not keepdim:
        return op.sum(input)
    if out is not None:
        return into(out, "sum", _sum, input, dim, keepdim, dtype)
    return _sum(input, dim, keepdim, dtype)


def _sum(input: Any, dim: Dims, keepdim: bool, dtype: Any) -> Any:
    input = cast(input, dtype)
    if dim is None and not keepdim:
        return cast(op.sum(input), dtype)
    return cast(op.sum_dim(input, wrap_dims(dim, input.ndim), keepdim), dtype)


@public
def nansum(
    input: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the sum with NaN taken as zero.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `dtype`: the type to compute in. Returns the shape that is left.

    >>> import seegrad as torch
    >>> torch.nansum(torch.tensor([1.0, float('nan')]))
    tensor(1.)
    """
    if out is not None:
        return into(out, "nansum", _nansum, input, dim, keepdim, dtype)
    return _nansum(input, dim, keepdim, dtype)


def _nansum(input: Any, dim: Dims, keepdim: bool, dtype: Any) -> Any:
    input = cast(input, dtype)
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        return _sum(input, dim, keepdim, dtype)
    return op.nansum(input, None if dim is None else wrap_dims(dim, input.ndim), keepdim)


@public
def mean(
    input: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the mean of all elements, or over dimensions.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `dtype`: the type to compute in. Returns the shape that is left. Raises
    RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.mean(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([1.5000, 3.5000])
    """
    if dim is None and dtype is None and out is None and not keepdim:
        return op.mean(input)
    if out is not None:
        return into(out, "mean", _mean, input, dim, keepdim, dtype)
    return _mean(input, dim, keepdim, dtype)


def _mean(input: Any, dim: Dims, keepdim: bool, dtype: Any) -> Any:
    if dtype is not None and dtype.numpy.kind in "biu":
        raise RuntimeError(
            "mean(): could not infer output dtype. Optional dtype must be either a floating point "
            f"or complex dtype. Got: {dtype.scalar_name}"
        )
    input = cast(input, dtype)
    if dim is None and not keepdim:
        return op.mean(input)
    return op.mean_dim(input, wrap_dims(dim, input.ndim), keepdim)


@public
def prod(
    input: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the product of all elements, or along a dimension.

    `input`: (...). `dim`: the dimension to reduce, all if None; with `keepdim` it stays, of
    size one. `dtype`: the type to compute in. Returns the shape that is left.

    >>> import seegrad as torch
    >>> torch.prod(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([3., 8.])
    """
    if out is not None:
        return into(out, "prod", _prod, input, dim, keepdim, dtype)
    return _prod(input, dim, keepdim, dtype)


def _prod(input: Any, dim: int | None, keepdim: bool, dtype: Any) -> Any:
    input = cast(input, dtype)
    if dim is None:
        return cast(op.prod(input), dtype)
    return cast(op.prod_dim(input, wrap_dim(dim, input.ndim), keepdim), dtype)


def _variance_arguments(
    name: str, input: Any, dim: Any, unbiased: bool | None, correction: float | None
) -> tuple[tuple[int, ...] | None, float | None]:
    """Dimensions and correction, also from `var(input, unbiased)`; PyTorch's warning."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None:
        correction = int(unbiased)
    dims = None if dim is None else wrap_dims(dim, input.ndim)
    if correction is None and dims is not None:
        correction = 1
    count = math.prod(
        input.shape if dims is None else [input.shape[d] for d in dims[: input.ndim]]
    )
    if count - (1 if correction is None else correction) <= 0:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel)."
        )
    return dims, correction


@public
def var(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the variance of all elements, or over dimensions.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `correction` is subtracted from the number of elements (1 if not given; `unbiased`
    says 1 or 0). Returns the shape that is left, real. Raises RuntimeError for integers; warns
    where nothing is left to divide by.

    >>> import seegrad as torch
    >>> torch.var(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([2., 2.])
    """
    if out is not None:
        return into(out, "var", _var, input, dim, unbiased, correction, keepdim)
    return _var(input, dim, unbiased, correction, keepdim)


def _var(
    input: Any, dim: Any, unbiased: bool | None, correction: float | None, keepdim: bool
) -> Any:
    dims, correction = _variance_arguments("var", input, dim, unbiased, correction)
    return op.var(input, dims, correction, keepdim)


@public
def var_mean(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the variance and the mean of all elements, or over dimensions.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `correction` is subtracted from the number of elements (1 if not given; `unbiased`
    says 1 or 0). Returns two tensors of the shape that is left, real. Raises RuntimeError for
    integers; warns where nothing is left to divide by.

    >>> import seegrad as torch
    >>> torch.var_mean(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    (tensor([2., 2.]), tensor([2., 3.]))
    """
    dims, correction = _variance_arguments("var_mean", input, dim, unbiased, correction)
    return op.var_mean(input, dims, correction, keepdim)


@public
def std(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the standard deviation of all elements, or over dimensions.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `correction` is subtracted from the number of elements (1 if not given; `unbiased`
    says 1 or 0). Returns the shape that is left, real. Raises RuntimeError for integers; warns
    where nothing is left to divide by.

    >>> import seegrad as torch
    >>> torch.std(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([1.4142, 1.4142])
    """
    if out is not None:
        return into(out, "std", _std, input, dim, unbiased, correction, keepdim)
    return _std(input, dim, unbiased, correction, keepdim)


def _std(
    input: Any, dim: Any, unbiased: bool | None, correction: float | None, keepdim: bool
) -> Any:
    dims, correction = _variance_arguments("std", input, dim, unbiased, correction)
    return op.std(input, dims, correction, keepdim)


@public
def std_mean(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the standard deviation and the mean of all elements, or over dimensions.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. `correction` is subtracted from the number of elements (1 if not given; `unbiased`
    says 1 or 0). Returns two tensors of the shape that is left, real. Raises RuntimeError for
    integers; warns where nothing is left to divide by.

    >>> import seegrad as torch
    >>> torch.std_mean(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    (tensor([1.4142, 1.4142]), tensor([2., 3.]))
    """
    dims, correction = _variance_arguments("std_mean", input, dim, unbiased, correction)
    return op.std_mean(input, dims, correction, keepdim)


@public
def logsumexp(
    input: Tensor, dim: Dims, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the logarithm of the sum of exponentials, without overflow.

    `input`: (...). `dim`: the dimensions to reduce; with `keepdim` they stay, of size one.
    Integers become the default float dtype. Returns the shape that is left.

    >>> import seegrad as torch
    >>> torch.logsumexp(torch.tensor([[0.0, 0.0], [1000.0, 0.0]]), dim=1)
    tensor([6.9315e-01, 1.0000e+03])
    """
    if out is not None:
        return into(out, "logsumexp", logsumexp, input, dim, keepdim)
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        input = op.to_copy(input, get_default_dtype())
    return op.logsumexp(input, wrap_dims(dim, input.ndim), keepdim)


def _named_dims(dim: Any, ndim: int) -> tuple[int, ...]:
    """For `all` and `any`, unlike for sums, an empty list names no dimension."""
    return () if isinstance(dim, tuple | list) and not dim else wrap_dims(dim, ndim)


@public
def all(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return whether all elements are true.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. Returns bool, uint8 for uint8.

    >>> import seegrad as torch
    >>> torch.all(torch.tensor([[True, False], [True, True]]), dim=1)
    tensor([False,  True])
    """
    dims = None if dim is None else _named_dims(dim, input.ndim)
    if out is not None:
        return into(out, "all", op.all, input, dims, keepdim)
    return op.all(input, dims, keepdim)


@public
def any(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return whether one element is true.

    `input`: (...). `dim`: the dimensions to reduce, all if None; with `keepdim` they stay, of
    size one. Returns bool, uint8 for uint8.

    >>> import seegrad as torch
    >>> torch.any(torch.tensor([[False, False], [True, False]]), dim=1)
    tensor([False,  True])
    """
    dims = None if dim is None else _named_dims(dim, input.ndim)
    if out is not None:
        return into(out, "any", op.any, input, dims, keepdim)
    return op.any(input, dims, keepdim)


@public
def count_nonzero(input: Tensor, dim: Dims = None) -> Tensor:
    """Return how many elements are not zero.

    `input`: (...). `dim`: the dimensions to reduce, all if None. Returns int64 of the shape
    that is left.

    >>> import seegrad as torch
    >>> torch.count_nonzero(torch.tensor([0.0, 2.0, 3.0]))
    tensor(2)
    """
    return op.count_nonzero(input, None if dim is None else wrap_dims(dim, input.ndim))
