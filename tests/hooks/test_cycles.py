"""Cycles that users make, through hooks and contexts, are garbage that the collector finds.

PyTorch keeps some of them for ever.
"""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import seegrad as torch


class KeepsOutput(torch.autograd.Function):
    """Its context has a place for the output, whose node it is."""

    @staticmethod
    def forward(ctx: Any, x: Any, kept: list[Any]) -> Any:
        ctx.kept = kept
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2, None


def tensor_hook() -> Any:
    y = torch.ones(2, requires_grad=True) * 2
    y.register_hook(lambda grad: grad * y.detach())
    y.sum().backward()
    return y


def hook_of_a_leaf() -> Any:
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda grad: grad * x.detach())
    x.register_post_accumulate_grad_hook(lambda parameter: setattr(x, "grad", None))
    (x * 2).sum().backward()
    return x


def node_hooks() -> Any:
    y = torch.ones(2, requires_grad=True).exp()
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * y.detach(),))
    y.grad_fn.register_prehook(lambda outputs: (outputs[0] * y.detach(),))
    y.sum().backward()
    return y


def hook_on_several() -> Any:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda grads: grads.extend((x, y)))
    (x * y).sum().backward()
    return x


def metadata() -> Any:
    y = torch.ones(2, requires_grad=True).exp()
    y.grad_fn.metadata["mine"] = y
    return y


def context() -> Any:
    kept: list[Any] = []
    y = KeepsOutput.apply(torch.ones(2, requires_grad=True), kept)
    kept.append(y)
    y.sum().backward()
    return y


def packed_output() -> Any:
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        y = torch.ones(2, requires_grad=True).exp()
    assert y.grad_fn._raw_saved_result.data.grad_fn is y.grad_fn
    return y


def gradient_with_a_graph() -> Any:
    x = torch.ones(2, requires_grad=True)
    (grad,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    x.grad = grad
    return x


CYCLES = [
    tensor_hook, hook_of_a_leaf, node_hooks, hook_on_several, metadata, context, packed_output,
    gradient_with_a_graph,
]  # fmt: skip


@pytest.mark.parametrize("make", CYCLES, ids=[make.__name__ for make in CYCLES])
def test_collector_finds_the_cycle(make: Callable[[], Any]) -> None:
    tensor = make()
    array = weakref.ref(tensor._array)
    gc.collect()
    assert array() is not None
    del tensor
    gc.collect()
    assert array() is None
