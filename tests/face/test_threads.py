"""How many threads NumPy's BLAS has."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

import seegrad
from seegrad.tensor import inquiry


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = seegrad.get_num_threads()
    inquiry._pools.cache_clear()
    yield
    inquiry._pools.cache_clear()
    seegrad.set_num_threads(before)


def counts(threadpoolctl: Any) -> set[int]:
    pools = threadpoolctl.threadpool_info()
    return {pool["num_threads"] for pool in pools if "numpy" in pool["filepath"]}


def test_threads_are_those_of_the_blas() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")
    if not counts(threadpoolctl):
        pytest.skip("NumPy's BLAS has no threads of its own")
    for count in (1, 2, 1):
        seegrad.set_num_threads(count)
        assert seegrad.get_num_threads() == count
        assert counts(threadpoolctl) == {count}


def test_without_threadpoolctl_the_number_is_remembered(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    seegrad.set_num_threads(3)
    assert seegrad.get_num_threads() == 3
