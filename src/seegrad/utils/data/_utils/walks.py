"""One walk through a DataLoader: in this process, or with the help of workers."""

import warnings
import weakref
from collections.abc import Iterator
from typing import Any

from seegrad.ops.once import users_level
from seegrad.utils.data._utils.caught import Caught
from seegrad.utils.data._utils.fetch import fetcher_of
from seegrad.utils.data._utils.worker import AGAIN, Ended, Job
from seegrad.utils.data._utils.workers import Workers
from seegrad.utils.data.sampler import draw_seed

__all__ = ["Walk", "WorkersWalk", "walk_of"]


def walk_of(loader: Any) -> "Walk":
    """A new walk, with workers where the loader has some."""
    return Walk(loader) if loader.num_workers == 0 else WorkersWalk(loader)


class Walk:
    """One walk through a DataLoader, all in this process."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        _warn_of_pinning(loader)
        # The workers are seeded with it; drawn without workers too, as PyTorch does.
        self._base_seed = draw_seed(loader.generator)
        self._places = iter(loader._index_sampler)
        self._given = 0
        self._promised = loader._promised
        self._begin()

    def _begin(self) -> None:
        self._fetcher = fetcher_of(
            self._loader.dataset,
            self._loader._auto_collation,
            self._loader.collate_fn,
            self._loader.drop_last,
        )

    def __iter__(self) -> Iterator[Any]:
        return self

    def __len__(self) -> int:
        return len(self._loader)

    def __next__(self) -> Any:
        batch = self._next()
        self._given += 1
        if self._promised is not None and self._given > self._promised:
            _warn_of_length(self._loader, self._promised, self._given)
        return batch

    def _next(self) -> Any:
        return self._fetcher.fetch(next(self._places))


class WorkersWalk(Walk):
    """A walk for which worker processes read.

    Task n is some places; it is given to the workers in turn. So many tasks are given out that
    each worker has `prefetch_factor` of them.
    """

    def _begin(self) -> None:
        loader = self._loader
        if loader.prefetch_factor <= 0:
            raise AssertionError(
                "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter"
            )
        job = Job(
            dataset=loader.dataset,
            batched=loader._auto_collation,
            collate=loader.collate_fn,
            drop_last=loader.drop_last,
            init=loader.worker_init_fn,
            base_seed=self._base_seed,
            workers=loader.num_workers,
        )
        self._workers = Workers(job, loader._context())
        self._close = weakref.finalize(self, self._workers.close)
        self._asked = self._wanted = 0  # the next task to be given out, and to be answered
        self._refill()

    def again(self) -> None:
        """Begins anew with the workers that there are; what they still answer is not wanted.

        No seed is drawn: the workers go on with their random numbers.
        """
        self._places = iter(self._loader._index_sampler)
        self._given = 0
        self._promised = self._loader._promised
        self._wanted = self._asked
        for worker in range(self._loader.num_workers):
            self._workers.ask(worker, AGAIN)
        self._refill()

    def _refill(self) -> None:
        """Gives out the first tasks."""
        self._tasks: dict[int, int] = {}  # who is at which task
        self._answers: dict[int, Any] = {}  # what is there and was not wanted yet
        self._active = list(range(self._loader.num_workers))
        self._turn = 0
        for _ in range(self._loader.prefetch_factor * self._loader.num_workers):
            self._give_out()

    def _give_out(self, worker: int | None = None) -> None:
        """Gives one more task to a worker, to the next one in turn where none is named."""
        if not self._active or (worker is not None and worker not in self._active):
            return
        places = next(self._places, self)
        if places is self:
            return
        if worker is None:
            worker = self._active[self._turn % len(self._active)]
            self._turn = (self._active.index(worker) + 1) % len(self._active)
        self._tasks[self._asked] = worker
        self._workers.ask(worker, (self._asked, places))
        self._asked += 1

    def _next(self) -> Any:
        while self._tasks:
            number = self._next_task()
            worker, answer = self._tasks.pop(number), self._answers.pop(number)
            if isinstance(answer, Ended):
                self._dismiss(worker)
                continue
            self._give_out(None if self._loader.in_order else worker)
            if isinstance(answer, Caught):
                answer.reraise()
            return answer
        if not self._loader.persistent_workers:
            self._close()
        raise StopIteration

    def _dismiss(self, worker: int) -> None:
        """A worker has come to the end of its iterable dataset: the others have their turn."""
        if worker in self._active:
            place = self._active.index(worker)
            self._active.remove(worker)
            self._turn -= place < self._turn
        self._give_out()

    def _next_task(self) -> int:
        """The task whose answer is to be given now; its answer is there."""
        if self._loader.in_order:
            number = min(self._tasks)
            while number not in self._answers:
                self._wait([self._tasks[number]])
            return number
        while not self._answers:
            self._wait(sorted(set(self._tasks.values())))
        return min(self._answers)

    def _wait(self, among: list[int]) -> None:
        """Waits for an answer of one of these workers; old ones are thrown away."""
        found = self._workers.answer(among, self._loader.timeout)
        if found is None:
            raise RuntimeError(f"DataLoader timed out after {self._loader.timeout} seconds")
        number, answer = found[1]
        if number >= self._wanted:
            self._answers[number] = answer


def _warn_of_pinning(loader: Any) -> None:
    if not loader.pin_memory:
        return
    if loader.pin_memory_device:
        warnings.warn(
            "pin_memory_device is deprecated, the current accelerator will be used as the device,"
            f"ignore pin_memory_device='{loader.pin_memory_device}'.",
            stacklevel=users_level(),
        )
    warnings.warn(
        "'pin_memory' argument is set as true but no accelerator is found, then device pinned "
        "memory won't be used.",
        stacklevel=users_level(),
    )


def _warn_of_length(loader: Any, promised: int, given: int) -> None:
    text = (
        f"Length of IterableDataset {loader.dataset} was reported to be {promised}"
        f"(when accessing len(dataloader)), but {given} samples have been fetched. "
    )
    if loader.num_workers > 0:
        text += (
            "For multiprocessing data-loading, this could be caused by not properly configuring "
            "the IterableDataset replica at each worker. Please see "
            "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for "
            "examples."
        )
    warnings.warn(text, stacklevel=users_level())
