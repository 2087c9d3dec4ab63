"""`once_differentiable`, and the node that refuses the second derivative."""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.autograd._function_outputs import expect
from seegrad.graph.anomaly import note
from seegrad.graph.node import Node, next_sequence
from seegrad.graph.state import is_recording, recording
from seegrad.graph.tensor import TensorBase, requires, set_requires
from seegrad.graph.views import gradient_edge

__all__ = ["DelayedError", "once_differentiable"]

TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


class DelayedError(Node):
    """Stands for the derivative of a backward that is differentiable only once."""

    def name(self) -> str:
        """PyTorch's full name of this node."""
        return "torch::autograd::Error"

    def _run(self, grad: Any) -> tuple[Any, ...]:
        raise RuntimeError(TWICE)

    _run_recording = _run


DelayedError.__name__ = DelayedError.__qualname__ = "Error"
DelayedError.__module__ = "builtins"


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a `backward` that is not recorded: differentiating its result raises RuntimeError.

    >>> import seegrad as torch
    >>> from seegrad.autograd.function import once_differentiable
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @once_differentiable
    ...     def backward(ctx, grad_output):
    ...         return grad_output * 2
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch.autograd.grad(Double.apply(x), x)
    (tensor([2.]),)
    """

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with recording(False):
            outputs = fn(ctx, *args)
        if not is_recording():
            return outputs
        if not any(isinstance(a, TensorBase) and requires(a) for a in args):
            return outputs
        results = outputs if isinstance(outputs, tuple) else (outputs,)
        made = delayed(results)
        return made if isinstance(outputs, tuple) else made[0]

    return wrapper


def delayed(results: tuple[Any, ...]) -> tuple[Any, ...]:
    """The results with a node that raises and leads to leaves that nobody holds."""
    made = [None if r is None else r.detach() for r in results]
    leaves = [None if r is None else r.detach().requires_grad_() for r in results]
    node = DelayedError()
    node._next = tuple([None if leaf is None else gradient_edge(leaf) for leaf in leaves])
    expect(node, tuple(made))
    node._sequence = next_sequence()
    note(node)
    for nr, out in enumerate(made):
        if out is not None:
            set_requires(out, True)
            out._node, out._nr = node, nr
    return tuple(made)
