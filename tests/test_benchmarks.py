"""The benchmarks compute on seegrad what they compute on PyTorch, and their table is a table."""

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest

import seegrad
from tests.sources import ROOT


def _load(name: str) -> ModuleType:
    path = ROOT / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


workloads, bench = _load("workloads"), _load("bench")
sys.modules["bench"] = bench  # as a script of the same folder finds it
operators = _load("operators")
del sys.modules["bench"]
NAMES = [row.workload for row in bench.ROWS if row.workload]


@pytest.mark.parametrize("name", NAMES)
def test_workload_runs(name: str) -> None:
    step = getattr(workloads, name)(seegrad)
    step()
    step()


def test_picture_draws_as_many_nodes_as_it_says() -> None:
    pytest.importorskip("fast_sugiyama")
    text = workloads.picture(seegrad, 100)()
    assert text.count("<title>") == 2 + 5 + 1 + 100  # sum, stack, leaves; 5 branches of 20


@pytest.mark.oracle
@pytest.mark.parametrize("name", operators.CASES)
def test_operator_computes_the_same(name: str) -> None:
    torch = pytest.importorskip("torch")
    found = []
    for library in (seegrad, torch):
        function, tensors, rest = operators.CASES[name](library)
        found.append(function(*tensors, *rest).detach().numpy())
        for step in operators.prepared(name, library):
            step()
    assert np.allclose(*found, rtol=1e-3, atol=1e-3)


def _rosenbrock_hessian(torch: ModuleType) -> list[list[float]]:
    return list(workloads.hessian(torch)().tolist())


@pytest.mark.oracle
def test_same_hessian_as_pytorch() -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = _rosenbrock_hessian(seegrad), _rosenbrock_hessian(torch)
    assert [pytest.approx(row, rel=1e-12) for row in theirs] == ours


def test_table_shows_ratios() -> None:
    row = bench.Row("chain", "a chain", "사슬", 0.5)
    for own, reference in ((2e-6, 4e-6), (1e-6, 8e-6), (5e-6, 2e-6)):  # ratios 0.5, 0.125, 2.5
        row.note("seegrad", own)
        row.note("torch", reference)
    assert bench.cells(row) == ["2 µs", "4 µs", "0.50", "0.50", "", ""]
    assert bench.markdown([row], "korean").splitlines()[2].startswith("| 사슬 | 2 µs |")
    assert (
        bench.plain([row]).splitlines()[1].split()
        == ["a", "chain", "2", "µs", "4", "µs"] + ["0.50"] * 2
    )


def test_rows_are_chosen_by_name() -> None:
    assert [row.key for row in bench.chosen("large,chain")] == ["chain", "large"]
    with pytest.raises(SystemExit, match="no row swim"):
        bench.chosen("swim")
