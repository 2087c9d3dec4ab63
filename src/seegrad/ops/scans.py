"""Public running sums, products and extremes along a dimension."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.dtypes import bool_
from seegrad.arrays.refusals import need_kind
from seegrad.operators.recording import recorded as op
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.out import into
from seegrad.ops.reduce import cast

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def cumsum(input: Tensor, dim: int, *, dtype: Any = None, out: Tensor | None = None) -> Tensor:
    """Return the sums of the elements up to each.

    `input`: (...). `dim`: the dimension to go along. `dtype`: the type to compute in. Integers
    and bools are taken as int64. Returns (...).

    >>> import seegrad as torch
    >>> torch.cumsum(torch.tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 3., 6.])
    """
    dim = wrap_dim(dim, input.ndim)
    if out is None:
        return _scan("cumsum", input, dim, dtype)
    return into(out, "cumsum", op.cumsum, cast(input, dtype), dim)


def _scan(name: str, input: Any, dim: int, dtype: Any) -> Any:
    """A running sum or product in the type asked for; NumPy computes integers in int64."""
    if dtype is bool_ and input.ndim and input._array.size:
        need_kind(bool_.numpy, f"{name}_out_cpu", "b")
    return cast(getattr(op, name)(cast(input, dtype), dim), dtype)


@public
def cumprod(input: Tensor, dim: int, *, dtype: Any = None, out: Tensor | None = None) -> Tensor:
    """Return the products of the elements up to each.

    `input`: (...). `dim`: the dimension to go along. `dtype`: the type to compute in. Integers
    and bools are taken as int64. Returns (...).

    >>> import seegrad as torch
    >>> torch.cumprod(torch.tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 2., 6.])
    """
    dim = wrap_dim(dim, input.ndim)
    if out is None:
        return _scan("cumprod", input, dim, dtype)
    return into(out, "cumprod", op.cumprod, cast(input, dtype), dim)


@public
def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithms of the sums of exponentials up to each element, without overflow.

    `input`: (...). `dim`: the dimension to go along. Returns (...).

    >>> import seegrad as torch
    >>> torch.logcumsumexp(torch.tensor([0.0, 0.0, 0.0]), dim=0)
    tensor([0.0000, 0.6931, 1.0986])
    """
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return into(out, "logcumsumexp", op.logcumsumexp, input, dim)
    return op.logcumsumexp(input, dim)


@public
def cummax(input: Tensor, dim: int, *, out: Any = None) -> return_types.cummax:
    """Return the largest element up to each, and where it is.

    `input`: (...). `dim`: the dimension to go along. Returns a named tuple of values and
    indices, both (...).

    >>> import seegrad as torch
    >>> torch.cummax(torch.tensor([1.0, 3.0, 2.0]), dim=0)
    torch.return_types.cummax(
    values=tensor([1., 3., 3.]),
    indices=tensor([0, 1, 1]))
    """
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return return_types.cummax(into(tuple(out), "cummax", op.cummax, input, dim))
    return return_types.cummax(op.cummax(input, dim))


@public
def cummin(input: Tensor, dim: int, *, out: Any = None) -> return_types.cummin:
    """Return the smallest element up to each, and where it is.

    `input`: (...). `dim`: the dimension to go along. Returns a named tuple of values and
    indices, both (...).

    >>> import seegrad as torch
    >>> torch.cummin(torch.tensor([1.0, 3.0, 2.0]), dim=0)
    torch.return_types.cummin(
    values=tensor([1., 1., 1.]),
    indices=tensor([0, 0, 0]))
    """
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return return_types.cummin(into(tuple(out), "cummin", op.cummin, input, dim))
    return return_types.cummin(op.cummin(input, dim))
