"""`Fold` and `Unfold`: windows as columns."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor


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
