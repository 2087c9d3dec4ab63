"""`PixelShuffle` and `PixelUnshuffle`: channels as pixels."""

from seegrad.nn import functional as F
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class PixelShuffle(Module):
    """Groups of channels as blocks of pixels.

    >>> import seegrad as torch
    >>> torch.nn.PixelShuffle(2)(torch.ones(1, 4, 2, 2)).shape
    torch.Size([1, 1, 4, 4])
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """(*, c * r * r, h, w) to (*, c, h * r, w * r)."""
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Blocks of pixels as groups of channels.

    >>> import seegrad as torch
    >>> torch.nn.PixelUnshuffle(2)(torch.ones(1, 1, 4, 4)).shape
    torch.Size([1, 4, 2, 2])
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """(*, c, h * r, w * r) to (*, c * r * r, h, w)."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"downscale_factor={self.downscale_factor}"
