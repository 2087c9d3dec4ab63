"""`Variable`, the old name of a tensor."""

import warnings
from collections.abc import Callable
from operator import index
from typing import Any

from seegrad.graph import running
from seegrad.operators.signatures import type_name
from seegrad.tensor.creation import empty
from seegrad.tensor.differentiate import run_engine
from seegrad.tensor.tensor import Tensor

__all__ = ["Variable"]


NO_VOLATILE = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."


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

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: int = False) -> Any:
        """A tensor on the same memory.

        Raises TypeError for what is no tensor, RuntimeError where it cannot have a gradient.
        """
        if data is not None and not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(data)}")
        wanted = index(requires_grad)
        if index(volatile):
            warnings.warn(NO_VOLATILE, UserWarning, stacklevel=2)
            if requires_grad:
                raise ValueError("Variable can't be volatile and require_grad at the same time!")
        made = empty(0) if data is None else data.detach()
        if requires_grad and not (made.is_floating_point() or made.is_complex()):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        made.requires_grad = bool(wanted)
        return made


Variable.__module__ = "torch.autograd.variable"
