"""Messages between the process that trains and its workers.

Note [Messages]: an object is pickled with protocol 5; the memory of its arrays goes beside the
pickle, written from the arrays themselves and read into new memory, which the new arrays are made
of. A pipe moves a gigabyte or two a second and leaves nothing behind in the system, whoever dies
and whenever; shared memory would have to be swept up after a worker that was killed.
"""

import io
import pickle
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from seegrad.multiprocessing import _tensors

__all__ = ["packed", "receive", "send"]

Parts = list[Any]

_tensors.register()


def packed(message: Any) -> Parts:
    """The parts of a message: a pickle, then the memory of its arrays."""
    buffers: list[pickle.PickleBuffer] = []
    head = io.BytesIO()
    ForkingPickler(head, 5, True, buffers.append).dump(message)
    return [head.getbuffer(), *[buffer.raw() for buffer in buffers]]


def send(connection: Connection, parts: Parts) -> None:
    """Writes a message; raises OSError where nobody reads it any more."""
    connection.send_bytes(pickle.dumps([part.nbytes for part in parts[1:]]))
    for part in parts:
        if part.nbytes:
            connection.send_bytes(part)


def receive(connection: Connection) -> Any:
    """Reads a message; raises EOFError or OSError where its writer is gone, also in the middle."""
    sizes = pickle.loads(connection.recv_bytes())
    head = connection.recv_bytes()
    buffers = [bytearray(size) for size in sizes]
    for buffer in buffers:
        if buffer:
            connection.recv_bytes_into(buffer)
    return pickle.loads(head, buffers=buffers)
