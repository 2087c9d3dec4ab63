"""Kernels of matrix products and what is added to them."""

from typing import Any, NoReturn

import numpy as np

from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.dtypes import cpp_type_name, from_numpy, scalar_type_name

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars


def type_name(array: Array) -> str:
    """The name of the type in messages: 'Float', 'Long' ..."""
    return scalar_type_name(from_numpy(array.dtype))


def _cpp(array: Array) -> str:
    return cpp_type_name(from_numpy(array.dtype))


def _no_bool(array: Array, kernel: str) -> None:
    if array.dtype == np.bool_:
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")


def mm(self: Array, mat2: Array) -> Array:
    """The product of two matrices, (n, m) and (m, p)."""
    # The method is 0.3 us faster than `@`; it would take vectors too, so dimensions are checked.
    kind = self.dtype
    if (kind is not mat2.dtype and kind != mat2.dtype) or kind is _BOOL:
        _refuse_mm(self, mat2)
    if self.ndim != 2 or mat2.ndim != 2:
        _refuse_mm(self, mat2)
    try:
        # `dot` first fills the result with zeros: 15 us for a gradient of 784 by 256.
        if self.size > _SMALL and len(self) * mat2.shape[1] > _LARGE:
            return np.matmul(self, mat2)
        return self.dot(mat2)
    except ValueError:
        _refuse_mm(self, mat2)
    return self


_SMALL, _LARGE = 4096, 32768  # elements of a factor and of a result
_BOOL = np.dtype(np.bool_)


def _refuse_mm(self: Array, mat2: Array) -> None:
    for name, matrix in (("self", self), ("mat2", mat2)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    _check_shapes(self, mat2)
    if self.dtype != mat2.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {_cpp(self)} != {_cpp(mat2)}"
        )
    if self.size and mat2.size:
        raise NotImplementedError("\"addmm_impl_cpu_\" not implemented for 'Bool'")


def _check_shapes(mat1: Array, mat2: Array) -> None:
    if mat1.shape[1] != mat2.shape[0]:
        one, other = "x".join(map(str, mat1.shape)), "x".join(map(str, mat2.shape))
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({one} and {other})")


def mv(self: Array, vec: Array) -> Array:
    """A matrix times a vector, (n, m) and (m,)."""
    if self.ndim != 2 or vec.ndim != 1 or self.dtype != vec.dtype or self.dtype.kind == "b":
        _refuse_mv(self, vec)
    try:
        return self.dot(vec)
    except ValueError:
        _refuse_mv(self, vec)
    return self


def _refuse_mv(self: Array, vec: Array) -> NoReturn:
    if self.ndim != 2 or vec.ndim != 1:
        if self.ndim == 2 and vec.ndim == 2:
            _refuse_sizes(self.shape[0], self, vec)
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {self.ndim}, {vec.ndim}")
    if self.shape[1] != vec.shape[0]:
        _refuse_sizes(self.shape[0], self, vec)
    if self.dtype != vec.dtype:
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{type_name(vec)}, {type_name(self)}, and {type_name(vec)}"
        )
    raise NotImplementedError("\"addmv_impl_cpu\" not implemented for 'Bool'")


def _refuse_sizes(rows: int, mat: Array, vec: Array) -> NoReturn:
    shape = "x".join(map(str, mat.shape))
    raise RuntimeError(f"size mismatch, got input ({rows}), mat ({shape}), vec ({vec.shape[0]})")


def dot(self: Array, tensor: Array) -> Array:
    """The sum of the products of two vectors, without conjugation."""
    _check_dot(self, tensor)
    return np.asarray(self.dot(tensor))


def vdot(self: Array, other: Array) -> Array:
    """The sum of the products of two vectors, the first conjugated."""
    _check_dot(self, other)
    return np.asarray(np.vdot(self, other))


def _check_dot(self: Array, tensor: Array) -> None:
    if self.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors")
    if self.dtype != tensor.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{type_name(self)} and {type_name(tensor)}"
        )
    if self.shape != tensor.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{self.size}] and src [{tensor.size}] to "
            f"have the same number of elements, but got {self.size} and {tensor.size} elements "
            "respectively"
        )
    _no_bool(self, "dot")


def bmm(self: Array, mat2: Array) -> Array:
    """Products of matrices pair by pair, (b, n, m) and (b, m, p)."""
    _check_bmm(self, mat2)
    if self.dtype != mat2.dtype:
        raise RuntimeError(f"expected scalar type {type_name(self)} but found {type_name(mat2)}")
    if self.size:
        _no_bool(self, "bmm")
    return np.asarray(np.matmul(self, mat2))


def _check_bmm(batch1: Array, batch2: Array) -> None:
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    wanted = [batch1.shape[0], batch1.shape[2]]
    if [*batch2.shape[:2]] != wanted:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: "
            f"{list(batch2.shape[:2])}."
        )


def _combine(self: Array, product: Array, beta: Any, alpha: Any) -> Array:
    """`beta * self + alpha * product`; with beta 0 `self` is not read, even if it is NaN."""
    if alpha != 1:
        product = product * product.dtype.type(alpha)
    if beta == 0:
        return product
    _check_expands(self, product)
    return product + (self if beta == 1 else self * product.dtype.type(beta))


def _check_expands(self: Array, product: Array) -> None:
    sizes, shape = list(product.shape), list(self.shape)
    if len(shape) > len(sizes):
        raise RuntimeError(
            f"expand(torch.{type_name(self)}Tensor{{{shape}}}, size={sizes}): the number of sizes "
            f"provided ({len(sizes)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(shape)})"
        )
    for back in range(1, len(shape) + 1):
        if shape[-back] not in (1, sizes[-back]):
            raise RuntimeError(
                f"The expanded size of the tensor ({sizes[-back]}) must match the existing size "
                f"({shape[-back]}) at non-singleton dimension {len(sizes) - back}.  "
                f"Target sizes: {sizes}.  Tensor sizes: {shape}"
            )


def addmm(self: Array, mat1: Array, mat2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    """`beta * self + alpha * (mat1 @ mat2)`."""
    if mat1.ndim != 2 or mat2.ndim != 2 or not self.dtype == mat1.dtype == mat2.dtype:
        _refuse_addmm(self, mat1, mat2)
    try:
        product = mat1.dot(mat2)
    except ValueError:
        _check_shapes(mat1, mat2)
        raise
    if self.shape == product.shape[1:] and beta == 1 and alpha == 1:
        product += self  # a layer with a bias: nothing but the sum is new
        return product
    _no_bool(self, "addmm_impl_cpu_")
    return _combine(self, product, beta, alpha)


def _refuse_addmm(self: Array, mat1: Array, mat2: Array) -> NoReturn:
    for name, matrix in (("mat1", mat1), ("mat2", mat2)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {matrix.ndim}-D tensor")
    _check_shapes(mat1, mat2)
    name, first = ("mat1", mat1) if self.dtype == mat2.dtype else ("self", self)
    raise RuntimeError(
        f"{name} and mat2 must have the same dtype, but got {type_name(first)} and "
        f"{type_name(mat2)}"
    )


def addmv(self: Array, mat: Array, vec: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    """`beta * self + alpha * (mat @ vec)`."""
    if mat.ndim != 2 or vec.ndim != 1 or self.ndim > 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {self.ndim}, {mat.ndim}, {vec.ndim}"
        )
    size = self.size
    if mat.shape[1] != vec.shape[0] or size not in (1, mat.shape[0]):
        rows = mat.shape[0] if size == 1 else size
        _refuse_sizes(rows, mat, vec)
    if not self.dtype == mat.dtype == vec.dtype:
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{type_name(mat)}, {type_name(vec)}, and {type_name(self)}"
        )
    return _combine(self, mat.dot(vec), beta, alpha)


def baddbmm(self: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    """`beta * self + alpha * bmm(batch1, batch2)`."""
    _check_bmm(batch1, batch2)
    if beta != 0:
        _check_expands(self, np.empty((batch1.shape[0], batch1.shape[1], batch2.shape[2]), "?"))
    return _combine(self, bmm(batch1, batch2), beta, alpha)


def addbmm(self: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    """`beta * self + alpha * sum over b of batch1[b] @ batch2[b]`."""
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if batch1.shape[0] != batch2.shape[0]:
        raise RuntimeError(
            "batch1 and batch2 must have same number of batches, got "
            f"{batch1.shape[0]} and {batch2.shape[0]}"
        )
    if batch1.shape[2] != batch2.shape[1]:
        one, other = ("x".join(map(str, batch.shape[1:])) for batch in (batch1, batch2))
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({one} and {other})")
    count, rows, inner = batch1.shape
    left = batch1.swapaxes(0, 1).reshape(rows, count * inner)
    return _combine(self, mm(left, batch2.reshape(count * inner, -1)), beta, alpha)


def addr(self: Array, vec1: Array, vec2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    """`beta * self + alpha * outer(vec1, vec2)`."""
    for name, vector in (("vec1", vec1), ("vec2", vec2)):
        if vector.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return _combine(self, np.multiply.outer(vec1, vec2), beta, alpha)


def linalg_cross(self: Array, other: Array, dim: int = -1) -> Array:
    """The vector product along a dimension of size 3; both are broadcast."""
    if self.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    axis = wrap_dim(dim, self.ndim)
    if self.shape[axis] != 3 or other.shape[axis] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got "
            f"{self.shape[axis]} and {other.shape[axis]}"
        )
    lead = (slice(None),) * axis
    (a0, a1, a2), (b0, b1, b2) = (
        tuple(array[(*lead, place)] for place in range(3)) for array in (self, other)
    )
    parts = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0)
    return np.stack(parts, axis)
