"""Steps are done in place: they allocate no array of the size of the parameters."""

import gc
import tracemalloc
from typing import Any

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
