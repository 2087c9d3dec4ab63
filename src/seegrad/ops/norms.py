"""Public norms and distances."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.operators.recording import recorded as op
from seegrad.ops.dims import wrap_dims
from seegrad.ops.out import into

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Dims = int | tuple[int, ...] | list[int] | None


def vector_norm(
    x: Tensor,
    ord: float = 2,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the norm over dimensions, their elements taken as one vector.

    `x`: (...), floating point or complex. `ord`: any number, `inf` and `-inf` too. `dim`: the
    dimensions to reduce, all if None. Returns the shape that is left, real. Raises RuntimeError
    for integers. The norm of zeros has gradient zero.

    >>> import seegrad as torch
    >>> torch.linalg.vector_norm(torch.tensor([3.0, -4.0]))
    tensor(5.)
    """
    if dtype is not None and dtype is not x.dtype:
        x = op.to_copy(x, dtype)
    dims = None if dim is None else wrap_dims(dim, x.ndim)
    if out is not None:
        return into(out, "linalg_vector_norm", op.linalg_vector_norm, x, ord, dims, keepdim)
    return op.linalg_vector_norm(x, ord, dims, keepdim)


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: Dims = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the norm of all elements, or over dimensions, as of one long vector.

    `input`: (...), floating point or complex. `p`: any number, "fro" for 2. `dim`: the dimensions
    to reduce, all if None. Returns the shape that is left, real. Raises RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    if isinstance(p, str) and p != "fro":
        raise ValueError(f"only valid string values are 'fro' and 'nuc', found {p}")
    order = 2 if p is None or isinstance(p, str) else p
    return vector_norm(input, order, dim, keepdim, dtype=dtype, out=out)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """Return the norm of the difference of two tensors.

    `input` and `other`: shapes that broadcast, floating point or complex. `p`: the order of the
    norm. Returns (), real. Raises RuntimeError for integers.

    >>> import seegrad as torch
    >>> torch.dist(torch.tensor([3.0, 0.0]), torch.tensor([0.0, 4.0]))
    tensor(5.)
    """
    return op.dist(input, other, p)
