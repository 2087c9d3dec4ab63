"""Tensors beside NumPy's arrays and scalars: what PyTorch gives, in every operator."""

import pytest

import seegrad
from tests.record import recorded
from tests.recorders import mixing


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, str]]:
    return mixing.record(seegrad)


@pytest.mark.parametrize("name", sorted(recorded(mixing.NAME)))
def test_an_operator_mixes_as_pytorch_does(name: str, found: dict[str, dict[str, str]]) -> None:
    assert found[name] == recorded(mixing.NAME)[name]
