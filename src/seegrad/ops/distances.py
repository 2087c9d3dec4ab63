"""Public distances and what is near them: similarity, normalisation."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from seegrad.arrays.refusals import need_kind
from seegrad.graph.state import recording
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.dims import wrap_dim
from seegrad.ops.elementwise import fitted
from seegrad.ops.grids import broadcast_tensors, common_shape
from seegrad.ops.out import into
from seegrad.ops.reduce import alike

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """Return the p-norm of `x1 - x2 + eps` over the last dimension.

    `x1` and `x2`: (..., n), shapes that broadcast. Returns (...), with `keepdim` (..., 1).

    >>> import seegrad as torch
    >>> origin, point = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]])
    >>> torch.nn.functional.pairwise_distance(origin, point)
    tensor([5.0000])
    """
    common_shape([x1._array.shape, x2._array.shape])
    difference = op.add_scalar(fitted(op.sub(x1, x2), eps), eps)
    return op.norm_dim(difference, float(p), (difference._array.ndim - 1,), keepdim)


@public
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosine of the angle between vectors along a dimension.

    `x1` and `x2`: shapes that broadcast. `eps`: no length counts less. Returns the common shape
    without `dim`.

    >>> import seegrad as torch
    >>> one, two = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]])
    >>> torch.nn.functional.cosine_similarity(one, two)
    tensor([0.7071])
    """
    shape = common_shape([x1._array.shape, x2._array.shape])
    x1, x2 = alike(x1, x2)
    if not x1.dtype.is_floating_point:
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is "
            f"{x1.dtype.scalar_name}"
        )
    axis = wrap_dim(dim, len(shape))
    one, two = broadcast_tensors(x1, x2)
    unit_1, unit_2 = unit(one, axis, eps), unit(two, axis, eps)
    return op.sum_dim(op.mul(unit_1, unit_2), (axis,), False)


def unit(input: Any, dim: int, eps: float) -> Any:
    """Vectors over their lengths; lengths below `eps` count as `eps`, unseen by the gradient."""
    length = op.clone(op.linalg_vector_norm(input, 2.0, (dim,), True))
    with recording(False):
        op.clamp_min_(length, eps)
    return op.div(input, length)


@public
def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Return vectors along a dimension over their p-norms, which count at least `eps`.

    `input`: (..., n, ...). Returns that shape. Raises IndexError for a dimension out of range.

    >>> import seegrad as torch
    >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    if out is not None:
        return into(out, "div", normalize, input, p, dim, eps)
    axis = wrap_dim(dim, input._array.ndim)
    length = op.clamp_min(op.linalg_vector_norm(input, p, (axis,), True), eps)
    return op.div(input, op.expand(length, input._array.shape))


@public
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Return the p-norms of the differences of all pairs of rows.

    `input`: (n, k). Returns (n * (n - 1) / 2,). Raises RuntimeError for other numbers of
    dimensions and a negative p.

    >>> import seegrad as torch
    >>> torch.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]))
    tensor([5.0000, 1.0000, 4.2426])
    """
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if not input.dtype.is_floating_point:
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    if input._array.shape[0] > 1:
        need_kind(input._array.dtype, "pdist", "hg")
    return op.pdist(input, float(p))


@public
def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """Return the p-norms of the differences of all pairs of rows.

    `x1`: (..., n, k). `x2`: (..., m, k). Returns (..., n, m). Raises RuntimeError where the rows
    differ in size.

    >>> import seegrad as torch
    >>> torch.cdist(torch.zeros(1, 2), torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
    tensor([[5., 0.]])
    """
    if compute_mode not in MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    if x1._array.ndim < 2 or x2._array.ndim < 2:
        name, ndim = ("X1", x1._array.ndim) if x1._array.ndim < 2 else ("X2", x2._array.ndim)
        raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {ndim}D")
    for name, one in (("X1", x1), ("X2", x2)):
        if not one.dtype.is_floating_point:
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {name} got: {one.dtype.scalar_name}"
            )
    if x1._array.shape[-1] != x2._array.shape[-1]:
        raise RuntimeError(
            "X1 and X2 must have the same number of columns. "
            f"X1: {x1._array.shape[-1]} X2: {x2._array.shape[-1]}"
        )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    batch = common_shape([x1._array.shape[:-2], x2._array.shape[:-2]])
    one, two = (
        part
        if part._array.shape[:-2] == batch
        else op.expand(part, (*batch, *part._array.shape[-2:]))
        for part in (x1, x2)
    )
    if p == 2 and one._array.size and two._array.size and by_products(compute_mode, x1, x2):
        return euclidean(x1, x2, batch)
    return op.cdist(one, two, float(p))


MODES = (
    "use_mm_for_euclid_dist_if_necessary",
    "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)


def by_products(mode: str, x1: Any, x2: Any) -> bool:
    """Whether PyTorch goes by a product of matrices: what its graph shows. We never do."""
    if mode == MODES[0]:
        return max(x1._array.shape[-2], x2._array.shape[-2]) > 25
    return mode == MODES[1]


def euclidean(x1: Any, x2: Any, batch: tuple[int, ...]) -> Any:
    """The distances, of batches as one; shapes and nodes are PyTorch's."""
    shape = (*batch, x1._array.shape[-2], x2._array.shape[-2])
    if math.prod(batch) > 1:
        x1, x2 = flattened(x1, batch), flattened(x2, batch)
    return op.view(op.euclidean_dist(x1, x2), shape)


def flattened(input: Any, batch: tuple[int, ...]) -> Any:
    """Rows of a batch (..., n, k), broadcast, with one dimension for the batch."""
    sizes = input._array.shape[-2:]
    many = op.expand(input, (*batch, *sizes))
    if not many._array.flags.c_contiguous:
        many = op.clone(many)
    return op.view(many, (math.prod(batch), *sizes))
