"""Levels: what is left when one is closed, and second derivatives against two reverse passes."""

import gc
import threading
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad.autograd import forward_ad as fw
from seegrad.graph.levels import LEVELS
from seegrad.graph.state import thread

FUNCTIONS = {
    "softmax": lambda x: (x.softmax(0) * x).sum(),
    "loss": lambda x: seegrad.nn.functional.cross_entropy(x[None], seegrad.tensor([1])),
    "written": lambda x: x.clone().mul_(x).exp_().sum(),
    "view written": lambda x: view_written(x),
    "cumprod": lambda x: (x.cumprod(0) ** 2).sum(),
    "inverse": lambda x: seegrad.linalg.inv(x.outer(x) + seegrad.eye(4)).sin().sum(),
    "svd": lambda x: seegrad.linalg.svdvals(x.view(2, 2)).prod() ** 2,
    "convolution": lambda x: seegrad.conv1d(x.view(1, 1, 4), x[:2].view(1, 1, 2)).tanh().sum(),
    "norm": lambda x: seegrad.nn.functional.layer_norm(x, (4,)).mul(x.exp()).sum(),
    "complex": lambda x: (x * seegrad.exp(1j * x)).abs().pow(3).sum() + (x * 1j).exp().real.prod(),
}


def view_written(x: Any) -> Any:
    """A base whose rows are written to, read through another view."""
    base = seegrad.zeros(2, 4, dtype=x.dtype)
    base[0] = x
    base[1].copy_(x * x).mul_(x)
    return base.t().reshape(-1).pow(2).sum()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_products_with_the_hessian(name: str) -> None:
    """Forward over reverse, and reverse over forward, are reverse over reverse."""
    function: Any = FUNCTIONS[name]
    x = seegrad.tensor([0.3, -0.7, 1.1, 0.6], dtype=seegrad.float64, requires_grad=True)
    v = seegrad.tensor([1.0, 0.5, -2.0, 0.25], dtype=seegrad.float64)
    (grad,) = seegrad.autograd.grad(function(x), x, create_graph=True)
    (wanted,) = seegrad.autograd.grad((grad * v).sum(), x)
    with fw.dual_level():
        y = function(fw.make_dual(x, v))
        over_reverse = fw.unpack_dual(seegrad.autograd.grad(y, x, retain_graph=True)[0]).tangent
        (over_forward,) = seegrad.autograd.grad(fw.unpack_dual(y).tangent, x)
    np.testing.assert_allclose(over_reverse.numpy(), wanted.numpy(), 1e-9)
    np.testing.assert_allclose(over_forward.numpy(), wanted.numpy(), 1e-9)


def test_a_closed_level_leaves_nothing() -> None:
    x = seegrad.ones(3, requires_grad=True)
    kept = []
    with fw.dual_level():
        y = fw.make_dual(x, seegrad.ones(3))
        for _ in range(3):
            y = y.exp() * y[:2].sum()
        kept += [y, y[0], y.sum().grad_fn]
    assert (LEVELS.open, thread.state.mode) == ({}, 1)
    assert [fw.unpack_dual(one).tangent for one in kept[:2]] == [None, None]
    (grad,) = seegrad.autograd.grad(y.sum(), x)
    assert "tangent" not in repr((y, grad))


def test_closing_breaks_the_cycles() -> None:
    """A result is saved by the graph of its own tangent; nothing waits for the collector."""
    gc.collect()
    gc.disable()
    try:
        with fw.dual_level():
            x = fw.make_dual(seegrad.ones(2, requires_grad=True), seegrad.ones(2))
            y = x.exp().tanh().sum()
        del x, y
        before = len(gc.get_objects())
        gc.collect()
        assert before - len(gc.get_objects()) < 40
    finally:
        gc.enable()


def test_another_thread_computes_with_duals() -> None:
    found: list[Any] = []
    with fw.dual_level():
        d = fw.make_dual(seegrad.ones(2), seegrad.arange(2.0))

        def work() -> None:
            with seegrad.no_grad():
                found.append(fw.unpack_dual((d * 3)[1:]).tangent.tolist())
            found.append(fw.unpack_dual(d.sin_()[0]).tangent.item())

        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
    assert found == [[3.0], 0.0]


def test_an_error_inside_closes_the_level() -> None:
    with pytest.raises(ZeroDivisionError), fw.dual_level():
        _ = 1 / 0
    assert fw.unpack_dual(seegrad.ones(1)).tangent is None
    assert LEVELS.open == {}


def test_a_linearized_function_is_called_once() -> None:
    calls = []

    def cubes(x: Any) -> Any:
        calls.append(1)
        return x**3

    x, v = seegrad.tensor([1.0, 2.0]), seegrad.tensor([1.0, -1.0])
    _, push = seegrad.func.linearize(cubes, x)
    for factor in (1.0, 2.0):
        assert push(factor * v).tolist() == [3 * factor, -12 * factor]
    assert calls == [1]
