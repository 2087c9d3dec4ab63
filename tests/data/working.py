"""DataLoader with workers: order, numbers, errors."""

import os
import random
import re
import signal
import warnings
from typing import Any

import numpy as np

from tests.observe import attempt


class _Places:
    """Its samples are their places."""

    def __len__(self) -> int:
        return 7

    def __getitem__(self, place: int) -> Any:
        return place


class _Two(Exception):
    """An error that is not made of one text."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first)


def _walks(loader: Any, times: int = 1) -> Any:
    with warnings.catch_warnings():  # Python 3.12 warns of forks of processes with threads
        warnings.simplefilter("ignore", DeprecationWarning)
        return [[b.tolist() if hasattr(b, "tolist") else b for b in loader] for _ in range(times)]


def _same(batch: Any) -> Any:
    return batch


def _next(torch: Any) -> float:
    return round(torch.rand(1).item(), 6)


def numbers_of_workers(torch: Any) -> Any:
    """Everything that is random in a worker, walk after walk, and the stream of the caller."""

    class Drawing(_Places):
        def __len__(self) -> int:
            return 4

        def __getitem__(self, place: int) -> Any:
            info = torch.utils.data.get_worker_info()
            return [place, info.id, info.num_workers, info.seed, torch.initial_seed(),
                    info.dataset is self, random.random(), round(torch.rand(1).item(), 6),
                    int(np.random.randint(1 << 30)), torch.get_num_threads()]  # fmt: skip

    made = torch.utils.data.DataLoader
    generator = torch.Generator().manual_seed(7)
    seen = []
    for loader, times in ((made(Drawing(), num_workers=2, collate_fn=_same), 1),
                          (made(Drawing(), 2, True, num_workers=2, collate_fn=_same,
                                generator=generator), 2),
                          (made(Drawing(), 2, True, num_workers=1, collate_fn=_same,
                                persistent_workers=True), 3)):  # fmt: skip
        seen.append([_walks(loader, times), _next(torch)])
    return [seen, torch.rand(1, generator=generator).tolist()]


def orders(torch: Any) -> Any:
    data, made = torch.utils.data, torch.utils.data.DataLoader
    places = _Places()
    drawn = data.RandomSampler(places, replacement=True, num_samples=20)
    rows = data.TensorDataset(torch.arange(10.0).reshape(5, 2))
    return [[_walks(loader, 2), _next(torch)] for loader in (
        made(places, 3, num_workers=2), made(places, 2, True, num_workers=1, drop_last=True),
        made(places, 4, sampler=drawn, num_workers=2, prefetch_factor=1),
        made(places, batch_sampler=[[1, 2], [3], [0, 0]], num_workers=1, prefetch_factor=5),
        made(places, None, True, num_workers=1),
    )] + [[part.tolist() for batch in made(rows, 2, num_workers=1) for part in batch]]  # fmt: skip


def streams(torch: Any) -> Any:
    """Workers whose iterable datasets end at different times."""

    class Lengths(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined]
        def __init__(self, lengths: list[int]) -> None:
            self.lengths = lengths

        def __iter__(self) -> Any:
            info = torch.utils.data.get_worker_info()
            first = 100 * info.id
            yield from range(first, first + self.lengths[info.id])

        def __len__(self) -> int:
            return 5

    made = torch.utils.data.DataLoader
    return [_walks(made(Lengths(lengths), size, num_workers=2, **more), times)
            for lengths, size, times, more in (
                ([5, 1], 2, 1, {}), ([0, 4], None, 1, {}), ([1, 5], 2, 1, {"drop_last": True}),
                ([5, 2], 2, 2, {"persistent_workers": True, "prefetch_factor": 3}))]  # fmt: skip


def promised_length(torch: Any) -> Any:
    class Longer(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined]
        __str__ = lambda self: "Longer"  # noqa: E731

        def __iter__(self) -> Any:
            return iter(range(3))

        def __len__(self) -> int:
            return 2

    for workers in (0, 1):
        loader = torch.utils.data.DataLoader(Longer(), num_workers=workers)
        list(loader), len(loader), _walks(loader)


def errors(torch: Any) -> Any:
    """What is raised here of what was raised there: class, first line, last line."""

    class Failing(_Places):
        def __init__(self, error: Any) -> None:
            self.error = error

        def __getitem__(self, place: int) -> Any:
            raise self.error

    class Walking(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined]
        def __iter__(self) -> Any:
            yield 1
            raise ValueError("later")

    def init(number: int) -> None:
        raise RuntimeError(f"init {number}")

    made, seen = torch.utils.data.DataLoader, []
    for loader in (*[made(Failing(error), num_workers=1) for error in (
                        ValueError("a"), _Two(1, 2), KeyError("a\nb"), StopIteration("c"),
                        UnicodeDecodeError("utf-8", b"", 0, 1, "d"))],
                   made(Walking(), num_workers=1),
                   made(_Places(), num_workers=1, worker_init_fn=init)):  # fmt: skip
        try:
            seen.append(_walks(loader))
        except Exception as error:
            lines = str(error).splitlines()
            seen.append([type(error).__name__, lines[:2], lines[-1], repr(error)[:20]])
    return seen


def going_on_after_an_error(torch: Any) -> Any:
    class One(_Places):
        def __getitem__(self, place: int) -> Any:
            return place / (place - 2)

    walk = iter(torch.utils.data.DataLoader(One(), 2, num_workers=2))
    return [attempt(lambda: next(walk)).splitlines()[0] for _ in range(5)]


def ends_of_workers(torch: Any) -> Any:
    """Workers that are killed, or end."""

    class Ending(_Places):
        def __init__(self, end: Any) -> None:
            self.end = end

        def __getitem__(self, place: int) -> Any:
            return self.end()

    seen = []
    for end in (lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(3)):
        try:
            seen.append(_walks(torch.utils.data.DataLoader(Ending(end), num_workers=1)))
        except RuntimeError as error:
            told = f"{error} | {error.__cause__}"
            seen.append(re.sub(r"(pid(\(s\))?) \d+", r"\1 N", told))
    return seen


def information(torch: Any) -> Any:
    def init(number: int) -> None:
        info = torch.utils.data.get_worker_info()
        told = re.sub(r"seed=\d+, dataset=.*?, rng", "rng", repr(info))
        raise ValueError(" | ".join([told, attempt(lambda: setattr(info, "id", 3)),
                                     attempt(lambda: info.nothing)]))  # fmt: skip

    loader = torch.utils.data.DataLoader(_Places(), num_workers=1, worker_init_fn=init)
    return attempt(lambda: _walks(loader)).splitlines()[-1]


def options(torch: Any) -> Any:
    """What a loader says of its options, and what it refuses."""

    def made(**options: Any) -> Any:
        return torch.utils.data.DataLoader(_Places(), **options)

    default = made(num_workers=1)
    return [
        [default.prefetch_factor, default.multiprocessing_context, made().prefetch_factor],
        [attempt(lambda o=o: type(made(**o).multiprocessing_context).__name__) for o in (
            {"num_workers": 1, "multiprocessing_context": "fork"},
            {"num_workers": 1, "multiprocessing_context": "bad"},
            {"num_workers": 1, "multiprocessing_context": 3},
            {"multiprocessing_context": "fork"})],
        [attempt(lambda o=o: iter(made(**o))).split(" object at")[0] for o in (
            {"num_workers": 1, "prefetch_factor": -1}, {"persistent_workers": True})],
        [attempt(lambda n=n: setattr(default, n, 1)) for n in (
            "persistent_workers", "dataset", "num_workers", "prefetch_factor")],
        [attempt(lambda o=o: _walks(made(batch_size=7, pin_memory=True, **o)))
         for o in ({}, {"num_workers": 1}, {"pin_memory_device": "cuda"})],
    ]  # fmt: skip


def more_workers_than_processors(torch: Any) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.utils.data.DataLoader(_Places(), num_workers=100_000)
    return re.sub(r"system is \d+", "system is N", str(caught[0].message))
