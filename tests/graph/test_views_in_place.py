"""Views and in-place writes do what PyTorch's do, in chosen programs."""

from typing import Any

import numpy as np
import pytest

import seegrad
import seegrad as torch
from tests.observe import attempt, edges, rounded

# Every way to make a view of a view, and what a write through it or under it says.

MAKERS = ["usual", "no_grad", "inference", "several", "several_no_grad"]


def view_of(torch: Any, kind: str, base: Any) -> Any:
    if kind == "usual":
        return base[0]
    if kind == "several":
        return base.unbind()[0]
    mode = torch.inference_mode if kind == "inference" else torch.no_grad
    with mode():
        return base.unbind()[0] if kind == "several_no_grad" else base[0]


def what_happens(torch: Any, start: str, first: str, second: str) -> list[Any]:
    def make() -> tuple[Any, Any]:
        base = torch.ones(2, 2, 2, requires_grad=start != "plain")
        base = base * 1 if start == "inner" else base
        view = view_of(torch, first, base)
        return base, view_of(torch, second, view) if second else view

    def shown(tensor: Any) -> list[Any]:
        return [tensor.requires_grad, type(tensor.grad_fn).__name__]

    source = torch.ones(2, requires_grad=True)
    _, view = make()
    seen: list[Any] = [view.requires_grad, view.is_leaf, attempt(lambda: shown(view.add_(1)))]
    _, view = make()
    seen.append(attempt(lambda: shown(view.add_(source))))
    base, view = make()
    if start == "leaf":
        with torch.no_grad():
            base.add_(1)
    else:
        base.add_(source)
    return [*seen, attempt(lambda: view.is_leaf), attempt(lambda: shown(view * 2))]


@pytest.mark.oracle
@pytest.mark.parametrize("start", ["inner", "leaf", "plain"])
@pytest.mark.parametrize("first", MAKERS)
@pytest.mark.parametrize("second", ["", *MAKERS])
def test_kinds_of_views(start: str, first: str, second: str) -> None:
    torch = pytest.importorskip("torch")
    expected = what_happens(torch, start, first, second)
    assert what_happens(seegrad, start, first, second) == expected


# What is written where, alone: formulas vouch for the gradients.


def leaf(*values: float) -> Any:
    return seegrad.tensor(values, dtype=seegrad.float64, requires_grad=True)


def test_write_through_a_chain_of_views() -> None:
    x = leaf(*range(1, 7))
    y = x * 1
    y.view(2, 3).t()[1].mul_(10)
    (y * y).sum().backward()
    factor = np.array([1, 10, 1, 1, 10, 1.0])
    assert np.array_equal(y.detach().numpy(), factor * np.arange(1, 7))
    assert np.array_equal(x.grad.numpy(), 2 * factor**2 * np.arange(1, 7))


def test_all_views_see_a_write() -> None:
    x = leaf(1, 2, 3, 4)
    y = x * 1
    row, column, tail = y.view(2, 2)[0], y.view(2, 2)[:, 0], y[2:]
    column.exp_()
    loss = row.sum() + 3 * tail.sum()
    loss.backward()
    expected = np.array([np.exp(1), 1, 3 * np.exp(3), 3])
    assert np.allclose(x.grad.numpy(), expected, rtol=1e-14)


def test_operand_is_read_before_the_write() -> None:
    x = leaf(2, 3)
    y = x * 1
    y[0:1].mul_(y[1:2].clone()).pow_(2)
    y.sum().backward()
    assert y.tolist() == [36.0, 3.0]
    assert x.grad.tolist() == [2 * 6 * 3, 2 * 6 * 2 + 1]


def test_overwritten_values_lose_their_gradient() -> None:
    x, w = leaf(1, 2, 3), leaf(5)
    y = x * 2
    y[1:2] = w * 3
    y[2] = 7.0
    (y * seegrad.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [2.0, 0.0, 0.0]
    assert w.grad.tolist() == [30.0]


def test_write_of_a_number_without_dimensions() -> None:
    x = leaf(1.5)
    y = x[0] * 1
    y[y > 1] = 0.25
    (y * y).backward()
    assert x.grad.tolist() == [0.0]


def test_second_derivative_through_a_write() -> None:
    x = leaf(1, 2)
    y = x * 1
    y[0:1].sin_()
    y[1:].pow_(3)
    (grad,) = seegrad.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = seegrad.autograd.grad(grad.sum(), x)
    assert np.allclose(grad.detach().numpy(), [np.cos(1), 12])
    assert np.allclose(second.numpy(), [-np.sin(1), 12])


def test_refused_write_changes_nothing() -> None:
    x = leaf(1, 2, 3)
    for refused in (
        lambda: x.add_(1),
        lambda: x[0].zero_(),
        lambda: x.__setitem__(0, 5.0),
        lambda: x.__setitem__(seegrad.tensor([0]), 5.0),
        lambda: x.view(3).exp_(),
        lambda: x.detach().add_(seegrad.ones(2, 3)),
        lambda: x.detach().expand(2, 3).add_(1),
    ):
        with pytest.raises(RuntimeError):
            refused()
        assert x.tolist() == [1.0, 2.0, 3.0]
        assert x._version == 0


def test_node_of_a_written_view() -> None:
    y = leaf(*range(6)) * 1
    view = y.view(2, 3).t()[1:]
    y.zero_()
    node: Any = view.grad_fn
    assert node.name() == "AsStridedBackward0"
    assert (node._saved_size, node._saved_stride, node._saved_storage_offset) == (
        (2, 2),
        (1, 3),
        1,
    )
    assert edges(node) == [["ZeroBackward0", 0]]
    view[0].mul_(2)
    assert y.grad_fn.name() == "torch::autograd::CopySlices"
    assert repr(y).endswith("grad_fn=<CopySlices>)")


def test_views_are_freed_with_their_base() -> None:
    y = leaf(1, 2) * 1
    for _ in range(3):
        y[0].add_(1)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="a second time"):
        (y * y).sum().backward()
        (y * y).sum().backward()


# Gradients that lie in memory otherwise than the base does

BASES = {
    "as the leaf": lambda x: x * 1,
    "transposed": lambda x: x.t() * 1,
    "permuted": lambda x: x.view(2, 3, 2).permute(2, 0, 1).clone(),
}
VIEWS = {
    "flat": lambda b: b.reshape(-1),
    "transposed and flat": lambda b: b.mT.reshape(-1),
    "reversed and flat": lambda b: b.permute(*range(b.dim() - 1, -1, -1)).reshape(-1),
    "first": lambda b: b[0],
    "diagonal": lambda b: b.diagonal(),
    "strided": lambda b: b.as_strided((2, 2), (1, 2)),
    "memory": lambda b: b.as_strided((b.numel(),), (1,)),
}
WRITES = {
    "exp_": lambda v: v.exp_(),
    "zero_": lambda v: v.zero_(),
    "item": lambda v: v.__setitem__(0, 0.5),
}
LAYOUTS = {
    "contiguous": lambda torch, g: g,
    "transposed": lambda torch, g: g.transpose(0, -1).contiguous().transpose(0, -1),
    "expanded": lambda torch, g: torch.ones((), dtype=g.dtype).expand(g.shape),
    "with gaps": lambda torch, g: torch.stack([g, g], -1)[..., 0],
}


def derivatives(torch: Any, base: str, view: str, write: str, layout: str) -> list[Any]:
    x = torch.linspace(0.1, 1.0, 12, dtype=torch.float64).view(4, 3).requires_grad_()
    whole = BASES[base](x)
    part = VIEWS[view](whole)
    if part._base is not whole:
        return ["a copy"]
    WRITES[write](part)
    grad = torch.linspace(1, 2, 12, dtype=torch.float64).view(whole.shape)
    given = LAYOUTS[layout](torch, grad)
    (plain,) = torch.autograd.grad(whole, x, given, retain_graph=True)
    (found,) = torch.autograd.grad(whole, x, given, create_graph=True)
    seen = [rounded(plain), rounded(found)]
    if found.requires_grad:
        (second,) = torch.autograd.grad(found.sin().sum(), x, allow_unused=True)
        seen.append(None if second is None else rounded(second))
    return seen


@pytest.mark.oracle
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("view", VIEWS)
def test_layouts_of_gradients(base: str, view: str) -> None:
    torch = pytest.importorskip("torch")
    for write in WRITES:
        for layout in LAYOUTS:
            expected = derivatives(torch, base, view, write, layout)
            assert derivatives(seegrad, base, view, write, layout) == expected, (write, layout)


def test_views_of_data_are_as_good_as_tensors_of_their_own() -> None:
    """An operand that is a view without history takes the quick way, and is still watched."""
    data = torch.arange(6.0).view(3, 2).clone()
    weight = torch.ones(2, requires_grad=True)
    rows = data[1:]
    loss = (rows * weight).sum()
    rows += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    loss = (rows * weight).sum()
    loss.backward()
    assert weight.grad is not None
    assert weight.grad.tolist() == [8.0, 10.0]
    data.requires_grad_()
    (rows * weight).sum().backward()
    assert data.grad is not None
    assert data.grad.tolist() == [[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]
