"""Modules that give images other sizes, fold windows into columns, and move channels to pixels."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


class Upsample(Module):
    """Signals, images or volumes in another size, as `torch.nn.functional.interpolate`.

    >>> import seegrad as torch
    >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1.0, 3.0]]]))
    tensor([[[1., 1., 3., 3.]]])
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) to (n, c, *other sizes)."""
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The size or factor, and the mode."""
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Images in another size by their nearest pixels.

    >>> import seegrad as torch
    >>> torch.nn.UpsamplingNearest2d(4)(torch.ones(1, 1, 2, 2)).shape
    torch.Size([1, 1, 4, 4])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images in another size by straight lines between pixels, corners aligned.

    >>> import seegrad as torch
    >>> torch.nn.UpsamplingBilinear2d(3)(torch.tensor([[[[0.0, 2.0]]]])).tolist()[0][0][0]
    [0.0, 1.0, 2.0]
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class Fold(Module):
    """Columns added up to images: the way back from `Unfold`.

    >>> import seegrad as torch
    >>> torch.nn.Fold((2, 3), 2)(torch.ones(4, 2))
    tensor([[[1., 2., 1.],
             [1., 2., 1.]]])
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: Any,
        dilation: Any = 1,
        padding: Any = 0,
        stride: Any = 1,
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        """(n, c * kernel, places) to (n, c, *output_size)."""
        options = (self.kernel_size, self.dilation, self.padding, self.stride)
        return F.fold(input, self.output_size, *options)

    def extra_repr(self) -> str:
        """The options."""
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, "
            f"dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )


class Unfold(Module):
    """Every window of an image as a column.

    >>> import seegrad as torch
    >>> torch.nn.Unfold(2)(torch.ones(1, 3, 4, 4)).shape
    torch.Size([1, 12, 9])
    """

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, h, w) to (n, c * kernel, places)."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """The options."""
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )


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


class ChannelShuffle(Module):
    """Channels of groups in turn.

    >>> import seegrad as torch
    >>> torch.nn.ChannelShuffle(2)(torch.arange(4.0).reshape(1, 4, 1)).flatten()
    tensor([0., 2., 1., 3.])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *) to the same shape."""
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """The number of groups."""
        return f"groups={self.groups}"
