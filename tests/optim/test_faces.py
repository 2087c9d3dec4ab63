"""Optimisers and schedules are called as PyTorch's are."""

import importlib
import inspect
from types import ModuleType
from typing import Any

import pytest

import seegrad


def _callables(torch: ModuleType) -> dict[str, Any]:
    """Everything public in torch.optim and its two modules."""
    found = {}
    for name in ("optim", "optim.lr_scheduler", "optim.swa_utils"):
        module = importlib.import_module(f"{torch.__name__}.{name}")
        found |= {f"{name}.{one}": getattr(module, one) for one in module.__all__}
    return {name: one for name, one in found.items() if not inspect.ismodule(one)}


def _parameters(function: Any) -> list[tuple[str, Any, Any]]:
    """Names, kinds and defaults."""
    parameters = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, one.default) for one in parameters]


@pytest.mark.oracle
def test_names_and_signatures_are_those_of_pytorch() -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = _callables(seegrad), _callables(torch)
    assert ours.keys() == theirs.keys()
    for name, wanted in theirs.items():
        assert _parameters(ours[name]) == _parameters(wanted), name
        if inspect.isclass(wanted):
            _compare_methods(name, ours[name], wanted)


def _compare_methods(name: str, ours: type, theirs: type) -> None:
    """Public methods, and what is told of the class by its name."""
    for method, function in inspect.getmembers(theirs, inspect.isfunction):
        is_own = function.__module__.startswith("torch.optim") and not method.startswith("_")
        if is_own and method != "profile_hook_step":
            found = getattr(ours, method)
            names = [one[0] for one in _parameters(function)]
            assert [one[0] for one in _parameters(found)] == names, f"{name}.{method}"
