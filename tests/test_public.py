"""The public face: lists of names are true, missing names say so plainly and name the nearest."""

import importlib
import inspect
import types

import pytest

import seegrad
from tests import fresh
from tests.sources import modules

PUBLIC = [name for name in sorted(modules()) if not any(p[0] == "_" for p in name.split(".")[1:])]


@pytest.mark.parametrize("name", PUBLIC)
def test_listed_names_are_there(name: str) -> None:
    module = importlib.import_module(name)
    listed = list(getattr(module, "__all__", []))
    missing = [each for each in listed if not hasattr(module, each)]
    assert not missing
    assert len(listed) == len(set(listed)), "a name is listed twice"


def _own_public_names(module: types.ModuleType) -> set[str]:
    """Functions and classes with a public name that a module would show to ``dir``."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and (inspect.isclass(value) or inspect.isroutine(value))
    }


@pytest.mark.parametrize("name", ["seegrad", "seegrad.autograd", "seegrad.optim", "seegrad.nn"])
def test_faces_list_all_they_show(name: str) -> None:
    module = importlib.import_module(name)
    listed = set(getattr(module, "__all__", _own_public_names(module)))
    unlisted = {
        each
        for each in _own_public_names(module) - listed
        if str(getattr(vars(module)[each], "__module__", "")).startswith("seegrad")
    }
    assert not unlisted


def _said(expression: str) -> str:
    """The last lines that a user sees whose script asks for a missing name."""
    result = fresh.run(f"import seegrad; seegrad.{expression}", check=False)
    return result.stderr.partition("AttributeError: ")[2]


@pytest.mark.parametrize(
    "expression, nearest",
    [
        ("zeross", "zeros"),
        ("tensr", "tensor"),
        ("nn.Linaer", "Linear"),
        ("nn.functional.softmx", "softmax"),
        ("optim.Adm", "Adam"),
        ("autograd.gradchek", "gradcheck"),
        ("tensor([1.0]).zeros_", "zero_"),
        ("tensor([1.0]).backwards", "backward"),
    ],
)
def test_missing_name(expression: str, nearest: str) -> None:
    said = _said(expression)
    assert repr(expression.rpartition(".")[2]) in said.splitlines()[0]
    assert f"Did you mean: {nearest!r}?" in said


def test_missing_names_are_missing_for_hasattr() -> None:
    assert not hasattr(seegrad, "no_such_name_at_all")
    assert not hasattr(seegrad.tensor(1.0), "no_such_name_at_all")


def test_version_is_that_of_the_package() -> None:
    assert isinstance(seegrad.__version__, str)


def test_package_is_typed() -> None:
    assert (modules()["seegrad"].parent / "py.typed").exists()
