"""Losses of which no label counts: the loss is NaN, its gradient is zero, as in PyTorch."""

import math
from typing import Any

import pytest

import seegrad

CASES = {
    "rows": ((2, 3), {}),
    "one row": ((3,), {}),
    "one dimension": ((1, 3, 2), {}),
    "two dimensions": ((1, 3, 2, 2), {}),
    "three dimensions": ((1, 3, 1, 2, 2), {}),
    "smoothed": ((2, 3), {"label_smoothing": 0.1}),
    "smoothed maps": ((1, 3, 2), {"label_smoothing": 0.1}),
    "weighted": ((2, 3), {"weight": [1.0, 2.0, 0.5]}),
    "summed": ((2, 3), {"reduction": "sum"}),
}


def loss_and_gradient(torch: Any, function: str, case: str, label: int) -> tuple[float, Any]:
    """The loss where every label is `label`, and the gradient of the scores."""
    shape, options = CASES[case]
    if function == "nll_loss" and "label_smoothing" in options:
        pytest.skip("nll_loss has no smoothing")
    if "weight" in options:
        options = options | {"weight": torch.tensor(options["weight"])}
    scores = torch.linspace(-1, 2, math.prod(shape)).reshape(shape).detach().requires_grad_()
    labels = torch.full((shape[:1] if len(shape) > 1 else ()) + shape[2:], label)
    loss = getattr(torch.nn.functional, function)(scores, labels, ignore_index=2, **options)
    loss.backward()
    return loss.item(), scores.grad.tolist()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("function", ["nll_loss", "cross_entropy"])
def test_all_labels_ignored(function: str, case: str) -> None:
    loss, gradient = loss_and_gradient(seegrad, function, case, label=2)
    assert loss == 0 if case == "summed" else math.isnan(loss)
    assert not seegrad.tensor(gradient).any()


@pytest.mark.parametrize("label", [1, 2])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("function", ["nll_loss", "cross_entropy"])
def test_as_in_pytorch(function: str, case: str, label: int) -> None:
    torch = pytest.importorskip("torch")
    ours = loss_and_gradient(seegrad, function, case, label)
    theirs = loss_and_gradient(torch, function, case, label)
    assert ours[0] == pytest.approx(theirs[0], nan_ok=True)
    seegrad.testing.assert_close(seegrad.tensor(ours[1]), seegrad.tensor(theirs[1]))


def test_class_weights_of_zero_still_divide_by_zero() -> None:
    scores = seegrad.zeros(2, 3, requires_grad=True)
    weight = seegrad.tensor([0.0, 0.0, 1.0])
    loss = seegrad.nn.functional.nll_loss(scores, seegrad.tensor([0, 1]), weight)
    (gradient,) = seegrad.autograd.grad(loss, scores)
    assert gradient.isnan().tolist() == [[True, False, False], [False, True, False]]
