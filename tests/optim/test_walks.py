"""Long walks of the optimisers beside PyTorch's."""

import math

import pytest

import seegrad
from tests.optim import walks


@pytest.mark.oracle
def test_lbfgs_walks_as_pytorch_does() -> None:
    """Up to 240 evaluations of losses that leave 1 of 10^12 of what they were."""
    torch = pytest.importorskip("torch")
    theirs, ours = walks.descents(torch), walks.descents(seegrad)
    assert theirs.keys() == ours.keys()
    for name, wanted in theirs.items():
        found = ours[name]
        for key in ("n", "evals", "kept", "kinds"):
            assert found[key] == wanted[key], name
        for key in ("losses", "tried", "x"):
            scale = 1e-9 * max(map(abs, wanted[key]))
            assert all(
                math.isclose(a, b, rel_tol=1e-9, abs_tol=scale)
                for a, b in zip(found[key], wanted[key], strict=True)
            ), (name, key)
