"""`torch.autograd._functions`: what is left of the first custom Functions."""

from math import prod
from typing import Any

from seegrad.autograd.function import Function

__all__ = ["Resize"]


class Resize(Function):
    """`Resize.apply(tensor, sizes)`: the elements in another shape, as a copy of them or not.

    Raises RuntimeError where the number of elements changes.

    >>> import seegrad as torch
    >>> Resize.apply(torch.ones(2, 2), (4,))
    tensor([1., 1., 1., 1.])
    """

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: tuple[int, ...]) -> Any:
        """`tensor`: (...). `sizes`: as many elements."""
        if prod(sizes) != tensor.numel():
            shown = "x".join(map(str, tensor.shape))
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({prod(sizes)} elements in "
                f"total), but the given tensor has a size of {shown} ({tensor.numel()} elements). "
                "autograd's resize can only change the shape of a given tensor, while preserving "
                "the number of elements. "
            )
        ctx.sizes = tensor.shape
        return tensor.reshape(sizes).detach()

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradient in the shape of the tensor."""
        (grad,) = grad_outputs
        return grad.reshape(ctx.sizes), None


Resize.__module__ = "torch.autograd._functions.tensor"
