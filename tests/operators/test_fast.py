"""Kernels that stand in for formulas (Note [Fast]) give what the formulas give."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import seegrad
from seegrad.arrays import attention, blocks, convolution, raw, windows
from seegrad.rules.spec import REGISTRY
from tests.database import entries
from tests.database.run import arguments, cotangent, numpy, outputs
from tests.database.spec import Entry

FAST = {operator.node: operator for operator in REGISTRY.values() if operator.fast}
NAMED = {operator.name for operator in FAST.values()}
ENTRIES = [entry for entry in entries() if NAMED & set(entry.operators.split())]

F = seegrad.nn.functional


def fast_nodes(roots: list[Any]) -> list[Any]:
    """The nodes above the roots that have a kernel of their own."""
    nodes = [root.grad_fn for root in roots if root.grad_fn is not None]
    for node in nodes:  # grows while it is walked
        nodes += [n for n, _ in node.next_functions if n is not None and n not in nodes]
    return [node for node in nodes if node.name() in FAST]


def test_every_fast_operator_is_tested() -> None:
    named = {name for entry in ENTRIES for name in entry.operators.split()}
    assert named >= NAMED


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_gradients_are_those_of_the_formulas(entry: Entry) -> None:
    for sample in entry.samples:
        args, kwargs, _ = arguments(seegrad, sample, "float64")
        for node in fast_nodes(outputs(seegrad, entry.call(seegrad, *args, **kwargs))):
            edges = node._next
            grad = cotangent(seegrad, seegrad.zeros(*node._shape, dtype=seegrad.float64), 1)
            for wanted in product([True, False], repeat=len(edges)):
                if not any(wanted):
                    continue
                chosen = zip(edges, wanted, strict=True)
                node._next = tuple(edge if want else None for edge, want in chosen)
                compare(node, grad)
            node._next = edges


def compare(node: Any, grad: Any) -> None:
    """On arrays and on Tensors: the same gradients, and only those that were asked for."""
    found, formulas = node._run(grad._array), node._read(grad)
    for edge, mine, formula in zip(node._next, found, formulas, strict=True):
        assert (mine is None) == (edge is None)
        if edge is not None:  # what a formula gives is summed to the operand's shape by the loop
            summed = raw.sum_to(formula._array, mine.shape)
            np.testing.assert_allclose(mine, summed, rtol=1e-9, atol=1e-12)


def attending(q: Any, k: Any, v: Any) -> Any:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


IN_PARTS = {
    "attention": (attending, [(2, 3, 4, 5)] * 3),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (5,), w, b), [(7, 5), (5,), (5,)]),
    "bare layer_norm": (lambda x: F.layer_norm(x, (5,)), [(7, 5)]),
    "group_norm": (lambda x, w, b: F.group_norm(x, 2, w, b), [(5, 4, 3), (4,), (4,)]),
    "batch_norm": (
        lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
        [(5, 4, 3, 2), (4,), (4,)],
    ),
    "batch_norm of rows": (lambda x: F.batch_norm(x, None, None, training=True), [(7, 5)]),
    "softmax": (lambda x: F.softmax(x, -1), [(7, 5)]),
    "softmax of columns": (lambda x: F.softmax(x, 0), [(7, 5)]),
    "log_softmax": (lambda x: F.log_softmax(x, -1), [(7, 5)]),
    "gelu": (F.gelu, [(7, 5)]),
    "gelu by tanh": (lambda x: F.gelu(x, approximate="tanh"), [(7, 5)]),
    "silu": (F.silu, [(7, 5)]),
    "conv2d": (lambda x, w: F.conv2d(x, w, padding=1), [(5, 2, 4, 4), (3, 2, 3, 3)]),
    "conv2d in steps": (lambda x, w: F.conv2d(x, w, None, 2), [(5, 2, 5, 5), (3, 2, 3, 3)]),
    "conv2d of few": (lambda x, w: F.conv2d(x, w), [(5, 1, 4, 4), (6, 1, 3, 3)]),
    "conv2d of one": (lambda x, w: F.conv2d(x, w), [(5, 2, 4, 4), (3, 2, 1, 1)]),
}
SIZES = [
    (attention, "BLOCK"), (blocks, "BLOCK"), (blocks, "SMALL"),
    (windows, "COLUMNS"), (convolution, "COLUMNS"),
]  # fmt: skip


@pytest.mark.parametrize("block", [1, 30])
@pytest.mark.parametrize(("function", "shapes"), IN_PARTS.values(), ids=IN_PARTS)
def test_blocks_do_not_show(
    function: Any, shapes: list[Any], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    inputs = [seegrad.tensor(random.normal(size=s), requires_grad=True) for s in shapes]

    def run() -> list[Any]:
        out = function(*inputs)
        return [out, *seegrad.autograd.grad(out, inputs, cotangent(seegrad, out, 1))]

    wanted = run()
    for module, name in SIZES:
        monkeypatch.setattr(module, name, block)
    for found, expected in zip(run(), wanted, strict=True):
        np.testing.assert_allclose(numpy(found), numpy(expected), rtol=1e-12, atol=1e-13)


def test_gelu_in_single_precision() -> None:
    """Its polynomial is as near to the truth as single precision is."""
    numbers = np.linspace(-10, 10, 20001)
    exact = seegrad.tensor(numbers, requires_grad=True)
    single = seegrad.tensor(numbers.astype(np.float32), requires_grad=True)
    for x in (exact, single):
        F.gelu(x).sum().backward()
    np.testing.assert_allclose(numpy(F.gelu(single)), numpy(F.gelu(exact)), rtol=2e-7, atol=2e-7)
    np.testing.assert_allclose(numpy(single.grad), numpy(exact.grad), rtol=0, atol=3e-7)
