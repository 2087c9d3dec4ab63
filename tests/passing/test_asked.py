"""What programs ask in passing has PyTorch's answers, on a machine without accelerators."""

import tomllib

import pytest

import seegrad
from seegrad import version
from seegrad.missing import missing
from tests.sources import ROOT


def test_no_accelerator_has_a_way_out() -> None:
    with pytest.raises(AssertionError) as caught:
        seegrad.ones(2).to("cuda")
    assert "on the CPU" in caught.value.__notes__[0]


def test_what_waits_for_cuda_does_no_harm() -> None:
    for name in ("synchronize", "empty_cache", "ipc_collect", "reset_peak_memory_stats"):
        assert getattr(seegrad.cuda, name)() is None


def test_compile_returns_the_function() -> None:
    def double(x: int) -> int:
        return 2 * x

    assert seegrad.compile(double) is double
    assert seegrad.compile(double, mode="max-autotune", fullgraph=True) is double
    assert seegrad.compile(backend="eager")(double) is double
    assert not seegrad.compiler.is_compiling()
    assert seegrad.compiler.disable(double) is double
    assert seegrad.compiler.disable()(double) is double


def test_compile_wants_something_to_call() -> None:
    with pytest.raises(AssertionError, match="A callable function is expected"):
        seegrad.compile(3)
    with pytest.raises(RuntimeError, match="Either mode or options can be specified"):
        seegrad.compile(len, mode="default", options={})


def test_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert version.seegrad == project["version"]
    assert seegrad.__version__ == version.__version__


def test_version_can_be_read_by_programs() -> None:
    numbers = tuple(int(part) for part in seegrad.__version__.split("+")[0].split("."))
    assert numbers >= (2, 0, 0)


def test_missing_name_is_a_note() -> None:
    with pytest.raises(AttributeError) as caught:
        missing("seegrad", ["zeros", "ones"])("zeross")
    assert str(caught.value) == "module 'seegrad' has no attribute 'zeross'"
    assert caught.value.__notes__ == ["Did you mean: 'zeros'?"]


def test_missing_name_that_is_like_no_other() -> None:
    with pytest.raises(AttributeError) as caught:
        missing("seegrad", ["zeros", "ones"])("quantize_per_channel")
    assert caught.value.__notes__ == ["seegrad does not have this name."]
