"""`Variable`, the old name of a tensor."""

from typing import Any

from seegrad.tensor.tensor import Tensor

__all__ = ["Variable"]


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

    def __new__(cls, data: Any, requires_grad: bool = False, volatile: Any = None) -> Any:
        """A tensor on the same memory."""
        return data.detach().requires_grad_(requires_grad)
