"""No file makes `load` hang, crash or run anything: programs of instructions, damaged files."""

import io
import pickle
import signal
import sys
import tracemalloc
import zipfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seegrad as torch
from seegrad.serialization import _allowed
from seegrad.serialization._machine import _ACTIONS
from tests.serialization.making import archive, name, number, program, tensor, text
from tests.serialization.values import VALUES

pytestmark = pytest.mark.filterwarnings("ignore:Detected pickle protocol")

ALLOWED = (pickle.UnpicklingError, RuntimeError, ValueError, EOFError)
FEW = settings(
    max_examples=300,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SOON = 20  # seconds after which a load counts as hanging

LISTED = st.sampled_from([name(path) for path in sorted(_allowed.PLAIN)])
OTHERS = st.sampled_from(
    [name(path) for path in ("posix.system", "builtins.eval", "torch.load", "torch.nn.Module")]
)
VALUE = st.one_of(
    st.integers(-(2**70), 2**70).map(number),
    st.integers(0, 5).map(lambda n: b"K" + bytes([n])),
    st.sampled_from(["storage", "cpu", "0", "latin1", "conj", "_array", "x" * 50]).map(text),
    st.just(tensor()),
    LISTED,
)
# The instructions that take nothing from the pickle but themselves.
MORE_FOLLOWS = (b"K", b"M", b"J", b"G", b"X", b"U", b"\x8a", b"h", b"j", b"q", b"r", b"c", b"\x80")
BARE = st.sampled_from([one for one in _ACTIONS if one not in MORE_FOLLOWS])
MEMO = st.tuples(st.sampled_from([b"h", b"q"]), st.integers(0, 3)).map(
    lambda pair: pair[0] + bytes([pair[1]])
)
CALL = st.tuples(LISTED, st.lists(VALUE, max_size=4)).map(
    lambda pair: pair[0] + b"(" + b"".join(pair[1]) + b"tR"
)
PROGRAM = st.lists(st.one_of(VALUE, BARE, BARE, MEMO, CALL, OTHERS), max_size=25)


def outcome(file: Any) -> None:
    """Loads within bounds of time and memory, or raises what `load` may raise."""

    def late(*_: Any) -> None:
        raise AssertionError("load hangs")

    limited = hasattr(signal, "SIGALRM")
    before = signal.signal(signal.SIGALRM, late) if limited else None
    if limited:
        signal.alarm(SOON)
    modules = set(sys.modules)
    try:
        torch.load(file)
    except ALLOWED:
        pass
    finally:
        if limited:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
    assert set(sys.modules) == modules, "a file made load import something"


def warmed() -> None:
    """What `load` imports at its first call is there."""
    outcome_free = archive(program(tensor()), {"data/0": b"\0" * 24})
    torch.load(outcome_free)
    try:
        torch.load(io.BytesIO(b"PK\x03\x04"))
    except RuntimeError:
        pass


@FEW
@given(PROGRAM)
def test_programs(parts: list[bytes]) -> None:
    warmed()
    content = program(b"".join(parts))
    tracemalloc.start()
    try:
        outcome(archive(content, {"data/0": b"\0" * 24}))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def written() -> bytes:
    """A file with a little of everything."""
    file = io.BytesIO()
    torch.save({key: VALUES[key](torch) for key in ("of_every_shape", "plain", "sharing")}, file)
    return file.getvalue()


WHOLE = written()
PICKLE = zipfile.ZipFile(io.BytesIO(WHOLE)).read("archive/data.pkl")
RECORDS = {
    entry.partition("/")[2]: zipfile.ZipFile(io.BytesIO(WHOLE)).read(entry)
    for entry in zipfile.ZipFile(io.BytesIO(WHOLE)).namelist()
    if not entry.endswith(("data.pkl", "version"))
}
CHANGE = st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255), st.integers(0, 2))


def damaged(content: bytes, changes: list[Any]) -> bytes:
    """Bytes exchanged, left out and put in."""
    made = bytearray(content)
    for share, value, kind in changes:
        place = int(share * len(made))
        if kind == 0:
            made[place] = value
        elif kind == 1:
            del made[place : place + value]
        else:
            made[place:place] = bytes([value]) * 3
    return bytes(made)


@FEW
@given(st.lists(CHANGE, min_size=1, max_size=4))
def test_damaged_pickles(changes: list[Any]) -> None:
    warmed()
    outcome(archive(damaged(PICKLE, changes), RECORDS))


@FEW
@given(st.lists(CHANGE, min_size=1, max_size=3), st.booleans())
def test_damaged_archives(changes: list[Any], only_the_list: bool) -> None:
    warmed()
    cut = WHOLE.index(b"PK\x01\x02") if only_the_list else 0
    outcome(io.BytesIO(WHOLE[:cut] + damaged(WHOLE[cut:], changes)))
