"""assert_close compares as PyTorch's does, and says the same."""

import pytest

import seegrad


def test_a_bool_is_no_number() -> None:
    with pytest.raises(AssertionError, match=r"The \(d\)types do not match"):
        seegrad.testing.assert_close(True, 1)


def test_large_integers_are_compared_exactly() -> None:
    one = seegrad.tensor([2**62])
    with pytest.raises(AssertionError, match="Greatest absolute difference: 1 at index"):
        seegrad.testing.assert_close(one, one + 1)
