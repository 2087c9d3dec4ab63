"""What functions give where they meet sparse tensors (Note [Sparse])."""

import math
from typing import Any

import numpy as np

from seegrad.graph.tensor import TensorBase, wrap
from seegrad.ops.join import cat
from seegrad.tensor.conversion import checked_dim
from seegrad.tensor.coo import Coo, answers, gathered, keys_of, like, made, scattered

__all__ = ["addmm", "log_softmax", "product", "summed"]

NO_ADD = "add(sparse, dense) is not supported. Use add(dense, sparse) instead."
NO_BROADCAST = (
    "add: expected 'self' and 'other' to have same size, but self has size {} while other has "
    "size {} (FYI: dense-sparse addition does not currently support broadcasting)"
)
NOT_SAME = "add: expected sizes of 'self' and 'other' to match, but {} != {}"
NO_DIVISOR = (
    "Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {} for divisor)"
)
NO_MEETING = (
    "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, number "
    "of sparse dimensions, and shape of sparse dimensions"
)

# Functions that give zero for zero: of the elements alone, once for each place.
ZERO_TO_ZERO = ["abs", "absolute", "asin", "arcsin", "asinh", "arcsinh", "atan", "arctan"]
ZERO_TO_ZERO += ["atanh", "arctanh", "ceil", "deg2rad", "erf", "erfinv", "expm1", "floor", "frac"]
ZERO_TO_ZERO += ["isinf", "isnan", "log1p", "nan_to_num", "rad2deg", "relu", "round", "sgn"]
ZERO_TO_ZERO += ["sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "pow", "__pow__"]
# Functions of the elements that are the same for two elements of one place as for their sum.
LINEAR = ["neg", "negative", "to", "type_as", "double", "float", "half", "bfloat16", "int", "long"]
LINEAR += ["short", "char", "byte", "bool", "cfloat", "cdouble", "contiguous", "cuda"]


@answers(*ZERO_TO_ZERO)
def of_elements(func: Any, tensor: Any, *args: Any, **options: Any) -> Any:
    """A function of every element."""
    if not isinstance(tensor, Coo) or any(isinstance(one, Coo) for one in args):
        raise NotImplementedError(f"{func.__name__} takes one sparse tensor, the first")
    tensor = tensor.coalesce()
    return like(tensor, func(tensor._elements, *args, **options))


@answers(*LINEAR)
def of_all_elements(func: Any, tensor: Any, *args: Any, **options: Any) -> Any:
    """A function of every element, those of one place each by itself."""
    if any(isinstance(one, Coo) for one in args):
        args = tuple(one._elements if isinstance(one, Coo) else one for one in args)
    if not isinstance(tensor, Coo):
        return func(tensor, *args, **options)
    elements = func(tensor._elements, *args, **options)
    return tensor if elements is tensor._elements else like(tensor, elements)


@answers("item", "__bool__", "__float__", "__int__", "__complex__")
def number(func: Any, tensor: Any) -> Any:
    """The one element."""
    return func(tensor.to_dense())


@answers("zeros_like")
def zeros_like(func: Any, tensor: Any, **options: Any) -> Any:
    """A sparse tensor of no elements."""
    places = wrap(np.zeros((tensor.sparse_dim(), 0), np.int64))
    return made(places, func(tensor._elements[:0], **options), tensor._array.shape)


# Sums, differences, products, quotients


@answers("add", "__radd__", "sub", "subtract", "__rsub__", "rsub")
def add(func: Any, input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """`input + alpha * other`; a sum with a dense tensor is dense, and that tensor comes first."""
    if func.__name__ in ("__rsub__", "rsub"):
        input, other = other, input
    if "sub" in func.__name__:
        alpha = -alpha
    if not isinstance(other, Coo):
        raise RuntimeError(NO_ADD)
    shapes = [list(getattr(one, "shape", ())) for one in (input, other)]
    if not isinstance(input, Coo):
        if shapes[0] != shapes[1]:
            raise RuntimeError(NO_BROADCAST.format(*shapes))
        return input.add(other.to_dense(), alpha=alpha)
    if shapes[0] != shapes[1]:
        raise RuntimeError(NOT_SAME.format(*shapes))
    coalesced = input._coalesced and other._coalesced
    if np.array_equal(input._places._array, other._places._array):
        elements = input._elements.add(other._elements, alpha=alpha)
        return made(input._places, elements, shapes[0], coalesced)
    places = np.concatenate([input._places._array, other._places._array], 1)
    joined = made(wrap(places), cat([input._elements, other._elements * alpha]), shapes[0])
    return joined.coalesce() if coalesced else joined


@answers("mul", "multiply", "__rmul__")
def mul(func: Any, input: Any, other: Any) -> Any:
    """The product: with a number, with a dense tensor at the places, of two sparse tensors."""
    if not isinstance(input, Coo):
        input, other = other, input
    if isinstance(other, Coo):
        if input._coalesced and not other._coalesced:
            input, other = other, input
        return of_both(input, other)
    if isinstance(other, TensorBase) and other.ndim:
        other = gathered(other.expand(input.shape), input)  # type: ignore[attr-defined]
    return like(input, input._elements * other)


def of_both(input: Any, other: Any) -> Any:
    """The product of two sparse tensors, at the places that both have."""
    if input.shape != other.shape or input.sparse_dim() != other.sparse_dim():
        raise RuntimeError(NO_MEETING)
    other = other.coalesce()
    keys, known = keys_of(input), keys_of(other)
    found = np.searchsorted(known, keys)
    mine = np.flatnonzero(np.isin(keys, known))
    elements = input._elements.index_select(0, wrap(mine)) * other._elements.index_select(
        0, wrap(found[mine])
    )
    return made(wrap(input._places._array[:, mine]), elements, input.shape, input._coalesced)


@answers("div", "divide", "true_divide")
def div(func: Any, input: Any, other: Any, **options: Any) -> Any:
    """The quotient by a number."""
    if not isinstance(input, Coo) or (isinstance(other, TensorBase) and other.ndim):
        raise RuntimeError(NO_DIVISOR.format(list(getattr(other, "shape", ()))))
    return like(input, func(input._elements, other, **options))


# Sums over dimensions


@answers("sum")
def sum_of(func: Any, input: Any, dim: Any = None, keepdim: bool = False, **options: Any) -> Any:
    """The sum of all elements, or a sparse tensor of sums over dimensions."""
    if dim is None:
        return input._elements.sum(**options)
    if keepdim:
        raise NotImplementedError(
            "sum(..., keepdim=True) is not there for sparse tensors. Use it on x.to_dense()."
        )
    return summed(input, dim, **options)


def summed(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The sums over dimensions; dense where no dimension with places is left."""
    ndim, count = len(input.shape), input.sparse_dim()
    dims = [checked_dim(one, ndim) for one in (dim if isinstance(dim, (tuple, list)) else [dim])]
    elements = input._elements if dtype is None else input._elements.to(dtype)
    inside = [one - count + 1 for one in dims if one >= count]
    if inside:
        elements = elements.sum(inside)
    kept = [one for one in range(count) if one not in dims]
    if not kept:
        return elements.sum(0)
    places = wrap(input._places._array[kept])
    sizes = [size for one, size in enumerate(input.shape) if one not in dims]
    return made(places, elements, sizes, input._coalesced and len(kept) == count).coalesce()


# Products of matrices


@answers("mm", "matmul", "__matmul__", "__rmatmul__", "mv", "spmm")
def product(func: Any, input: Any, mat2: Any) -> Any:
    """The product of two matrices, one of which is sparse; of two sparse ones it is sparse."""
    if func.__name__ == "__rmatmul__":
        input, mat2 = mat2, input
    if not any(isinstance(one, Coo) for one in (input, mat2)):
        return input.mm(mat2)
    if input.ndim != 2 or mat2.ndim not in (1, 2):
        raise NotImplementedError(
            "A sparse tensor is multiplied as a matrix, with a matrix or a vector; there are "
            f"{input.ndim} and {mat2.ndim} dimensions. Use x.to_dense()."
        )
    if isinstance(mat2, Coo):
        if isinstance(input, Coo):
            return sparse_product(input, mat2)
        columns: int = input.shape[1]
        check(columns == mat2._array.shape[0], mat2._array.shape[0], columns)
        return product(func, mat2.t(), input.t()).t()
    if mat2.ndim == 1:
        if input.shape[1] != mat2.shape[0]:
            raise RuntimeError("mv: expected self.size(-1) == vec.size(-1)")
        return product(func, input, mat2.unsqueeze(1)).squeeze(1)
    check(input.shape[1] == mat2.shape[0], input.shape[1], mat2.shape[0])
    if input.dtype is not mat2.dtype:
        names = [one.dtype.scalar_name for one in (input, mat2)]
        raise RuntimeError("expected scalar type {} but found {}".format(*names))
    rows, columns = input._places._array
    terms = input._elements.unsqueeze(1) * mat2.index_select(0, wrap(columns))
    return scattered(terms, rows, input.shape[0])


def check(fits: bool, wanted: int, found: int) -> None:
    """Refuses a dense matrix whose rows are not as many as they should be."""
    if not fits:
        raise RuntimeError(
            f"addmm: Argument #3 (dense): Expected dim 0 size {wanted}, got {found}"
        )


def sparse_product(input: Any, mat2: Any) -> Any:
    """The product of two sparse matrices, at the places where two places meet."""
    if input.shape[1] != mat2.shape[0]:
        sizes = ["x".join(map(str, one.shape)) for one in (input, mat2)]
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied ({} and {})".format(*sizes))
    left, right = meeting(input._places._array[1], mat2._places._array[0], mat2.shape[0])
    places = np.stack([input._places._array[0][left], mat2._places._array[1][right]])
    elements = input._elements.index_select(0, wrap(left)) * mat2._elements.index_select(
        0, wrap(right)
    )
    return made(wrap(places), elements, (input.shape[0], mat2.shape[1])).coalesce()


def meeting(columns: Any, rows: Any, size: int) -> Any:
    """Which elements of two lists are equal: their numbers in the first and in the second."""
    counts, order = np.bincount(rows, minlength=size), np.argsort(rows, kind="stable")
    each = counts[columns]
    left = np.repeat(np.arange(len(columns)), each)
    within = np.arange(len(left)) - np.repeat(np.cumsum(each) - each, each)
    return left, order[(np.cumsum(counts) - counts)[columns][left] + within]


@answers("addmm")
def addmm(func: Any, input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """`beta * input + alpha * (mat1 @ mat2)`."""
    return beta * input + alpha * product(func, mat1, mat2)


# Over the elements of a dimension


def log_softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """`log_softmax` along a dimension in which what is not there counts as minus infinity."""
    input = input.coalesce()
    elements = input._elements if dtype is None else input._elements.to(dtype)
    sizes = input.shape
    flat = elements.new_full(
        (math.prod(sizes[: input.sparse_dim()]), *elements.shape[1:]), -math.inf
    )
    dense = flat.index_copy(0, wrap(keys_of(input)), elements).reshape(sizes)
    return like(input, gathered(dense.log_softmax(dim), input))


# Derivatives of what came out of sparse tensors


@answers("grad")
def grad(func: Any, outputs: Any, inputs: Any, *args: Any, **options: Any) -> Any:
    """`torch.autograd.grad`: the gradient of a sparse tensor has its places."""
    wanted = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    dense = [one._elements if isinstance(one, Coo) else one for one in wanted]
    found = func(outputs, dense, *args, **options)
    return tuple(
        like(one, each) if isinstance(one, Coo) and each is not None else each
        for one, each in zip(wanted, found, strict=True)
    )
