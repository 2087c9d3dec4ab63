"""One worker of a DataLoader: the process that reads samples for another one.

It is given places and gives back batches, in the order in which it was asked. It ends when it is
told None, or when the process that it works for is gone.
"""

import contextlib
import multiprocessing
import queue
import random
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from seegrad.tensor.inquiry import set_num_threads
from seegrad.tensor.sampling import manual_seed
from seegrad.utils.data._utils.caught import Caught
from seegrad.utils.data._utils.fetch import Fetcher, WalkFetcher, fetcher_of
from seegrad.utils.data._utils.messages import packed, receive, send

__all__ = ["AGAIN", "Ended", "Job", "WorkerInfo", "get_worker_info", "work"]

AGAIN = "again"  # said to a worker that stays for the next walk


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker knows of itself.

    `id` from 0, `num_workers`, the `seed` that it started with, and its copy of the `dataset`.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any
    rng: Any = None
    worker_method: str = "multiprocessing"


class _Here:
    """What this process is; in a worker its information."""

    info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What this worker of a DataLoader knows of itself; None outside of workers.

    An IterableDataset asks for it, to give each worker a part of the whole.

    >>> import seegrad as torch
    >>> torch.utils.data.get_worker_info() is None
    True
    """
    return _Here.info


class Ended:
    """The answer of a worker whose iterable dataset is at its end."""


@dataclass
class Job:
    """What a worker is to do, and for whom."""

    dataset: Any
    batched: bool
    collate: Callable[[Any], Any]
    drop_last: bool
    init: Callable[[int], None] | None
    base_seed: int
    workers: int
    number: int = 0

    def fetcher(self) -> Fetcher:
        """What reads the samples, from the front."""
        return fetcher_of(self.dataset, self.batched, self.collate, self.drop_last)

    def caught(self, error: BaseException) -> Caught:
        """An error that was raised here."""
        return Caught(error, f"in DataLoader worker process {self.number}")


def work(job: Job, asked: Connection, answers: Connection) -> None:
    """The whole life of a worker."""
    # Whoever is interrupted, the process that waits for this one says so.
    with contextlib.suppress(KeyboardInterrupt):
        _serve(job, _Inbox(asked), _Sender(answers))


def _serve(job: Job, inbox: "_Inbox", sender: "_Sender") -> None:
    fetcher = _begun(job, job.init)
    while (message := inbox.next()) is not None:
        if message == AGAIN:
            fetcher = _begun(job, None)
            continue
        number, places = message
        answer = fetcher if isinstance(fetcher, Caught) else _answer(fetcher, places, job)
        try:
            parts = packed((number, answer))
        except Exception as error:
            parts = packed((number, job.caught(error)))
        sender.put(parts)


def _begun(job: Job, init: Callable[[int], None] | None) -> Fetcher | Caught:
    """The fetcher, or the error that the user's code raised on the way to it."""
    if _Here.info is None:
        _seed(job)
    try:
        if init is not None:
            init(job.number)
        return job.fetcher()
    except Exception as error:
        return job.caught(error)


def _seed(job: Job) -> None:
    """Seeds this process with numbers of its own, PyTorch's."""
    set_num_threads(1)
    seed = job.base_seed + job.number
    random.seed(seed)
    manual_seed(seed)
    entropy = [job.number, job.base_seed & 0xFFFFFFFF, job.base_seed >> 32, 0]
    np.random.seed(np.random.SeedSequence(entropy).generate_state(4))
    _Here.info = WorkerInfo(job.number, job.workers, seed, job.dataset)


def _answer(fetcher: Fetcher, places: Any, job: Job) -> Any:
    """The batch, or what happened instead."""
    try:
        return fetcher.fetch(places)
    except Exception as error:
        if isinstance(error, StopIteration) and isinstance(fetcher, WalkFetcher):
            return Ended()
        return job.caught(error)


class _Inbox:
    """The messages to this worker. All that have arrived are read at once, so that it ends
    without doing first what is not wanted any more.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.waiting: deque[Any] = deque()
        parent = multiprocessing.parent_process()
        self.signs: list[Any] = [connection, *([parent.sentinel] if parent else [])]

    def next(self) -> Any:
        """The next message; None where there will be none."""
        try:
            if not self.waiting and self.connection not in wait(self.signs):
                return None  # the process that asks is gone
            while self.connection.poll():
                self.waiting.append(receive(self.connection))
        except (EOFError, OSError):
            return None
        return None if self.waiting[-1] is None else self.waiting.popleft()


class _Sender:
    """Sends answers from a thread of its own, so that a full pipe does not stop the reading."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.parts: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def put(self, parts: Any) -> None:
        """Sends a message when those before it are sent."""
        self.parts.put(parts)

    def run(self) -> None:
        """Sends until nobody reads any more."""
        with contextlib.suppress(OSError):
            while True:
                send(self.connection, self.parts.get())
