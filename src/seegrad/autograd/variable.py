"""`Variable`, the old name of a tensor."""

from collections.abc import Callable
from typing import Any

from seegrad.graph import running
from seegrad.tensor.differentiate import run_engine
from seegrad.tensor.tensor import Tensor

__all__ = ["Variable"]


class _EngineBase:
    """What runs backward passes, by PyTorch's name."""

    run_backward = staticmethod(run_engine)

    def queue_callback(self, callback: Callable[[], Any]) -> None:
        """Has the backward pass that runs call `callback()` at its end.

        Raises RuntimeError outside of a backward pass.
        """
        running.queue_callback(callback)

    def is_checkpoint_valid(self) -> bool:
        """Whether no pass runs that is restricted to some inputs."""
        return running.is_checkpoint_valid()


_EngineBase.__module__ = "torch._C"


class VariableMeta(type):
    """`isinstance(tensor, Variable)` is true for every tensor."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=VariableMeta):
    """The tensor itself: `Variable(x, requires_grad=True)` of old programs.

    >>> import seegrad as torch
    >>> torch.autograd.Variable(torch.ones(1), requires_grad=True)
    tensor([1.], requires_grad=True)
    """

    _execution_engine = _EngineBase()

    def __new__(cls, data: Any, requires_grad: bool = False, volatile: Any = None) -> Any:
        """A tensor on the same memory."""
        return data.detach().requires_grad_(requires_grad)
