"""Kernels of indexing: picking by integers and masks, and writing and adding where they point."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from seegrad.arrays.dims import wrap_dim
from seegrad.arrays.dtypes import as_type, checked_number, from_numpy, scalar_type_name
from seegrad.arrays.scatter import add_at, added, surviving

Array = Any  # an ndarray; NumPy's own type is too narrow for keys and scalars
Size = tuple[int, ...]
Indices = Sequence[Any]

_ALL = slice(None)


def type_name(array: Array) -> str:
    """The name of the type in messages: 'Float', 'Long' ..."""
    return scalar_type_name(from_numpy(array.dtype))


def _plain(indices: Indices) -> tuple[Any, ...]:
    """The key for NumPy: None means the whole dimension; tensors become their arrays."""
    check = getattr(indices, "check", None)
    if check is not None:
        check()
    return tuple(
        [
            _ALL if one is None else one if one.__class__ is np.ndarray else _array(one)
            for one in indices
        ]
    )


def _array(one: Any) -> Array:
    return np.asarray(getattr(one, "_array", one))


def index(self: Array, indices: Indices) -> Array:
    """Elements picked by int64 or bool arrays, one for each dimension or None."""
    key = _plain(indices)
    last = key[-1]
    try:
        leading = all(one is _ALL for one in key[:-1])
        if leading and self.ndim and last.dtype.kind == "i":
            return self.take(last, len(key) - 1)  # three times as fast as self[key]
        return np.ascontiguousarray(self[key]) if self.ndim else self[key]
    except IndexError:
        _refuse_index(self, key)
    return self


def _refuse_index(self: Array, key: tuple[Any, ...]) -> NoReturn:
    if any(one is not _ALL and one.dtype.kind not in "iub" for one in key):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    used = sum(
        1 if one is _ALL else max(one.ndim, 1) if one.dtype == np.bool_ else 1 for one in key
    )
    if used > self.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.ndim}")
    axis, integers = 0, []
    for one in key:
        if one is _ALL:
            axis += 1
        elif one.dtype == np.bool_:
            _check_mask(self, one, axis)
            axis += one.ndim
        else:
            _check_bounds(one, self.shape[axis], axis, IndexError)
            integers.append(one)
            axis += 1
    shapes = ", ".join(str(list(one.shape)) for one in integers)
    raise IndexError(
        f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
    )


def _check_mask(self: Array, mask: Array, axis: int) -> None:
    for place in range(mask.ndim):
        if mask.shape[place] != self.shape[axis + place]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {place} does not match the "
                f"shape of the indexed tensor {list(self.shape)} at index {axis + place}"
            )


def outside(places: Array, size: int) -> bool:
    """Whether any place is negative or not below `size`; seen unsigned, negative ones are huge."""
    if places.dtype != np.int64:
        places = places.astype(np.int64)
    return bool(places.size and _greatest(places.view(np.uint64), axis=None) >= size)


_greatest = np.maximum.reduce


def _check_bounds(
    places: Array, size: int, axis: int, error: type[Exception], lowest: int | None = None
) -> None:
    lowest = -size if lowest is None else lowest
    wrong = places[(places < lowest) | (places >= size)]
    if wrong.size:
        raise error(
            f"index {wrong.reshape(-1)[0]} is out of bounds for dimension {axis} with size {size}"
        )


def index_backward(grad: Array, self_shape: Size, indices: Indices) -> Array:
    """Zeros of the base's shape to which each picked element adds its gradient."""
    return added(self_shape, _plain(indices), grad)


def index_put(self: Array, indices: Indices, values: Array, accumulate: bool = False) -> Array:
    """A copy with `values` written, or added, where the indices point; the last write wins."""
    key = _plain(indices)
    if values.dtype != self.dtype:
        _check_values(self, key, values)
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{type_name(self)} for the destination and {type_name(values)} for the source."
        )
    out = self.copy()
    try:
        if accumulate:
            add_at(out, key, values)
        else:
            out[key] = values
    except (IndexError, ValueError):
        _check_values(self, key, values)
        _refuse_index(self, key)
    return out


def _check_values(self: Array, key: tuple[Any, ...], values: Array) -> None:
    inside = tuple(one * 0 if one is not _ALL and one.dtype.kind == "i" else one for one in key)
    try:
        result = self[inside].shape
    except IndexError:
        return
    if not _fits(values.shape, result):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to "
            f"indexing result of shape {list(result)}"
        )


def _fits(shape: Size, into: Size) -> bool:
    tail = into[len(into) - len(shape) :] if len(shape) <= len(into) else ()
    return len(tail) == len(shape) and all(
        one in (1, two) for one, two in zip(shape, tail, strict=True)
    )


def index_surviving(self: Array, indices: Indices) -> Array:
    """What `index` picks, 0 where a later write to the same element wins."""
    key = _plain(indices)
    picked = self[key]
    alive = surviving(self.shape, key)
    return picked if alive is None else np.where(alive, picked, picked.dtype.type(0))


def _grid(shape: Size, dim: int, places: Array) -> tuple[Any, ...]:
    """The key of `gather`: `places` in one dimension, each element's own place in the others."""
    if len(shape) == 1:
        return (places,)
    own = _own_places(shape)
    return (*own[:dim], places, *own[dim + 1 :])


@lru_cache(maxsize=256)
def _own_places(shape: Size) -> tuple[Array, ...]:
    """For each dimension the place of each element, in a shape that broadcasts."""
    return tuple(
        np.arange(size).reshape((-1,) + (1,) * (len(shape) - axis - 1))
        for axis, size in enumerate(shape)
    )


def _gather_key(
    name: str, self: Array, dim: int, index: Array, who: str, check: Any = None
) -> tuple[Any, ...]:
    """Checks what gather and scatter have in common and returns the key.

    `check` is called with the dimension when the numbers of dimensions are known to be right.
    """
    axis = wrap_dim(dim, self.ndim)
    if (index.dtype.kind != "i" or index.dtype.itemsize < 4) and index.size:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if index.ndim != self.ndim and index.size:
        if max(index.ndim, 1) != max(self.ndim, 1):
            raise RuntimeError(
                f"Index tensor must have the same number of dimensions as {who} tensor"
            )
    if check is not None and index.size and self.ndim:
        check(axis)
    if not self.ndim:
        _check_bounds(index, 1, 0, RuntimeError, 0)
        return (index.reshape(-1) * 0,) if index.ndim else ()
    if outside(index, self.shape[axis]):
        _check_bounds(index, self.shape[axis], axis, RuntimeError, 0)
    return _grid(index.shape, axis, index)


def gather(self: Array, dim: int, index: Array) -> Array:
    """For each element of `index` the element of `self` in that place of dimension `dim`."""

    def check(axis: int) -> None:
        for place in range(self.ndim):
            if place != axis and index.shape[place] > self.shape[place]:
                raise RuntimeError(
                    f"Size does not match at dimension {place} expected index "
                    f"{list(index.shape)} to be no larger than self {list(self.shape)} apart "
                    f"from dimension {axis}"
                )

    key = _gather_key("gather", self, dim, index, "input", check)
    if not self.ndim:
        return np.broadcast_to(self, index.shape).copy()
    return self[key] if index.size else np.empty(index.shape, self.dtype)


def _scatter_key(self: Array, dim: int, index: Array, src: Array | None) -> tuple[Any, ...]:
    if src is not None and src.dtype != self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")

    def check(axis: int) -> None:
        sizes = list(enumerate(index.shape))
        too_big = any(size > self.shape[place] for place, size in sizes if place != axis)
        if src is not None:
            held = [src.shape[wrap_dim(place, src.ndim)] for place, _ in sizes]
            too_big = too_big or any(size > held[place] for place, size in sizes)
        if too_big:
            tail = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
            raise RuntimeError(
                f"Expected index {list(index.shape)} to be no larger than self "
                f"{list(self.shape)} apart from dimension {axis}{tail}"
            )
        if src is not None and src.ndim != index.ndim:
            raise RuntimeError(
                "Index tensor must have the same number of dimensions as src tensor"
            )

    return _gather_key("scatter", self, dim, index, "self", check)


def _like(src: Array, index: Array) -> Array:
    """The corner of `src` that an index of another shape uses."""
    if src.shape == index.shape:
        return src
    return src[tuple(slice(size) for size in index.shape)]


def scatter(self: Array, dim: int, index: Array, src: Array) -> Array:
    """A copy with the elements of `src` written where `index` points along `dim`."""
    key = _scatter_key(self, dim, index, src)
    out = self.copy()
    if not index.size:
        return out
    if not self.ndim:
        out[...] = src.reshape(-1)[-1]
    elif wrap_dim(dim, self.ndim) == self.ndim - 1 and index.shape[-1] >= _LONG:
        for place in np.ndindex(index.shape[:-1]):
            out[place][index[place]] = src[place][: index.shape[-1]]
    else:
        out[key] = _like(src, index)
    return out


_LONG = 1024  # elements of a row; to write so many at a time takes half the time of all at once


def scatter_value(self: Array, dim: int, index: Array, value: Any) -> Array:
    """A copy with one number written where `index` points along `dim`."""
    key = _scatter_key(self, dim, index, None)
    out = self.copy()
    if index.size:
        out[key if self.ndim else ...] = checked_number(value, self.dtype)
    return out


def gather_surviving(self: Array, dim: int, index: Array) -> Array:
    """What `gather` picks, 0 where a later write of `scatter` to the same element wins."""
    picked = gather(self, dim, index)
    if not index.size or not self.ndim:
        return picked
    alive = surviving(self.shape, _grid(index.shape, wrap_dim(dim, self.ndim), index))
    return picked if alive is None else np.where(alive, picked, picked.dtype.type(0))


def scatter_add(self: Array, dim: int, index: Array, src: Array) -> Array:
    """A copy with the elements of `src` added where `index` points along `dim`."""
    key = _scatter_key(self, dim, index, src)
    out = self.copy()
    if index.size:
        if self.ndim:
            add_at(out, key, _like(src, index))
        else:
            out += src.sum(dtype=out.dtype)
    return out


_UFUNCS: dict[str, Any] = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "amax": np.maximum,
    "amin": np.minimum,
}
_STARTS: dict[str, Any] = {"sum": 0, "mean": 0, "prod": 1}


def scatter_reduce(
    self: Array, dim: int, index: Array, src: Array, reduce: str, include_self: bool = True
) -> Array:
    """A copy with the elements of `src` reduced into where `index` points along `dim`."""
    if reduce not in _UFUNCS:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    key = _scatter_key(self, dim, index, src)
    if not index.size:
        return self.copy()
    if not self.ndim:
        one = scatter_reduce(
            self.reshape(1), 0, index.reshape(-1), src.reshape(-1), reduce, include_self
        )
        return one.reshape(())
    out, src = self.copy(), _like(src, index)
    if not include_self:
        out[key] = _STARTS.get(reduce, src)
    _UFUNCS[reduce].at(out, key, src)
    if reduce == "mean":
        counts = np.ones(self.shape, np.int64) if include_self else np.zeros(self.shape, np.int64)
        np.add.at(counts, key, 1)
        out = _mean(out, np.maximum(counts, 1))
    return out


index_reduce = scatter_reduce


def _mean(total: Array, counts: Array) -> Array:
    if total.dtype.kind in "iu":
        return np.asarray(np.floor_divide(total, counts), total.dtype)
    return np.asarray((total / counts).astype(total.dtype))


def _vector(index: Array) -> Array:
    return index if index.ndim else index.reshape(1)


def index_select(self: Array, dim: int, index: Array) -> Array:
    """The slices of a dimension that a vector of integers names."""
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype.kind != "i" or index.dtype.itemsize < 4:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    axis = wrap_dim(dim, self.ndim)
    index = _vector(index)
    if not self.ndim and index.size != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)"
        )
    size = self.shape[axis] if self.ndim else 1
    if outside(index, size):
        raise IndexError("index out of range in self")
    return self.take(index, axis) if self.ndim else self.copy()


def _slices(axis: int, index: Array) -> tuple[Any, ...]:
    return (*(_ALL,) * axis, index)


def index_add(self: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    """A copy with `alpha` times the slices of `source` added to the slices that `index` names."""
    axis = wrap_dim(dim, self.ndim)
    index = _vector(index)
    if index.ndim > 1:
        raise IndexError(
            "index_add_(): Index is supposed to be a vector, but got dim: "
            f"{index.ndim} with type: {type_name(index)} and size: {list(index.shape)}"
        )
    if source.dtype != self.dtype:
        raise RuntimeError(
            f"index_add_(): self ({type_name(self)}) and source ({type_name(source)}) must have "
            "the same scalar type"
        )
    if index.dtype.kind != "i" or index.dtype.itemsize < 4:
        raise RuntimeError(
            "index_add_(): Expected dtype int32/int64 for index but got: " + type_name(index)
        )
    count = source.shape[axis] if source.ndim else 1
    if index.size != count:
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.size}) should be equal to source.size(dim): "
            f"({count}), for dim: {axis}"
        )
    if not _same_slices(self, source, axis):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(self.shape)} source.shape = {list(source.shape)}"
        )
    size = self.shape[axis] if self.ndim else 1
    if outside(index, size):
        _check_bounds(index, size, axis, RuntimeError, 0)
    out = self.copy()
    added = source if alpha == 1 else source * as_type(alpha, self.dtype)
    if self.ndim:
        add_at(out, _slices(axis, index), added)
    else:
        out += added.sum(dtype=out.dtype)
    return out


def _same_slices(self: Array, source: Array, axis: int) -> bool:
    if not self.ndim or not source.ndim:
        return bool(self.ndim <= 1 and source.ndim <= 1)
    one, other = self.shape, source.shape
    return bool(one[:axis] == other[:axis] and one[axis + 1 :] == other[axis + 1 :])


def index_copy(self: Array, dim: int, index: Array, source: Array) -> Array:
    """A copy with the slices of `source` written to the slices that `index` names."""
    axis = wrap_dim(dim, self.ndim)
    index = _vector(index)
    if index.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.ndim})")
    if source.ndim != self.ndim and source.ndim and self.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality "
            f"must match. Source dimensionality ({source.ndim}), destination dimensionality "
            f"({self.ndim})"
        )
    if source.dtype != self.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{type_name(self)} and (source) {type_name(source)}"
        )
    if index.dtype != np.int64:
        raise RuntimeError(
            "index_copy_(): Expected a long tensor for index, but got " + type_name(index)
        )
    count = source.shape[axis] if source.ndim else 1
    if index.size != count:
        raise IndexError(
            f"index_copy_(): Number of indices ({index.size}) should be equal to source.size(dim) "
            f"({count})"
        )
    if not _same_slices(self, source, axis):
        mine, other = list(self.shape), list(source.shape)
        del mine[axis], other[axis]
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {' '.join(map(str, mine))} at dimension {axis} and source slice shape: "
            f"{' '.join(map(str, other))} at dimension 0."
        )
    try:
        _check_bounds(index, self.shape[axis] if self.ndim else 1, axis, IndexError, 0)
    except IndexError as error:
        raise IndexError(f"index_copy_(): {error}") from None
    out = self.copy()
    if index.size:
        out[_slices(axis, index) if self.ndim else ...] = source if self.ndim else source.item()
    return out


def index_select_surviving(self: Array, dim: int, index: Array) -> Array:
    """What `index_select` picks, 0 where a later write of `index_copy` to the same slice wins."""
    index = _vector(index)
    picked = index_select(self, dim, index)
    if not self.ndim:
        return picked
    axis = wrap_dim(dim, self.ndim)
    alive = surviving((self.shape[axis],), (index,))
    if alive is None:
        return picked
    alive = alive.reshape((-1,) + (1,) * (self.ndim - axis - 1))
    return np.where(alive, picked, picked.dtype.type(0))


def index_fill(self: Array, dim: int, index: Array, value: Any) -> Array:
    """A copy with one number in the slices that `index` names."""
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.ndim} dimension(s)."
            )
        value = value.item()
    if isinstance(value, complex) and self.dtype.kind != "c":
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported"
        )
    value = checked_number(value, self.dtype)
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    axis = wrap_dim(dim, self.ndim)
    _check_bounds(index, self.shape[axis] if self.ndim else 1, axis, IndexError)
    out = self.copy()
    if index.size:
        out[_slices(axis, index) if self.ndim else ...] = value
    return out


index_fill_tensor = index_fill
