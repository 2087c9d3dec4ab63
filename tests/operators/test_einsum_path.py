"""einsum of three and more operands goes the way that multiplies fewest numbers."""

import importlib

import numpy as np
import pytest

import seegrad
from seegrad.graph.node import Node
from seegrad.ops.einsum import best_path

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


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small savings count, too."""
    monkeypatch.setattr(importlib.import_module("seegrad.ops.einsum"), "WORTH", 0)


def arrays(equation: str) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    inputs = equation.partition("->")[0].split(",")
    return [random.standard_normal([SIZES[label] for label in labels]) for labels in inputs]


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("equation", EQUATIONS)
def test_same_numbers_and_gradients(equation: str) -> None:
    tensors = [seegrad.tensor(one, requires_grad=True) for one in arrays(equation)]
    found = seegrad.einsum(equation, *tensors)
    np.testing.assert_allclose(found.detach().numpy(), np.einsum(equation, *arrays(equation)))
    assert seegrad.autograd.gradcheck(lambda *all: seegrad.einsum(equation, *all), tensors)


@pytest.mark.parametrize("equation", EQUATIONS[:-1])
def test_as_cheap_as_numpys(equation: str) -> None:
    inputs, _, output = equation.partition("->")
    terms, kept = [frozenset(one) for one in inputs.split(",")], frozenset(output)
    wanted, _ = np.einsum_path(equation, *arrays(equation), optimize=("optimal", 10**9))
    cost = 0
    left = terms
    for places in wanted[1:]:
        both = frozenset.union(*(left[place] for place in places))
        rest = [one for n, one in enumerate(left) if n not in places]
        cost += int(np.prod([SIZES[label] for label in both]))
        left = [*rest, both & kept.union(*rest)]
    assert best_path(terms, SIZES, kept)[0] == cost


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


def test_little_is_not_worth_another_graph() -> None:
    shapes = (110, 3), (3, 110), (110,)
    one, other, vector = (seegrad.ones(*shape, requires_grad=True) for shape in shapes)
    assert largest(seegrad.einsum("ij,jk,k->i", one, other, vector).grad_fn) == 110 * 110


def test_six_matrices_and_a_vector() -> None:
    equation = "ab,bc,cd,de,ef,fg,g->a"
    sizes = dict.fromkeys("abcdefg", 400)
    terms = [frozenset(one) for one in equation[:-3].split(",")]
    cost, path = best_path(terms, sizes, frozenset("a"))
    assert cost == 6 * 400**2
    assert len(path) == 6
