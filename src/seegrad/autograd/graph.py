"""The names of `torch.autograd.graph`: nodes, edges, hooks on several tensors, versions."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from seegrad.autograd._multi_grad_hooks import register_multi_grad_hook
from seegrad.autograd.saved_tensors import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from seegrad.graph.node import Node
from seegrad.graph.tensor import TensorBase, requires
from seegrad.graph.versions import bump
from seegrad.graph.views import gradient_edge

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class GradientEdge(NamedTuple):
    """Where a gradient goes: a node, and which of its outputs."""

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """The edge that receives the gradient of `tensor`.

    Raises RuntimeError for a tensor that does not require a gradient.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch.autograd.graph.get_gradient_edge(x).output_nr
    0
    """
    if not requires(tensor):
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    node = gradient_edge(tensor)
    assert node is not None
    return GradientEdge(node, tensor._nr)


def increment_version(tensor: Any) -> None:
    """Counts one write to the memory of a tensor, or of each of a sequence.

    >>> import seegrad as torch
    >>> x = torch.ones(1)
    >>> torch.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    for each in (tensor,) if isinstance(tensor, TensorBase) else tensor:
        bump(each)


@contextmanager
def unsafe_preserve_version_counter(tensors: Any) -> Iterator[None]:
    """Writes inside do not count."""
    kept: Sequence[Any] = (tensors,) if isinstance(tensors, TensorBase) else tuple(tensors)
    before = [t._counter.value for t in kept]
    try:
        yield
    finally:
        for tensor, value in zip(kept, before, strict=True):
            if tensor._counter.value != value:
                tensor._counter.value = value
