"""Public functions of differences, areas and covariances, composed of operators."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seegrad.graph.tensor import wrap
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.elementwise import div, fitted
from seegrad.ops.once import warn
from seegrad.ops.views import reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


def neighbours(input: Any, dim: int) -> tuple[Any, Any]:
    """All but the first slice, and all but the last."""
    size = input._array.shape[dim]
    return op.slice(input, dim, 1, size, 1), op.slice(input, dim, 0, max(size - 1, 0), 1)


@public
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the differences of neighbours along a dimension, taken `n` times.

    `input`: (..., m, ...). `prepend` and `append`: put before and behind it first. Returns
    (..., m - n, ...). Raises RuntimeError for a negative `n` or a 0-d tensor.

    >>> import seegrad as torch
    >>> torch.diff(torch.tensor([1, 4, 9]))
    tensor([3, 5])
    """
    if not input._array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    axis = wrap_dim(dim, input._array.ndim)
    parts: list[Any] = [one for one in (prepend, input, append) if one is not None]
    if n == 0:
        return op.copy_(wrap(np.empty_like(input._array)), input)
    result: Any = op.cat(parts, axis) if len(parts) > 1 else input
    for _ in range(min(n, result._array.shape[axis])):
        later, earlier = neighbours(result, axis)
        if result._array.dtype == np.bool_:
            result = op.logical_xor(later, earlier)
        else:
            result = op.sub(later, earlier)
    return result


def spacing(name: str, x: Any, y: Any, dim: int) -> Any:
    """The distances of the points `x` in a shape that broadcasts against `y`."""
    if x._array.ndim < 2 and x._array.size != y._array.shape[dim]:
        raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
    if x._array.ndim == 1 and y._array.ndim > 1:
        shape = [1] * y._array.ndim
        shape[dim] = x._array.size
        x = op.view(x, tuple(shape))
    return op.sub(*neighbours(x, dim if x._array.ndim == y._array.ndim else -1))


def refuse_bool(name: str, y: Any, x: Any = None) -> None:
    """PyTorch integrates no bools."""
    which = "`y`" if x is None else "`x` or `y`"
    if y.dtype.scalar_name == "Bool":
        raise RuntimeError(f"{name}: received a bool input for {which}, but bool is not supported")


def floating(input: Any) -> Any:
    """The tensor in a type that can hold halves."""
    return fitted(input, 0.5)


@public
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """Return the area under points along a dimension by the trapezoidal rule.

    `y`: (..., n, ...). `x`: where the points are, else `dx` apart. Returns the shape without the
    dimension.

    >>> import seegrad as torch
    >>> torch.trapezoid(torch.tensor([1.0, 3.0, 5.0]))
    tensor(6.)
    """
    refuse_bool("trapezoid", y, x)
    if not y._array.ndim:
        where = dim if x is None else 0
        raise IndexError(f"Dimension specified as {where} but tensor has no dimensions")
    axis = wrap_dim(dim, y._array.ndim)
    if x is not None:
        later, earlier = neighbours(y, axis)
        areas = op.mul(op.add(later, earlier), spacing("trapezoid", x, y, axis))
        return op.div_scalar(floating(op.sum_dim(areas, (axis,), False)), 2.0)
    if not y._array.shape[axis]:
        left = y._array.shape[:axis] + y._array.shape[axis + 1 :]
        return wrap(np.zeros(left, y._array.dtype))
    ends = op.add(op.select(y, axis, 0), op.select(y, axis, -1))
    inner = op.sub(op.sum_dim(y, (axis,), False), op.mul_scalar(floating(ends), 0.5))
    return op.mul_scalar(inner, dx)


trapz = trapezoid


@public
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1
) -> Tensor:
    """Return the area up to each point along a dimension by the trapezoidal rule.

    `y`: (..., n, ...). `x`: where the points are, else `dx` apart. Returns (..., n - 1, ...).

    >>> import seegrad as torch
    >>> torch.cumulative_trapezoid(torch.tensor([1.0, 3.0, 5.0]))
    tensor([2., 6.])
    """
    refuse_bool("cumulative_trapezoid", y, x)
    if not y._array.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    axis = wrap_dim(dim, y._array.ndim)
    later, earlier = neighbours(y, axis)
    pairs = op.add(later, earlier)
    if x is None:
        return op.cumsum(op.mul_scalar(floating(pairs), dx / 2.0), axis)
    areas = op.mul(pairs, spacing("cumulative_trapezoid", x, y, axis))
    return op.div_scalar(floating(op.cumsum(areas, axis)), 2.0)


@public
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Return the covariances of variables.

    `input`: (variables, observations), or (observations,). `fweights`: how often each observation
    counts, `aweights`: how much. Returns (variables, variables), or () of one variable. Raises
    RuntimeError for more dimensions.

    >>> import seegrad as torch
    >>> torch.cov(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    _check_variables("cov", input)
    if input._array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows: Any = input if input._array.ndim == 2 else reshape(input, (1, -1))
    count = rows._array.shape[1]
    _check_weights("fweights", fweights, count, "iu")
    _check_weights("aweights", aweights, count, "f")
    return _covariances(rows, correction, fweights, aweights)


def _check_variables(name: str, input: Any) -> None:
    if input._array.ndim > 2:
        raise RuntimeError(
            f"{name}(): expected input to have two or fewer dimensions but got an input with "
            f"{input._array.ndim} dimensions"
        )


def _covariances(rows: Any, correction: int, fweights: Any, aweights: Any) -> Any:
    """Of rows: the means of products, less the products of means."""
    given: list[Any] = [one for one in (fweights, aweights) if one is not None]
    weights = op.mul(*given) if len(given) > 1 else given[0] if given else None
    total: Any = rows._array.shape[1] if weights is None else op.sum(weights)
    if weights is not None and total._array == 0:
        raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    weighted = rows if weights is None else op.mul(rows, weights)
    mean = div(op.sum_dim(weighted, (1,), False), total)
    rows = op.sub(rows, op.unsqueeze(mean, 1))
    other = op.t(rows if weights is None else op.mul(rows, weights))
    other = op.conj(other) if other._array.dtype.kind == "c" else other
    return op.squeeze(div(op.mm(rows, other), _freedom(weights, total, correction, aweights)))


def _freedom(weights: Any, total: Any, correction: int, aweights: Any) -> Any:
    """What the sums of products are divided by: a number, or a tensor where there are weights."""
    if weights is None:
        freedom, found = total - correction, total - correction
    else:
        lost: Any = correction
        if aweights is not None:
            lost = op.mul_scalar(op.div(op.sum(op.mul(weights, aweights)), total), correction)
        freedom = op.sub(total, lost)
        found = freedom._array
    if found > 0:
        return freedom
    warn(
        "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of "
        "observations."
    )
    return 0


def _check_weights(name: str, weights: Any, count: int, kinds: str) -> None:
    """One weight for each observation: whole numbers of times, or sizes."""
    if weights is None:
        return
    array = weights._array
    if array.ndim > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
            f"{array.ndim} dimensions"
        )
    if weights.dtype.is_floating_point != (kinds == "f"):
        kind = "floating point" if kinds == "f" else "integral"
        raise RuntimeError(
            f"cov(): expected {name} to have {kind} dtype but got {name} with "
            f"{weights.dtype.scalar_name} dtype"
        )
    if array.size != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the "
            f"input but got {array.size} != {count}"
        )
    if array.size and array.min() < 0:
        raise RuntimeError(f"cov(): {name} cannot be negative")


@public
def corrcoef(input: Tensor) -> Tensor:
    """Return the correlations of variables.

    `input`: (variables, observations), or (observations,). Returns (variables, variables), or ()
    of one variable.

    >>> import seegrad as torch
    >>> torch.corrcoef(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    _check_variables("corrcoef", input)
    matrix: Any = cov(input)
    if not matrix._array.ndim:
        return op.div(matrix, matrix)
    deviation = op.sqrt(op.diagonal(matrix))
    size = matrix._array.shape[0]
    matrix = op.div(matrix, op.view(deviation, (size, 1)))
    matrix = op.div(matrix, op.view(deviation, (1, size)))
    return matrix if matrix._array.dtype.kind == "c" else op.clamp(matrix, -1, 1)
