"""Files on disk: replaced at once, mapped, opened in all ways; whole modules."""

import copy
import io
import os
import pathlib
import pickle
import stat
import sys
import zipfile
from collections import OrderedDict, defaultdict
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.serialization import UntrustedFileWarning
from tests.serialization.making import again

LISTS = torch.serialization


class Net(torch.nn.Module):
    """A module of this file's."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
        self.act = torch.nn.functional.relu

    def forward(self, x: Any) -> Any:
        return self.act(self.layers(x))


class Fails:
    """Cannot be pickled, which is found out in the middle."""

    def __reduce__(self) -> Any:
        raise ValueError("in the middle")


def test_paths(tmp_path: pathlib.Path) -> None:
    for path in (tmp_path / "a.pt", str(tmp_path / "b"), tmp_path / "한글 b.c.pt"):
        torch.save({"x": torch.ones(2)}, path)
        assert torch.load(path)["x"].tolist() == [1, 1]
        with open(path, "rb") as file:
            assert torch.load(file)["x"].tolist() == [1, 1]
        assert zipfile.ZipFile(path).namelist()[0] == f"{pathlib.Path(path).stem}/data.pkl"
    assert len(list(tmp_path.iterdir())) == 3, "nothing is left beside"


def test_a_failure_leaves_the_old_file(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    path = tmp_path / "model.pt"
    torch.save("old", path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="in the middle"):
        torch.save([torch.ones(10), Fails()], path)
    opened = open

    def full(name: Any, mode: str = "r", *args: Any) -> Any:
        file = opened(name, mode, *args)
        return file if "r" in mode else Limited(file)

    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(OSError, match="No space left"):
        torch.save(torch.ones(10_000), path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(RuntimeError, match=r"Parent directory .*none does not exist"):
        torch.save(1, tmp_path / "none" / "model.pt")


class Limited:
    """A file on a disk that gets full."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def write(self, data: Any) -> Any:
        if len(data) > 1000:
            raise OSError(28, "No space left on device")
        return self.file.write(data)

    def __enter__(self) -> "Limited":
        return self

    def __exit__(self, *_: Any) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def test_an_interruption_leaves_the_old_file(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    path = tmp_path / "model.pt"
    torch.save("old", path)

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        torch.save("new", path)
    assert torch.load(path) == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
def test_permissions_and_links_stay(tmp_path: pathlib.Path) -> None:
    path, link = tmp_path / "model.pt", tmp_path / "link.pt"
    torch.save(1, path)
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    assert path.stat().st_mode == plain.stat().st_mode, "as of any new file"
    path.chmod(0o640)
    link.symlink_to(path)
    torch.save(2, link)
    assert link.is_symlink()
    assert [torch.load(path), stat.S_IMODE(path.stat().st_mode)] == [2, 0o640]
    torch.save(3, os.devnull)


def test_bytes_of_a_file_are_those_of_the_object(tmp_path: pathlib.Path) -> None:
    contents = []
    for _ in range(2):
        torch.save({"x": torch.arange(5), "y": "text"}, tmp_path / "a")
        contents.append((tmp_path / "a").read_bytes())
    assert contents[0] == contents[1]


def test_storages_lie_at_multiples_of_64() -> None:
    file = io.BytesIO()
    torch.save([torch.full((n,), float(n)) for n in (1, 3, 20)], file)
    for n in (1, 3, 20):
        assert file.getvalue().index(np.full(n, n, np.float32).tobytes()) % 64 == 0


def test_mapped(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.pt"
    torch.save([torch.zeros(1000), torch.arange(4), torch.empty(0)], path)
    found = torch.load(path, mmap=True)
    found[0][0] = 5
    found[1].add_(1)
    assert [found[0][:2].tolist(), found[1].tolist()] == [[5, 0], [1, 2, 3, 4]]
    assert torch.load(path)[0][0] == 0, "what is written stays in memory"
    del found
    shared = LISTS.set_default_mmap_options(__import__("mmap").MAP_SHARED)
    with shared:
        torch.load(path, mmap=True)[0][0] = 7
    assert torch.load(path)[0][0] == 7, "what is written goes to the file"
    with pytest.raises(ValueError, match="f must be a file path"):
        torch.load(io.BytesIO(path.read_bytes()), mmap=True)


def test_mapping_reads_nothing_yet(tmp_path: pathlib.Path) -> None:
    """A mapped file of 64 MB costs no memory."""
    import tracemalloc

    torch.save(torch.zeros(16_000_000), tmp_path / "large.pt")
    tracemalloc.start()
    try:
        found = torch.load(tmp_path / "large.pt", mmap=True)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert found[-1] == 0


def test_files_that_give_little_at_a_time() -> None:
    class Slow(io.BytesIO):
        def readinto(self, target: Any) -> int:
            part = self.read(min(len(target), 1000))
            target[: len(part)] = part
            return len(part)

    class Old:
        """A file without `readinto`."""

        def __init__(self, content: bytes) -> None:
            self.file = io.BytesIO(content)
            self.read, self.seek, self.tell = self.file.read, self.file.seek, self.file.tell

    file = io.BytesIO()
    torch.save(torch.arange(5000), file)
    for kind in (Slow, Old):
        assert torch.equal(torch.load(kind(file.getvalue())), torch.arange(5000))


def test_large_records(monkeypatch: Any) -> None:
    """Sizes of 64 bits, here for small records: aligned too, and PyTorch's zip is read as ours."""
    from seegrad.serialization import _saving

    monkeypatch.setattr(_saving, "LARGE", 10)
    file = io.BytesIO()
    torch.save([torch.full((n,), float(n)) for n in (1, 3, 20)], file)
    for n in (3, 20):
        assert file.getvalue().index(np.full(n, n, np.float32).tobytes()) % 64 == 0
    file.seek(0)
    assert [len(one) for one in torch.load(file)] == [1, 3, 20]


def test_only_what_is_looked_at_is_saved_once() -> None:
    x = torch.arange(1000.0)
    file = io.BytesIO()
    torch.save([x, x[:10], x.view(10, 100).t()], file)
    assert len(file.getvalue()) < 4000 + 1500


def test_steps_backwards_are_copied() -> None:
    flipped = torch.from_numpy(np.arange(6.0)).flip(0)
    halves = torch.from_numpy(np.zeros(3, [("a", "f8"), ("b", "i4")])["a"].copy())
    assert [one.tolist() for one in again([flipped, halves])] == [[5, 4, 3, 2, 1, 0], [0, 0, 0]]


def test_whole_modules() -> None:
    net = Net()
    x = torch.ones(1, 2)
    file = io.BytesIO()
    torch.save({"net": net, "optimiser": torch.optim.Adam(net.parameters())}, file)
    file.seek(0)
    with pytest.raises(pickle.UnpicklingError, match=r"test_files\.Net was not an allowed global"):
        torch.load(file)
    file.seek(0)
    with pytest.warns(UntrustedFileWarning, match=r"runs what the file names, here .*Net"):
        found = torch.load(file, weights_only=False)
    assert repr(found["net"]) == repr(net)
    assert torch.equal(found["net"](x), net(x))
    found["net"](x).sum().backward()
    before = found["net"].layers[0].weight.clone()
    found["optimiser"].step()
    assert not torch.equal(before, found["net"].layers[0].weight), "it holds these parameters"


def test_whole_modules_whose_classes_are_listed() -> None:
    """Without any other code than that of the listed classes."""
    net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.ReLU())
    with LISTS.safe_globals([torch.nn.Sequential, torch.nn.Linear, torch.nn.ReLU]):
        found = again(net)
    assert repr(found) == repr(net)
    assert torch.equal(found(torch.ones(2)), net(torch.ones(2)))


def test_a_warning_is_only_given_where_something_is_run() -> None:
    assert again({"weight": torch.ones(1)}, weights_only=False)["weight"] == 1


def test_what_is_missing_is_named() -> None:
    file = io.BytesIO()
    torch.save(torch.nn.ReLU(), file)
    content = file.getvalue().replace(b"activation\nReLU", b"activation\nReLV")
    with pytest.warns(UntrustedFileWarning):
        with pytest.raises(AttributeError, match=r"activation\.ReLV, which seegrad does not have"):
            torch.load(io.BytesIO(content), weights_only=False)


def test_containers_that_users_listed() -> None:
    with LISTS.safe_globals([defaultdict, list]):
        found = again(defaultdict(list, {1: [2]}))
    assert found[1] == [2]
    assert found[3] == []


def test_numbers_of_numpy() -> None:
    import numpy._core.multiarray as multiarray

    listed = [
        multiarray.scalar,
        np.dtype,
        np.dtypes.Float64DType,
        multiarray._reconstruct,
        np.ndarray,
    ]
    with LISTS.safe_globals(listed):
        found = again([np.float64(2.5), np.arange(3.0)])
    assert found[0] == 2.5
    assert found[1].tolist() == [0, 1, 2]
    with pytest.warns(UntrustedFileWarning, match="numpy"):
        assert again([np.float64(2.5), np.arange(3)], weights_only=False)[1].sum() == 3


def test_subclasses_of_tensors() -> None:
    with LISTS.safe_globals([Length]):
        made, more = again([torch.ones(2).as_subclass(Length), Length([1.0, 2.0])])
    assert type(made) is type(more) is Length
    assert more.tolist() == [1, 2]


class Length(torch.Tensor):
    """A class of tensors."""


def test_plain_pickles_and_copies_of_storages() -> None:
    x = torch.arange(3.0)
    values = [x, x.untyped_storage(), torch.nn.Parameter(x[1:]), torch.Size([1]), torch.float16]
    for protocol in (2, 5):
        found = pickle.loads(pickle.dumps(values, protocol))
        assert [repr(one) for one in found] == [repr(one) for one in values]
    for made in (copy.deepcopy(values), copy.copy(values)):
        assert [repr(one) for one in made] == [repr(one) for one in values]
    shared, storage = copy.deepcopy([x, x.untyped_storage()])
    assert shared.untyped_storage() == storage
    assert storage != x.untyped_storage()


def test_state_dict_keeps_its_versions() -> None:
    state = torch.nn.Linear(1, 1).state_dict()
    found = again(state)
    assert type(found) is OrderedDict
    assert found._metadata == state._metadata


def test_refused_arguments() -> None:
    with pytest.raises(NotImplementedError, match="zip format only"):
        torch.save(1, io.BytesIO(), _use_new_zipfile_serialization=False)
    with pytest.raises(ValueError, match="Python's own pickle"):
        torch.save(1, io.BytesIO(), pickle_module=copy)
    with pytest.raises(TypeError, match="binary mode"):
        torch.load(io.StringIO("PK"))
    assert again(1, weights_only=False, encoding="latin1") == 1


def test_packages() -> None:
    """Functions of users say where storages are, before ours do."""
    from seegrad.serialization import _storages

    before = list(_storages._packages)
    try:
        LISTS.register_package(5, lambda s: "mine" if len(s) == 1 else None, _doubled)
        file = io.BytesIO()
        torch.save(torch.tensor([3, 4], dtype=torch.uint8)[:1].clone(), file)
        assert b"mine" in file.getvalue()
        file.seek(0)
        assert torch.load(file).tolist() == [6]
    finally:
        _storages._packages[:] = before


def _doubled(storage: Any, location: str) -> Any:
    return torch.UntypedStorage([2 * one for one in storage]) if location == "mine" else None


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_protocols(protocol: int) -> None:
    value = {"x": torch.arange(3), "n": [torch.float32, torch.nn.functional.relu]}
    file = io.BytesIO()
    torch.save(value, file, pickle_protocol=protocol)
    file.seek(0)
    with pytest.warns(UntrustedFileWarning, match="torch.*relu"):
        assert repr(torch.load(file, weights_only=False)) == repr(value)
