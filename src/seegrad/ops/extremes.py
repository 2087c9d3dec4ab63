"""Public functions that find the largest, the smallest, the middle."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.graph.tensor import TensorBase
from seegrad.operators.recording import recorded as op
from seegrad.operators.signatures import invalid_combination
from seegrad.ops import return_types
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim, wrap_dims
from seegrad.ops.out import into
from seegrad.ops.rounding import maximum, minimum

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Dims = int | tuple[int, ...] | list[int] | None


@public
def max(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Any = None, other: Any = None
) -> Any:
    """Return the largest element; along a dimension, with indices; or the larger of two tensors.

    `input`: (...), real. `dim`: the dimension to reduce; a tensor here, or `other`, asks for
    `maximum(input, other)`. Without it ties share the gradient, with it the returned index gets
    it. Returns (), or a named tuple of values and indices of the shape that is left. Raises
    RuntimeError or IndexError where there are no elements.

    >>> import seegrad as torch
    >>> torch.max(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    torch.return_types.max(
    values=tensor([2., 4.]),
    indices=tensor([1, 1]))
    """
    other = dim if isinstance(dim, TensorBase) else other
    if other is not None:
        if not isinstance(input, TensorBase):
            raise invalid_combination("max", input, other)
        return maximum(input, other, out=out)
    if dim is None:
        return op.max(input) if out is None else into(out, "max", op.max, input)
    if not isinstance(input, TensorBase):
        raise invalid_combination("max", input, dim)
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return return_types.max(into(tuple(out), "max", op.max_dim, input, dim, keepdim))
    return return_types.max(op.max_dim(input, dim, keepdim))


@public
def min(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Any = None, other: Any = None
) -> Any:
    """Return the smallest element; along a dimension, with indices; or the smaller of two tensors.

    `input`: (...), real. `dim`: the dimension to reduce; a tensor here, or `other`, asks for
    `minimum(input, other)`. Without it ties share the gradient, with it the returned index gets
    it. Returns (), or a named tuple of values and indices of the shape that is left. Raises
    RuntimeError or IndexError where there are no elements.

    >>> import seegrad as torch
    >>> torch.min(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    torch.return_types.min(
    values=tensor([1., 3.]),
    indices=tensor([0, 0]))
    """
    other = dim if isinstance(dim, TensorBase) else other
    if other is not None:
        if not isinstance(input, TensorBase):
            raise invalid_combination("min", input, other)
        return minimum(input, other, out=out)
    if dim is None:
        return op.min(input) if out is None else into(out, "min", op.min, input)
    if not isinstance(input, TensorBase):
        raise invalid_combination("min", input, dim)
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return return_types.min(into(tuple(out), "min", op.min_dim, input, dim, keepdim))
    return return_types.min(op.min_dim(input, dim, keepdim))


@public
def amax(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the largest elements over dimensions; ties share the gradient.

    `input`: (...), real. `dim`: the dimensions to reduce, all if None; with `keepdim` they
    stay, of size one. Returns the shape that is left. Raises IndexError where there are no
    elements.

    >>> import seegrad as torch
    >>> torch.amax(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([3., 4.])
    """
    dims = () if dim is None or dim == () else wrap_dims(dim, input.ndim)
    if out is not None:
        return into(out, "amax", op.amax, input, dims, keepdim)
    return op.amax(input, dims, keepdim)


@public
def amin(
    input: Tensor, dim: Dims = None, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the smallest elements over dimensions; ties share the gradient.

    `input`: (...), real. `dim`: the dimensions to reduce, all if None; with `keepdim` they
    stay, of size one. Returns the shape that is left. Raises IndexError where there are no
    elements.

    >>> import seegrad as torch
    >>> torch.amin(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([1., 2.])
    """
    dims = () if dim is None or dim == () else wrap_dims(dim, input.ndim)
    if out is not None:
        return into(out, "amin", op.amin, input, dims, keepdim)
    return op.amin(input, dims, keepdim)


@public
def aminmax(
    input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Any = None
) -> return_types.aminmax:
    """Return the smallest and the largest elements; ties share the gradient.

    `input`: (...), real. `dim`: the dimension to reduce, all if None. Returns a named tuple of two
    tensors of the shape that is left. Raises RuntimeError where there are no elements.

    >>> import seegrad as torch
    >>> torch.aminmax(torch.tensor([3.0, 1.0, 2.0]))
    torch.return_types.aminmax(
    min=tensor(1.),
    max=tensor(3.))
    """
    if dim is None and not input._array.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    dim = None if dim is None else wrap_dim(dim, input.ndim)
    if out is not None:
        return return_types.aminmax(into(tuple(out), "aminmax", op.aminmax, input, dim, keepdim))
    return return_types.aminmax(op.aminmax(input, dim, keepdim))


@public
def argmax(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return where the largest element is: the first of equals.

    `input`: (...), real. `dim`: the dimension to reduce; None counts through the flattened
    tensor. Returns int64 of the shape that is left. Raises IndexError where there are no
    elements.

    >>> import seegrad as torch
    >>> torch.argmax(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([1, 1])
    """
    dim = None if dim is None else wrap_dim(dim, input.ndim)
    if out is not None:
        return into(out, "argmax", op.argmax, input, dim, keepdim)
    return op.argmax(input, dim, keepdim)


@public
def argmin(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return where the smallest element is: the first of equals.

    `input`: (...), real. `dim`: the dimension to reduce; None counts through the flattened
    tensor. Returns int64 of the shape that is left. Raises IndexError where there are no
    elements.

    >>> import seegrad as torch
    >>> torch.argmin(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1)
    tensor([0, 0])
    """
    dim = None if dim is None else wrap_dim(dim, input.ndim)
    if out is not None:
        return into(out, "argmin", op.argmin, input, dim, keepdim)
    return op.argmin(input, dim, keepdim)


@public
def median(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None
) -> Any:
    """Return the lower of the two middle elements; along a dimension, with indices.

    `input`: (...), real, no bools. `dim`: the dimension to reduce; without it ties share the
    gradient. Returns (), or a named tuple of values and indices of the shape that is left. Raises
    IndexError where a dimension has no elements.

    >>> import seegrad as torch
    >>> torch.median(torch.tensor([3.0, 1.0, 2.0, 4.0]))
    tensor(2.)
    """
    if dim is None:
        return op.median(input) if out is None else into(out, "median", op.median, input)
    dim = wrap_dim(dim, input.ndim)
    if out is not None:
        return return_types.median(into(tuple(out), "median", op.median_dim, input, dim, keepdim))
    return return_types.median(op.median_dim(input, dim, keepdim))
