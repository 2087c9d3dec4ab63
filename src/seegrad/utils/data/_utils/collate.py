"""From a list of samples to one batch."""

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from seegrad.arrays.dtypes import float64
from seegrad.graph.asked import tap
from seegrad.ops import stack
from seegrad.tensor.creation import as_tensor, tensor
from seegrad.tensor.tensor import Tensor

__all__ = [
    "collate",
    "collate_float_fn",
    "collate_int_fn",
    "collate_numpy_array_fn",
    "collate_numpy_scalar_fn",
    "collate_str_fn",
    "collate_tensor_fn",
    "default_collate",
    "default_collate_fn_map",
    "default_convert",
]

# From the type of a sample, or several types, to a function of the batch and of this map.
FunctionMap = dict[type | tuple[type, ...], Callable[..., Any]]

_UNFIT = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def collate(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """A list of samples as one batch, by the functions of a map; containers are gone into.

    Each function is called as `function(batch, collate_fn_map=...)`. The first whose type the
    first sample is of counts. Raises TypeError where there is none, RuntimeError for sequences of
    different lengths.

    >>> from seegrad.utils.data._utils.collate import collate
    >>> collate([(1, "a"), (2, "b")], collate_fn_map={
    ...     int: lambda batch, *, collate_fn_map: sum(batch),
    ...     str: lambda batch, *, collate_fn_map: "".join(batch)})
    [3, 'ab']
    """
    sample = batch[0]
    function = _function_for(type(sample), collate_fn_map or {})
    if function is not None:
        return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(sample, Mapping):
        parts = {
            key: collate([each[key] for each in batch], collate_fn_map=collate_fn_map)
            for key in sample
        }
        return _mapping_like(sample, parts)
    if _is_named(sample) or isinstance(sample, Sequence):
        return _collate_sequences(batch, collate_fn_map)
    raise TypeError(_UNFIT.format(type(sample)))


def _function_for(kind: type, functions: FunctionMap) -> Callable[..., Any] | None:
    """The function for a type itself, else the first for a type that it derives from."""
    if kind in functions:
        return functions[kind]
    return next((functions[each] for each in functions if issubclass(kind, each)), None)


def _collate_sequences(batch: Any, collate_fn_map: FunctionMap | None) -> Any:
    """Samples that are tuples or lists: one batch for each of their places."""
    sample = batch[0]
    if not _is_named(sample) and any(len(other) != len(sample) for other in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    columns = [
        collate(column, collate_fn_map=collate_fn_map) for column in zip(*batch, strict=False)
    ]
    if _is_named(sample):
        return type(sample)(*columns)
    return columns if isinstance(sample, tuple) else _sequence_like(sample, columns)


def collate_tensor_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Tensors: stacked."""
    return stack(tuple(batch), 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Arrays: tensors, stacked."""
    if batch[0].dtype.kind in "SUO":
        raise TypeError(_UNFIT.format(batch[0].dtype))
    return collate([as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """NumPy's scalars: a tensor of their type."""
    return as_tensor(np.array(batch))


def collate_float_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Floats: a tensor of float64."""
    return tensor(batch, dtype=float64)


def collate_int_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Whole numbers and bools: a tensor."""
    return tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: FunctionMap | None = None) -> Any:
    """Text: as it is."""
    return batch


# What makes tensors; the functions inside are the library's own calls, of which nobody is told.
tap(collate_tensor_fn, "torch.utils.data", "stack")
for _function in (collate_numpy_scalar_fn, collate_float_fn, collate_int_fn):
    tap(_function, "torch.utils.data", "as_tensor")

default_collate_fn_map: FunctionMap = {
    Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch: Any) -> Any:
    """Stack a list of samples: tensors and arrays get a new first dimension, numbers a tensor.

    Floats give float64. Tuples, lists and dicts are collated inside, text stays a list. Raises
    TypeError for other samples, RuntimeError for sequences of different lengths. Functions for
    other types are put into `torch.utils.data._utils.collate.default_collate_fn_map`.

    >>> import seegrad as torch
    >>> torch.utils.data.default_collate([(torch.zeros(2), 1), (torch.ones(2), 2)])
    [tensor([[0., 0.],
            [1., 1.]]), tensor([1, 2])]
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def default_convert(data: Any) -> Any:
    """Turn NumPy arrays into tensors, inside of tuples, lists and dicts too.

    >>> import numpy as np, seegrad as torch
    >>> torch.utils.data.default_convert([np.ones(1, np.float32), "text"])
    [tensor([1.]), 'text']
    """
    if isinstance(data, np.ndarray | np.generic) and not isinstance(data, str | bytes):
        return data if data.dtype.kind in "SUO" else as_tensor(data)
    if isinstance(data, Mapping):
        return _mapping_like(data, {key: default_convert(value) for key, value in data.items()})
    if _is_named(data):
        return type(data)(*[default_convert(value) for value in data])
    if isinstance(data, tuple):
        return [default_convert(value) for value in data]
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _sequence_like(data, [default_convert(value) for value in data])
    return data


def _is_named(value: Any) -> bool:
    """Whether `value` is a named tuple."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _mapping_like(like: Any, items: dict[Any, Any]) -> Any:
    """A mapping of the type of `like`, with all that it knows; a dict where that cannot be."""
    try:
        if not isinstance(like, MutableMapping):
            return type(like)(items)
        made = copy.copy(like)
        made.update(items)
    except TypeError:
        return items
    return made


def _sequence_like(like: Any, items: list[Any]) -> Any:
    """A sequence of the type of `like`; a list where that cannot be."""
    try:
        if not isinstance(like, MutableSequence):
            return type(like)(items)
        made = copy.copy(like)
        for place, item in enumerate(items):
            made[place] = item
    except TypeError:
        return items
    return made
