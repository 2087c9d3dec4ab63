"""Public matrix products, built as PyTorch builds them: the same nodes in the same order."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from seegrad.graph.tensor import TensorBase, requires
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.grids import common_shape
from seegrad.ops.out import into
from seegrad.ops.reduce import alike, cast
from seegrad.ops.views import int_tuple, reshape

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Number = bool | int | float | complex


@public
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the matrix product: of vectors, of matrices, or of batches of them that broadcast.

    `input`: (n,) or (..., n, m). `other`: (m,) or (..., m, p). A vector loses the dimension that
    makes it a matrix. Raises RuntimeError where sizes or types differ.

    >>> import seegrad as torch
    >>> torch.matmul(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 1]))
    tensor([3, 7])
    """
    if out is not None:
        return into(out, "matmul", matmul, input, other)
    left, right = input._array.ndim, other._array.ndim
    if left == 2 and right == 2:
        return op.mm(input, other)
    if left == 0 or right == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {left}D and {right}D"
        )
    if left <= 2 and right <= 2:
        return flat_product(input, other, left, right)
    if left >= 3 and right >= 3:
        return batched(input, other)
    return folded(input, other, left < right)


def flat_product(input: Any, other: Any, left: int, right: int) -> Any:
    """The products with at least one vector and no batch."""
    if left == 1 and right == 1:
        return op.dot(input, other)
    if right == 1:
        return op.mv(input, other)
    return op.squeeze_made(op.mm(op.unsqueeze(input, 0), other), 0)


def batched(input: Any, other: Any) -> Any:
    """Both are batches; one of one matrix is no batch."""
    if input._array.ndim == 3 and other._array.ndim == 3:
        one, two = input._array.shape[0], other._array.shape[0]
        if two == 1 and one != 1:
            return matmul(input, op.squeeze_dim(other, 0))
        if one == 1 and two != 1:
            return matmul(op.squeeze_dim(input, 0), other)
    return by_bmm(input, other)


def by_bmm(input: Any, other: Any) -> Any:
    """Both broadcast to one batch of matrices, multiplied pair by pair."""
    left, right = input._array.shape, other._array.shape
    rows = left[-2:-1] if len(left) > 1 else ()
    columns = right[-1:] if len(right) > 1 else ()
    batch = common_shape([left[:-2], right[:-2]])
    first = as_batch(input, batch, (*(rows or (1,)), left[-1]))
    second = as_batch(other, batch, (right[-2] if columns else right[-1], *(columns or (1,))))
    return op.unsafe_view(op.bmm(first, second), (*batch, *rows, *columns))


def as_batch(input: Any, batch: tuple[int, ...], matrix: tuple[int, int]) -> Any:
    """The operand expanded over the batch, the batch as one dimension."""
    count = 1
    for size in batch:
        count *= size
    shape = (*batch, *matrix) if input._array.ndim > 1 else (*batch, input._array.shape[0])
    return reshape(op.expand(input, shape), (count, *matrix))


def folded(input: Any, other: Any, swapped: bool) -> Any:
    """One is a batch, the other a matrix or a vector: the batch becomes rows of one product."""
    large, small = (other, input) if swapped else (input, other)
    if not foldable(large, small, swapped):
        return by_bmm(input, other)
    if swapped:
        large = op.transpose(large, -2, -1)
        small = op.t(small) if small._array.ndim == 2 else small
    *lead, inner = large._array.shape
    rows = 1
    for size in lead:
        rows *= size
    flat = reshape(large, (rows, inner))
    if small._array.ndim == 1:
        return op.unsafe_view(op.mv(flat, small), tuple(lead))
    product = op.unsafe_view(op.mm(flat, small), (*lead, small._array.shape[1]))
    if swapped:
        product = op.clone(op.transpose(product, -2, -1), "contiguous")
    return product


def foldable(large: Any, small: Any, swapped: bool) -> bool:
    """Whether PyTorch folds the batch: when it saves memory, or costs no copy."""
    if requires(small) or not large._array.size:
        return True
    if small._array.ndim == 1 and not swapped:
        return True
    return not swapped and bool(large._array.flags.c_contiguous)


@public
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the product of two matrices.

    `input`: (n, m). `mat2`: (m, p), of the same type. Raises RuntimeError where they do not fit.

    >>> import seegrad as torch
    >>> torch.mm(torch.tensor([[1, 2]]), torch.tensor([[3], [4]]))
    tensor([[11]])
    """
    return op.mm(input, mat2) if out is None else into(out, "mm", op.mm, input, mat2)


@public
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the product of a matrix and a vector.

    `input`: (n, m). `vec`: (m,), of the same type. Raises RuntimeError where they do not fit.

    >>> import seegrad as torch
    >>> torch.mv(torch.tensor([[1, 2]]), torch.tensor([3, 4]))
    tensor([11])
    """
    return op.mv(input, vec) if out is None else into(out, "mv", op.mv, input, vec)


@public
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the sum of the products of two vectors; complex ones are not conjugated.

    `input` and `tensor`: (n,), of the same type. Raises RuntimeError where they differ.

    >>> import seegrad as torch
    >>> torch.dot(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    return op.dot(input, tensor) if out is None else into(out, "dot", op.dot, input, tensor)


@public
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the sum of the products of two vectors, the first conjugated.

    `input` and `other`: (n,), of the same type. Raises RuntimeError where they differ.

    >>> import seegrad as torch
    >>> torch.vdot(torch.tensor([1j]), torch.tensor([1j]))
    tensor(1.+0.j)
    """
    return op.vdot(input, other) if out is None else into(out, "vdot", op.vdot, input, other)


@public
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the products of matrices pair by pair.

    `input`: (b, n, m). `mat2`: (b, m, p), of the same type. Raises RuntimeError where they do not
    fit.

    >>> import seegrad as torch
    >>> torch.bmm(torch.ones(1, 2, 3), torch.ones(1, 3, 1)).shape
    torch.Size([1, 2, 1])
    """
    return op.bmm(input, mat2) if out is None else into(out, "bmm", op.bmm, input, mat2)


def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number = 1,
    alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `beta * input + alpha * (mat1 @ mat2)`.

    `mat1`: (n, m). `mat2`: (m, p). `input`: a shape that broadcasts to (n, p). Raises RuntimeError
    where shapes or types do not fit.

    >>> import seegrad as torch
    >>> torch.addmm(torch.tensor([1]), torch.tensor([[1, 2]]), torch.tensor([[3], [4]]))
    tensor([[12]])
    """
    if out is not None:
        return into(out, "addmm", op.addmm, input, mat1, mat2, beta, alpha)
    return op.addmm(input, mat1, mat2, beta, alpha)


def addmv(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: Number = 1,
    alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `beta * input + alpha * (mat @ vec)`.

    `mat`: (n, m). `vec`: (m,). `input`: a shape that broadcasts to (n,). Raises RuntimeError where
    shapes or types do not fit.

    >>> import seegrad as torch
    >>> torch.addmv(torch.tensor([1]), torch.tensor([[1, 2]]), torch.tensor([3, 4]))
    tensor([12])
    """
    if out is not None:
        return into(out, "addmv", op.addmv, input, mat, vec, beta, alpha)
    return op.addmv(input, mat, vec, beta, alpha)


def addbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Number = 1,
    alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `beta * input + alpha *` the sum of the products of matrices pair by pair.

    `batch1`: (b, n, m). `batch2`: (b, m, p). `input`: a shape that broadcasts to (n, p). Raises
    RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.addbmm(torch.zeros(1, 1), torch.ones(2, 1, 3), torch.ones(2, 3, 1))
    tensor([[6.]])
    """
    if out is not None:
        return into(out, "addbmm", op.addbmm, input, batch1, batch2, beta, alpha)
    return op.addbmm(input, batch1, batch2, beta, alpha)


def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Number = 1,
    alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `beta * input + alpha *` the products of matrices pair by pair.

    `batch1`: (b, n, m). `batch2`: (b, m, p). `input`: a shape that broadcasts to (b, n, p). Raises
    RuntimeError where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.baddbmm(torch.ones(1), torch.ones(1, 1, 3), torch.ones(1, 3, 1))
    tensor([[[4.]]])
    """
    if out is not None:
        return into(out, "baddbmm", op.baddbmm, input, batch1, batch2, beta, alpha)
    return op.baddbmm(input, batch1, batch2, beta, alpha)


def addr(
    input: Tensor,
    vec1: Tensor,
    vec2: Tensor,
    *,
    beta: Number = 1,
    alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return `beta * input + alpha * outer(vec1, vec2)`.

    `vec1`: (n,). `vec2`: (m,). `input`: a shape that broadcasts to (n, m). Raises RuntimeError
    where shapes do not fit.

    >>> import seegrad as torch
    >>> torch.addr(torch.zeros(1, 2), torch.ones(1), torch.tensor([1.0, 2.0]))
    tensor([[1., 2.]])
    """
    if out is not None:
        return into(out, "addr", op.addr, input, vec1, vec2, beta, alpha)
    return op.addr(*alike(input, vec1, vec2), beta, alpha)


@public
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the products of all elements of one vector with all of another.

    `input`: (n,). `vec2`: (m,). Returns (n, m). Raises RuntimeError for other shapes.

    >>> import seegrad as torch
    >>> torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    if out is not None:
        return into(out, "outer", outer, input, vec2)
    for name, vector in (("self", input), ("vec2", vec2)):
        if vector._array.ndim != 1:
            raise RuntimeError(
                f"outer: Expected 1-D argument {name}, but got {vector._array.ndim}-D"
            )
    return op.mul(reshape(input, (input._array.size, 1)), vec2)


ger = outer


@public
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the sums of products over the last dimensions of both.

    `input`: (..., n). `other`: (..., n). Returns the other dimensions of both. Raises RuntimeError
    where the last sizes differ.

    >>> import seegrad as torch
    >>> torch.inner(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    if out is not None:
        return into(out, "inner", inner, input, other)
    left, right = input._array, other._array
    if not left.ndim or not right.ndim:
        return op.mul(input, other)
    if left.dtype != right.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if left.shape[-1] != right.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(left.shape)} and {list(right.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


@public
def tensordot(
    a: Tensor, b: Tensor, dims: int | Sequence[Any] | Tensor = 2, out: Tensor | None = None
) -> Tensor:
    """Return the sums of products over some dimensions of both.

    `dims`: the number of last dimensions of `a` and first of `b`, or two lists of dimensions.
    Raises RuntimeError where their sizes differ.

    >>> import seegrad as torch
    >>> torch.tensordot(torch.ones(2, 3), torch.ones(3, 4), 1).shape
    torch.Size([2, 4])
    """
    if out is not None:
        return into(out, "tensordot", tensordot, a, b, dims)
    first, second = contracted(a._array.ndim, b._array.ndim, dims)
    sizes, others = a._array.shape, b._array.shape
    for one, two in zip(first, second, strict=True):
        if sizes[one] != others[two] and 1 not in (sizes[one], others[two]):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {sizes[one]} in dim "
                f"{one} and second has size {others[two]} in dim {two}"
            )
    return dotted(a, b, first, second)


def contracted(left: int, right: int, dims: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dimensions of both that are summed over."""
    if isinstance(dims, TensorBase):
        dims = dims._array.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(left, right):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        return tuple(range(-dims, 0)), tuple(range(dims))
    first, second = (int_tuple(one) for one in dims)
    if len(first) != len(second):
        raise RuntimeError("both dimension lists should have same length")
    return first, second


def dotted(a: Any, b: Any, first: tuple[int, ...], second: tuple[int, ...]) -> Any:
    """Both as matrices, the summed dimensions inside."""
    one = [dim % a._array.ndim for dim in first]
    two = [dim % b._array.ndim for dim in second]
    for place, (dim, other) in enumerate(zip(one, two, strict=True)):
        if a._array.shape[dim] == 1 and b._array.shape[other] != 1:
            b = cast(op.sum_dim(b, (other,), True), b.dtype)
        elif b._array.shape[two[place]] == 1 and a._array.shape[dim] != 1:
            a = cast(op.sum_dim(a, (dim,), True), a.dtype)
    rows = [dim for dim in range(a._array.ndim) if dim not in one]
    columns = [dim for dim in range(b._array.ndim) if dim not in two]
    inner_size = 1
    for dim in one:
        inner_size *= a._array.shape[dim]
    result = tuple(a._array.shape[dim] for dim in rows)
    result += tuple(b._array.shape[dim] for dim in columns)
    if not rows and not columns:
        flat_a = reshape(op.permute(a, tuple(one)), (inner_size,)) if one != [0] else (
            op.permute(a, (0,))
        )  # fmt: skip
        flat_b = reshape(op.permute(b, tuple(two)), (inner_size,)) if two != [0] else (
            op.permute(b, (0,))
        )  # fmt: skip
        return reshape(op.dot(flat_a, flat_b), result)
    left_size, right_size = math.prod(result[: len(rows)]), math.prod(result[len(rows) :])
    left = reshape(op.permute(a, (*rows, *one)), (left_size, inner_size))
    right = reshape(op.permute(b, (*two, *columns)), (inner_size, right_size))
    return reshape(op.mm(left, right), result)


@public
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return `input @ weight.T + bias`.

    `input`: (..., n). `weight`: (m, n) or (n,). `bias`: (m,). Returns (..., m). Raises
    RuntimeError where sizes do not fit.

    >>> import seegrad as torch
    >>> torch.nn.functional.linear(torch.tensor([1.0, 2.0]), torch.tensor([[3.0, 4.0]]))
    tensor([11.])
    """
    ndim = input._array.ndim
    if bias is None:
        if ndim == 2 and weight._array.ndim == 2:
            return op.mm(input, op.t(weight))
        if not ndim or not weight._array.ndim:
            raise RuntimeError(
                "both arguments to linear need to be at least 1D, but they are "
                f"{ndim}D and {weight._array.ndim}D"
            )
        return matmul(input, op.t(weight))
    if ndim == 2:
        return op.addmm(bias, input, op.t(weight))
    if weight._array.ndim != 2 and weight._array.ndim == ndim == 1:
        raise RuntimeError(f"mat2 must be a matrix, got {weight._array.ndim}-D tensor")
    if input._array.flags.c_contiguous and ndim and weight._array.ndim == 2:
        return flat_layer(input, weight, bias)
    return op.add(matmul(input, op.t(weight)), bias)


def flat_layer(input: Any, weight: Any, bias: Any) -> Any:
    """A layer on more or fewer than two dimensions: they become rows of one product."""
    *lead, inner = input._array.shape
    rows = 1
    for size in lead:
        rows *= size
    product = op.addmm(bias, op.view(input, (rows, inner)), op.t(weight))
    return op.view(product, (*lead, weight._array.shape[0]))


@public
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return for each output k the sum of `input1[i] * weight[k, i, j] * input2[j]`, plus bias.

    `input1`: (..., n). `input2`: (..., m). `weight`: (p, n, m). `bias`: (p,). Returns (..., p).
    Raises RuntimeError where sizes do not fit.

    >>> import seegrad as torch
    >>> one, two = torch.tensor([1.0, 2.0]), torch.tensor([3.0])
    >>> torch.nn.functional.bilinear(one, two, torch.ones(1, 2, 1))
    tensor([9.])
    """
    shapes = (input1._array.shape, input2._array.shape, weight._array.shape)
    for place, (name, size) in enumerate((("input1", shapes[0][-1]), ("input2", shapes[1][-1]))):
        if size != shapes[2][1 + place]:
            raise RuntimeError(
                f"bilinear(): {name} size does not match weight size: got {size} but expected "
                f"{shapes[2][1 + place]}"
            )
    if shapes[0][:-1] != shapes[1][:-1]:
        raise RuntimeError(
            "bilinear(): input dimensions do not match: got "
            f"{list(shapes[0][:-1])} and {list(shapes[1][:-1])}"
        )
    left = reshape(input1, (-1, shapes[0][-1]))
    right = reshape(input2, (-1, shapes[1][-1]))
    outputs, inner_1, inner_2 = shapes[2]
    # (rows, p, m): what input1 makes of the weight; then summed against input2.
    partly = op.mm(left, reshape(op.permute(weight, (1, 0, 2)), (inner_1, outputs * inner_2)))
    rows = op.view(partly, (-1, outputs, inner_2))
    product = op.squeeze_dim(op.bmm(rows, op.unsqueeze(right, 2)), 2)
    result = op.view(product, (*shapes[0][:-1], outputs))
    return result if bias is None else op.add(result, bias)
