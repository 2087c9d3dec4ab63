"""Wrong inputs of PyTorch's table of operators: the same class, mostly the same text."""

import warnings

import pytest

from tests.opdb import driver, errors

pytestmark = pytest.mark.oracle


def test_wrong_inputs_of_the_table() -> None:
    pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table warns of itself
        total = errors.count(errors.wrong_inputs, errors.asked())
    assert total.asked > 500
    other_class = {
        name
        for name, pairs in total.differing.items()
        if any(errors.kind(mine) != errors.kind(theirs) for mine, theirs in pairs)
    }
    assert other_class == set(errors.KNOWN)
    assert total.same_text >= 0.95 * total.asked


def test_wrong_inputs_made_here() -> None:
    pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        total = errors.count(errors.own_inputs, errors.asked()[::4])
    assert total.asked > 100
    assert total.same_class >= 0.9 * total.asked
    assert total.same_text >= 0.65 * total.asked


def test_tensors_in_one_memory_stay_in_one() -> None:
    torch = pytest.importorskip("torch")
    whole = torch.arange(6.0)
    one, other = driver.translated([whole[:4], whole.expand(2, 6)], {})
    one[3] = 7.0
    assert other.tolist() == [[0.0, 1.0, 2.0, 7.0, 4.0, 5.0]] * 2
    assert other.stride() == (0, 1)
