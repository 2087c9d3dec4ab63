"""Kernels of masks, of flat places, of writing one value, and of embedding tables."""

from typing import Any

import numpy as np

from seegrad.arrays.dtypes import checked_number, cpp_type_name, from_numpy, tensor_type_name
from seegrad.arrays.index import outside, type_name
from seegrad.arrays.scatter import add_at, added, surviving

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]


def masked_fill(self: Array, mask: Array, value: Any) -> Array:
    """A copy with one number where the mask says so; both are broadcast."""
    if mask.dtype != np.bool_:
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype "
            + cpp_type_name(from_numpy(mask.dtype))
        )
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.ndim} dimension(s)."
            )
        lost = value.dtype.kind == "c" and self.dtype.kind not in "bc"
        value = checked_number(value.item(), self.dtype) if lost else value.astype(self.dtype)
    else:
        value = checked_number(value, self.dtype)
    return np.asarray(np.where(mask, value, self), order="C")


masked_fill_tensor = masked_fill


def masked_select(self: Array, mask: Array) -> Array:
    """The elements where the mask is true, as a vector; both are broadcast."""
    if mask.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    if self.shape != mask.shape:
        self, mask = np.broadcast_arrays(self, mask)
    return np.asarray(self[mask]) if self.ndim else self.reshape(1)[mask.reshape(1)]


def masked_select_backward(grad: Array, self_shape: Size, mask: Array) -> Array:
    """Zeros of the broadcast shape with the gradient where the mask is true."""
    shape = np.broadcast_shapes(self_shape, mask.shape)
    out = np.zeros(shape, grad.dtype)
    out[np.broadcast_to(mask, shape)] = grad
    return out


def masked_scatter(self: Array, mask: Array, source: Array) -> Array:
    """A copy in which the elements of `source`, in order, replace those under the mask."""
    if mask.dtype != np.bool_:
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype "
            + type_name(mask)
        )
    if source.dtype != self.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{type_name(self)} and {type_name(source)}"
        )
    shape = np.broadcast_shapes(self.shape, mask.shape)
    out = np.array(np.broadcast_to(self, shape), order="C")
    wide = np.broadcast_to(mask, shape)
    count = int(np.count_nonzero(wide))
    if count > source.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    out[wide] = source.reshape(-1)[:count]
    return out


def masked_scatter_backward(grad: Array, mask: Array, source_shape: Size) -> Array:
    """The gradient of the elements that a mask let in, in order, zeros for the rest."""
    taken = grad[np.broadcast_to(mask, grad.shape)]
    out = np.zeros(int(np.prod(source_shape)), grad.dtype)
    out[: taken.size] = taken
    return out.reshape(source_shape)


def _flat_index(self: Array, index: Array) -> Array:
    wrong = index[(index < -self.size) | (index >= self.size)]
    if wrong.size:
        raise IndexError(
            f"out of range: tried to access index {wrong.reshape(-1)[0]} on a tensor of "
            f"{self.size} elements."
        )
    return index


def take(self: Array, index: Array) -> Array:
    """Elements of the flattened array."""
    if index.dtype != np.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {type_name(index)}")
    if not self.size and index.size:
        raise IndexError("take(): tried to take from an empty tensor")
    return np.asarray(self.reshape(-1)[_flat_index(self, index)])


def put(self: Array, index: Array, source: Array, accumulate: bool = False) -> Array:
    """A copy with `source` written, or added, at places of the flattened array."""
    if index.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {type_name(index)}")
    if source.dtype != self.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{type_name(self)} and source.dtype = {type_name(source)}"
        )
    if source.size != index.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {source.size}, index.numel() = {index.size}"
        )
    if index.size and not self.size:
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    flat = self.reshape(-1).copy()
    places = _flat_index(self, index).reshape(-1)
    if accumulate:
        add_at(flat, (places,), source.reshape(-1))
    else:
        flat[places] = source.reshape(-1)
    return flat.reshape(self.shape)


def take_surviving(self: Array, index: Array) -> Array:
    """What `take` picks, 0 where a later write of `put` to the same element wins."""
    picked = take(self, index)
    alive = surviving((self.size,), (index.reshape(-1),)) if index.size else None
    if alive is None:
        return picked
    return np.where(alive.reshape(index.shape), picked, picked.dtype.type(0))


def zero(self: Array) -> Array:
    """Zeros of the same shape."""
    return np.zeros(self.shape, self.dtype)


def fill(self: Array, value: Any) -> Array:
    """One value everywhere."""
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        value = value.astype(self.dtype)
    else:
        value = checked_number(value, self.dtype)
    out = np.empty(self.shape, self.dtype)
    out[...] = value
    return out


fill_scalar = fill
fill_copy = fill
fill_copy_scalar = fill


def copy(self: Array, src: Array, non_blocking: bool = False) -> Array:
    """The values of `src`, broadcast and cast to what `self` is."""
    if src.dtype.kind == "c" and self.dtype.kind not in "cb":
        src = src.real
    out = np.empty(self.shape, self.dtype)
    try:
        np.copyto(out, src, casting="unsafe")
    except ValueError:
        raise RuntimeError(_copy_mismatch(self.shape, src.shape)) from None
    return out


def _copy_mismatch(shape: Size, source: Size) -> str:
    if len(source) > len(shape):
        return (
            f"output with shape {list(shape)} doesn't match the broadcast shape "
            f"{list(np.broadcast_shapes(shape, source))}"
        )
    for back in range(1, len(source) + 1):
        if source[-back] not in (1, shape[-back]):
            return (
                f"The size of tensor a ({shape[-back]}) must match the size of tensor b "
                f"({source[-back]}) at non-singleton dimension {len(shape) - back}"
            )
    raise AssertionError("a copy was refused without a reason")


def embedding(
    weight: Array,
    indices: Array,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Array:
    """The rows of a table that integers name."""
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if indices.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {tensor_type_name(from_numpy(indices.dtype))} instead (while "
            "checking arguments for embedding)"
        )
    if outside(indices, weight.shape[0]):
        raise IndexError("index out of range in self")
    return weight.take(indices, 0)


def embedding_dense_backward(
    grad_output: Array,
    indices: Array,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> Array:
    """The rows of the gradient added to the rows of the table; the padding row gets nothing."""
    width = grad_output.shape[-1]
    places, rows = indices.reshape(-1), grad_output.reshape(-1, width)
    if padding_idx >= 0:
        used = places != padding_idx
        places, rows = places[used], rows[used]
    if scale_grad_by_freq and places.size:
        counts = np.bincount(places, minlength=num_weights)
        rows = rows / counts[places][:, None].astype(rows.dtype)
    return added((num_weights, width), (places,), rows)


def one_hot(self: Array, num_classes: int = -1) -> Array:
    """For each integer a row of zeros with a one in its place."""
    if self.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not self.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return np.zeros((*self.shape, num_classes), np.int64)
    if self.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(self.max()) + 1
    elif num_classes < 1:
        raise RuntimeError("num_classes should be positive")
    elif self.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (self[..., None] == np.arange(num_classes)).astype(np.int64)
