"""Transformations leave nothing behind, and agree with differences and with each other."""

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import seegrad as torch
from seegrad.autograd import forward_ad
from seegrad.func import grad, hessian, jacrev, vjp
from seegrad.graph.state import thread


def test_derivatives_agree_with_differences() -> None:
    """Central differences of steps h in float64: errors of h**2, here 1e-8, times third powers."""

    def function(t: Any) -> Any:
        return torch.stack([(t.sin() * t[1]).sum(), t.prod(), (t / (1 + t**2)).sum()])

    x, step = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64), 1e-4
    units = torch.eye(3, dtype=torch.float64) * step
    columns = [(function(x + unit) - function(x - unit)) / (2 * step) for unit in units]
    expected = torch.stack(columns, 1).numpy()
    np.testing.assert_allclose(jacrev(function)(x).numpy(), expected, atol=1e-7)
    rows = [(jacrev(function)(x + u) - jacrev(function)(x - u)) / (2 * step) for u in units]
    second = torch.stack(rows, 2).numpy()
    np.testing.assert_allclose(hessian(function)(x).numpy(), second, atol=1e-7)
    assert abs(second).max() > 0.5


def test_results_hold_no_graph() -> None:
    kept: list[Any] = []

    def function(t: Any) -> Any:
        between = t * 2
        kept.append(weakref.ref(between))
        return (between * t).sum()

    gc.disable()
    try:
        results = [grad(function)(torch.ones(3)), jacrev(function)(torch.ones(3))]
        results.append(vjp(function, torch.ones(3))[1](torch.tensor(1.0))[0])
    finally:
        gc.enable()
    assert [reference() for reference in kept] == [None] * len(kept)
    assert [result.requires_grad for result in results] == [False] * 3


def test_an_error_inside_leaves_the_state_as_it_was() -> None:
    kept: list[Any] = []

    def fails(t: Any) -> Any:
        assert torch.is_grad_enabled()
        kept.append(t)
        raise KeyError(thread.state.transforms)

    with torch.no_grad():
        with pytest.raises(KeyError, match="'grad', 'vjp'"):
            grad(lambda t: vjp(fails, t)[0])(torch.ones(2))
        assert not torch.is_grad_enabled()
    assert thread.state.transforms == ()
    assert not grad(lambda t: (t * kept[0]).sum())(torch.ones(2)).requires_grad


def test_a_thread_transforms_for_itself() -> None:
    """While one thread is inside of a transformation, another may call `backward()`."""
    x = torch.ones(2, requires_grad=True)

    def function(t: Any) -> Any:
        other = threading.Thread(target=lambda: (x * 3).sum().backward())
        other.start()
        other.join()
        return t.sum()

    grad(function)(torch.ones(2))
    assert x.grad is not None
    assert x.grad.tolist() == [3.0, 3.0]


def test_many_levels() -> None:
    """The n-th derivative of exp(2 t) at 0 is 2**n."""
    function: Any = lambda t: (2 * t).exp()  # noqa: E731
    for order in range(1, 9):
        function = grad(function)
        assert function(torch.tensor(0.0, dtype=torch.float64)).item() == 2.0**order


def test_a_result_without_history_says_why() -> None:
    """Not that somebody called `detach()`, which nobody did."""
    y = torch.ones(2, requires_grad=True)
    results = [torch.func.vjp(lambda t: t * t, torch.ones(2))[0]]
    with torch.no_grad():
        results.append(torch.func.vjp(lambda t: t * y, torch.ones(2))[0])
    for result, reason in zip(results, ["made of nothing that requires", "no_grad"], strict=True):
        with pytest.raises(RuntimeError, match="does not require grad") as caught:
            result.sum().backward()
        assert reason in "".join(caught.value.__notes__)


def test_forward_over_reverse() -> None:
    """Derivatives of 3 t**2, and of 12 t**2, in a direction: 6 t v and 24 t v."""
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])

    def second(t: Any) -> Any:
        return grad(lambda u: grad(lambda w: (w**4).sum())(u).sum())(t)

    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, v)
        found = [
            grad(lambda t: (t**3).sum())(dual),
            vjp(lambda t: t**3, dual)[1](torch.ones(2))[0],
        ]
        found += [torch.vmap(grad(lambda t: t**3))(dual), second(dual)]
        tangents = [forward_ad.unpack_dual(each).tangent.tolist() for each in found]
        output, same = vjp(lambda t: t, dual)[0], vjp(lambda t: t[:], dual)[0]
        assert output is dual
        assert forward_ad.unpack_dual(same).tangent.tolist() == [1.0, 10.0]
        captured = grad(lambda t: (t**2 * dual).sum())(x)
        assert forward_ad.unpack_dual(captured).tangent.tolist() == [2.0, 40.0]
    assert tangents == [[6.0, 120.0]] * 3 + [[24.0, 480.0]]
