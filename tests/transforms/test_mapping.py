"""What `vmap` can do because it is a loop, and what it refuses because of that."""

import threading
from typing import Any

import pytest

import seegrad as torch
from seegrad import vmap
from seegrad.graph.state import thread


def test_values_decide_for_each_sample() -> None:
    def steps(t: Any) -> Any:
        count = 0
        while t > 1:
            t, count = t / 2, count + 1
        return torch.tensor(count)

    assert vmap(steps)(torch.tensor([1.0, 5.0, 16.0])).tolist() == [0, 3, 4]
    assert vmap(lambda t: t[t > 1].sum())(torch.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist() == [
        2,
        7,
    ]


def test_what_is_the_same_for_all_is_not_written_to() -> None:
    def add(total: Any, t: Any) -> Any:
        return total.add_(t)

    x = torch.ones(2, 3)
    with pytest.raises(RuntimeError, match="add wrote in place to an input that is the same for"):
        vmap(add, in_dims=(None, 0))(torch.zeros(3), x)
    with pytest.raises(RuntimeError, match="<lambda> wrote in place to an input"):
        vmap(lambda t, total: add(total, t))(x, total=torch.zeros(3))


def test_results_that_differ_are_not_one() -> None:
    x = torch.tensor([[1.0, float("nan")], [1.0, float("nan")]])
    assert vmap(lambda t: t, out_dims=None)(x)[0] == 1
    with pytest.raises(ValueError, match="can not return a BatchedTensor when out_dim is None"):
        vmap(lambda t: t, out_dims=None)(x.T)
    with pytest.raises(ValueError, match=r"differs from sample to sample: \* and \(\*,\)"):
        vmap(lambda t: t if t[0] > 0 else (t,))(torch.tensor([[1.0], [-1.0]]))
    with pytest.raises(RuntimeError, match="stack expects each tensor to be equal size"):
        vmap(lambda t: t[t > 0])(torch.tensor([[1.0, 2.0], [1.0, -1.0]]))


def test_an_error_inside_leaves_the_state_as_it_was() -> None:
    def fails(t: Any) -> Any:
        raise KeyError(len(thread.state.transforms))

    for how in ("error", "same"):
        with pytest.raises(KeyError, match="1"):
            vmap(fails, randomness=how)(torch.ones(2))
        assert thread.state.transforms == ()
        torch.rand(1)


def test_another_thread_may_draw_numbers() -> None:
    drawn: list[Any] = []

    def function(t: Any) -> Any:
        other = threading.Thread(target=lambda: drawn.append(torch.rand(1)))
        other.start()
        other.join()
        return t

    vmap(function)(torch.ones(2))
    assert len(drawn) == 2


def test_dimensions_are_moved() -> None:
    """Mapping the identity moves a dimension, and nested mappings move two."""
    x = torch.arange(24.0).view(2, 3, 4)
    places = range(-3, 3)
    for one in places:
        for to in places:
            assert torch.equal(vmap(lambda t: t, one, to)(x), x.movedim(one, to))
    moved = vmap(vmap(lambda t: t, 1, -1), 2, 0)(x)
    assert torch.equal(moved, x.permute(2, 0, 1))
