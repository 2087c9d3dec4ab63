"""Files made by hand, as nobody's `save` would write them."""

import io
import warnings
import zipfile
from typing import Any

import seegrad as torch


def archive(
    pickle: bytes, records: dict[str, bytes] | None = None, folder: str = "archive"
) -> Any:
    """A file with this pickle and these records."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that come twice
        for name, content in {"data.pkl": pickle, "version": b"3\n", **(records or {})}.items():
            made.writestr(f"{folder}/{name}", content)
    file.seek(0)
    return file


def text(value: str) -> bytes:
    """The instruction for a text."""
    encoded = value.encode()
    return b"X" + len(encoded).to_bytes(4, "little") + encoded


def number(value: int) -> bytes:
    """The instruction for a whole number."""
    size = value.bit_length() // 8 + 1
    return b"\x8a" + bytes([size]) + value.to_bytes(size, "little", signed=True)


def name(path: str) -> bytes:
    """The instruction for a class or function."""
    module, _, last = path.rpartition(".")
    return f"c{module}\n{last}\n".encode()


def numbers(values: Any) -> bytes:
    """The instructions for a tuple of whole numbers."""
    return b"(" + b"".join(number(one) for one in values) + b"t"


def tensor(
    size: Any = (2, 3),
    stride: Any = (3, 1),
    offset: int = 0,
    kind: bytes = name("torch.FloatStorage"),
    key: str = "0",
    location: str = "cpu",
    count: int = 6,
    tail: bytes = b"\x89" + name("collections.OrderedDict") + b")R",
) -> bytes:
    """The instructions for a tensor on the record data/0."""
    storage = text("storage") + kind + text(key) + text(location) + number(count)
    start = name("torch._utils._rebuild_tensor_v2") + b"((" + storage + b"tQ"
    return start + number(offset) + numbers(size) + numbers(stride) + tail + b"tR"


def program(body: bytes) -> bytes:
    """A pickle of the protocol 2."""
    return b"\x80\x02" + body + b"."


def loaded(body: bytes, data: bytes = b"\0" * 24, **options: Any) -> Any:
    """What `load` makes of instructions."""
    return torch.load(archive(program(body), {"data/0": data}), **options)


def again(value: Any, **options: Any) -> Any:
    """A value saved and loaded."""
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, **options)
