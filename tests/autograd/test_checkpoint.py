"""torch.utils.checkpoint: memory is really lower, and what `debug=True` says."""

import gc
import math
import tracemalloc
from typing import Any

import pytest

import seegrad
from seegrad.graph.node import Node
from seegrad.graph.tensor import TensorBase
from seegrad.utils.checkpoint import (
    CheckpointError,
    GraphExecGroup,
    checkpoint,
    set_checkpoint_debug_enabled,
)

BLOCKS = 8
ELEMENTS = 50_000


def _block(t: Any) -> Any:
    """Eight operators, seven of which save their input or result."""
    return ((((t.sin().exp() + 1).log()).tanh()).sigmoid()).cos().exp() * 0.1


def _bytes(step: Any) -> tuple[int, int]:
    """Live bytes after the forward pass, and the most at any time of a step."""
    x = seegrad.full((ELEMENTS,), 0.5, requires_grad=True)
    tracemalloc.start()
    try:
        y = x
        for _ in range(BLOCKS):
            y = step(y)
        after = tracemalloc.get_traced_memory()[0]
        y.sum().backward()
        return after, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_saved_bytes_are_those_of_the_inputs() -> None:
    one = 4 * ELEMENTS
    after, peak = _bytes(_block)
    assert after > 6 * BLOCKS * one
    for reentrant in (False, True):
        kept, most = _bytes(lambda t: checkpoint(_block, t, use_reentrant=reentrant))
        assert kept < (BLOCKS + 1) * one
        assert most < peak / 2


def test_recomputed_tensors_die_as_they_are_used() -> None:
    x = seegrad.full((ELEMENTS,), 0.5, requires_grad=True)
    live = []
    y = checkpoint(_block, x, use_reentrant=False)
    node = y.grad_fn
    while node is not None:
        node.register_hook(lambda *_: live.append(tracemalloc.get_traced_memory()[0]))
        node = node.next_functions[0][0] if node.next_functions else None
    tracemalloc.start()
    try:
        y.sum().backward()
    finally:
        tracemalloc.stop()
    assert live[-1] < 0.6 * max(live)


@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad=True")
@pytest.mark.parametrize("reentrant", [False, True])
def test_a_step_leaves_no_garbage(reentrant: bool) -> None:
    def inner(t: Any) -> Any:
        return checkpoint(_block, t.cos(), use_reentrant=reentrant).sin()

    def step() -> None:
        x = seegrad.full((3,), 0.5, requires_grad=True)
        checkpoint(inner, x, use_reentrant=reentrant).sum().backward()

    def live() -> set[int]:
        kinds = (TensorBase, Node)
        return {id(one) for one in gc.get_objects() if issubclass(type(one), kinds)}

    step()
    gc.collect()
    gc.disable()
    try:
        before = live()
        for _ in range(3):
            step()
        assert not live() - before
    finally:
        gc.enable()


def _unsteady(calls: list[int]) -> Any:
    def function(t: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            t = t.sin()  # the original line
        return t.exp()

    return function


@pytest.mark.parametrize("by_argument", [True, False])
def test_debug_names_the_lines(by_argument: bool) -> None:
    x = seegrad.ones(2, requires_grad=True)
    with set_checkpoint_debug_enabled(None if by_argument else True):
        y = checkpoint(_unsteady([]), x, use_reentrant=False, debug=by_argument)
    with pytest.raises(CheckpointError) as caught:
        y.sum().backward()
    text = str(caught.value)
    assert text.count("# the original line   (1 of 2 in original)") == 1
    assert "return t.exp()   (1 of 1 in recompute)" in text
    assert "different number of tensors" in str(caught.value.__cause__)


def test_debug_can_be_switched_off() -> None:
    x = seegrad.ones(2, requires_grad=True)
    with set_checkpoint_debug_enabled(False):
        y = checkpoint(_unsteady([]), x, use_reentrant=False, debug=True)
    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        y.sum().backward()


def test_a_group_goes_on_after_a_failure() -> None:
    calls: list[int] = []

    def function(t: Any) -> Any:
        calls.append(1)
        result = t.sin()
        if len(calls) == 2:
            raise ValueError("this once")
        return result.exp()

    x = seegrad.ones(1, requires_grad=True)
    y = checkpoint(function, x, use_reentrant=False)
    with GraphExecGroup():
        with pytest.raises(ValueError, match="this once"):
            y.backward(retain_graph=True)
        y.backward()
    assert x.grad.item() == pytest.approx(math.cos(1) * math.exp(math.sin(1)))


def test_unused_recomputed_tensors_do_not_outlive_the_pass() -> None:
    x, w = seegrad.ones(2, requires_grad=True), seegrad.ones(2, requires_grad=True)
    y = checkpoint(lambda a, b: a.sin() * b.exp().sin(), x, w, use_reentrant=False)
    (first,) = seegrad.autograd.grad(y.sum(), x, retain_graph=True)
    (second,) = seegrad.autograd.grad(y.sum(), w)
    assert first.tolist() == pytest.approx([0.410781 * 0.540302] * 2, rel=1e-4)
    assert second.tolist() == pytest.approx([-0.911734 * 2.718282 * 0.841471] * 2, rel=1e-4)
