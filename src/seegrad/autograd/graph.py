"""The names of `torch.autograd.graph`: nodes, edges, hooks on several tensors, versions."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from seegrad.autograd._multi_grad_hooks import register_multi_grad_hook
from seegrad.autograd.saved_tensors import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from seegrad.graph.edges import GradientEdge
from seegrad.graph.hooks import Hook, RemovableHandle
from seegrad.graph.node import Node as EveryNode
from seegrad.graph.tensor import TensorBase
from seegrad.graph.versions import bump, is_inference
from seegrad.graph.views import gradient_edge
from seegrad.tensor.differentiate import run_engine as _engine_run_backward

__all__ = [
    "GradientEdge",
    "Node",
    "_engine_run_backward",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class Node(ABC):
    """What every node of a graph is: `isinstance(tensor.grad_fn, Node)`.

    Nodes are instances of it without being derived from it, as in PyTorch.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> isinstance(x.exp().grad_fn, torch.autograd.graph.Node)
    True
    """

    @abstractmethod
    def name(self) -> str:
        """The name of the node, such as `MulBackward0`."""

    @property
    @abstractmethod
    def next_functions(self) -> tuple[tuple["Node | None", int], ...]:
        """The nodes that receive the gradients of the inputs, and which of their outputs."""

    @abstractmethod
    def metadata(self) -> dict[str, Any]:
        """A dictionary for anomaly mode and for users."""

    @property
    @abstractmethod
    def _input_metadata(self) -> list[Any]: ...

    @abstractmethod
    def _register_hook_dict(self, tensor: Any) -> None: ...

    @abstractmethod
    def _sequence_nr(self) -> int: ...

    @abstractmethod
    def register_hook(self, fn: Hook) -> RemovableHandle:
        """Calls `fn(grad_inputs, grad_outputs)` after the node; a tuple replaces grad_inputs."""

    @abstractmethod
    def register_prehook(self, fn: Hook) -> RemovableHandle:
        """Calls `fn(grad_outputs)` before the node runs; a tuple replaces grad_outputs."""

    @classmethod
    def __subclasshook__(cls, subclass: type) -> bool:
        return True if cls is Node and issubclass(subclass, EveryNode) else NotImplemented


Node.__module__ = "torch.autograd.graph"


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """The edge that receives the gradient of `tensor`.

    Raises RuntimeError for a tensor that does not require a gradient.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch.autograd.graph.get_gradient_edge(x).output_nr
    0
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    node = gradient_edge(tensor)
    assert node is not None
    return GradientEdge(node, tensor._nr)


def increment_version(tensor: Any) -> None:
    """Counts one write to the memory of a tensor or of several; for inference tensors nothing.

    Raises RuntimeError for what is neither.

    >>> import seegrad as torch
    >>> x = torch.ones(1)
    >>> torch.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if not isinstance(tensor, TensorBase | Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for each in (tensor,) if isinstance(tensor, TensorBase) else tensor:
        if not isinstance(each, TensorBase):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        if not is_inference(each):
            bump(each)
