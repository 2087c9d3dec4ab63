"""Public functions of `torch.masked`: reductions, scans and norms of the elements a mask names.

An element where `mask` is False counts as not there: what is neutral for the function stands in
its place, and no gradient reaches it. Where a whole slice is masked out, the result is the
neutral element, NaN where there is none. `mask`: a shape that broadcasts to that of `input`, bool
(other types are made so); None masks nothing out. `dtype`: the type of the result. `dim`: the
dimensions to reduce, all of them for None and for an empty tuple; with `keepdim` they stay, of
size one.
"""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.arrays.dtypes import float64, from_numpy, get_default_dtype
from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops import activations, extremes, norms, reduce, scans, statistics
from seegrad.ops.dims import wrap_dim
from seegrad.ops.reduce import cast

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]

Dims = int | tuple[int, ...] | list[int] | None


def _fitted(input: Any, mask: Any) -> Any:
    """The mask as bools in the shape of the input."""
    if mask.ndim > input.ndim:
        raise IndexError(
            "_input_mask expected broadcastable mask (got mask dimensionality higher than of the "
            "input)"
        )
    mask = mask if mask._array.dtype.kind == "b" else op.to_copy(mask, from_numpy(np.dtype(bool)))
    return op.expand(mask, tuple(input.shape))


def _filled(input: Any, mask: Any, value: Any) -> Any:
    """The input with a number where it is masked out."""
    if mask is None:
        return input
    return op.where(_fitted(input, mask), input, wrap(np.asarray(value, input._array.dtype)))


def _end(input: Any, mask: Any, sign: int, name: str) -> float:
    """The end of the numbers of a type, infinite where it can be: neutral for extremes."""
    kind = input._array.dtype
    if kind.kind == "b" and mask is not None:
        raise NotImplementedError(f"identity of {name} on torch.bool input")
    if kind.kind not in "iu":
        return sign * math.inf
    return np.iinfo(kind).max if sign > 0 else np.iinfo(kind).min


def _dims(dim: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, in order."""
    if dim is None or (not isinstance(dim, int) and not len(dim)):
        return tuple(range(ndim))
    found: list[int] = []
    for one in (dim,) if isinstance(dim, int) else dim:
        place = wrap_dim(one, ndim)
        if place in found:
            raise RuntimeError(f"dim={place} appears multiple times in the list of dims")
        found.append(place)
    return tuple(sorted(found)) if ndim else ()


def _counted(input: Any, dim: Dims, keepdim: bool, mask: Any) -> Any:
    """How many elements are there."""
    ones = wrap(np.broadcast_to(np.int64(1), tuple(input.shape)))
    return sum(ones, dim, keepdim=keepdim, mask=mask)


def _is_inexact(dtype: Any) -> bool:
    return dtype.is_floating_point or dtype.is_complex


def sum(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the sum of what is not masked out.

    >>> import seegrad as torch
    >>> x, mask = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([True, False])
    >>> torch.masked.sum(x, 1, mask=mask)
    tensor([1., 3.])
    """
    filled = _filled(input, mask, 0)
    return reduce.sum(filled, _dims(dim, input.ndim), keepdim, dtype=dtype)


def prod(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the product of what is not masked out.

    >>> import seegrad as torch
    >>> torch.masked.prod(torch.tensor([2.0, 3.0, 4.0]), mask=torch.tensor([True, False, True]))
    tensor(8.)
    """
    found: Any = _filled(input, mask, 1)
    for place in reversed(_dims(dim, input.ndim)):
        found = reduce.prod(found, place, keepdim, dtype=dtype)
    return found if input.ndim else reduce.prod(found, dtype=dtype)


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Return the sums up to each element of what is not masked out.

    >>> import seegrad as torch
    >>> torch.masked.cumsum(torch.tensor([1, 2, 3]), 0, mask=torch.tensor([True, False, True]))
    tensor([1, 1, 4])
    """
    return _scanned(scans.cumsum, input, dim, dtype, _filled(input, mask, 0))


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Return the products up to each element of what is not masked out.

    >>> import seegrad as torch
    >>> torch.masked.cumprod(torch.tensor([2, 3, 4]), 0, mask=torch.tensor([True, False, True]))
    tensor([2, 2, 8])
    """
    return _scanned(scans.cumprod, input, dim, dtype, _filled(input, mask, 1))


def _scanned(scan: Any, input: Any, dim: Any, dtype: Any, filled: Any) -> Any:
    """A scan in the type of the input, unlike those of `torch`."""
    wanted = input.dtype if dtype is None else dtype
    return scan(filled, _one_dim(dim, input.ndim), dtype=wanted)


def _one_dim(dim: Any, ndim: int) -> int:
    """One dimension, the first of several."""
    return wrap_dim(dim, ndim) if isinstance(dim, int) else (*_dims(dim, ndim), 0)[0]


def amax(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the largest of what is not masked out; ties share the gradient.

    >>> import seegrad as torch
    >>> torch.masked.amax(torch.tensor([1.0, 2.0, 3.0]), mask=torch.tensor([True, True, False]))
    tensor(2.)
    """
    filled = _filled(input, mask, _end(input, mask, -1, "amax"))
    return cast(extremes.amax(filled, _dims(dim, input.ndim), keepdim), dtype)


def amin(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the smallest of what is not masked out; ties share the gradient.

    >>> import seegrad as torch
    >>> torch.masked.amin(torch.tensor([1.0, 2.0, 3.0]), mask=torch.tensor([False, True, True]))
    tensor(2.)
    """
    filled = _filled(input, mask, _end(input, mask, 1, "amin"))
    return cast(extremes.amin(filled, _dims(dim, input.ndim), keepdim), dtype)


def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return where the largest of what is not masked out is, in the type of the input.

    >>> import seegrad as torch
    >>> torch.masked.argmax(torch.tensor([1.0, 2.0, 3.0]), mask=torch.tensor([True, True, False]))
    tensor(1.)
    """
    filled = _filled(input, mask, _end(input, mask, -1, "argmax"))
    return cast(extremes.argmax(filled, dim, keepdim), dtype or input.dtype)


def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return where the smallest of what is not masked out is, in the type of the input.

    >>> import seegrad as torch
    >>> torch.masked.argmin(torch.tensor([1.0, 2.0, 3.0]), mask=torch.tensor([False, True, True]))
    tensor(1.)
    """
    filled = _filled(input, mask, _end(input, mask, 1, "argmin"))
    return cast(extremes.argmin(filled, dim, keepdim), dtype or input.dtype)


def mean(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the mean of what is not masked out.

    Raises ValueError where the result is neither floating point nor complex.

    >>> import seegrad as torch
    >>> torch.masked.mean(torch.tensor([1.0, 2.0, 6.0]), mask=torch.tensor([True, True, False]))
    tensor(1.5000)
    """
    wanted = input.dtype if dtype is None else dtype
    if not _is_inexact(wanted):
        raise ValueError(
            f"mean(): Could not infer output dtype. {'Input' if dtype is None else 'Optional'} "
            f"dtype must be either a floating point or complex dtype. Got: {wanted}"
        )
    total = sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    return op.div(total, _counted(input, dim, keepdim, mask))


def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the lower median of what is not masked out and not NaN.

    Raises ValueError where all of a slice of integers is masked out.

    >>> import seegrad as torch
    >>> torch.masked.median(torch.tensor([1.0, 2.0, 3.0]), mask=torch.tensor([False, True, True]))
    tensor(2.)
    """
    place = _one_dim(dim, input.ndim)
    whole = not input.dtype.is_floating_point
    if whole and not _counted(input, place, False, mask)._array.all():
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating point"
        )
    filled = _filled(op.to_copy(input, float64) if whole else input, mask, math.nan)
    found = statistics.nanmedian(filled, place, keepdim).values
    return cast(found, dtype or input.dtype)


def logsumexp(
    input: Tensor,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the logarithm of the sum of exponentials of what is not masked out.

    >>> import seegrad as torch
    >>> torch.masked.logsumexp(torch.tensor([0.0, 5.0]), mask=torch.tensor([True, False]))
    tensor(0.)
    """
    filled = _filled(input, mask, _end(input, mask, -1, "logsumexp"))
    found = reduce.logsumexp(filled, _dims(dim, input.ndim), keepdim)
    return cast(found, dtype or input.dtype)


def norm(
    input: Tensor,
    ord: float = 2.0,
    dim: Dims = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the norm of the vector of what is not masked out.

    `ord`: any number, `inf` and `-inf` too.

    >>> import seegrad as torch
    >>> torch.masked.norm(torch.tensor([3.0, 9.0, 4.0]), mask=torch.tensor([True, False, True]))
    tensor(5.)
    """
    inexact = _is_inexact(input.dtype)
    filled = _filled(input, mask, math.inf if inexact and ord < 0 else 0)
    return norms.vector_norm(filled, ord, _dims(dim, input.ndim), keepdim, dtype=dtype)


def var(
    input: Tensor,
    dim: Dims = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the variance of what is not masked out.

    `correction`: subtracted from the number of elements, 1 unless `unbiased` is False.

    >>> import seegrad as torch
    >>> torch.masked.var(torch.tensor([1.0, 9.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(2.)
    """
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    off = correction if correction is not None else int(unbiased is not False)
    wanted = dtype or (input.dtype if _is_inexact(input.dtype) else get_default_dtype())
    inner = wanted if _is_inexact(wanted) else get_default_dtype()
    count = _counted(input, dim, True, mask)
    middle = op.div(sum(input, dim, keepdim=True, dtype=inner, mask=mask), count)
    away = op.sub(input, middle)
    squares = op.mul(away, op.conj(away) if away.dtype.is_complex else away)
    total = sum(squares, dim, keepdim=keepdim, dtype=inner, mask=mask)
    freedom = wrap(np.maximum(count._array.reshape(total.shape) - off, 0))
    return cast(op.div(total, freedom), wanted)


def std(
    input: Tensor,
    dim: Dims = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return the standard deviation of what is not masked out.

    `correction`: subtracted from the number of elements, 1 unless `unbiased` is False.

    >>> import seegrad as torch
    >>> x, mask = torch.tensor([1.0, 9.0, 5.0]), torch.tensor([True, False, True])
    >>> torch.masked.std(x, unbiased=False, mask=mask)
    tensor(2.)
    """
    return op.sqrt(
        var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask)
    )


def softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Return exponentials divided by their sum over what is not masked out, 0 elsewhere.

    >>> import seegrad as torch
    >>> torch.masked.softmax(torch.zeros(3), 0, mask=torch.tensor([True, False, True]))
    tensor([0.5000, 0.0000, 0.5000])
    """
    input = cast(input, dtype)
    filled = _filled(input, mask, _end(input, mask, -1, "amax"))
    return activations.softmax(filled, _one_dim(dim, input.ndim))


def log_softmax(
    input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None
) -> Tensor:
    """Return the logarithms of `softmax`, -inf where masked out.

    >>> import seegrad as torch
    >>> torch.masked.log_softmax(torch.zeros(3), 0, mask=torch.tensor([True, False, True]))
    tensor([-0.6931,    -inf, -0.6931])
    """
    input = cast(input, dtype)
    filled = _filled(input, mask, _end(input, mask, -1, "amax"))
    return activations.log_softmax(filled, _one_dim(dim, input.ndim))


def softmin(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Tensor:
    """Return the softmax of the negatives, 0 where masked out.

    >>> import seegrad as torch
    >>> torch.masked.softmin(torch.zeros(3), 0, mask=torch.tensor([True, False, True]))
    tensor([0.5000, 0.0000, 0.5000])
    """
    input = cast(input, dtype)
    filled = _filled(input, mask, _end(input, mask, 1, "amin"))
    return activations.softmin(filled, _one_dim(dim, input.ndim))


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Tensor:
    """Return what is not masked out divided by its norm, or by `eps` where that is larger.

    >>> import seegrad as torch
    >>> x, mask = torch.tensor([3.0, 9.0, 4.0]), torch.tensor([True, False, True])
    >>> torch.masked.normalize(x, 2.0, 0, mask=mask)
    tensor([0.6000, 0.0000, 0.8000])
    """
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    least = wrap(np.asarray(eps, length._array.dtype))
    return op.div(_filled(input, mask, 0), op.maximum(length, least))


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """Return the logarithm of the sum of exponentials of two tensors, each with its mask.

    >>> import seegrad as torch
    >>> x, mask = torch.zeros(2), torch.tensor([True, False])
    >>> torch.masked.logaddexp(x, x, other_mask=mask)
    tensor([0.6931, 0.0000])
    """
    left = _filled(input, input_mask, _end(input, input_mask, -1, "logaddexp"))
    right = _filled(other, other_mask, _end(other, other_mask, -1, "logaddexp"))
    return cast(op.logaddexp(left, right), dtype or input.dtype)
