"""Public functions that move channels of images into space and back."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING

from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor


@public
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Return the channels of groups in turn: the first of each, then the second ones.

    `input`: (n, c, *). Returns that shape. Raises RuntimeError where the channels are not
    divisible.

    >>> import seegrad as torch
    >>> torch.channel_shuffle(torch.arange(6.0).reshape(1, 6, 1), 3).flatten()
    tensor([0., 2., 4., 1., 3., 5.])
    """
    return op.channel_shuffle(input, groups)


@public
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Return images of which groups of r * r channels became blocks of r by r pixels.

    `input`: (..., c * r * r, h, w). Returns (..., c, h * r, w * r). Raises RuntimeError where the
    channels are not divisible.

    >>> import seegrad as torch
    >>> torch.nn.functional.pixel_shuffle(torch.zeros(1, 4, 2, 2), 2).shape
    torch.Size([1, 1, 4, 4])
    """
    return op.pixel_shuffle(input, upscale_factor)


@public
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Return images of which blocks of r by r pixels became groups of r * r channels.

    `input`: (..., c, h * r, w * r). Returns (..., c * r * r, h, w). Raises RuntimeError where the
    sides are not divisible.

    >>> import seegrad as torch
    >>> torch.nn.functional.pixel_unshuffle(torch.zeros(1, 1, 4, 4), 2).shape
    torch.Size([1, 4, 2, 2])
    """
    return op.pixel_unshuffle(input, downscale_factor)
