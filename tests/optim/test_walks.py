"""Long walks of the optimisers beside PyTorch's."""

import math

import numpy as np
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


@pytest.mark.oracle
@pytest.mark.parametrize("name", walks.OPTIONS)
def test_200_steps_are_those_of_pytorch(name: str) -> None:
    """Parameters and state are within 1e-9, relative to the largest element."""
    torch = pytest.importorskip("torch")
    for _, options in walks.every([name]):
        wanted, states = walks.walk(torch, name, options, torch.float64, 200)
        found, ours = walks.walk(seegrad, name, options, seegrad.float64, 200)
        for place, (param, state) in enumerate(zip(wanted, states, strict=True)):
            pairs = {"param": (found[place], param)}
            assert list(ours[place]) == list(state), options
            pairs |= {key: (ours[place][key], value) for key, value in state.items()}
            for key, (one, other) in pairs.items():
                error = np.abs(one.detach().numpy() - other.detach().numpy()).max()
                scale = np.abs(other.detach().numpy()).max()
                assert error <= 1e-9 * scale, (options, place, key, error)
