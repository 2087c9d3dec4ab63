"""`once_differentiable`, and the nodes that end a gradient: with an error, or undefined."""

import functools
from collections.abc import Callable
from typing import Any

from seegrad.autograd._function_outputs import expect
from seegrad.graph.anomaly import note
from seegrad.graph.node import Node, check_arguments, next_sequence
from seegrad.graph.state import is_recording, recording
from seegrad.graph.tensor import TensorBase, requires, set_requires
from seegrad.graph.views import gradient_edge

__all__ = ["DelayedError", "Error", "UndefinedGrad", "once_differentiable"]

TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


class Error(Node):
    """Stands for a derivative that there is not: running it raises RuntimeError."""

    message = TWICE

    def name(self) -> str:
        """PyTorch's full name of this node."""
        return "torch::autograd::Error"

    def _run(self, grad: Any) -> tuple[Any, ...]:
        raise RuntimeError(self.message)

    _run_recording = _run


class UndefinedGradBackward(Node):
    """Passes on undefined gradients, whatever arrives."""

    def name(self) -> str:
        """PyTorch's full name of this node."""
        return "torch::autograd::UndefinedGradBackward"

    def _run(self, grad: Any) -> tuple[Any, ...]:
        return (None,) * len(self._next)

    _run_recording = _run


for _cls in (Error, UndefinedGradBackward):
    _cls.__module__ = "builtins"


class DelayedError(Node):
    """Tensors whose gradient raises RuntimeError with a message.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch._C._functions.DelayedError("not here", 1)(x).backward()
    Traceback (most recent call last):
    RuntimeError: not here
    """

    def __init__(self, message: str, num_inputs: int) -> None:
        self.message, self.num_inputs = message, num_inputs

    def __call__(self, *tensors: Any) -> Any:
        """The tensors detached, with a node that raises; one where one was said to come."""
        check_arguments(tensors, self.num_inputs)
        node = Error()
        node.message = self.message
        made = ended(node, tensors, tensors)
        return made if self.num_inputs > 1 else made[0]


class UndefinedGrad(Node):
    """A tensor whose gradient becomes undefined, None to hooks and to `backward`.

    >>> import seegrad as torch
    >>> x = torch.ones(1, requires_grad=True)
    >>> torch._C._functions.UndefinedGrad()(x).backward()
    >>> x.grad is None
    True
    """

    def __call__(self, *tensors: Any) -> Any:
        """The tensor detached, with a node that passes nothing on."""
        check_arguments(tensors, 1)
        return ended(UndefinedGradBackward(), tensors, tensors)[0]


for _face in (DelayedError, UndefinedGrad):
    _face.__module__ = "builtins"


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
    leaves = [None if r is None else r.detach() for r in results]
    for leaf in leaves:
        if leaf is not None:
            leaf.requires_grad = True
    return ended(Error(), results, tuple(leaves))


def ended(node: Node, results: tuple[Any, ...], sources: tuple[Any, ...]) -> tuple[Any, ...]:
    """The results detached, with `node` as history where a source requires a gradient."""
    made = [None if r is None else r.detach() for r in results]
    if not any(s is not None and requires(s) for s in sources):
        return tuple(made)
    node._next = tuple([None if s is None else gradient_edge(s) for s in sources])
    numbers = tuple([0 if s is None else s._nr for s in sources])
    node._nrs = numbers if any(numbers) else None
    expect(node, tuple(made))
    node._sequence = next_sequence()
    note(node)
    for nr, out in enumerate(made):
        if out is not None:
            set_requires(out, True)
            out._node, out._nr = node, nr
    return tuple(made)
