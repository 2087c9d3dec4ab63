"""`x[...]` and `x[...] = y`: basic indices become views, the rest one gather or scatter."""

from operator import index as index_of
from typing import Any

import numpy as np

from seegrad.graph.levels import LEVELS
from seegrad.graph.recorded import recorded as op
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase, requires, tensor_class, wrap
from seegrad.graph.versions import bump
from seegrad.ops.index import versioned
from seegrad.ops.once import warn

__all__ = ["IndexingFace", "getitem", "setitem"]

ONLY = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {})"
)


END = 2**63 - 1  # what PyTorch notes for a slice without an end
BYTES = "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
NUMBERS = (bool, int, float, complex, np.generic)


class IndexingFace(TensorBase):
    """Reading and writing by index."""

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is int and self._array.ndim:  # by far the most frequent
            return op.select(self, 0, checked(index, self._array.shape[0], 0))
        return getitem(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not written(self, index, value):
            setitem(self, index, value)

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")


def getitem(tensor: Any, index: Any) -> Any:
    """The indexed tensor: a view for basic indices, a copy for advanced ones."""
    if index.__class__ is slice or index.__class__ is int:
        return single(tensor, index, op.slice)
    result, advanced, changed = basic(tensor, as_items(index))
    if advanced is not None:
        return op.index(result, advanced)
    return result if changed else op.alias(tensor)


def setitem(tensor: Any, index: Any, value: Any) -> None:
    """Writes `value`, broadcast, to the indexed places."""
    if index is False:
        return
    if not isinstance(value, (TensorBase, *NUMBERS)):
        value = wrap(np.asarray(value).astype(tensor._array.dtype))
    if index is True:
        write(op.unsqueeze(tensor, 0), value)
        return
    if index.__class__ is slice or index.__class__ is int:
        write(single(tensor, index, unless_whole), value)
        return
    target, advanced, _ = basic(tensor, as_items(index))
    if advanced is None:
        write(target, value)
        return
    if not isinstance(value, TensorBase):
        value = wrap(np.asarray(value).astype(tensor._array.dtype))
    elif value._array.dtype != tensor._array.dtype and value._array.ndim == 0:
        value = value.to(tensor.dtype)  # type: ignore[attr-defined]
    leading = leading_ones(value._array.shape)
    if leading:
        value = op.view(value, value._array.shape[leading:])
    op.index_put_(target, advanced, value, False)


BASIC = frozenset([int, slice, type(...)])
# Numbers that NumPy writes into an array of a dtype as PyTorch does, where they are not too large.
FITTING = {
    np.dtype(np.float32): (int, float),
    np.dtype(np.float64): (int, float),
    np.dtype(np.int64): (int,),
    np.dtype(np.bool_): (bool,),
}
LARGE = 2**53


def written(tensor: Any, index: Any, value: Any) -> bool:
    """Whether this was a basic index of a tensor with no history to record, and is done.

    A tenth of the time of a view that is written to.
    """
    array, state = tensor._array, thread.state
    if tensor.__class__ is not tensor_class() or tensor._shared or state.mode > 1 or LEVELS.open:
        return False
    if 0 in array.strides or (state.mode and requires(tensor)):
        return False
    items = index if index.__class__ is tuple else (index,)
    for item in items:
        if item.__class__ not in BASIC or (item.__class__ is slice and item.step is not None):
            return False
    if value.__class__ is tensor.__class__:
        source, value = value, value._array
        if value.dtype is not array.dtype or (state.mode and requires(source)):
            return False
        if owner(value) is owner(array):
            return False
    elif value.__class__ not in FITTING.get(array.dtype, ()) or not -LARGE < value < LARGE:
        return False
    try:
        array[index] = value
    except (IndexError, ValueError, TypeError):  # the general way says it in PyTorch's words
        return False
    bump(tensor)
    return True


def owner(array: Any) -> Any:
    """Who owns the memory of an array."""
    return array if array.base is None else array.base


def single(tensor: Any, index: Any, cut: Any) -> Any:
    """The view by one integer, or by one slice, which `cut` makes."""
    shape = tensor._array.shape
    if index.__class__ is slice:
        if not shape:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        return cut(tensor, 0, *bounds(index))
    if not shape and index == 0:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number"
        )
    return op.select(tensor, 0, checked(index, shape[0] if shape else 0, 0))


def write(target: Any, value: Any) -> None:
    """Copies a tensor or a number into a view."""
    if not isinstance(value, TensorBase):
        if target._array.ndim:
            op.fill_(target, value)
            return
        value = wrap(np.asarray(value))
    shape, size = value._array.shape, target._array.shape
    if shape == size:
        op.copy_(target, value)
    elif not shape:
        op.fill_(target, value)
    else:
        value = op.view(value, shape[leading_ones(shape) :])
        op.copy_(target, value if value._array.shape == size else op.expand(value, size))


def leading_ones(shape: tuple[int, ...]) -> int:
    """How many dimensions of size one stand before all others."""
    return next((i for i, size in enumerate(shape) if size != 1), len(shape))


def as_items(index: Any) -> tuple[Any, ...]:
    """The index as a tuple of items; a list of integers is one, of anything else several."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, list) and any(
        isinstance(i, (slice, TensorBase, list, tuple)) or i is None or i is ... for i in index
    ):
        return tuple(index)
    return (index,)


def checked(index: int, size: int, dim: int) -> int:
    """An integer index inside its dimension."""
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")
    return index + size if index < 0 else index


def consumed(items: tuple[Any, ...]) -> int:
    """How many dimensions the items take."""
    count = 0
    for item in items:
        if item is None or item is ... or item is True or item is False:
            continue
        array = getattr(item, "_array", item)
        is_mask = isinstance(array, np.ndarray) and array.dtype.kind == "b"
        count += array.ndim if is_mask else 1
    return count


def basic(tensor: Any, items: tuple[Any, ...]) -> tuple[Any, Any, bool]:
    """Applies the basic items as views; what is left is the tuple of advanced indices, or None.

    Returns the view, the advanced indices aligned with its dimensions, and whether it is new.
    """
    result, dim, changed = tensor, 0, False
    gone = 0  # dimensions that integers took, less those that None made
    advanced: dict[int, Any] = {}
    rest = tensor._array.ndim - consumed(items)
    if rest < 0:
        raise IndexError(f"too many indices for tensor of dimension {tensor._array.ndim}")
    for position, item in enumerate(items):
        if item is ...:
            dim += rest
        elif item is None or is_truth(item):
            result, changed, gone = op.unsqueeze(result, dim), True, gone - 1
            if item is not None:
                advanced[dim] = wrap(np.array([bool(item)]))
            dim += 1
        elif isinstance(item, slice):
            sliced = unless_whole(result, dim, *bounds(item))
            result, changed, dim = sliced, changed or sliced is not result, dim + 1
        elif is_integer(item):
            size = result._array.shape[dim]
            result = op.select(result, dim, checked(int(item), size, position))
            changed, gone = True, gone + 1
        else:
            indices = advanced_index(item)
            advanced[dim] = indices
            dim += indices._array.ndim if indices._array.dtype.kind == "b" else 1
    if not advanced:
        return result, None, changed
    if len(advanced) > 1:
        advanced = spelled_out(advanced, result._array.shape)
    indices = [advanced.get(d) for d in range(max(advanced) + 1)]
    return result, versioned(tensor, indices), True


def spelled_out(advanced: dict[int, Any], shape: tuple[int, ...]) -> dict[int, Any]:
    """Masks beside other indices as integers, one tensor for each dimension of the mask."""
    found: dict[int, Any] = {}
    for dim, index in advanced.items():
        array = index._array
        if array.dtype.kind != "b" or not array.ndim:
            found[dim] = index
            continue
        for place, size in enumerate(array.shape):
            if size != shape[dim + place]:
                raise IndexError(
                    f"The shape of the mask {list(array.shape)} at index {place} does not match "
                    f"the shape of the indexed tensor {list(shape)} at index {dim + place}"
                )
        for place, places in enumerate(array.nonzero()):
            found[dim + place] = wrap(places)
    return found


def is_truth(item: Any) -> bool:
    """Whether an item is True or False, as a bool or as a 0-dim tensor."""
    if isinstance(item, TensorBase):
        return item._array.ndim == 0 and item._array.dtype.kind == "b"
    return isinstance(item, bool)


def is_integer(item: Any) -> bool:
    """Whether an item selects: an integer, or a 0-dim integer tensor."""
    if isinstance(item, TensorBase):
        return item._array.ndim == 0 and item._array.dtype.kind in "iu"
    return isinstance(item, (int, np.integer))


def unless_whole(tensor: Any, dim: int, start: int, stop: int, step: int) -> Any:
    """One slice as a view, the tensor itself when nothing is left out."""
    if start == 0 and step == 1 and stop >= tensor._array.shape[dim]:
        return tensor
    return op.slice(tensor, dim, start, stop, step)


def bounds(item: slice) -> tuple[int, int, int]:
    """Start, stop and step of a slice as they were given; the kernel fits them to the size."""
    item.indices(0)  # raises Python's own errors
    start, stop, step = item.start, item.stop, item.step
    if step is not None and step <= 0:
        raise ValueError("step must be greater than zero")
    return (
        0 if start is None else index_of(start),
        END if stop is None else index_of(stop),
        1 if step is None else index_of(step),
    )


def advanced_index(item: Any) -> Any:
    """An advanced index as a tensor of int64 or bool."""
    if isinstance(item, TensorBase):
        array = item._array
        if array.dtype.kind not in "iub":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if array.dtype == np.uint8:
            return mask_of_bytes(array)
        return (
            item
            if array.dtype.kind == "b" or array.dtype == np.int64
            else (wrap(array.astype(np.int64)))
        )
    if isinstance(item, (list, tuple, np.ndarray, range)):
        items: Any = (
            [i._array.item() if isinstance(i, TensorBase) else i for i in item]
            if not (isinstance(item, np.ndarray))
            else item
        )
        array = np.asarray(items)
        if array.size == 0:
            array = array.astype(np.int64)
        if array.dtype == np.uint8:
            return mask_of_bytes(array)
        if array.dtype.kind in "iub":
            return wrap(array if array.dtype.kind == "b" else array.astype(np.int64))
    if isinstance(item, str):
        raise TypeError(f"new(): invalid data type '{type(item).__name__}'")
    raise IndexError(ONLY.format(type(item).__name__))


def mask_of_bytes(array: Any) -> Any:
    """An index of bytes is a mask, as before there were bools; deprecated."""
    warn(
        "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
    )
    return wrap(array.astype(bool))
