"""Messages between the process that trains and its workers.

Note [Messages]: an object is pickled with protocol 5; the memory of its arrays goes beside the
pickle, written from the arrays themselves and read into new memory, which the new arrays are made
of. That leaves nothing behind in the system, whoever dies and whenever; shared memory would have
to be swept up after a worker that was killed. `Connection` reads by allocating what is still to
come for each 64 KiB, so large memory is read without it: 1.8 GB a second, not 0.3.
"""

import io
import os
import pickle
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from seegrad.multiprocessing import _tensors

__all__ = ["packed", "receive", "send"]

Parts = list[Any]

_RAW = hasattr(os, "readv")  # not on Windows

_tensors.register()


def packed(message: Any) -> Parts:
    """The parts of a message: a pickle, then the memory of its arrays."""
    buffers: list[pickle.PickleBuffer] = []
    head = io.BytesIO()
    ForkingPickler(head, 5, True, buffers.append).dump(message)
    return [head.getbuffer(), *[buffer.raw() for buffer in buffers]]


def send(connection: Connection, parts: Parts) -> None:
    """Writes a message; raises OSError where nobody reads it any more."""
    head, *buffers = parts
    connection.send_bytes(pickle.dumps([part.nbytes for part in buffers]))
    connection.send_bytes(head)
    for part in buffers:
        _write(connection, part)


def _write(connection: Connection, part: memoryview) -> None:
    """Writes raw memory."""
    if not _RAW:
        connection.send_bytes(part)
        return
    done, file = 0, connection.fileno()
    while done < part.nbytes:
        done += os.write(file, part[done:])


def _fill(connection: Connection, buffer: bytearray) -> None:
    """Reads raw memory."""
    if not _RAW:
        connection.recv_bytes_into(buffer)
        return
    done, file, view = 0, connection.fileno(), memoryview(buffer)
    while done < view.nbytes:
        count = os.readv(file, [view[done:]])
        if count == 0:
            raise EOFError
        done += count


def receive(connection: Connection) -> Any:
    """Reads a message; raises EOFError or OSError where its writer is gone, also in the middle."""
    sizes = pickle.loads(connection.recv_bytes())
    head = connection.recv_bytes()
    buffers = [bytearray(size) for size in sizes]
    for buffer in buffers:
        _fill(connection, buffer)
    return pickle.loads(head, buffers=buffers)
