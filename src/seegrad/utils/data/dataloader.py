"""`DataLoader`: a dataset in batches."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from seegrad.arrays.random import Generator
from seegrad.graph.tensor import requires, wrap
from seegrad.utils.data.collate import default_collate, default_convert
from seegrad.utils.data.dataset import IterableDataset, Subset, TensorDataset
from seegrad.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    draw_seed,
)

_SETTLED = frozenset({"batch_size", "batch_sampler", "sampler", "drop_last", "dataset"})


class _Endless(Sampler[None]):
    """The sampler of a dataset that is walked through: it has no places."""

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None


class DataLoader:
    """Walks through `dataset` in batches of `batch_size`, shuffled or in order.

    After `manual_seed`, `shuffle=True` gives PyTorch's order: each walk draws one number from the
    default generator (or from `generator`), and the shuffle another. `batch_size=None` gives
    single samples. With `num_workers` above 0 the samples are still read in this process, one
    batch after the other: the same batches in the same order. `pin_memory`, `timeout`,
    `worker_init_fn`, `prefetch_factor`, `persistent_workers` and `in_order` are accepted and
    change nothing.

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

    def __iter__(self) -> "_Walk":
        return _Walk(self)

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            return self._iterable_length()
        walked: Any = self.sampler if self.batch_sampler is None else self.batch_sampler
        return len(walked)

    def _iterable_length(self) -> int:
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        full, rest = divmod(count, self.batch_size)
        return full + int(rest > 0 and not self.drop_last)


class _Walk:
    """One walk through a DataLoader."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader
        # PyTorch draws a seed for its workers here, workers or not; the stream must stay in step.
        self._base_seed = draw_seed(loader.generator)
        self._batches = _iterable_batches(loader) if _iterates(loader) else _batches(loader)

    def __iter__(self) -> "_Walk":
        return self

    def __next__(self) -> Any:
        return next(self._batches)

    def __len__(self) -> int:
        return len(self._loader)


def get_worker_info() -> None:
    """None: samples are read in the process that asks for them, never in a worker.

    >>> import seegrad as torch
    >>> torch.utils.data.get_worker_info() is None
    True
    """


def _iterates(loader: DataLoader) -> bool:
    return isinstance(loader.dataset, IterableDataset)


def _batches(loader: DataLoader) -> Iterator[Any]:
    """The batches of a dataset that is asked for places."""
    dataset, collate = loader.dataset, loader.collate_fn
    if loader.batch_sampler is None:
        for place in loader.sampler:
            yield collate(dataset[place])
        return
    quick = _side_by_side(dataset) if collate is default_collate else None
    for places in loader.batch_sampler:
        if quick is not None:
            yield _rows(quick, places)
        elif hasattr(dataset, "__getitems__"):
            yield collate(dataset.__getitems__(places))
        else:
            yield collate([dataset[place] for place in places])


def _side_by_side(dataset: Any) -> Any:
    """`dataset` if all of its batches are rows of plain tensors, so that they come at once."""
    inner = dataset
    while type(inner) is Subset:
        inner = inner.dataset
    if type(inner) is not TensorDataset or any(requires(t) for t in inner.tensors):
        return None
    return dataset


def _rows(dataset: Any, places: Any) -> list[Any]:
    """The collated batch: what stacking the samples one by one would give."""
    while type(dataset) is Subset:
        places = [dataset.indices[place] for place in places]
        dataset = dataset.dataset
    return [wrap(tensor._array.take(places, axis=0)) for tensor in dataset.tensors]


def _iterable_batches(loader: DataLoader) -> Iterator[Any]:
    """The batches of a dataset that is walked through."""
    samples = iter(loader.dataset)
    if loader.batch_size is None:
        for sample in samples:
            yield loader.collate_fn(sample)
        return
    while batch := list(islice(samples, loader.batch_size)):
        if len(batch) == loader.batch_size or not loader.drop_last:
            yield loader.collate_fn(batch)


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
