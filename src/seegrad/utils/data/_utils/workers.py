"""The workers of one walk, seen from the process that they work for.

Note [Workers]: each worker has two pipes of its own, one for what it is asked, one for its
answers. So nothing is shared that a worker could hold on to when it is killed, and whoever waits
for an answer waits for the end of the process as well. A worker is told to end: that its pipe is
closed it may not see, because processes that are forked later hold the other end as well.
"""

import contextlib
import dataclasses
import os
import selectors
import signal
import time
from multiprocessing.connection import Connection, wait
from typing import Any

from seegrad.utils.data._utils.messages import packed, receive, send
from seegrad.utils.data._utils.worker import Job, work

__all__ = ["Workers"]

_PATIENCE = 5.0  # seconds that workers get to finish the sample they are at


class Workers:
    """Processes that were started for `job`, and the pipes to them."""

    def __init__(self, job: Job, context: Any) -> None:
        self.owner = os.getpid()
        self.processes: list[Any] = []
        self.asking: list[Connection] = []
        self.answering: list[Connection] = []
        try:
            for number in range(job.workers):
                self.start(dataclasses.replace(job, number=number), context)
        except BaseException:
            self.close()
            raise

    def start(self, job: Job, context: Any) -> None:
        """Starts one more."""
        asked, asking = context.Pipe(duplex=False)
        answering, answers = context.Pipe(duplex=False)
        self.asking.append(asking)
        self.answering.append(answering)
        process = context.Process(target=work, args=(job, asked, answers), daemon=True)
        try:
            process.start()
        finally:
            # Only the worker has these ends now: when it dies, they are closed.
            asked.close()
            answers.close()
        self.processes.append(process)

    def ask(self, worker: int, message: Any) -> None:
        """Sends a message; one that has died is found when its answer is waited for."""
        with contextlib.suppress(OSError):
            send(self.asking[worker], packed(message))

    def answer(self, among: list[int], timeout: float) -> tuple[int, Any] | None:
        """The worker and its next answer, whoever of `among` has one; None after `timeout` s.

        Raises RuntimeError where one of them has died without an answer.
        """
        signs: list[Any] = [self.answering[worker] for worker in among]
        signs += [self.processes[worker].sentinel for worker in among]
        ready = wait(signs, timeout or None)
        if not ready:
            return None
        dead = []
        for worker in among:
            if self.answering[worker] in ready:
                try:
                    return worker, receive(self.answering[worker])
                except (EOFError, OSError):
                    dead.append(worker)
            elif self.processes[worker].sentinel in ready:
                dead.append(worker)
        raise self.died(dead)

    def died(self, workers: list[int]) -> RuntimeError:
        """The error for workers that are gone."""
        dead = [self.processes[worker] for worker in workers]
        for process in dead:
            process.join(_PATIENCE)
        pids = ", ".join(str(process.pid) for process in dead)
        error = RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly")
        error.__cause__ = RuntimeError(_reason(dead[0]))
        return error

    def close(self) -> None:
        """Ends all workers, the patient way first; nothing in a process that was forked off."""
        if os.getpid() != self.owner:
            return
        # A full pipe has no place for a word; its worker is ended below if it does not read.
        with selectors.DefaultSelector() as selector:
            for connection in self.asking:
                selector.register(connection, selectors.EVENT_WRITE)
            for key, _ in selector.select(0):
                with contextlib.suppress(OSError):
                    send(key.fileobj, packed(None))  # type: ignore[arg-type]
        for connection in (*self.asking, *self.answering):
            connection.close()
        for end in (None, "terminate", "kill"):
            until = time.monotonic() + _PATIENCE
            for process in self.processes:
                if end is not None and process.is_alive():
                    getattr(process, end)()
            for process in self.processes:
                process.join(max(0.0, until - time.monotonic()))


def _reason(process: Any) -> str:
    """Why a process has ended."""
    code = process.exitcode
    if code is not None and code < 0:
        named = signal.strsignal(-code) or f"signal {-code}"
        return f"DataLoader worker (pid {process.pid}) is killed by signal: {named}. "
    return (
        f"DataLoader worker (pid {process.pid}) exited unexpectedly with exit code {code}. "
        "Details are lost due to multiprocessing. Rerunning with num_workers=0 may give better "
        "error trace."
    )
