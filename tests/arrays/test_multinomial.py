"""Weighted draws: PyTorch's indices, and its errors."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from seegrad.arrays.generators import Generator
from seegrad.arrays.multinomial import multinomial

torch = pytest.importorskip("torch")

TYPES = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("shape", [(50,), (4, 50), (1, 3), (0, 3)])
@pytest.mark.parametrize(
    "num_samples, replacement", [(1, False), (1, True), (3, False), (3, True), (60, True)]
)
def test_indices_are_pytorchs(
    name: str, shape: tuple[int, ...], num_samples: int, replacement: bool
) -> None:
    weights = torch.from_numpy(np.random.RandomState(0).rand(*shape)).to(getattr(torch, name))
    ours, theirs = Generator().manual_seed(3), torch.Generator().manual_seed(3)
    expected = torch.multinomial(weights, num_samples, replacement, generator=theirs)
    array = weights.double().numpy().astype(TYPES[name])
    drawn = multinomial(ours, array, num_samples, replacement)
    np.testing.assert_array_equal(drawn, expected.numpy())
    assert drawn.dtype == np.int64
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("weights", [[-1, 1.0], [0.0, 0.0], [NAN, 1.0], [INF, 1.0], [1, 1]])
@pytest.mark.parametrize(
    "num_samples, replacement", [(1, False), (2, True), (3, False), (0, True), (-1, False)]
)
def test_errors_are_pytorchs(weights: list[Any], num_samples: int, replacement: bool) -> None:
    check(np.array(weights), num_samples, replacement)


@pytest.mark.parametrize("shape", [(), (2, 2, 2), (0,), (3, 0)])
def test_shapes_are_refused_as_by_pytorch(shape: tuple[int, ...]) -> None:
    check(np.ones(shape), 1, False)


def check(weights: Any, num_samples: int, replacement: bool) -> None:
    with pytest.raises(RuntimeError) as expected:
        torch.multinomial(torch.from_numpy(weights), num_samples, replacement)
    with pytest.raises(RuntimeError) as error:
        multinomial(None, weights, num_samples, replacement)
    assert str(error.value) == str(expected.value).split("\n")[0]
