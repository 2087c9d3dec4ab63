"""From a list of samples to one batch."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from seegrad.arrays.dtypes import float64
from seegrad.ops import stack
from seegrad.tensor.creation import as_tensor, tensor
from seegrad.tensor.tensor import Tensor

_UNFIT = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def default_collate(batch: Any) -> Any:
    """Stack a list of samples: tensors and arrays get a new first dimension, numbers a tensor.

    Floats give float64. Tuples, lists and dicts are collated inside, text stays a list. Raises
    TypeError for other samples, RuntimeError for sequences of different lengths.

    >>> import seegrad as torch
    >>> torch.utils.data.default_collate([(torch.zeros(2), 1), (torch.ones(2), 2)])
    [tensor([[0., 0.],
            [1., 1.]]), tensor([1, 2])]
    """
    sample = batch[0]
    if isinstance(sample, Tensor):
        return stack(tuple(batch), 0)
    if isinstance(sample, np.ndarray):
        return _collate_arrays(batch)
    if isinstance(sample, np.generic):
        return as_tensor(np.array(batch))
    if isinstance(sample, float):
        return tensor(batch, dtype=float64)
    if isinstance(sample, int):
        return tensor(batch)
    if isinstance(sample, str | bytes):
        return batch
    if isinstance(sample, Mapping):
        return _rebuilt(sample, {key: default_collate([s[key] for s in batch]) for key in sample})
    if isinstance(sample, Sequence):
        return _collate_sequences(batch)
    raise TypeError(_UNFIT.format(type(sample)))


def _collate_arrays(batch: Any) -> Tensor:
    if batch[0].dtype.kind in "SUO":
        raise TypeError(_UNFIT.format(batch[0].dtype))
    return default_collate([as_tensor(array) for array in batch])  # type: ignore[no-any-return]


def _collate_sequences(batch: Any) -> Any:
    """Samples that are tuples or lists: one batch for each of their places."""
    sample = batch[0]
    if any(len(other) != len(sample) for other in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    columns = [default_collate(column) for column in zip(*batch, strict=True)]
    return type(sample)(*columns) if _is_named(sample) else columns


def default_convert(data: Any) -> Any:
    """Turn NumPy arrays into tensors, inside of tuples, lists and dicts too.

    >>> import numpy as np, seegrad as torch
    >>> torch.utils.data.default_convert([np.ones(1, np.float32), "text"])
    [tensor([1.]), 'text']
    """
    if isinstance(data, np.ndarray):
        return data if data.dtype.kind in "SUO" else as_tensor(data)
    if isinstance(data, np.generic):
        return as_tensor(data)
    if isinstance(data, Mapping):
        return _rebuilt(data, {key: default_convert(value) for key, value in data.items()})
    if _is_named(data):
        return type(data)(*[default_convert(value) for value in data])
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return [default_convert(value) for value in data]
    return data


def _is_named(value: Any) -> bool:
    """Whether `value` is a named tuple."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _rebuilt(like: Any, items: dict[Any, Any]) -> Any:
    """A mapping of the type of `like`, or a dict where that cannot be built from one."""
    try:
        return type(like)(items)
    except TypeError:
        return items
