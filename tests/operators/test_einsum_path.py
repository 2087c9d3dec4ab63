"""einsum of three and more operands goes the way that opt_einsum finds."""

import numpy as np
import pytest

import seegrad
from seegrad.graph.node import Node
from seegrad.ops.opt_einsum import best_path

SIZES = {"a": 2, "i": 3, "j": 11, "k": 5, "l": 7}
EQUATIONS = [
    "ij,jk,k->i",
    "ij,jk,kl->il",
    "i,ij,j->",
    "aij,ajk,kl,l->ai",
    "ij,ik,il,jk,l->kl",
    "ij,jj,jk->ik",
    "ai,ij,jk,kl,lk,kj->al",
]


def arrays(equation: str) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    inputs = equation.partition("->")[0].split(",")
    return [random.standard_normal([SIZES[label] for label in labels]) for labels in inputs]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_same_numbers_and_gradients(equation: str) -> None:
    tensors = [seegrad.tensor(one, requires_grad=True) for one in arrays(equation)]
    found = seegrad.einsum(equation, *tensors)
    np.testing.assert_allclose(found.detach().numpy(), np.einsum(equation, *arrays(equation)))
    assert seegrad.autograd.gradcheck(lambda *all: seegrad.einsum(equation, *all), tensors)


def largest(node: Node | None) -> int:
    """The most elements that a product in a graph has."""
    sizes, todo = [0], [node]
    while todo:
        one = todo.pop()
        if one is not None:
            shapes = [tuple(meta.shape) for meta in one._input_metadata]
            sizes += [int(np.prod(shape)) for shape in shapes if one.next_functions]
            todo += [following for following, _ in one.next_functions]
    return max(sizes)


def test_a_matrix_times_a_matrix_times_a_vector() -> None:
    shapes = (1100, 3), (3, 1100), (1100,)
    one, other, vector = (seegrad.ones(*shape, requires_grad=True) for shape in shapes)
    assert largest(seegrad.einsum("ij,jk,k->i", one, other, vector).grad_fn) <= 3300


def test_six_matrices_and_a_vector() -> None:
    """From the vector on: `np.einsum_path` says so, too."""
    inputs = tuple(tuple(one) for one in "ab,bc,cd,de,ef,fg,g".split(","))
    shapes = *[(40, 40)] * 6, (40,)
    wanted, _ = np.einsum_path(
        "ab,bc,cd,de,ef,fg,g->a", *map(np.empty, shapes), optimize="optimal"
    )
    assert best_path(inputs, ("a",), shapes) == wanted[1:]


def test_switched_off_it_goes_from_left_to_right() -> None:
    shapes = (1100, 3), (3, 1100), (1100,)
    one, other, vector = (seegrad.ones(*shape, requires_grad=True) for shape in shapes)
    with seegrad.backends.opt_einsum.flags(enabled=False):
        assert largest(seegrad.einsum("ij,jk,k->i", one, other, vector).grad_fn) == 1100**2


def test_a_strategy_that_is_not_there() -> None:
    with pytest.raises(
        ValueError, match=r"one of the following: \[auto, greedy, optimal\] but is best"
    ):
        seegrad.backends.opt_einsum.set_flags(_strategy="best")
