"""Reductions under a mask: what PyTorch's table of operators asks, and what it does not."""

import math
from typing import Any

import pytest

import seegrad
from tests.opdb import driver

MASKED_TENSORS = {"MaskedTensor", "as_masked_tensor", "is_masked_tensor", "masked_tensor"}
NAMES = [name for name in seegrad.masked.__all__ if name not in MASKED_TENSORS]
MOST = 20  # samples of one entry; `python -m tests.opdb.driver masked.` asks all
DTYPES = ["float64", "complex128", "float32", "int64", "int32", "bool"]


@pytest.mark.oracle
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(f"masked.{name}"):
        assert not any(driver.disagreements(entry, dtype, MOST)), driver.label(entry)


@pytest.mark.oracle
def test_all_is_asked() -> None:
    pytest.importorskip("torch")
    assert {entry.name for entry in driver.entries("masked.")} == {f"masked.{n}" for n in NAMES}


def call(torch: Any, name: str, kind: str, *args: Any, **kwargs: Any) -> Any:
    """A function on a small matrix; a word for a dtype is that dtype, a list a mask."""
    x = torch.tensor([[3, 1, 2], [6, 5, 4]]).to(getattr(torch, kind))
    named = {
        key: getattr(torch, one)
        if isinstance(one, str)
        else torch.tensor(one)
        if isinstance(one, list)
        else one
        for key, one in kwargs.items()
    }
    try:
        found = getattr(torch.masked, name)(x, *args, **named)
    except Exception as error:
        return type(error).__name__, str(error)
    return str(found.dtype), found.tolist()


HALF = [[True, False, True], [False, True, False]]
SOME = [True, False, True]
NONE_BELOW = [[True], [False]]
CALLS: list[tuple[Any, dict[str, Any]]] = [
    (("sum", "int8", 0), {"mask": HALF}),
    (("sum", "float32", 1), {"mask": SOME, "dtype": "int32"}),
    (("sum", "float32", (0, 0)), {"mask": SOME}),
    (("sum", "float32", 2), {"mask": SOME}),
    (("sum", "float32", ()), {"mask": [[SOME]]}),
    (("sum", "float32"), {"mask": [True, False]}),
    (("prod", "bool", 1), {"mask": [1, 0, 1]}),
    (("prod", "uint8", 1), {"mask": NONE_BELOW, "keepdim": True}),
    (("cumsum", "int8", 1), {"mask": HALF}),
    (("cumprod", "bool", 1), {"mask": HALF}),
    (("amax", "int32", 1), {"mask": NONE_BELOW}),
    (("amin", "float32", 1), {"mask": NONE_BELOW, "dtype": "float64"}),
    (("amax", "bool", 1), {"mask": HALF}),
    (("argmax", "float32"), {"mask": HALF, "keepdim": True}),
    (("argmin", "int64", 0), {"mask": HALF, "dtype": "float64"}),
    (("mean", "int64", 0), {"mask": HALF}),
    (("mean", "float32", 0), {"mask": HALF, "dtype": "int64"}),
    (("mean", "bool", 0), {"mask": HALF, "dtype": "float32"}),
    (("median", "int64", 0), {"mask": HALF}),
    (("median", "int64"), {"mask": NONE_BELOW}),
    (("median", "int8"), {"mask": HALF, "keepdim": True, "dtype": "float64"}),
    (("logsumexp", "int64", 1), {"mask": NONE_BELOW}),
    (("norm", "float32", math.inf, 1), {"mask": HALF}),
    (("norm", "int64", 1, 1), {"mask": HALF}),
    (("var", "int64", 1), {"mask": HALF}),
    (("var", "float32", None, False), {"mask": HALF}),
    (("var", "float32", 1), {"correction": 3}),
    (("std", "float32", 1, True), {"correction": 1}),
    (("std", "bool", 1), {"mask": HALF}),
    (("softmax", "bool", 1), {"mask": HALF}),
    (("softmin", "int64", 1), {"mask": HALF}),
    (("normalize", "float32", 0, 1), {"mask": NONE_BELOW}),
]


@pytest.mark.oracle
@pytest.mark.parametrize(("args", "kwargs"), CALLS, ids=repr)
def test_types_and_refusals(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    assert str(call(seegrad, *args, **kwargs)) == str(call(torch, *args, **kwargs))


def test_what_is_masked_out_gets_no_gradient() -> None:
    x = seegrad.tensor([[3.0, math.nan], [math.inf, 4.0]], requires_grad=True)
    mask = seegrad.tensor([[True, False], [False, True]])
    seegrad.masked.norm(x, mask=mask).backward()
    assert x.grad.tolist() == [[pytest.approx(0.6), 0.0], [0.0, pytest.approx(0.8)]]


def test_negative_norms_leave_out_what_is_masked() -> None:
    x, mask = seegrad.tensor([1.0, 9.0, 3.0]), seegrad.tensor(SOME)
    assert seegrad.masked.norm(x, -1, mask=mask).item() == pytest.approx(1 / (1 + 1 / 3))


def test_masked_integers_have_no_share_of_a_softmax() -> None:
    x, mask = seegrad.tensor([1, 9, 1], dtype=seegrad.int8), seegrad.tensor(SOME)
    found = seegrad.masked.softmax(x, 0, mask=mask, dtype=seegrad.float64)
    assert found.tolist() == [0.5, 0.0, 0.5]


def test_median_has_the_type_asked_for() -> None:
    x, mask = seegrad.tensor([1.0, 9.0, 3.0]), seegrad.tensor(SOME)
    assert seegrad.masked.median(x, mask=mask, dtype=seegrad.float64).dtype is seegrad.float64
