"""Samplers: in which order the samples of a dataset are taken."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from seegrad.arrays import random
from seegrad.arrays.dtypes import float64
from seegrad.arrays.multinomial import multinomial
from seegrad.arrays.random import Generator
from seegrad.tensor.creation import as_tensor

Place = TypeVar("Place", covariant=True)

# Draws with replacement come in portions of this size; the portions decide the numbers.
_PORTION = 32


def draw_seed(generator: Generator | None) -> int:
    """One number from 0 to 2**63 - 1, as `torch.empty((), dtype=torch.int64).random_()` draws."""
    return int(random.integers_full(generator, (), np.dtype(np.int64)))


class Sampler(Generic[Place]):
    """The base of all samplers: subclasses define `__iter__`, and mostly `__len__`."""

    def __iter__(self) -> Iterator[Place]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All places from the front."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All places in random order, or `num_samples` of them; `replacement` lets them repeat.

    Without a `generator`, each walk draws a seed from the default one. Raises ValueError for a
    number that is not positive, TypeError for a `replacement` that is no bool.

    >>> import seegrad as torch
    >>> _ = torch.manual_seed(0)
    >>> sorted(torch.utils.data.RandomSampler(range(3)))
    [0, 1, 2]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got {replacement=}")
        _check_count(self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many places one walk gives; the length of the data unless it was set."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(draw_seed(None))
        portions = self._repeating(generator) if self.replacement else self._shuffled(generator)
        for portion in portions:
            yield from portion

    def _repeating(self, generator: Generator) -> Iterator[list[int]]:
        """Draws with replacement; the last portion is what is missing, maybe nothing."""
        n = len(self.data_source)
        full, rest = divmod(self.num_samples, _PORTION)
        for size in [*[_PORTION] * full, rest]:
            yield random.integers(generator, 0, n, (size,), np.dtype(np.int64)).tolist()

    def _shuffled(self, generator: Generator) -> Iterator[list[int]]:
        """Whole permutations, then part of one; the last is drawn even where none is needed."""
        n = len(self.data_source)
        full, rest = divmod(self.num_samples, n)
        for _ in range(full):
            yield random.permutation(generator, n).tolist()
        yield random.permutation(generator, n).tolist()[:rest]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """The given places in random order."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in random.permutation(self.generator, len(self.indices)).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` places drawn with probabilities proportional to `weights`.

    Raises ValueError for a number that is not positive and for weights that are no 1-d sequence.

    >>> import seegrad as torch
    >>> list(torch.utils.data.WeightedRandomSampler([0.0, 1.0], 3))
    [1, 1, 1]
    """

    def __init__(
        self,
        weights: Any,
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        _check_count(num_samples)
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got {replacement=}")
        self.weights = as_tensor(weights, dtype=float64)
        if self.weights.ndim != 1:
            raise ValueError(
                "weights should be a 1d sequence but given weights have shape "
                f"{tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        weights = self.weights._array
        drawn = multinomial(self.generator, weights, self.num_samples, self.replacement)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The places of another sampler in lists of `batch_size`.

    `drop_last` leaves out a last list that is too short. Raises ValueError for other values.

    >>> import seegrad as torch
    >>> list(torch.utils.data.BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got {batch_size=}"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got {drop_last=}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        places = iter(self.sampler)
        while batch := list(islice(places, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        if self.drop_last:
            return count // self.batch_size
        return (count + self.batch_size - 1) // self.batch_size


def _check_count(num_samples: Any) -> None:
    if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
        raise ValueError(f"num_samples should be a positive integer value, but got {num_samples=}")
