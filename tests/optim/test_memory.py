"""Steps are done in place: they allocate no array of the size of the parameters."""

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

import seegrad
from tests.optim import walks


def _peak(name: str, options: dict[str, Any]) -> float:
    """What the fourth step allocates at its peak, in sizes of the parameter."""
    weight = seegrad.nn.Parameter(seegrad.ones(500, 600, dtype=seegrad.float64))
    weight.grad = seegrad.linspace(-1, 2, 300000, dtype=seegrad.float64).reshape(500, 600)
    optimizer = getattr(seegrad.optim, name)([weight], **options)
    for _ in range(3):
        optimizer.step()
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        optimizer.step()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (peak - before) / weight.numpy(force=True).nbytes


@pytest.mark.parametrize("name", walks.OPTIONS)
def test_no_array_of_parameter_size(name: str) -> None:
    """A tenth is left for the blocks of masks and for rows and columns of matrices."""
    assert max(_peak(name, options) for options in walks.OPTIONS[name]) < 0.1


def test_such_an_array_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(self: Any, group: Any, param: Any, grad: Any) -> None:
        param._array[...] = param._array - 0.1 * grad._array

    monkeypatch.setattr(seegrad.optim.SGD, "_step_raw", careless)
    assert _peak("SGD", {}) > 0.9


def _above(step: Any, size: int) -> float:
    """What a step needs beside what stays, in sizes of the parameter."""
    tracemalloc.start()
    try:
        for _ in range(6):  # the history of LBFGS is full
            step()
        gc.collect()
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        step()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (peak - before) / size


@pytest.mark.parametrize(("search", "most"), [(None, 2.1), ("strong_wolfe", 3.1)])
def test_lbfgs_needs_a_gradient_a_direction_and_a_place(search: Any, most: float) -> None:
    weight = seegrad.nn.Parameter(seegrad.linspace(-1, 2, 300000, dtype=seegrad.float64))
    weight.grad = seegrad.zeros_like(weight)
    curvature, square = np.linspace(1, 100, 300000), np.empty(300000)
    optimizer = seegrad.optim.LBFGS([weight], max_iter=3, history_size=4, line_search_fn=search)

    def closure() -> Any:
        np.multiply(weight._array, curvature, out=weight.grad._array)
        np.multiply(weight._array, weight.grad._array, out=square)
        return seegrad.tensor(square.sum() / 2)

    needed = _above(lambda: optimizer.step(closure), square.nbytes)
    assert optimizer.state[weight]["n_iter"] >= 12
    assert needed < most


def test_muon_needs_the_matrices_of_its_iteration() -> None:
    weight = seegrad.nn.Parameter(seegrad.ones(400, 400, dtype=seegrad.float64))
    weight.grad = seegrad.linspace(-1, 2, 160000, dtype=seegrad.float64).reshape(400, 400)
    optimizer = seegrad.optim.Muon([weight])
    assert _above(optimizer.step, 160000 * 8) < 5
