"""assert_close compares as PyTorch's does, and says the same."""

import pytest

import seegrad
from tests.observe import observe
from tests.record import recorded
from tests.recorders import testing as recorder

CASES = recorder.cases()
ANSWERS = recorded(recorder.NAME)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    assert observe(CASES[name], seegrad) == ANSWERS[name]


@pytest.mark.oracle
@pytest.mark.parametrize("name", CASES)
def test_pytorch_still_says_so(name: str) -> None:
    torch = pytest.importorskip("torch")
    assert observe(CASES[name], torch) == ANSWERS[name]


def test_a_bool_is_no_number() -> None:
    with pytest.raises(AssertionError, match=r"The \(d\)types do not match"):
        seegrad.testing.assert_close(True, 1)


def test_large_integers_are_compared_exactly() -> None:
    one = seegrad.tensor([2**62])
    with pytest.raises(AssertionError, match="Greatest absolute difference: 1 at index"):
        seegrad.testing.assert_close(one, one + 1)
