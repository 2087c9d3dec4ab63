"""Type promotion, held against PyTorch for every pair of types and ranks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from seegrad.arrays import dtypes
from seegrad.arrays.dtypes import dtype
from seegrad.arrays.promotion import can_cast, promote_types, result_dtype

torch = pytest.importorskip("torch")

PAIRS = list(itertools.product(dtypes.ALL, repeat=2))
NUMBERS = [True, 3, 2.5, 1 + 2j]


def theirs(of: dtype) -> Any:
    return getattr(torch, of.name)


def name(of: Any) -> str:
    """Return PyTorch's name; complex32, which seegrad lacks, counts as complex64."""
    return str(of).removeprefix("torch.").replace("complex32", "complex64")


@pytest.fixture(params=["float32", "float64", "bfloat16"])
def default(request: pytest.FixtureRequest) -> Iterator[str]:
    dtypes.set_default_dtype(dtypes.NAMES[request.param])
    torch.set_default_dtype(getattr(torch, request.param))
    yield request.param
    dtypes.set_default_dtype(dtypes.float32)
    torch.set_default_dtype(torch.float32)


def operands() -> list[tuple[Any, Any]]:
    """Return each operand twice: ours and PyTorch's."""
    found: list[tuple[Any, Any]] = [(number, number) for number in NUMBERS]
    for one in dtypes.ALL:
        for shape in [(), (2,), (0,)]:
            found.append((np.ones(shape, one.numpy), torch.ones(shape, dtype=theirs(one))))
    return found


def test_promote_types_is_pytorchs() -> None:
    for a, b in PAIRS:
        expected = torch.promote_types(theirs(a), theirs(b))
        assert promote_types(a, b).name == name(expected), (a, b)


def test_can_cast_is_pytorchs() -> None:
    for a, b in PAIRS:
        assert can_cast(a, b) == torch.can_cast(theirs(a), theirs(b)), (a, b)


def test_result_of_every_pair_is_pytorchs(default: str) -> None:
    for (a, their_a), (b, their_b) in itertools.product(operands(), repeat=2):
        expected = torch.result_type(their_a, their_b)
        ours = dtypes.from_numpy(result_dtype([a, b]))
        assert ours.name == name(expected), (default, their_a, their_b)


@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_result_of_three_operands_is_pytorchs() -> None:
    """`addcmul` promotes three tensors at once, the only way to ask PyTorch for more than two."""
    arrays = [pair for pair in operands() if isinstance(pair[0], np.ndarray)][::2]
    for triple in itertools.combinations(arrays, 3):
        ours = dtypes.from_numpy(result_dtype([one for one, _ in triple]))
        try:
            expected = torch.addcmul(*(theirs for _, theirs in triple)).dtype
        except RuntimeError:  # bools, and shapes that do not broadcast
            continue
        assert ours.name == name(expected), triple


def test_numpy_numbers_are_numbers() -> None:
    array = np.ones(2, np.float32)
    assert result_dtype([array, np.float64(2.0)]) == np.float32
    assert result_dtype([array, np.complex128(2.0)]) == np.complex64
    assert result_dtype([np.ones(2, np.int8), np.int64(2)]) == np.int8


def test_a_new_default_is_seen_at_once() -> None:
    array = np.ones(2, np.int64)
    assert result_dtype([array, 2.5]) == np.float32
    dtypes.set_default_dtype(dtypes.float64)
    try:
        assert result_dtype([array, 2.5]) == np.float64
    finally:
        dtypes.set_default_dtype(dtypes.float32)


def test_errors() -> None:
    with pytest.raises(TypeError, match=r"promote_types\(\): argument 'type2' \(position 2\)"):
        promote_types(dtypes.float32, "float32")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"numpy\.str_"):
        result_dtype([np.array(["a"])])
    with pytest.raises(TypeError, match="not str"):
        result_dtype(["a"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="at least one"):
        result_dtype([])
