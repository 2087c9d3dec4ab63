"""Gradients lent to user code: the first write copies, also a write through a view.

Note [Fresh]: an array is fresh when a built-in rule made it, it is not the incoming gradient and
its `base` is None, or when it is a sum that the loop made. Only fresh arrays are stolen by a leaf
or added to in place. User code (hooks, custom backward) gets a Tensor marked `_shared`: its first
in-place write copies, and the loop reads the Tensor's array again afterwards. So no hook corrupts
a sibling branch, at no cost to the rest.

    sum -> add -+-> hook writes: `grad *= 2`, `grad[0] = 0`, `grad.numpy()[0] = 0`
                +-> the same array: not touched

Views and aliases of what is lent are lent too. They are members of one Loan, and keep on sharing
memory with each other when it is copied.
"""

import weakref
from typing import Any

import numpy as np

from seegrad.graph.levels import carries
from seegrad.graph.observed import OBSERVERS
from seegrad.graph.tensor import TensorBase, requires, set_requires, wrap

__all__ = ["Loan", "lend", "share", "unshare"]


class Loan:
    """The tensors that show memory of one array that somebody else looks at too."""

    __slots__ = ("array", "members")

    def __init__(self, tensor: TensorBase) -> None:
        self.array = tensor._array
        self.members = [weakref.ref(tensor)]

    def end(self) -> None:
        """Moves all members to memory of their own, where they lie as they did."""
        array = self.array
        steps = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
        low = sum(min(step, 0) for step in steps) if array.size else 0
        high = sum(max(step, 0) for step in steps) + array.itemsize if array.size else 0
        memory = np.empty(high - low, np.uint8)
        moved: Any = np.ndarray(array.shape, array.dtype, memory, -low, array.strides)
        moved[...] = array
        start = address(array) + low
        for member in [reference() for reference in self.members]:
            if member is None:
                continue
            member._shared = False
            leave(member, array)
            old = member._array
            at = address(old) - start
            if 0 <= at < memory.size:  # else it was given other memory, or has no elements
                member._array = np.ndarray(old.shape, old.dtype, memory, at, old.strides)


def leave(tensor: TensorBase, array: Any) -> None:
    """Notes for observers which memory a tensor showed when it was lent."""
    if OBSERVERS:
        tensor._left = array


def address(array: Any) -> int:
    """Where the first element lies."""
    found: int = array.__array_interface__["data"][0]
    return found


def lend(gradient: Any) -> Any:
    """A gradient for user code: a Tensor whose first in-place write copies (Note [Fresh])."""
    if gradient is None:
        return None
    if not isinstance(gradient, TensorBase):
        tensor = wrap(gradient)
    elif carries():
        return gradient  # as in PyTorch: a tangent cannot be lent
    elif requires(gradient):
        tensor = twin(gradient)
    else:
        tensor = wrap(gradient._array)
    tensor._shared = tensor is not gradient
    return tensor


def twin(gradient: Any) -> Any:
    """Another Tensor with the history of a gradient, which siblings have under `create_graph`."""
    node = gradient.grad_fn
    if node is None:
        return gradient  # a leaf refuses to be written to
    tensor = wrap(gradient._array)
    set_requires(tensor, True)
    tensor._node, tensor._nr = node, gradient._nr
    return tensor


def share(source: TensorBase, made: TensorBase) -> bool:
    """Makes `made`, which shows memory of the lent `source`, a member of its loan.

    False where `source` repeats its memory, of which one place was not to be written alone: then
    it was copied at once, and `made` has to be made again.
    """
    if 0 in source._array.strides:
        unshare(source)
        return False
    if source._shared is True:
        source._shared = Loan(source)
    loan: Any = source._shared
    loan.members.append(weakref.ref(made))
    made._shared = loan
    return True


def unshare(tensor: TensorBase) -> None:
    """Gives a lent tensor memory of its own, before it is written to."""
    if tensor._shared is True:
        leave(tensor, tensor._array)
        tensor._array = tensor._array.copy(order="K")
        tensor._shared = False
    elif tensor._shared:
        tensor._shared.end()
