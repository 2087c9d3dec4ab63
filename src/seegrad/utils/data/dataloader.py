"""`DataLoader`: a dataset in batches."""

import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.context import BaseContext
from typing import Any, Generic, TypeVar

from seegrad.arrays.random import Generator
from seegrad.ops.once import users_level
from seegrad.utils.data._utils.collate import default_collate, default_convert
from seegrad.utils.data._utils.walks import Walk, WorkersWalk, walk_of
from seegrad.utils.data.dataset import IterableDataset
from seegrad.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "default_collate"]

Batch = TypeVar("Batch", covariant=True)

_SETTLED = frozenset(
    {"batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"}
)


class _Endless(Sampler[None]):
    """The sampler of a dataset that is walked through: it has no places."""

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None


class DataLoader(Generic[Batch]):
    """Walks through `dataset` in batches of `batch_size`, shuffled or in order.

    After `manual_seed`, `shuffle=True` gives PyTorch's order: each walk draws one number from the
    default generator (or from `generator`), and the shuffle another. `batch_size=None` gives
    single samples.

    With `num_workers` above 0, so many processes read the samples, `prefetch_factor` batches ahead
    each; the order is the same, unless `in_order=False` gives batches as they come. Worker i is
    seeded with the first number plus i, as are Python's and NumPy's random numbers there, and
    calls `worker_init_fn(i)`. An error in a worker is raised here with its traceback; a worker
    that was killed gives RuntimeError, as does an answer that takes longer than `timeout` seconds.
    Workers end with their walk; `persistent_workers` keeps them for the next. What samples hold
    goes through pipes, never through shared memory.

    Raises ValueError for options that exclude each other.

    >>> import seegrad as torch
    >>> data = torch.utils.data.TensorDataset(torch.arange(5))
    >>> [batch.tolist() for batch, in torch.utils.data.DataLoader(data, batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    _initialized = False

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = (
            2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        )
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self._promised: int | None = None
        self._iterator: Walk | None = None
        self.persistent_workers = persistent_workers
        if isinstance(dataset, IterableDataset):
            _check_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        batch_size, drop_last = _batching(batch_size, shuffle, sampler, batch_sampler, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.generator = generator
        self.sampler = self._default_sampler(shuffle) if sampler is None else sampler
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(self.sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler
        if collate_fn is None:
            collate_fn = default_convert if batch_sampler is None else default_collate
        self.collate_fn = collate_fn
        self._initialized = True
        self.check_worker_number_rationality()

    def _default_sampler(self, shuffle: bool | None) -> Sampler[Any]:
        if isinstance(self.dataset, IterableDataset):
            return _Endless()
        if shuffle:
            return RandomSampler(self.dataset, generator=self.generator)
        return SequentialSampler(self.dataset)

    def __setattr__(self, name: str, value: Any) -> None:
        if self._initialized and name in _SETTLED:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is initialized"
            )
        object.__setattr__(self, name, value)

    @property
    def multiprocessing_context(self) -> BaseContext | None:
        """How the workers are started: a context, or its name; None for Python's own way."""
        return self._multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, context: Any) -> None:
        self._multiprocessing_context = _context_of(context, self.num_workers)

    def _context(self) -> Any:
        return self._multiprocessing_context or multiprocessing.get_context()

    @property
    def _auto_collation(self) -> bool:
        """Whether samples are put together to batches."""
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        """What gives the places of one batch, or of one sample, after the other."""
        return self.batch_sampler if self._auto_collation else self.sampler

    def __iter__(self) -> Iterator[Batch]:
        if not (self.persistent_workers and self.num_workers > 0):
            return walk_of(self)
        if isinstance(self._iterator, WorkersWalk):
            self._iterator.again()
        else:
            self._iterator = walk_of(self)
        return self._iterator

    def check_worker_number_rationality(self) -> None:
        """Warns where there are more workers than processors."""
        usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        most = usable or os.cpu_count()
        if most is not None and self.num_workers > most:
            warnings.warn(_TOO_MANY.format(self.num_workers, most), stacklevel=users_level())

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            dataset: Any = self.dataset
            self._promised = len(dataset)
            return self._iterable_length(self._promised)
        return len(self._index_sampler)

    def _iterable_length(self, count: int) -> int:
        if self.batch_size is None:
            return count
        full, rest = divmod(count, self.batch_size)
        return full + int(rest > 0 and not self.drop_last)


def _context_of(context: Any, num_workers: int) -> BaseContext | None:
    """The context that a name means; raises for what means none."""
    if context is None:
        return None
    if num_workers <= 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > "
            f"0), but got num_workers={num_workers}"
        )
    if isinstance(context, str):
        methods = multiprocessing.get_all_start_methods()
        if context not in methods:
            raise ValueError(
                "multiprocessing_context option should specify a valid start method in "
                f"{methods!r}, but got multiprocessing_context={context!r}"
            )
        return multiprocessing.get_context(context)
    if not isinstance(context, BaseContext):
        raise TypeError(
            "multiprocessing_context option should be a valid context object or a string "
            f"specifying the start method, but got multiprocessing_context={context}"
        )
    return context


_TOO_MANY = (
    "This DataLoader will create {} worker processes in total. Our suggested max number of worker "
    "in current system is {}, which is smaller than what this DataLoader is going to create. "
    "Please be aware that excessive worker creation might get DataLoader running slow or even "
    "freeze, lower the worker number to avoid potential slowness/freeze if necessary."
)


def _check_workers(
    num_workers: int, timeout: float, prefetch_factor: int | None, persistent_workers: bool
) -> None:
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers "
            "> 0 to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if num_workers == 0 and persistent_workers:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_iterable(shuffle: bool | None, sampler: Any, batch_sampler: Any) -> None:
    given: Iterable[tuple[str, Any]] = [
        ("shuffle", shuffle or None),
        ("sampler", sampler),
        ("batch_sampler", batch_sampler),
    ]
    for name, value in given:
        if value is not None:
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified {name} option, "
                f"but got {name}={value}"
            )


def _batching(
    batch_size: int | None,
    shuffle: bool | None,
    sampler: Any,
    batch_sampler: Any,
    drop_last: bool,
) -> tuple[int | None, bool]:
    """The batch size and `drop_last` that hold; a batch sampler knows both itself."""
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, "
                "and drop_last"
            )
        return None, False
    if batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with "
            "drop_last"
        )
    return batch_size, drop_last
