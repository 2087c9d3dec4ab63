"""The strict world of the tests: every test starts from the same state and leaves it as it was."""

import importlib.util
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

HAS_PYTORCH = importlib.util.find_spec("torch") is not None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two runs, without and with PyTorch, need not run every test twice."""
    parser.addoption("--passed-to", help="write the names of the tests that passed into a file")
    parser.addoption("--passed-in", help="leave out the tests named in such a file")


def pytest_configure(config: pytest.Config) -> None:
    """Refuses to call a run complete that lacks the oracle it was asked for."""
    if os.environ.get("SEEGRAD_ORACLE") == "required" and not HAS_PYTORCH:
        raise pytest.UsageError("SEEGRAD_ORACLE=required, but PyTorch is not installed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what another run vouches for; ``oracle`` tests are skipped without PyTorch."""
    if config.option.passed_in:
        passed = set(Path(config.option.passed_in).read_text(encoding="utf-8").splitlines())
        items[:] = [item for item in items if item.nodeid not in passed]
    if HAS_PYTORCH:
        return
    skip = pytest.mark.skip(reason="compares with PyTorch, which is not installed")
    for item in items:
        if item.get_closest_marker("oracle"):
            item.add_marker(skip)


def _modes_of_pytorch() -> int:
    """How many function modes are on in PyTorch itself; `set_default_device` leaves one behind."""
    core = getattr(sys.modules.get("torch"), "_C", None)
    length = getattr(core, "_len_torch_function_stack", None)  # the alias has none
    return 0 if length is None else int(length())


def _state(library: ModuleType) -> dict[str, Any]:
    """What a test may change and must put back."""
    from seegrad.arrays import printing

    return {
        "grad mode": library.is_grad_enabled(),
        "inference mode": library.is_inference_mode_enabled(),
        "default dtype": str(library.get_default_dtype()),
        "print options": printing.get_printoptions(),
        "torch in sys.modules": sys.modules.get("torch") is library,
        "errors of NumPy": np.geterr(),
        "function modes of PyTorch": _modes_of_pytorch(),
    }


def _restore(library: ModuleType, before: dict[str, Any]) -> None:
    """Puts back what a careless test changed, so that it fails alone."""
    library.set_grad_enabled(True)
    library.set_default_dtype(library.float32)
    library.set_printoptions(profile="default")
    np.seterr(**before["errors of NumPy"])
    if _modes_of_pytorch():
        sys.modules["torch"].set_default_device(None)


@pytest.fixture(autouse=True)
def strict_world() -> Iterator[None]:
    """Same seeds before each test; grad mode, default dtype and print options kept by it."""
    library: Any = sys.modules.get("seegrad")
    if library is None or not hasattr(library, "is_grad_enabled"):
        yield
        return
    random.seed(0)
    np.random.seed(0)
    library.manual_seed(0)
    before = _state(library)
    yield
    after = _state(library)
    leaked = [f"{name}: {before[name]} -> {after[name]}" for name in before
              if before[name] != after[name]]  # fmt: skip
    if leaked:
        _restore(library, before)
        pytest.fail("the test leaks " + ", ".join(leaked))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The score of the corpus of `tests/explain`; the names of what passed go into a file."""
    if terminalreporter.config.option.passed_to:
        names = "\n".join(report.nodeid for report in terminalreporter.stats.get("passed", []))
        Path(terminalreporter.config.option.passed_to).write_text(names, encoding="utf-8")
    found = [report for group in terminalreporter.stats.values() for report in group]
    reports = [report for report in found if getattr(report, "when", "") == "call"]
    words = [
        value for report in reports for name, value in report.user_properties
        if name == "corpus"
    ]  # fmt: skip
    if words:
        count = words.count
        faults = count("cause") + count("missed")
        terminalreporter.write_line(
            f"corpus: {count('cause')} causes and {count('line')} lines of {faults} faults, "
            f"{count('false alarm')} false alarms in {count('quiet') + count('false alarm')} "
            "healthy programs"
        )
