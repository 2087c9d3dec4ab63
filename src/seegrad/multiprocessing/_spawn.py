"""Several processes that run one function, and what happens when one of them fails."""

import contextlib
import multiprocessing
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

__all__ = [
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]

_GRACE = 30.0  # seconds between asking a process to end and ending it


class ProcessException(Exception):
    """A process of `spawn` has failed."""

    def __init__(self, msg: str, error_index: int, pid: int) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = pid

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """A process has raised an error; the text holds its traceback."""

    def __init__(self, msg: str, error_index: int, error_pid: int) -> None:
        super().__init__(msg, error_index, error_pid)


class ProcessExitedException(ProcessException):
    """A process has ended by a signal, or with an exit code that is not 0."""

    def __init__(
        self,
        msg: str,
        error_index: int,
        error_pid: int,
        exit_code: int,
        signal_name: str | None = None,
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self) -> Any:
        given = (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)
        return type(self), given


class ProcessContext:
    """The processes that `start_processes` has started."""

    def __init__(self, processes: list[Any], errors: list[Connection]) -> None:
        self.processes = processes
        self._errors = errors
        self.sentinels = {process.sentinel: i for i, process in enumerate(processes)}

    def pids(self) -> list[int]:
        """The numbers that the system gives the processes."""
        return [int(process.pid) for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Waits for one process to end; whether all have ended.

        Raises ProcessRaisedException or ProcessExitedException where one has failed, after the
        others were ended too, within `grace_period` seconds.
        """
        if not self.sentinels:
            return True
        failed = None
        for sentinel in wait(list(self.sentinels), timeout):
            number = self.sentinels.pop(sentinel)
            self.processes[number].join()
            if self.processes[number].exitcode != 0:
                failed = number
                break
        if failed is None:
            return not self.sentinels
        _end([p for p in self.processes if p.is_alive()], grace_period or _GRACE)
        raise self._failure(failed)

    def _failure(self, number: int) -> ProcessException:
        process = self.processes[number]
        text = None
        with contextlib.suppress(EOFError, OSError):
            if self._errors[number].poll():
                text = self._errors[number].recv()
        if text is not None:
            message = f"\n\n-- Process {number} terminated with the following error:\n{text}"
            return ProcessRaisedException(message, number, process.pid)
        code = process.exitcode
        if code >= 0:
            message = f"process {number} terminated with exit code {code}"
            return ProcessExitedException(message, number, process.pid, code)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"<Unknown signal {-code}>"
        message = f"process {number} terminated with signal {name}"
        return ProcessExitedException(message, number, process.pid, code, name)


class SpawnContext(ProcessContext):
    """A ProcessContext under its old name."""


def start_processes(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Starts `nprocs` processes that call `fn(i, *args)`.

    `join` waits until all have ended; else the context is returned, whose `join` does so. Raises
    ProcessRaisedException or ProcessExitedException where one fails; the others are ended then.
    """
    context = multiprocessing.get_context(start_method)
    processes: list[Any] = []
    errors: list[Connection] = []
    for number in range(nprocs):
        reader, writer = context.Pipe(duplex=False)
        process: Any = context.Process(  # type: ignore[attr-defined]
            target=_run, args=(fn, number, args, writer), daemon=daemon
        )
        process.start()
        writer.close()
        processes.append(process)
        errors.append(reader)
    made = ProcessContext(processes, errors)
    if not join:
        return made
    while not made.join():
        pass
    return None


def spawn(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """`start_processes`, as programs call it: `spawn(train, args=(model,), nprocs=2)`.

    Where processes are spawned, the function stands at the top level of its module, and the script
    starts them under `if __name__ == "__main__":`. Warns of another way to start them.
    """
    if start_method != "spawn":
        warnings.warn(
            f"This method only supports start_method=spawn (got: {start_method}).\n"
            "To use a different start_method use:\n"
            "\t\t torch.multiprocessing.start_processes(...)",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method)


def _run(fn: Callable[..., Any], number: int, args: tuple[Any, ...], errors: Connection) -> None:
    """What a process does: it calls the function and sends the traceback of an error."""
    try:
        fn(number, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        errors.send(traceback.format_exc())
        raise SystemExit(1) from None


def _end(processes: list[Any], patience: float) -> None:
    """Ends processes, the patient way first."""
    for process in processes:
        process.terminate()
    until = time.monotonic() + patience
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()
