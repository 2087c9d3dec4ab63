"""Files of the package safetensors: by its own functions under the alias, and by `load`."""

import pathlib
import sys

import numpy as np
import pytest

import seegrad as torch
from tests import fresh

SCRIPT = """
import json, sys
import seegrad

seegrad.install_as_torch()
import torch
from safetensors import safe_open
from safetensors.torch import load_file, load_model, save_file, save_model

path, seen = sys.argv[1], []
kinds = "float16 bfloat16 float32 float64 complex64 int8 int16 int32 int64 uint8 bool"
made = {kind: torch.arange(6).reshape(2, 3).to(getattr(torch, kind)) for kind in kinds.split()}
save_file(made, path, metadata={"made": "here"})
for found in (load_file(path), torch.load(path)):
    seen.append([list(found)])
    seen[-1] += [(k, str(found[k].dtype), torch.equal(found[k], made[k])) for k in made]
with safe_open(path, framework="pt") as file:
    seen.append([file.metadata(), file.get_slice("int8")[1:].tolist()])
x = torch.ones(4)
for shared in ({"x": x, "y": x[1:]}, {"x": torch.ones(2, 3).t()}):
    try:
        save_file(shared, path)
    except (RuntimeError, ValueError) as error:
        seen.append(type(error).__name__)
nn = torch.nn
net, other = (nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)) for _ in range(2))
save_model(net, path)
load_model(other, path)
seen.append(all(torch.equal(a, b) for a, b in zip(net.parameters(), other.parameters())))
print(json.dumps(seen))
"""


def test_its_own_functions_under_the_alias(tmp_path: pathlib.Path) -> None:
    import json

    pytest.importorskip("safetensors")
    shown = fresh.run(SCRIPT, str(tmp_path / "a.safetensors")).stdout
    own, ours, opened, *rest = json.loads(shown.splitlines()[-1])
    assert own == ours
    assert len(own) == 12
    assert [(f"torch.{name}", True) for name, _, _ in own[1:]] == [(k, e) for _, k, e in own[1:]]
    assert opened == [{"made": "here"}, [[3, 4, 5]]]
    assert rest == ["RuntimeError", "ValueError", True]


def test_load(tmp_path: pathlib.Path) -> None:
    numpy = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "a.safetensors"
    arrays = {
        "z": np.arange(3.0, dtype=np.float32),
        "a": np.ones(1),
        "b": np.ones((2, 0), np.int8),
    }
    numpy.save_file(arrays, path)
    for place in (None, "cpu", torch.device("cpu")):
        found = torch.load(path, map_location=place)
        assert list(found) == ["a", "z", "b"], "as they lie in the file, the wide ones first"
        assert [found["z"].tolist(), found["b"].shape] == [[0, 1, 2], (2, 0)]
    found["z"].add_(1)
    for place, said in (({}, "dict"), (lambda s, _: s, "callable")):
        with pytest.raises(RuntimeError, match=f"with {said} map_location is not supported"):
            torch.load(path, map_location=place)


def test_without_the_package(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(RuntimeError, match="safetensors is not installed"):
        torch.load(tmp_path / "a.safetensors")


def test_damaged(tmp_path: pathlib.Path) -> None:
    safetensors = pytest.importorskip("safetensors")
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"\xff" * 100)
    with pytest.raises(safetensors.SafetensorError):
        torch.load(path)
