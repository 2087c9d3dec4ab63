"""Files that mean harm: `load` raises, and does nothing of what they say."""

import io
import os
import pickle
import struct
import tracemalloc
import zipfile
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from tests.serialization.making import (
    archive,
    loaded,
    name,
    number,
    numbers,
    program,
    tensor,
    text,
)

DICT = name("collections.OrderedDict")
GOOD = program(tensor())
DATA = {"data/0": b"\0" * 24}


class Harm:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


def test_a_file_by_hand_is_what_it_should_be() -> None:
    assert torch.equal(
        loaded(tensor(), struct.pack("<6f", *range(6))), torch.arange(6.0).view(2, 3)
    )


def test_nothing_is_run(tmp_path: Any) -> None:
    target = tmp_path / "harm"
    for value in (Harm(str(target)), {"weight": [Harm(str(target))]}):
        for protocol in range(6):
            content = pickle.dumps(value, protocol)
            with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
                with pytest.warns(UserWarning, match="protocol") if protocol > 2 else _no():
                    torch.load(archive(content))
            assert torch.serialization.get_unsafe_globals_in_checkpoint(archive(content)) == [
                f"{os.mkdir.__module__}.mkdir"
            ]
    assert not target.exists()
    with pytest.warns(torch.serialization.UntrustedFileWarning, match="mkdir"):
        torch.load(archive(pickle.dumps(Harm(str(target)))), weights_only=False)
    assert target.exists(), "the harm would have been done"


def _no() -> Any:
    import contextlib

    return contextlib.nullcontext()


NAMES = """
posix.system os.system builtins.eval builtins.exec builtins.getattr builtins.__import__ nt.system
builtins.open torch.load torch.__builtins__ torch._utils._rebuild_tensor_v2.__globals__ torch.nn
torch.Tensor.__init__ torch.nn.modules.linear.Linear seegrad.load sys.exit subprocess.Popen
collections.OrderedDict.__init__ torch.__main__ seegrad.__main__ builtins.list builtins.type
""".split()


@pytest.mark.parametrize("path", NAMES)
def test_names_that_are_not_on_the_list(path: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        loaded(name(path) + b")R")


# A list whose text would have 2 ** 64 brackets.
DOUBLES = b"]" + b"q\x00](h\x00h\x00e" * 64
HARMFUL = {
    "call of a number": b"K\x01)R",
    "call of what doubles": DOUBLES + b")R",
    "instance of what doubles": DOUBLES + b")\x81",
    "call of a storage": b"(" + text("storage") + name("torch.FloatStorage") + text("0")
    + text("cpu") + b"K\x06tQ)R",
    "layout that doubles": name("torch.serialization._get_layout") + DOUBLES + b"\x85R",
    "storage of what doubles": b"(" + text("storage") + name("torch.FloatStorage") + DOUBLES
    + text("cpu") + b"K\x06tQ",
    "call of what a call made": DICT + b")R)R",
    "call without a tuple": DICT + b"]R",
    "function with another's arguments": name("builtins.bytearray") + number(10**12) + b"\x85R",
    "bytearray of an array": name("builtins.bytearray") + tensor() + b"\x85R",
    "bytes in another code": name("_codecs.encode") + text("a") + text("rot13") + b"\x86R",
    "dictionary of what is none": DICT + b"K\x05\x85R",
    "counter of a text": name("collections.Counter") + text("abc") + b"\x85R",
    "complex of a text": name("builtins.complex") + text("1" * 100) + b"\x85R",
    "size of texts": name("torch.Size") + b"(" + text("a") + b"t\x85R",
    "size of very many": name("torch.Size") + numbers([1] * 65) + b"\x85R",
    "attributes of a list": b"]}b",
    "attributes of a dictionary": b"}}b",
    "attributes of a class": DICT + b"}b",
    "attributes of a tensor": tensor() + b"}b",
    "instance of a class of the list": DICT + b")\x81",
    "instance of a tensor": name("torch.Tensor") + b")\x81",
    "append to a tuple": b")K\x01a",
    "append to a tensor": tensor() + b"K\x01a",
    "items of a list": b"]K\x01K\x02s",
    "items of a class": DICT + b"K\x01K\x02s",
    "half an item": b"}(K\x01u",
    "nothing on the stack": b"\x85",
    "under the mark": b"K\x01(\x85",
    "no mark": b"K\x01t",
    "mark as the end": b"(",
    "memo that is empty": b"h\x00",
    "large memo": b"j\xff\xff\xff\xff",
    "key that is a list": b"}]K\x01s",
    "key that is large": b"}" + number(2**70) + b"K\x01s",
    "key that is deep": b"})" + b"\x85" * 100_000 + b"K\x01s",
    "key that doubles": b"})" + b"q\x00h\x00\x86" * 64 + b"K\x01s",
    "set of what doubles": name("builtins.set") + b"](K\x01)" + b"q\x00h\x00\x86" * 64 + b"e\x85R",
    "reference to a text": text("storage") + b"Q",
    "reference to nothing": b")Q",
    "reference to another thing": b"(" + text("file") + text("/etc/passwd") + b"tQ",
    "reference of a list": b"(" + text("storage") + b"]]]]tQ",
    "text that ends": b"X\xff\xff\xff\xffab",
    "text that is none": b"X\x01\0\0\0\xff",
    "instruction of another language": b"(ios\nsystem\n",
    "unknown instruction": b"\xff",
    "extension": b"\x82\x01",
    "storage that calls": tensor(kind=name("torch.Tensor")),
    "storage of no type": tensor(kind=b"N"),
    "class that is none": name("torch._tensor._rebuild_from_type_v2") + b"(K\x01K\x01))tR",
    "class without a list": name("torch._tensor._rebuild_from_type_v2")
    + b"(" + name("torch._utils._rebuild_tensor_v2") + DICT + b"))tR",
    "array of a tensor replaced": name("torch._tensor._rebuild_from_type_v2")
    + b"(" + name("torch._utils._rebuild_tensor") + name("torch.Tensor")
    + tensor()[len(name("torch._utils._rebuild_tensor_v2")):].partition(b"\x89")[0] + b"t}"
    + text("_array") + b"K\x01stR",
    "parameter of a number": name("torch._utils._rebuild_parameter") + b"K\x01\x88N\x87R",
}  # fmt: skip


@pytest.mark.parametrize("body", HARMFUL.values(), ids=HARMFUL)
def test_pickles(body: bytes) -> None:
    with pytest.raises((pickle.UnpicklingError, RuntimeError)):
        loaded(body)


TENSORS: dict[str, dict[str, Any]] = {
    "storage too short": {"size": (3, 3)},
    "offset beyond": {"offset": 1},
    "offset below": {"offset": -1},
    "size below": {"size": (-1, 3)},
    "stride below": {"stride": (-3, 1)},
    "stride beyond": {"stride": (4, 1)},
    "stride of another length": {"stride": (1,)},
    "size beyond numbers": {"size": (2**62, 2**62), "stride": (0, 0)},
    "size beyond memory": {"size": (2**62, 3)},
    "size far beyond": {"size": (2**100, 3)},
    "stride far beyond": {"stride": (2**100, 1)},
    "offset far beyond": {"offset": 2**100},
    "dimensions without end": {"size": (1,) * 65, "stride": (1,) * 65},
    "more elements than the record": {"count": 7},
    "fewer elements than the record": {"count": 5},
    "elements below": {"count": -1},
    "record that is not there": {"key": "1"},
    "record elsewhere": {"key": "../data.pkl"},
    "absolute record": {"key": "/etc/passwd"},
    "gradient of whole numbers": {
        "kind": name("torch.LongStorage"), "count": 3, "size": (3,), "stride": (1,),
        "tail": b"\x88" + DICT + b")R",
    },
    "other device": {"location": "cuda:0"},
    "unknown device": {"location": "elsewhere"},
}  # fmt: skip


@pytest.mark.parametrize("parts", TENSORS.values(), ids=TENSORS)
def test_tensors(parts: dict[str, Any]) -> None:
    with pytest.raises(RuntimeError):
        loaded(tensor(**parts))


def test_repeated_memory_takes_none() -> None:
    assert loaded(tensor(size=(2**40, 1), stride=(0, 0))).shape == (2**40, 1)
    assert loaded(tensor(size=(0, 2**40), stride=(1, 1))).numel() == 0


def test_small_pickles_stay_small() -> None:
    copy = (
        name("_codecs.encode")
        + b"q\x01"
        + text("x" * 10_000)
        + b"q\x02"
        + text("latin1")
        + b"q\x03"
    )
    body = b"](" + copy + b"\x86R" + b"h\x01h\x02h\x03\x86R" * 20_000 + b"e"
    tracemalloc.start()
    try:
        with pytest.raises(pickle.UnpicklingError, match="makes more than it holds"):
            loaded(body)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_many_lazy_conjugates_of_one_storage() -> None:
    """Each would be a copy of the storage: there is one for all of them."""
    one = tensor(
        kind=name("torch.ComplexFloatStorage"),
        count=10_000,
        size=(10_000,),
        stride=(1,),
        tail=b"\x89" + DICT + b")R}" + text("conj") + b"\x88s",
    )
    data = np.full(10_000, 1 + 2j, np.complex64).tobytes()
    tracemalloc.start()
    try:
        found = loaded(b"](" + one * 500 + b"e", data)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert found[0][0] == found[-1][-1] == 1 - 2j
    found[0][1] = 7
    assert found[3][1] == 7


def test_many_keys_of_one_hash() -> None:
    keys = b"".join(
        name("builtins.complex")
        + b"G"
        + struct.pack(">d", -1000003.0 * n)
        + b"G"
        + struct.pack(">d", n)
        + b"\x86RN"
        for n in range(2000)
    )
    with pytest.raises(pickle.UnpicklingError, match="same hash"):
        loaded(b"}(" + keys + b"u")


def test_deep_lists_are_no_recursion() -> None:
    value = loaded(b"]" * 100_000 + b"a" * 99_999)
    depth = 1
    while value:
        value, depth = value[0], depth + 1
    assert depth == 100_000


def entries(*made: tuple[str, bytes, int]) -> io.BytesIO:
    """A zip of these names, contents and kinds of compression."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archived:
        for entry, content, kind in made:
            archived.writestr(zipfile.ZipInfo(entry), content, kind)
    file.seek(0)
    return file


STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
VERSION = ("a/version", b"3", STORED)
ARCHIVES = {
    "zip bomb": entries(("a/data.pkl", b"\0" * 10**8, DEFLATED), VERSION),
    "storage that is a bomb": entries(
        ("a/data.pkl", GOOD, STORED), VERSION, ("a/data/0", b"\0" * 10**8, DEFLATED)
    ),
    "path outside": entries(("a/data.pkl", GOOD, STORED), VERSION, ("a/../../x", b"", STORED)),
    "two folders": entries(("a/data.pkl", GOOD, STORED), ("b/version", b"3", STORED)),
    "absolute path": entries(("/data.pkl", GOOD, STORED), ("/version", b"3", STORED)),
    "path of another system": entries(("a/data.pkl", GOOD, STORED), ("a\\x", b"", STORED)),
    "no folder": entries(("data.pkl", GOOD, STORED)),
    "no pickle": entries(VERSION),
    "no version": entries(("a/data.pkl", program(b"N"), STORED)),
    "no storage": entries(("a/data.pkl", GOOD, STORED), VERSION),
    "only a beginning": io.BytesIO(b"PK\x03\x04"),
}


@pytest.mark.parametrize("file", ARCHIVES.values(), ids=ARCHIVES)
def test_archives(file: io.BytesIO) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
            torch.load(io.BytesIO(file.getvalue()))
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_records_that_come_twice() -> None:
    twice = entries(("a/data.pkl", GOOD, STORED), VERSION, ("a/data.pkl", GOOD, STORED))
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed") as caught:
        torch.load(twice)
    assert caught.value.__notes__ == ["there are two records 'data.pkl'"]


def test_records_that_overlap() -> None:
    """Two names for one place: a thousand of them would be a file of a thousand times its size."""
    content = bytearray(archive(GOOD, DATA | {"data/1": b"\0" * 24}).getvalue())
    first, second = content.rfind(b"archive/data/0"), content.rfind(b"archive/data/1")
    # An entry of the list says where it begins in the last four bytes before its name.
    content[second - 4 : second] = content[first - 4 : first]
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed") as caught:
        torch.load(io.BytesIO(bytes(content)))
    assert "reaches into another one" in caught.value.__notes__[0]


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_truncated_files(share: float) -> None:
    content = archive(GOOD, DATA).getvalue()
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
        torch.load(io.BytesIO(content[: int(len(content) * share)]))


LEGACY = b"\x80\x02\x8a\nl\xfc\x9c\xf9 F\xa8jP\x19.\x80\x02M\xe9\x03."
OTHERS = {
    "empty": (b"", EOFError, "Ran out of input"),
    "text": (b"hello", pickle.UnpicklingError, "no file that torch.save wrote"),
    "before 1.6": (LEGACY, pickle.UnpicklingError, "legacy file"),
    "tar": (b"\0" * 257 + b"ustar" + b"\0" * 250, RuntimeError, "legacy .tar format"),
}


@pytest.mark.parametrize("content, kind, said", OTHERS.values(), ids=OTHERS)
def test_other_formats(content: bytes, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        torch.load(io.BytesIO(content))


@pytest.mark.parametrize("weights_only", [True, False])
def test_torchscript(weights_only: bool) -> None:
    file = archive(GOOD, {"constants.pkl": b"", **DATA})
    with pytest.raises(RuntimeError, match="TorchScript archives"):
        torch.load(file, weights_only=weights_only)
