"""Datasets: what knows its length and gives the sample at a place, or is walked through."""

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from seegrad.arrays import random
from seegrad.arrays.random import Generator, default_generator
from seegrad.tensor.tensor import Tensor

Sample = TypeVar("Sample", covariant=True)


class Dataset(Generic[Sample]):
    """The base of all datasets: subclasses define `__getitem__`, and mostly `__len__`.

    >>> import seegrad as torch
    >>> class Squares(torch.utils.data.Dataset):
    ...     def __len__(self):
    ...         return 3
    ...     def __getitem__(self, index):
    ...         return index * index
    >>> list(torch.utils.data.DataLoader(Squares(), batch_size=3))
    [tensor([0, 1, 4])]
    """

    def __getitem__(self, index: Any) -> Sample:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: "Dataset[Any]") -> "Dataset[Any]":
        return ConcatDataset([self, other])


class IterableDataset(Dataset[Sample], Iterable[Sample]):
    """A dataset that is walked through from the front: subclasses define `__iter__`.

    Every worker of a DataLoader walks through a copy of it: `get_worker_info` tells which one, so
    that each gives a part of the whole.
    """

    def __add__(self, other: Dataset[Any]) -> "Dataset[Any]":
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Tensors side by side: sample i is the tuple of their rows i.

    Raises AssertionError for tensors of different lengths.

    >>> import seegrad as torch
    >>> torch.utils.data.TensorDataset(torch.eye(2), torch.arange(2))[1]
    (tensor([0., 1.]), tensor(1))
    """

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class ConcatDataset(Dataset[Any]):
    """Datasets one after the other.

    Raises AssertionError for no dataset, and for one that can only be walked through.
    """

    datasets: list[Any]
    cumulative_sizes: list[int]

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """The lengths of the items, each with those before it."""
        return list(itertools.accumulate(len(each) for each in sequence))

    @property
    def cummulative_sizes(self) -> list[int]:
        """`cumulative_sizes` under its old name."""
        warnings.warn(
            "`cummulative_sizes` attribute is renamed to `cumulative_sizes`",
            FutureWarning,
            stacklevel=2,
        )
        return self.cumulative_sizes

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        before = self.cumulative_sizes[which - 1] if which > 0 else 0
        return self.datasets[which][index - before]


class ChainDataset(IterableDataset[Any]):
    """Iterable datasets one after the other."""

    datasets: Iterable[Any]

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self.datasets)


class Subset(Dataset[Sample]):
    """The samples of `dataset` at `indices`."""

    def __init__(self, dataset: Dataset[Sample], indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """The samples at several places, in one call where the dataset can do so."""
        chosen = [self.indices[i] for i in indices]
        several = getattr(self.dataset, "__getitems__", None)
        return several(chosen) if several is not None else [self.dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


class StackDataset(Dataset[Any]):
    """Datasets side by side: sample i is the tuple (or, by keyword, the dict) of their samples i.

    Raises ValueError for none, or for different lengths.
    """

    datasets: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like "
                "input/output, but both types are given."
            )
        parts = args or tuple(kwargs.values())
        if not parts:
            raise ValueError("At least one dataset should be passed")
        if any(len(part) != len(parts[0]) for part in parts):
            raise ValueError("Size mismatch between datasets")
        self._length = len(parts[0])
        self.datasets = args or kwargs

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """The samples at several places, in one call of each dataset that can do so."""
        if isinstance(self.datasets, dict):
            columns = [_several(dataset, indices) for dataset in self.datasets.values()]
            rows = zip(*columns, strict=True)
            return [dict(zip(self.datasets, row, strict=True)) for row in rows]
        return list(zip(*[_several(d, indices) for d in self.datasets], strict=True))

    def __len__(self) -> int:
        return self._length


def _several(dataset: Any, indices: list[int]) -> list[Any]:
    """The samples of one dataset beside others."""
    if not callable(getattr(dataset, "__getitems__", None)):
        return [dataset[index] for index in indices]
    samples: list[Any] = dataset.__getitems__(indices)
    if len(samples) != len(indices):
        raise ValueError(
            f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(samples)}"
        )
    return samples


def random_split(
    dataset: Any, lengths: Sequence[int | float], generator: Generator | None = default_generator
) -> list[Subset[Any]]:
    """Split `dataset` at random into Subsets of the given lengths, or fractions that sum to 1.

    Raises ValueError where the lengths do not sum to that of the dataset.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> [len(part) for part in torch.utils.data.random_split(range(10), [0.7, 0.3])]
    [7, 3]
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _from_fractions(len(dataset), lengths)
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = random.permutation(generator, len(dataset)).tolist()
    ends = list(itertools.accumulate(int(length) for length in lengths))
    return [
        Subset(dataset, order[end - int(length) : end])
        for end, length in zip(ends, lengths, strict=True)
    ]


def _from_fractions(total: int, fractions: Sequence[float]) -> list[int]:
    """Whole lengths: each rounded down, what remains dealt out from the front."""
    for place, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {place} is not between 0 and 1")
    lengths = [math.floor(total * fraction) for fraction in fractions]
    for place in range(total - sum(lengths)):
        lengths[place % len(lengths)] += 1
    for place, length in enumerate(lengths):
        if length == 0:
            warnings.warn(
                f"Length of split at index {place} is 0. This might result in an empty dataset.",
                stacklevel=3,
            )
    return lengths
