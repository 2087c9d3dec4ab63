"""The `*_copy` functions: what PyTorch's table of operators asks, and their nodes and `out=`."""

from typing import Any

import pytest

import seegrad
from tests.opdb import driver

NAMES = """
alias_copy as_strided_copy diagonal_copy expand_copy narrow_copy permute_copy split_with_sizes_copy
squeeze_copy t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy view_copy
""".split()
DTYPES = ["float64", "complex128", "float32", "int64", "bool"]


@pytest.mark.oracle
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_answers(name: str, dtype: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        assert not any(driver.disagreements(entry, dtype)), driver.label(entry)


@pytest.mark.oracle
@pytest.mark.parametrize("name", NAMES)
def test_refusals(name: str) -> None:
    pytest.importorskip("torch")
    for entry in driver.entries(name):
        for found, wanted in driver.refusals(entry):
            assert found == wanted


# Those that the table does not ask.
CALLS = [
    ("detach_copy",),
    ("select_copy", 1, -1),
    ("slice_copy", 1, -2),
    ("slice_copy", 2, 0, 4, 2),
    ("split_copy", 2, 1),
    ("view_copy", "float32"),
    ("view_copy", "int64"),
]


@pytest.mark.oracle
@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_other_copies(call: tuple[Any, ...]) -> None:
    torch = pytest.importorskip("torch")
    assert shown(seegrad, *call) == shown(torch, *call)


def shown(torch: Any, name: str, *args: Any) -> Any:
    """Values, strides and the gradient of a function on a tensor that is not contiguous."""
    leaf = torch.arange(24, dtype=torch.float64).reshape(4, 2, 3).requires_grad_()
    given = [getattr(torch, one) if isinstance(one, str) else one for one in args]
    source = leaf.permute(2, 1, 0) if "view" not in name else leaf
    made = getattr(torch, name)(source, *given)
    made = made if isinstance(made, tuple) else (made,)
    text = [(one.detach().tolist(), one.stride(), one._is_view()) for one in made]
    if name == "detach_copy" or made[0].grad_fn is None:  # PyTorch's node has no derivative
        return text
    sum((one * one).sum() for one in made).backward()
    return text, leaf.grad.tolist(), type(made[0].grad_fn).__name__


def test_views_are_copied() -> None:
    base = seegrad.zeros(2, 3)
    copies = (*seegrad.unbind_copy(base), seegrad.t_copy(base), seegrad.view_copy(base, (3, 2)))
    base.fill_(1)
    assert all(not one.any() and not one._is_view() for one in copies)


def test_out_is_written() -> None:
    x, out = seegrad.arange(6.0).reshape(2, 3), seegrad.empty(3, 2)
    assert seegrad.permute_copy(x, (1, 0), out=out) is out
    assert out.tolist() == x.T.tolist()
    pieces = [seegrad.empty(2), seegrad.empty(2), seegrad.empty(2)]
    assert seegrad.unbind_copy(x, 1, out=pieces) is None
    assert [one.tolist() for one in pieces] == x.T.tolist()
