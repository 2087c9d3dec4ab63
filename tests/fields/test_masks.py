"""Which leaves get a masked gradient: those whose elements are those of the masked tensor."""

import warnings

import pytest

import seegrad as torch


@pytest.fixture(autouse=True)
def _quiet() -> None:
    warnings.simplefilter("ignore", UserWarning)


def test_a_step_that_mixes_elements_leaves_no_mask() -> None:
    matrix = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    x = torch.tensor([5.0, 6.0], requires_grad=True)
    mask = torch.tensor([True, False])
    torch.masked.as_masked_tensor(matrix @ x, mask).sum().backward()
    assert not torch.masked.is_masked_tensor(x.grad)
    assert x.grad.tolist() == [1.0, 2.0]  # the first row of the matrix
    assert matrix.grad.tolist() == [[5.0, 6.0], [0.0, 0.0]]


def test_masked_gradients_add_up_and_are_zero_where_nothing_is() -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    mask = torch.tensor([True, False, True])
    for _ in range(2):
        (torch.masked.as_masked_tensor(x / 0, mask) * 0 + x).sum().backward()
    assert x.grad.get_mask().tolist() == mask.tolist()
    x.grad = None
    for each in (mask, ~mask):
        (torch.masked.as_masked_tensor(x, each) * 2).sum().backward()
    torch.optim.SGD([x], lr=0.5).step()
    assert x.tolist() == [0.0, 1.0, 2.0]


def test_a_gradient_that_is_only_returned_is_plain_and_leaves_no_hook() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = torch.masked.as_masked_tensor(x, torch.tensor([True, False])).sum()
    (grad,) = torch.autograd.grad(loss, x)
    assert grad.tolist() == [1.0, 0.0]
    (x * 3).sum().backward()
    assert not torch.masked.is_masked_tensor(x.grad)
