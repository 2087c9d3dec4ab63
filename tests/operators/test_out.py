"""`out=`: what is written where, and what is refused. Named results."""

from typing import Any

import pytest

import seegrad
from seegrad import return_types


def both(torch: Any) -> list[Any]:
    """The functions under test, each with an `out` it can fill."""
    x = torch.tensor([[1.0, 4.0], [9.0, 16.0]])
    calls = {
        "add": ((x, 1), {"alpha": 2}),
        "sub": ((x, 1), {}),
        "mul": ((x, 2), {}),
        "div": ((x, 2), {"rounding_mode": "floor"}),
        "pow": ((x, 2), {}),
        "exp": ((x,), {}),
        "sqrt": ((x,), {}),
        "clamp": ((x, 2.0, 5.0), {}),
        "maximum": ((x, x * 2 - 3), {}),
        "where": ((x > 3, x, -x), {}),
        "round": ((x / 3,), {"decimals": 1}),
        "softmax": ((x, 1), {}),
        "cumsum": ((x, 0), {}),
        "logaddexp": ((x, x), {}),
        "lerp": ((x, x * 2, 0.5), {}),
    }
    found = []
    for name, (args, options) in calls.items():
        out = torch.zeros(2, 2)
        result = getattr(torch, name)(*args, **options, out=out)
        assert result is out
        found.append((name, [[round(one, 4) for one in row] for row in out.tolist()]))
    return found


@pytest.mark.oracle
def test_as_pytorch() -> None:
    assert both(seegrad) == both(pytest.importorskip("torch"))


def test_out_counts_a_write() -> None:
    out = seegrad.zeros(2)
    seegrad.exp(seegrad.zeros(2), out=out)
    assert (out.tolist(), out._version) == ([1.0, 1.0], 1)


def test_out_casts_within_its_category() -> None:
    out = seegrad.zeros(2, dtype=seegrad.float64)
    seegrad.exp(seegrad.zeros(2), out=out)
    assert out.dtype is seegrad.float64
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired outp"):
        seegrad.exp(seegrad.zeros(2), out=seegrad.zeros(2, dtype=seegrad.int64))


def test_an_empty_out_is_resized_and_another_with_a_warning() -> None:
    out = seegrad.zeros(0)
    assert seegrad.sum(seegrad.ones(2, 3), 0, out=out).tolist() == [2.0, 2.0, 2.0]
    with pytest.warns(UserWarning, match=r"An output with one or more elements was resized since"):
        seegrad.sum(seegrad.ones(2, 3), 1, out=out)
    assert out.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "maximum"])
def test_out_refuses_gradients(name: str) -> None:
    x = seegrad.ones(2, requires_grad=True)
    wanted = (
        f"{name}(): functions with out=... arguments don't support automatic differentiation, "
        "but one of the arguments requires grad."
    )
    for args, out in (((x, x.detach()), seegrad.ones(2)), ((x.detach(), x.detach()), x)):
        with pytest.raises(RuntimeError) as caught:
            getattr(seegrad, name)(*args, out=out)
        assert str(caught.value) == wanted
    with seegrad.no_grad():
        assert getattr(seegrad, name)(x, x, out=seegrad.zeros(2)).shape == (2,)


def test_named_results_print_their_fields() -> None:
    found = seegrad.tensor([[1.0, 5.0], [4.0, 2.0]]).max(dim=1)
    assert repr(found) == (
        "torch.return_types.max(\nvalues=tensor([5., 4.]),\nindices=tensor([1, 0]))"
    )
    values, indices = found
    assert found.values is values
    assert found[1] is found.indices is indices
    assert isinstance(found, return_types.max)


def test_named_results_are_checked() -> None:
    with pytest.raises(TypeError, match=r"takes a 2-sequence \(3-sequence given\)"):
        return_types.max((1, 2, 3))
    with pytest.raises(AttributeError, match=r"'torch.return_types.sort' object has no attribute"):
        return_types.sort((1, 2)).median
