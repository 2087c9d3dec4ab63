"""Reading the archive: a zip whose records lie in the file as they are.

Note [Bounds]: nothing that a file says of itself is believed before it is compared with the file.
Every record is one stored piece of the file, no two pieces overlap, so all records together take
no more memory than the file. Compressed records could grow without bound and are refused.
"""

import mmap
import struct
import zipfile
from typing import Any

import numpy as np

from seegrad.errors import noted
from seegrad.serialization._texts import corrupted

__all__ = ["Archive", "is_zip"]

SIGNATURE = b"PK\x03\x04"
HEADER = struct.Struct("<4s22xHH")  # of an entry: signature, lengths of its name and extra field
NO_DIRECTORY = "reading zip archive: failed finding central directory"


def is_zip(file: Any) -> bool:
    """Whether a file begins, where it stands, as a zip archive; it stands there afterwards."""
    start = file.tell()
    begin = file.read(len(SIGNATURE))
    file.seek(start)
    return bool(begin == SIGNATURE)


class Archive:
    """The records of a file by name, without the folder that all of them stand in.

    Args: `file` open for reading; `mapped` a `mmap` of the whole file, of which records are views.
    Raises: RuntimeError for what is no archive that `save` could have written.
    """

    def __init__(self, file: Any, mapped: mmap.mmap | None = None) -> None:
        self._file = file
        self._mapped = mapped
        self._size = file.seek(0, 2)
        self._places: dict[str, tuple[int, int]] = {}
        self._packed: set[str] = set()
        entries, end = directory(file)
        if not entries:
            raise corrupted(NO_DIRECTORY)
        self.folder = entries[0].filename.partition("/")[0]
        for entry in sorted(entries, key=lambda one: one.header_offset, reverse=True):
            self._note(entry, end)
            end = entry.header_offset

    def _note(self, entry: zipfile.ZipInfo, end: int) -> None:
        """Takes up an entry, all of which has to lie before `end`."""
        folder, _, name = entry.filename.partition("/")
        if folder != self.folder or not name or ".." in name.split("/") or "\\" in name:
            raise damaged(f"the path {entry.filename!r} leads out of the archive")
        if name in self._places:
            raise damaged(f"there are two records {name!r}")
        start = self._start_of(entry)
        if start > end - entry.compress_size:
            raise damaged(f"the record {name!r} reaches into another one")
        self._places[name] = start, entry.compress_size
        if entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1:
            self._packed.add(name)
        elif entry.compress_size != entry.file_size:
            raise damaged(f"the record {name!r} has two sizes")

    def _start_of(self, entry: zipfile.ZipInfo) -> int:
        """Where in the file the bytes of an entry begin."""
        at = entry.header_offset
        if not 0 <= at <= self._size - HEADER.size:
            raise damaged(f"the entry {entry.filename!r} lies outside of the file")
        signature, name, extra = HEADER.unpack(self._at(at, HEADER.size))
        if signature != SIGNATURE:
            raise damaged(f"there is no entry {entry.filename!r} where there should be one")
        return int(at + HEADER.size + name + extra)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def _place(self, name: str) -> tuple[int, int]:
        if name not in self._places:
            raise corrupted(f"locating file {name}: file not found")
        if name in self._packed:
            raise damaged(
                f"the record {name!r} is compressed or encrypted; torch.save stores records as "
                "they are. Unpack the file and pack it again with `zip -0`"
            )
        return self._places[name]

    def read(self, name: str) -> bytes:
        """The bytes of a record."""
        return self._at(*self._place(name))

    def size(self, name: str) -> int:
        """How many bytes a record has."""
        return self._place(name)[1]

    def array(self, name: str) -> Any:
        """The bytes of a record as an array that can be written to; a view of a mapped file."""
        start, size = self._place(name)
        if self._mapped is not None and size:
            return np.frombuffer(self._mapped, np.uint8, size, start)
        array: Any = np.empty(size, np.uint8)
        view, done = memoryview(array), 0
        self._file.seek(start)
        while done < size:
            got = self._into(view[done:])
            if not got:
                raise damaged(f"the file ends inside of {name!r}")
            done += got
        return array

    def _into(self, view: memoryview) -> int:
        """Reads into memory what the file gives at once; how many bytes that were."""
        if hasattr(self._file, "readinto"):
            return self._file.readinto(view) or 0
        part = self._file.read(len(view))
        view[: len(part)] = part
        return len(part)

    def _at(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        found: bytes = self._file.read(size)
        if len(found) != size:
            raise damaged("the file ends too early")
        return found


def directory(file: Any) -> tuple[list[zipfile.ZipInfo], int]:
    """The entries that a zip archive lists, and where their list begins.

    zipfile raises errors of many kinds on damaged files: all of them say the same.
    """
    try:
        with zipfile.ZipFile(file) as found:
            return found.infolist(), found.start_dir
    except Exception as error:
        raise noted(corrupted(NO_DIRECTORY), f"{type(error).__name__}: {error}") from None


def damaged(reason: str) -> RuntimeError:
    """The error for an archive whose list is not true."""
    return noted(corrupted("reading zip archive: invalid header or archive is corrupted"), reason)
