"""Importing seegrad costs NumPy and itself: nothing heavy comes along."""

import pytest

from tests.fresh import answer

HEAVY = ["scipy", "rich", "numba", "torch", "torchviz", "matplotlib", "pandas", "sklearn",
         "hypothesis", "pytest", "graphviz", "IPython", "autograd", "mygrad"]  # fmt: skip
LOADED = "import json, sys; import {module}; print(json.dumps(sorted(sys.modules)))"


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The top packages in a new interpreter after ``import seegrad``."""
    return {name.split(".")[0] for name in answer(LOADED.format(module="seegrad"))}


@pytest.mark.parametrize("package", HEAVY)
def test_not_imported(loaded: set[str], package: str) -> None:
    assert package not in loaded


def test_numpy_is(loaded: set[str]) -> None:
    assert {"numpy", "seegrad"} <= loaded


def test_nothing_of_the_test_kit_comes_with_numpy() -> None:
    beyond = set(answer(LOADED.format(module="seegrad"))) - set(
        answer(LOADED.format(module="numpy"))
    )
    assert not {name for name in beyond if name.startswith(("numpy.testing", "unittest"))}


def test_pytorch_stays_pytorch() -> None:
    code = "import seegrad, sys, json; print(json.dumps('torch' in sys.modules))"
    assert answer(code) is False
