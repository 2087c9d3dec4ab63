"""The kernel of a layer of long short-term memory, beside the same layer as many operators."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad.operators.recording import recorded

F64 = seegrad.float64


def numbers(*shape: int) -> Any:
    return seegrad.randn(*shape, dtype=F64, requires_grad=True)


def operands(biases: bool) -> list[Any]:
    """Input (3, 2, 4), weights and biases of size 3, first state and first cell."""
    seegrad.manual_seed(0)
    params = [numbers(12, 4), numbers(12, 3)]
    params += [numbers(12), numbers(12)] if biases else [None, None]
    return [numbers(3, 2, 4), *params, numbers(2, 3), numbers(2, 3)]


def by_steps(x: Any, w0: Any, w1: Any, w2: Any, w3: Any, h: Any, c: Any, back: bool) -> Any:
    """In double precision a layer is many operators."""
    params = [one for one in (w0, w1, w2, w3) if one is not None]
    x = x.flip(0) if back else x
    given = ((h[None], c[None]), params, w2 is not None)
    out, hidden, cell = seegrad.lstm(x, *given, 1, 0.0, False, False, False)
    return (out.flip(0) if back else out), hidden[0], cell[0]


cases = pytest.mark.parametrize(("biases", "back"), [*product([True, False], repeat=2)])


@cases
def test_values_and_gradients(biases: bool, back: bool) -> None:
    given = operands(biases)
    leaves = [one for one in given if one is not None]
    found, wanted = recorded.mkldnn_rnn_layer(*given, back)[:3], by_steps(*given, back)
    for used in ((0, 1, 2), (0,), (1,), (2,)):
        totals = [sum((outs[n] ** 2).sum() for n in used) for outs in (found, wanted)]
        grads = [seegrad.autograd.grad(one, leaves, retain_graph=True) for one in totals]
        for mine, theirs in zip(*grads, strict=True):
            np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-9, atol=1e-12)
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(
            mine.detach().numpy(), theirs.detach().numpy(), rtol=1e-12, atol=1e-14
        )


@cases
def test_second_derivatives(biases: bool, back: bool) -> None:
    given = operands(biases)
    leaves = [one for one in given if one is not None]
    seconds = []
    for layer in (recorded.mkldnn_rnn_layer, by_steps):
        outs = layer(*given, back)[:3]
        total = sum((one**2).sum() for one in outs)
        first = seegrad.autograd.grad(total, leaves, create_graph=True)
        seconds.append(seegrad.autograd.grad(sum((one**2).sum() for one in first), leaves))
    for mine, theirs in zip(*seconds, strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-8, atol=1e-10)


def test_only_what_is_asked_for_is_computed() -> None:
    given = operands(True)
    out = recorded.mkldnn_rnn_layer(*given, False)[0]
    node, edges = out.grad_fn, out.grad_fn._next
    grads = (np.ones((3, 2, 3)), None, None)
    whole = node._run(grads)
    for place in range(len(edges)):
        node._next = tuple(edge if n == place else None for n, edge in enumerate(edges))
        found = node._run(grads)
        assert [one is not None for one in found] == [n == place for n in range(len(edges))]
        np.testing.assert_array_equal(found[place], whole[place])


def test_a_batch_that_fits_is_one_node() -> None:
    layer = seegrad.nn.LSTM(3, 2, bidirectional=True)
    output, _ = layer(seegrad.ones(4, 2, 3))
    names = [node.name() for node, _ in output.grad_fn.next_functions]
    assert names == ["MkldnnRnnLayerBackward0"] * 2


def test_sizes_that_do_not_fit_are_told_as_by_many_operators() -> None:
    given, zero = seegrad.ones(2, 5, 3), seegrad.zeros(1, 5, 4)
    weights = [seegrad.ones(16, 2), seegrad.ones(16, 4), seegrad.ones(16), seegrad.ones(16)]
    for kind in (seegrad.float32, seegrad.float64):
        params, hx = [one.to(kind) for one in weights], zero.to(kind)
        with pytest.raises(RuntimeError, match=r"cannot be multiplied \(10x3 and 2x16\)"):
            seegrad.lstm(given.to(kind), (hx, hx), params, True, 1, 0.0, False, False, False)
