"""Kernels that change shapes and copy: joining, repeating, turning, padding, casting."""

import builtins
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from seegrad.arrays.dims import wrap_dim, wrap_dims
from seegrad.arrays.dtypes import checked_number
from seegrad.arrays.promotion import result_dtype
from seegrad.arrays.strides import dense_like

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]

_ALL: Any = builtins.slice(None)


def clone(self: Array, memory_format: str = "preserve") -> Array:
    """A copy; its strides follow a dense input unless the format is `"contiguous"`."""
    if memory_format == "contiguous":
        return self.copy()
    if 0 in self.strides:
        out = dense_like(self, self.dtype)
        out[...] = self
        return out
    return self.copy("K")


def unsafe_view(self: Array, size: Size) -> Array:
    """The memory of an array that nobody else sees, in another shape."""
    return self.reshape(size)


def to_copy(self: Array, dtype: Any) -> Array:
    """A copy of another type; complex numbers lose their imaginary part, strides are kept."""
    dtype = getattr(dtype, "numpy", dtype)
    if self.dtype.kind == "c" and np.dtype(dtype).kind not in "cb":
        self = self.real
    if 0 in self.strides:
        out = dense_like(self, dtype)
        out[...] = self
        return out
    return self.astype(dtype)


def cat(tensors: Sequence[Array], dim: int = 0) -> Array:
    """The arrays one after the other; 1-d empty ones are left out, types are promoted."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    first = tensors[0].dtype
    for array in tensors:
        if array.dtype is not first and array.dtype != first:
            first = result_dtype(tensors)
            break
    try:
        made = np.concatenate(tensors, dim, dtype=first, casting="unsafe")
    except ValueError:
        made = _careful_cat(tensors, dim, first)
    # Of transposed arrays NumPy makes a transposed one.
    return made if made.flags.c_contiguous else made.copy()


def _careful_cat(tensors: Sequence[Array], dim: int, dtype: Any) -> Array:
    """What NumPy refused: empty vectors among the arrays, or PyTorch's error."""
    for place, array in enumerate(tensors):
        if not array.ndim:
            raise RuntimeError(
                f"zero-dimensional tensor (at position {place}) cannot be concatenated"
            )
    kept = [array for array in tensors if array.shape != (0,)]
    if not kept:
        return np.empty(0, dtype)
    reference = kept[0]
    axis = wrap_dim(dim, reference.ndim)
    for place, array in enumerate(tensors):
        if array.shape != (0,):
            _check_cat(reference, array, axis, place)
    return np.concatenate(kept, axis, dtype=dtype, casting="unsafe")


def _check_cat(reference: Array, array: Array, axis: int, place: int) -> None:
    if array.ndim != reference.ndim:
        raise RuntimeError(
            f"Tensors must have same number of dimensions: got {reference.ndim} and {array.ndim}"
        )
    for dim, (wanted, size) in enumerate(zip(reference.shape, array.shape, strict=True)):
        if dim != axis and wanted != size:
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {axis}. Expected size {wanted} "
                f"but got size {size} for tensor number {place} in the list."
            )


def stack(tensors: Sequence[Array], dim: int = 0) -> Array:
    """The arrays side by side in a new dimension."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    shape = tensors[0].shape
    axis = wrap_dim(dim, len(shape) + 1)
    for place, array in enumerate(tensors):
        if array.shape != shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 "
                f"and {list(array.shape)} at entry {place}"
            )
    wider = (*shape[:axis], 1, *shape[axis:])
    return cat([array.reshape(wider) for array in tensors], axis)


def block_diag(tensors: Sequence[Array]) -> Array:
    """Matrices along a diagonal, zeros elsewhere; types are promoted."""
    rows, columns = (sum(array.shape[axis] for array in tensors) for axis in (0, 1))
    out = np.zeros((rows, columns), result_dtype(tensors))
    row = column = 0
    for array in tensors:
        out[row : row + array.shape[0], column : column + array.shape[1]] = array
        row, column = row + array.shape[0], column + array.shape[1]
    return out


def repeat(self: Array, repeats: Size) -> Array:
    """The array tiled; more numbers than dimensions put dimensions in front."""
    lead = len(repeats) - self.ndim
    if lead < 0:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    shape = (1,) * lead + self.shape
    target = tuple(count * size for count, size in zip(repeats, shape, strict=True))
    for size in target:
        if size < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {size}: {list(target)}"
            )
    mixed = tuple(one for pair in zip(repeats, shape, strict=True) for one in pair)
    out = np.empty(mixed, self.dtype)
    out[...] = self.reshape(tuple(one for size in shape for one in (1, size)))
    return out.reshape(target)


def flip(self: Array, dims: Size) -> Array:
    """The order of the slices of these dimensions reversed, copied."""
    turned = wrap_dims(dims, self.ndim) if len(dims) else ()
    if not self.ndim:
        return self.copy()
    back = builtins.slice(None, None, -1)
    key = tuple(back if axis in turned else _ALL for axis in range(self.ndim))
    out = dense_like(self, self.dtype)
    out[...] = self[key]
    return out


def roll(self: Array, shifts: Size, dims: Size = ()) -> Array:
    """The slices of these dimensions shifted round; without dims the flat array is."""
    if not len(shifts):
        raise RuntimeError("`shifts` required")
    if not len(dims) and len(shifts) == 1:
        return np.roll(self.copy(), shifts[0])
    if len(shifts) != len(dims):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
        )
    axes = tuple(wrap_dim(dim, self.ndim) for dim in dims)
    if len(axes) == 1 and self.ndim:
        size = self.shape[axes[0]]
        cut = size - shifts[0] % size if size else 0
        lead = (_ALL,) * axes[0]
        back, front = builtins.slice(cut, None), builtins.slice(cut)
        return np.concatenate((self[(*lead, back)], self[(*lead, front)]), axes[0])
    if not self.ndim:
        raise (
            IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
            if dims
            else RuntimeError("`shifts` required")
        )
    return np.roll(np.ascontiguousarray(self), tuple(shifts), axes)


def rot90(self: Array, k: int = 1, dims: Size = (0, 1)) -> Array:
    """The plane of two dimensions turned by quarters."""
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if self.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {self.ndim}")
    same = dims[0] == dims[1]
    first, second = dims if same else (wrap_dim(dim, self.ndim) for dim in dims)
    if first == second:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and "
            f"dim1 = {dims[1]}"
        )
    k %= 4
    if k == 0:
        return self.copy()
    if k == 2:
        return flip(self, (first, second))
    return flip(self, (second if k == 1 else first,)).swapaxes(first, second)


def tril(self: Array, diagonal: int = 0) -> Array:
    """The part of matrices on and below a diagonal, zeros elsewhere."""
    return _where(_below(self, "tril", diagonal), self)


def triu(self: Array, diagonal: int = 0) -> Array:
    """The part of matrices on and above a diagonal, zeros elsewhere."""
    return _where(~_below(self, "triu", diagonal - 1), self)


def _below(self: Array, name: str, diagonal: int) -> Array:
    if self.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    rows, columns = self.shape[-2:]
    return _triangle(rows, columns, max(min(diagonal, columns), -rows - 1))


@lru_cache(maxsize=64)
def _triangle(rows: int, columns: int, diagonal: int) -> Array:
    """Where a matrix is on or below a diagonal."""
    return np.arange(columns) <= np.arange(rows)[:, None] + diagonal


def _where(mask: Array, self: Array) -> Array:
    return np.ascontiguousarray(np.where(mask, self, self.dtype.type(0)))


def diag_embed(self: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    """Matrices whose diagonal is the last dimension of `self`, zeros elsewhere."""
    ndim = self.ndim + 1
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    side = self.shape[-1] + abs(offset)
    shape = list(self.shape[:-1])
    for axis in sorted((first, second)):
        shape.insert(axis, side)
    out = np.zeros(shape, self.dtype)
    _writable_diagonal(out, offset, first, second)[...] = self
    return out


def _writable_diagonal(array: Array, offset: int, dim1: int, dim2: int) -> Array:
    part = array.diagonal(offset, dim1, dim2)
    part.flags.writeable = True
    return part


def trace(self: Array) -> Array:
    """The sum of the diagonal of a matrix."""
    if self.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self.ndim}")
    if self.dtype.kind == "b":
        raise NotImplementedError("\"trace\" not implemented for 'Bool'")
    return np.asarray(self.trace(dtype=np.int64 if self.dtype.kind == "u" else None))


def constant_pad_nd(self: Array, pad: Size, value: Any = 0) -> Array:
    """Margins of one value around the last dimensions; negative numbers cut."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    margins = len(pad) // 2
    if margins > self.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {self.ndim}"
        )
    inner: list[Any] = [_ALL] * self.ndim
    shape, source = list(self.shape), [*inner]
    for place in range(margins):
        axis = self.ndim - 1 - place
        low, high = pad[2 * place], pad[2 * place + 1]
        size = self.shape[axis]
        shape[axis] = size + low + high
        if shape[axis] < 0 or size + min(low, 0) + min(high, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
        source[axis] = builtins.slice(max(-low, 0), size - max(-high, 0))
        inner[axis] = builtins.slice(max(low, 0), shape[axis] - max(high, 0))
    out = np.full(shape, checked_number(value, self.dtype))
    out[tuple(inner)] = self[tuple(source)]
    return out


def select_backward(grad: Array, self_shape: Size, dim: int, index: int) -> Array:
    """Zeros of the base's shape with `grad` in one slice."""
    out = np.zeros(self_shape, grad.dtype)
    out[(*(_ALL,) * wrap_dim(dim, out.ndim), index, ...)] = grad
    return out


def slice_backward(
    grad: Array, self_shape: Size, dim: int, start: int | None, end: int | None, step: int
) -> Array:
    """Zeros of the base's shape with `grad` in the slices that were taken."""
    out = np.zeros(self_shape, grad.dtype)
    out[(*(_ALL,) * wrap_dim(dim, out.ndim), builtins.slice(start, end, step))] = grad
    return out


def diagonal_backward(grad: Array, self_shape: Size, offset: int, dim1: int, dim2: int) -> Array:
    """Zeros of the base's shape with `grad` on the diagonal."""
    out = np.zeros(self_shape, grad.dtype)
    _writable_diagonal(out, offset, dim1, dim2)[...] = grad
    return out


def unfold_backward(grad: Array, self_shape: Size, dimension: int, size: int, step: int) -> Array:
    """Zeros of the base's shape to which each window adds its gradient."""
    out = np.zeros(self_shape, grad.dtype)
    if not out.ndim:
        return np.asarray(grad.sum()) if size else out
    dim = wrap_dim(dimension, out.ndim)
    windows = grad.shape[dim]
    lead = (_ALL,) * dim
    for place in range(size):
        part = builtins.slice(place, place + step * windows, step)
        out[(*lead, part)] += grad[..., place]
    return out


def as_strided_backward(
    grad: Array,
    self_shape: Size,
    size: Size,
    stride: Size,
    storage_offset: int | None,
    base_stride: Size,
    base_offset: int,
) -> Array:
    """The gradient of a base of which `as_strided` showed a part: elements shown twice add up.

    Strides and offsets count elements of the memory that both look at. What several elements of
    the base share (they were expanded) is divided among them.
    """
    base = positions(self_shape, base_stride, base_offset)
    shown = positions(size, stride, base_offset if storage_offset is None else storage_offset)
    held = int(max(base.max(initial=-1), shown.max(initial=-1))) + 1
    memory = np.zeros(held, grad.dtype)
    np.add.at(memory, shown.reshape(-1), np.ascontiguousarray(grad).reshape(-1))
    counts = np.bincount(base.reshape(-1), minlength=held)
    return np.asarray((memory[base] / np.maximum(counts, 1)[base]).astype(grad.dtype))


def as_strided_gather(
    self: Array,
    size: Size,
    stride: Size,
    storage_offset: int | None,
    base_stride: Size,
    base_offset: int,
) -> Array:
    """What `as_strided` would show of `self` if it lay in memory as its base does, copied."""
    base = positions(self.shape, base_stride, base_offset)
    shown = positions(size, stride, base_offset if storage_offset is None else storage_offset)
    held = int(max(base.max(initial=-1), shown.max(initial=-1))) + 1
    memory = np.zeros(held, self.dtype)
    np.add.at(memory, base.reshape(-1), np.ascontiguousarray(self).reshape(-1))
    counts = np.maximum(np.bincount(base.reshape(-1), minlength=held), 1)
    return np.asarray((memory / counts).astype(self.dtype)[shown])


def positions(size: Size, stride: Size, offset: int) -> Array:
    """Where in memory each element of a strided view lies."""
    place = np.full((1,) * len(size), offset, np.intp)
    for axis, (count, step) in enumerate(zip(size, stride, strict=True)):
        along = np.arange(count) * step
        place = place + along.reshape((1,) * axis + (count,) + (1,) * (len(size) - axis - 1))
    return np.broadcast_to(place, size)
