"""What PyTorch wrote seegrad reads, what seegrad wrote PyTorch reads, as weights only."""

import io
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import seegrad
from tests.serialization import values
from tests.serialization.making import again
from tests.serialization.values import VALUES, Told

every_value = pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
pytestmark = pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")


def carried(value: Any, writer: Any, reader: Any, **options: Any) -> Any:
    """A value saved by one library and loaded by the other."""
    file = io.BytesIO()
    writer.save(value, file)
    file.seek(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return reader.load(file, **{"weights_only": True, **options})


@every_value
def test_as_it_was(make: Callable[[Any], Any]) -> None:
    """What is loaded tells the same as what was saved, but that results have no history."""
    value = make(seegrad)
    told = repr(Told(seegrad)(value)).replace("(True, False)", "(True, True)")
    assert repr(Told(seegrad)(again(value))) == told


@pytest.mark.oracle
@every_value
def test_from_pytorch(make: Callable[[Any], Any]) -> None:
    torch = pytest.importorskip("torch")
    value = make(torch)
    expected = Told(torch)(carried(value, torch, torch))
    assert Told(seegrad)(carried(value, torch, seegrad)) == expected


@pytest.mark.oracle
@every_value
def test_to_pytorch(make: Callable[[Any], Any]) -> None:
    torch = pytest.importorskip("torch")
    value = make(seegrad)
    assert Told(torch)(carried(value, seegrad, torch)) == Told(seegrad)(again(value))


@pytest.mark.oracle
def test_lazy_conjugates_are_resolved() -> None:
    torch = pytest.importorskip("torch")
    value = values.conjugate(torch)
    found = carried(value, torch, seegrad)
    assert [one.tolist() for one in found] == [one.tolist() for one in value]
    back = carried(values.conjugate(seegrad), seegrad, torch)
    assert [one.tolist() for one in back] == [one.tolist() for one in value]


@pytest.mark.oracle
def test_storages() -> None:
    torch = pytest.importorskip("torch")
    for writer, reader in ((torch, seegrad), (seegrad, torch)):
        for made in values.storages(writer):
            found = carried(made, writer, reader)
            assert [found.tolist(), found.type()] == [made.tolist(), found.type()]
            assert repr(carried(made, writer, reader)) == repr(carried(made, writer, writer))


@pytest.mark.oracle
@pytest.mark.parametrize("order", ["little", "big"])
def test_order_of_bytes(order: str) -> None:
    """A file of a machine with the other order of bytes, as PyTorch reads it."""
    import zipfile

    torch = pytest.importorskip("torch")
    first = io.BytesIO()
    torch.save(values.of_every_dtype(torch), first)
    second = io.BytesIO()
    with zipfile.ZipFile(first) as old, zipfile.ZipFile(second, "w") as new:
        for name in old.namelist():
            new.writestr(name, order if name.endswith("byteorder") else old.read(name))
    found = []
    for library in (torch, seegrad):
        second.seek(0)
        made = library.load(second)
        found.append({n: made[n].view(library.uint8).tolist() for n in made if n != "bool"})
    assert found[0] == found[1]


@pytest.mark.oracle
def test_generators_and_what_users_listed() -> None:
    torch = pytest.importorskip("torch")
    for writer, reader in ((torch, seegrad), (seegrad, torch)):
        generator = writer.Generator().manual_seed(5)
        writer.rand(3, generator=generator)
        with reader.serialization.safe_globals([reader.Generator]):
            found = carried(generator, writer, reader)
        drawn = writer.rand(3, generator=generator).tolist()
        assert reader.rand(3, generator=found).tolist() == drawn


@pytest.mark.oracle
def test_files_of_seegrad_can_be_mapped_by_pytorch(tmp_path: Any, monkeypatch: Any) -> None:
    from seegrad.serialization import _saving

    torch = pytest.importorskip("torch")
    value = [seegrad.arange(float(n)) for n in (1, 100, 0, 7)]
    for large in (_saving.LARGE, 10):
        monkeypatch.setattr(_saving, "LARGE", large)
        seegrad.save(value, tmp_path / "a.pt")
        found = torch.load(tmp_path / "a.pt", mmap=True)
        assert [one.tolist() for one in found] == [one.tolist() for one in value]
    torch.save([torch.arange(float(n)) for n in (1, 100, 0, 7)], tmp_path / "b.pt")
    found = seegrad.load(tmp_path / "b.pt", mmap=True)
    assert [one.tolist() for one in found] == [one.tolist() for one in value]
