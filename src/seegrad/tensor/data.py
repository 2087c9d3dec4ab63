"""Numbers, nested lists and arrays become one array of the dtype that PyTorch would choose."""

import functools
from typing import Any

import numpy as np

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype as Dtype
from seegrad.arrays.dtypes import from_numpy, get_default_dtype
from seegrad.arrays.promotion import promote_types
from seegrad.graph.state import thread
from seegrad.graph.tensor import TensorBase
from seegrad.tensor.conversion import scalar

__all__ = ["array_of", "checked_array"]

Array = Any
PLAIN = {bool, int, float, complex}


def array_of(data: Any, dtype: Dtype | None) -> Array:
    """A new array of what was given to `torch.tensor`."""
    if isinstance(data, TensorBase):
        if data._is_asked and data.is_sparse:  # type: ignore[attr-defined]
            raise NotImplementedError("torch.tensor takes no sparse tensor. Use x.clone().")
        return converted(data._array, dtype, copy=True)
    if isinstance(data, (np.ndarray, np.generic)):
        return converted(checked_array(np.asarray(data)), dtype, copy=True)
    if isinstance(data, str):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if hasattr(data, "__array__"):
        return converted(checked_array(np.asarray(data)), dtype, copy=True)
    nested = plain(data) if is_sequence(data) else data
    try:
        array = np.array(nested)
    except ValueError:
        check_ragged(nested)
        raise
    except OverflowError:
        raise ValueError("Overflow when unpacking long long") from None
    check_inferable(array, nested)
    return converted(array, dtype or inferred(array, data), copy=False)


def converted(array: Array, dtype: Dtype | None, copy: bool) -> Array:
    """The array in `dtype`; a copy where asked for."""
    kind = from_numpy(array.dtype).numpy if dtype is None else dtype.numpy
    check_fits(array, kind)
    if array.dtype.kind == "c" and kind.kind != "c":
        array = array.real
    return thread.state.quiet(array.astype, kind, copy=copy)


def check_fits(array: Array, kind: "np.dtype[Any]") -> None:
    """Numbers given to an integer type must fit into it."""
    if kind.kind not in "iu" or array.dtype == kind or not array.size or array.dtype.kind == "b":
        return
    limits = np.iinfo(kind)
    if (array.dtype.kind == "f" and not np.all(np.isfinite(array))) or (
        array.real.min() < min(limits.min, -limits.max) or array.real.max() > limits.max
    ):
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")


def checked_array(array: Array) -> Array:
    """A NumPy array that a tensor can look at, or PyTorch's error."""
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    from_numpy(array.dtype)
    if any(s < 0 for s in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
    return array


def is_sequence(data: Any) -> bool:
    """Whether data has items by position."""
    return isinstance(data, (list, tuple, range)) or (
        hasattr(data, "__len__") and hasattr(data, "__getitem__") and not isinstance(data, dict)
    )


def plain(data: Any) -> Any:
    """Nested lists in which tensors are numbers."""
    if isinstance(data, TensorBase):
        return scalar(data)
    if isinstance(data, (list, tuple)):
        if any(isinstance(item, (list, tuple, TensorBase)) for item in data):
            return [plain(item) for item in data]
        return data
    return list(data) if is_sequence(data) and not isinstance(data, (str, np.ndarray)) else data


def measured(data: Any) -> tuple[int, ...]:
    """The shape that the first items promise."""
    shape: list[int] = []
    while isinstance(data, (list, tuple)):
        shape.append(len(data))
        if not data:
            break
        data = data[0]
    return tuple(shape)


def check_ragged(data: Any) -> None:
    """Raises where a nested list is longer, shorter or deeper than the first one of its depth."""
    real = first_leaf(data, lambda v: isinstance(v, (float, complex))) is not None
    too_deep = (
        "must be real number, not list"
        if real
        else "'list' object cannot be interpreted as an integer"
    )
    check_depth(data, measured(data), 0, too_deep)


def check_depth(data: Any, shape: tuple[int, ...], dim: int, too_deep: str) -> None:
    """`check_ragged` of one list."""
    if dim == len(shape):
        if isinstance(data, (list, tuple)):
            raise TypeError(too_deep)
        return
    if not isinstance(data, (list, tuple)):
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        raise ValueError(
            f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})"
        )
    for item in data:
        check_depth(item, shape, dim + 1, too_deep)


def check_inferable(array: Array, data: Any) -> None:
    """The elements must be numbers."""
    if array.dtype.kind in "USO":
        if first_leaf(data, lambda v: isinstance(v, int) and not -(2**63) <= v < 2**63):
            raise ValueError("Overflow when unpacking long long")
        leaf = first_leaf(data, lambda v: not isinstance(v, (bool, int, float, complex)))
        if isinstance(leaf, str):
            if isinstance(data, (list, tuple)) and all(isinstance(v, str) for v in data):
                raise ValueError("too many dimensions 'str'")
            raise TypeError("new(): invalid data type 'str'")
        raise RuntimeError(f"Could not infer dtype of {type(leaf).__name__}")
    if array.dtype == np.uint64:
        raise ValueError("Overflow when unpacking long long")


def first_leaf(data: Any, wanted: Any = lambda _: True) -> Any:
    """The first element, at any depth, that is wanted."""
    if isinstance(data, (list, tuple)):
        for item in data:
            found = first_leaf(item, wanted)
            if found is not None:
                return found
        return None
    return data if wanted(data) else None


def inferred(array: Array, data: Any) -> Dtype:
    """The dtype PyTorch gives to Python numbers; NumPy scalars and tensors keep theirs."""
    kinds = element_kinds(data)
    if any(isinstance(kind, Dtype) for kind in kinds):
        return functools.reduce(promote_types, map(dtype_of_kind, kinds))
    if array.dtype.kind == "c":
        return dtypes.default_complex()
    if array.dtype.kind == "f":
        return get_default_dtype()
    return from_numpy(array.dtype)


def element_kinds(data: Any) -> set[Any]:
    """The types of Python's numbers among the elements, the dtypes of the others."""
    if isinstance(data, (list, tuple)):
        kinds = set(map(type, data))
        return kinds if kinds <= PLAIN else set().union(*map(element_kinds, data))
    if isinstance(data, TensorBase):
        return {data.dtype}
    if isinstance(data, (np.generic, np.ndarray)):
        return {from_numpy(data.dtype)}
    return {type(data)}


def dtype_of_kind(kind: Any) -> Dtype:
    """A dtype itself; of Python's numbers the dtype of a tensor of one."""
    if isinstance(kind, Dtype):
        return kind
    if issubclass(kind, complex):
        return dtypes.default_complex()
    if issubclass(kind, float):
        return get_default_dtype()
    return dtypes.NAMES["bool" if kind is bool else "int64"]
