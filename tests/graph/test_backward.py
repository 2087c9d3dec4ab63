"""The backward pass: order, accumulation, whose memory a gradient is, errors without a trace."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import Function


def leaf(*values: float) -> Any:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def address(tensor: Any) -> int:
    return int(tensor.data_ptr())


# Order


def test_latest_node_runs_first() -> None:
    x = leaf(1)
    order: list[str] = []

    def tagged(tensor: Any, name: str) -> Any:
        tensor.grad_fn.register_prehook(lambda _: order.append(name))
        return tensor

    a, b = tagged(x * 2, "a"), tagged(x * 3, "b")
    c, d = tagged(b * 1, "c"), tagged(a * 1, "d")
    x.register_hook(lambda _: order.append("x"))
    tagged(c + d, "e").backward()
    assert order == ["e", "d", "c", "b", "a", "x"]


def test_leaf_gets_its_gradient_as_soon_as_it_is_complete() -> None:
    x, y = leaf(1), leaf(1)
    order: list[str] = []
    first = x * 1
    first.register_hook(lambda _: order.append("first"))
    x.register_hook(lambda _: order.append("x"))
    y.register_hook(lambda _: order.append("y"))
    (first + y * 1).backward()
    assert order == ["y", "first", "x"]


def test_each_node_runs_once() -> None:
    x = leaf(1)
    runs = []
    y = x * 1
    y.grad_fn.register_hook(lambda *_: runs.append(1))
    for _ in range(20):
        y = y + y
    y.backward()
    assert len(runs) == 1
    assert x.grad.item() == 2.0**20


# Accumulation


def test_paths_are_summed() -> None:
    x = leaf(1, 2)
    y = x.sin()
    (y * x + y.exp() - x).sum().backward()
    value = np.array([1.0, 2.0])
    expected = np.cos(value) * value + np.sin(value) + np.exp(np.sin(value)) * np.cos(value) - 1
    assert np.allclose(x.grad.numpy(), expected, rtol=1e-14)


def test_gradients_add_up_over_passes() -> None:
    x = leaf(1, 2)
    for count in range(1, 4):
        (3 * x).sum().backward()
        assert x.grad.tolist() == [3.0 * count] * 2


def test_same_root_several_times() -> None:
    x = leaf(1, 2)
    y = x * 2
    torch.autograd.backward([y, y, x], [torch.ones(2).double()] * 3)
    assert x.grad.tolist() == [5.0, 5.0]


def test_roots_that_hang_on_each_other() -> None:
    x = leaf(2)
    y = x * x
    z = y * x
    torch.autograd.backward([z, y], [leaf(1).detach(), leaf(10).detach()])
    assert x.grad.tolist() == [3 * 4 + 10 * 2 * 2]


def test_broadcast_gradients_are_summed() -> None:
    x, row, one = torch.ones(2, 3), leaf(1, 2, 3), leaf(5)
    column = torch.ones(2, 1, requires_grad=True)
    (x * row + column * one).sum().backward()
    assert row.grad.tolist() == [2.0, 2.0, 2.0]
    assert one.grad.tolist() == [6.0]
    assert column.grad.tolist() == [[15.0], [15.0]]


# Memory


def through(pair: Callable[[Any, Any], Any]) -> tuple[Any, Any, Any]:
    a, b = leaf(1, 2), leaf(3, 4)
    given = torch.ones(2, dtype=torch.float64)
    pair(a, b).backward(given)
    return a, b, given


PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "add itself": lambda a, b: a + a + b + b,
    "views": lambda a, b: a.view(2) + b.view(2, 1).squeeze(1),
    "twice viewed": lambda a, b: a.view(2)[:] + b,
    "identity": lambda a, b: a.clone() + b.clone(),
    "subtract nothing": lambda a, b: (a - 0) + (b - 0),
    "expanded": lambda a, b: a.expand(1, 2).squeeze(0) + b,
    "copied": lambda a, b: torch.zeros(2, dtype=torch.float64).copy_(a).add_(b),
    "concatenated": lambda a, b: torch.cat([a, b])[:2] + torch.cat([a, b])[2:],
}


@pytest.mark.parametrize("name", PAIRS)
def test_leaves_share_no_gradient(name: str) -> None:
    a, b, given = through(PAIRS[name])
    addresses = {address(a.grad), address(b.grad), address(given)}
    assert len(addresses) == 3
    before = b.grad.tolist()
    a.grad.mul_(100)
    assert b.grad.tolist() == before
    assert given.tolist() == [1.0, 1.0]


def test_given_gradient_is_never_taken() -> None:
    x, given = leaf(1, 2), torch.ones(2, dtype=torch.float64)
    x.backward(given)
    x.backward(given)
    assert given.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [2.0, 2.0]
    (found,) = torch.autograd.grad(x * 1, x, given)
    found.mul_(7)
    assert given.tolist() == [1.0, 1.0]


def test_captured_gradients_share_no_memory() -> None:
    x = leaf(1, 2)
    y = x + 0
    given = torch.ones(2, dtype=torch.float64)
    to_x, to_y, again = torch.autograd.grad(y, [x, y, x], given)
    to_x.mul_(5)
    assert to_y.tolist() == given.tolist() == again.tolist() == [1.0, 1.0]


def test_first_gradient_is_kept_and_added_to() -> None:
    x = leaf(1, 2)
    (2 * x).sum().backward()
    first = x.grad
    (3 * x).sum().backward()
    assert x.grad is first
    assert first.tolist() == [5.0, 5.0]


def test_saved_value_is_not_given_away_as_a_gradient() -> None:
    x, w = leaf(1, 2), torch.tensor([3.0, 4.0], dtype=torch.float64)
    (x * w).backward(torch.ones(2, dtype=torch.float64))
    x.grad.zero_()
    assert w.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("branches", [2, 3])
def test_hook_that_writes_leaves_the_siblings_alone(branches: int) -> None:
    leaves = [leaf(1, 1) for _ in range(branches)]
    parts = [one * 1 for one in leaves]

    def writes(grad: Any) -> None:
        grad.mul_(100)

    parts[0].register_hook(writes)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    total.backward(torch.ones(2, dtype=torch.float64))
    others = [[1.0] * 2] * (branches - 1)
    assert [one.grad.tolist() for one in leaves] == [[100.0] * 2, *others]


def test_backward_that_writes_leaves_the_given_gradient_alone() -> None:
    class Doubles(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad.mul_(2)

    x, y, given = leaf(1, 2), leaf(1, 2), torch.ones(2, dtype=torch.float64)
    (Doubles.apply(x) + y).backward(given)
    assert x.grad.tolist() == [2.0, 2.0]
    assert y.grad.tolist() == [1.0, 1.0]
    assert given.tolist() == [1.0, 1.0]


def test_retained_gradient_is_its_own() -> None:
    x = leaf(1, 2)
    y = x * 1
    y.retain_grad()
    (y + 0).backward(torch.ones(2, dtype=torch.float64))
    y.grad.mul_(9)
    assert x.grad.tolist() == [1.0, 1.0]


# inputs=, captures, undefined gradients


def test_inputs_alone_are_filled() -> None:
    x, w = leaf(1, 2), leaf(3, 4)
    y = x * w
    y.sum().backward(inputs=[w])
    assert x.grad is None
    assert w.grad.tolist() == [1.0, 2.0]
    z = x * 2
    (z * z).sum().backward(inputs=[z])
    assert z.grad.tolist() == [4.0, 8.0]
    assert x.grad is None


def test_only_paths_to_the_inputs_run() -> None:
    x, w = leaf(1), leaf(2)
    ran: list[str] = []
    a, b = x * 2, w * 3
    a.register_hook(lambda _: ran.append("a"))
    b.register_hook(lambda _: ran.append("b"))
    torch.autograd.grad(a + b, x)
    assert ran == ["a"]


def test_several_captures() -> None:
    x = leaf(1, 2)
    y = x * x
    z = y.sin()
    to_z, to_y, to_x, again = torch.autograd.grad(z.sum(), [z, y, x, y])
    value = np.array([1.0, 2.0])
    assert to_z.tolist() == [1.0, 1.0]
    assert np.allclose(to_y.numpy(), np.cos(value**2))
    assert np.allclose(to_x.numpy(), np.cos(value**2) * 2 * value)
    assert again.tolist() == to_y.tolist()
    assert x.grad is None


def test_unused_outputs_bring_no_gradient() -> None:
    x = leaf(3, 1, 2)
    values, places = x.sort()
    assert not places.requires_grad
    first, _ = values.split([1, 2])
    first.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]


def test_undefined_gradient_stays_undefined() -> None:
    class Nothing(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None

    x = leaf(1)
    Nothing.apply(x * 2).backward()
    assert x.grad is None
    (found,) = torch.autograd.grad(Nothing.apply(x * 2), x, allow_unused=True)
    assert found is None
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad(Nothing.apply(x * 2), x)


# Backward inside backward, errors


def test_backward_inside_a_hook() -> None:
    x, w = leaf(1), leaf(2)
    inner = (w * 5).sum()
    x.register_hook(lambda _: inner.backward())
    (x * 3).backward()
    assert x.grad.item() == 3.0
    assert w.grad.item() == 5.0


def test_backward_inside_backward() -> None:
    class Inner(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_()
                ctx.y = ctx.x**3
            return ctx.y.detach()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            with torch.enable_grad():
                ctx.y.backward(grad)
            return ctx.x.grad

    x = leaf(1, 2)
    (Inner.apply(x) * 2).sum().backward()
    assert x.grad.tolist() == [6.0, 24.0]


class Fails(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        raise ValueError("in backward")


@pytest.mark.parametrize("recording", [True, False])
@pytest.mark.parametrize("create_graph", [True, False])
def test_error_leaves_the_mode(recording: bool, create_graph: bool) -> None:
    x = leaf(1)
    y = Fails.apply(x)
    with torch.set_grad_enabled(recording):
        with pytest.raises(ValueError, match="in backward"):
            torch.autograd.grad(y, x, create_graph=create_graph)
        assert torch.is_grad_enabled() is recording
    assert x.grad is None


def test_pass_after_a_failed_one() -> None:
    x, w = leaf(1), leaf(2)
    good = w * 3
    bad = Fails.apply(x)
    with pytest.raises(ValueError):
        (bad + good).backward(retain_graph=True)
    w.grad = None
    good.backward()
    assert w.grad.item() == 3.0


def test_numpy_errors_do_not_leak() -> None:
    before = np.geterr()
    x = leaf(0.0)
    x.log().backward()
    assert x.grad.item() == np.inf
    y = leaf(-1.0)
    y.sqrt().backward()
    assert np.isnan(y.grad.item())
    assert np.geterr() == before


# Derivatives of derivatives


def test_orders_of_a_power() -> None:
    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    value, found = x**4, []
    for _ in range(4):
        (value,) = torch.autograd.grad(value, x, create_graph=True)
        found.append(value.item())
    assert found == pytest.approx([32.0, 48.0, 48.0, 24.0])


def test_mixed_derivative() -> None:
    x, y = leaf(0.5), leaf(1.5)
    (to_x,) = torch.autograd.grad((x * y).sin(), x, create_graph=True)
    (mixed,) = torch.autograd.grad(to_x, y)
    product = 0.75
    assert mixed.item() == pytest.approx(np.cos(product) - product * np.sin(product))


def test_gradient_penalty() -> None:
    w = leaf(1, 2)
    x = leaf(3, 4)
    (grad,) = torch.autograd.grad((w * x * x).sum(), x, create_graph=True)
    (grad * grad).sum().backward()
    assert w.grad.tolist() == [8 * 9 * 1.0, 8 * 16 * 2.0]
    assert x.grad.tolist() == [8 * 3 * 1.0, 8 * 4 * 4.0]


@pytest.mark.filterwarnings("ignore:Using backward")
def test_recorded_gradients_are_not_written_into() -> None:
    x = leaf(1, 2)
    (x * x).sum().backward(create_graph=True)
    first = x.grad
    (x * x).sum().backward(create_graph=True)
    assert first.tolist() == [2.0, 4.0]
    assert x.grad.tolist() == [4.0, 8.0]
    (second,) = torch.autograd.grad(x.grad.sum(), x)
    assert second.tolist() == [4.0, 4.0]
    x.grad = None


def test_backward_inside_backward_goes_deep() -> None:
    """Deeper than the interpreter's stack: the pass moves to a new thread now and then."""

    class Deep(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.inner = x.detach().requires_grad_() - 1
            return ctx.inner.detach()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            if ctx.inner.item() < 0:
                raise KeyError("the bottom")
            with torch.enable_grad():
                Deep.apply(ctx.inner).sum().backward()
            return grad

    with pytest.raises(KeyError, match="the bottom"):
        Deep.apply(torch.tensor(400.0, requires_grad=True)).backward()
    assert torch.is_grad_enabled()
