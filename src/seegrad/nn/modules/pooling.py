"""Modules of pools."""

from typing import Any

from seegrad.nn import functional as F
from seegrad.nn.modules.conv import each
from seegrad.nn.modules.module import Module
from seegrad.tensor.tensor import Tensor

Pair = Any  # a Tensor, or a tuple of two where indices are wanted


def _named(module: Any, *names: str) -> str:
    return ", ".join(f"{name}={getattr(module, name)}" for name in names)


class _MaxPoolNd(Module):
    dims = 0

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Pair:
        """(n, c, *sizes) or (c, *sizes) to as many places as windows fit."""
        call = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[self.dims - 1]
        return call(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            self.ceil_mode, self.return_indices,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The options."""
        return _named(self, "kernel_size", "stride", "padding", "dilation", "ceil_mode")


class MaxPool1d(_MaxPoolNd):
    """The largest element of every window of a signal.

    Args: `kernel_size`, `stride` (the kernel's size by default), `padding`, `dilation`,
    `return_indices`, `ceil_mode`.

    >>> import seegrad as torch
    >>> torch.nn.MaxPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0]]))
    tensor([[3., 2.]])
    """

    dims = 1


class MaxPool2d(_MaxPoolNd):
    """The largest element of every window of an image; else as `MaxPool1d`.

    >>> import seegrad as torch
    >>> torch.nn.MaxPool2d(2)(torch.ones(1, 3, 8, 8)).shape
    torch.Size([1, 3, 4, 4])
    """

    dims = 2


class MaxPool3d(_MaxPoolNd):
    """The largest element of every window of a volume; else as `MaxPool1d`.

    >>> import seegrad as torch
    >>> torch.nn.MaxPool3d(2)(torch.ones(1, 3, 4, 4, 4)).shape
    torch.Size([1, 3, 2, 2, 2])
    """

    dims = 3


class _MaxUnpoolNd(Module):
    dims = 0

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = each(kernel_size, self.dims)
        self.stride = each(kernel_size if stride is None else stride, self.dims)
        self.padding = each(padding, self.dims)

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """What the pool was given, zeros where an element was not the largest."""
        call = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[self.dims - 1]
        return call(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        """The options."""
        return _named(self, "kernel_size", "stride", "padding")


class MaxUnpool1d(_MaxUnpoolNd):
    """Zeros with the elements of `MaxPool1d` back in their places.

    >>> import seegrad as torch
    >>> found = torch.nn.MaxPool1d(2, return_indices=True)(torch.tensor([[1.0, 3.0]]))
    >>> torch.nn.MaxUnpool1d(2)(*found)
    tensor([[0., 3.]])
    """

    dims = 1


class MaxUnpool2d(_MaxUnpoolNd):
    """Zeros with the elements of `MaxPool2d` back in their places.

    >>> import seegrad as torch
    >>> found = torch.nn.MaxPool2d(2, return_indices=True)(torch.ones(1, 2, 2))
    >>> torch.nn.MaxUnpool2d(2)(*found).shape
    torch.Size([1, 2, 2])
    """

    dims = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """Zeros with the elements of `MaxPool3d` back in their places.

    >>> import seegrad as torch
    >>> found = torch.nn.MaxPool3d(2, return_indices=True)(torch.ones(1, 2, 2, 2))
    >>> torch.nn.MaxUnpool3d(2)(*found).sum()
    tensor(1.)
    """

    dims = 3


class _FractionalMaxPoolNd(Module):
    dims = 0

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = each(kernel_size, self.dims)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else each(output_size, self.dims)
        self.output_ratio = None if output_ratio is None else each(output_ratio, self.dims)
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{type(self).__name__} requires specifying either an output size, or a pooling "
                "ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < r < 1 for r in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input: Tensor) -> Pair:
        """(n, c, *sizes) or (c, *sizes) to as many places as were asked for."""
        call = F.fractional_max_pool2d if self.dims == 2 else F.fractional_max_pool3d
        return call(
            input, self.kernel_size, self.output_size, self.output_ratio,
            self.return_indices, self._random_samples,
        )  # fmt: skip


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """The largest elements of windows at random distances in an image.

    Args: `kernel_size`, and `output_size` or `output_ratio`; `return_indices`. Raises ValueError
    where not exactly one of the two is given.

    >>> import seegrad as torch
    >>> torch.nn.FractionalMaxPool2d(2, output_size=3)(torch.ones(1, 4, 4)).shape
    torch.Size([1, 3, 3])
    """

    dims = 2


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """The largest elements of windows at random distances in a volume.

    >>> import seegrad as torch
    >>> torch.nn.FractionalMaxPool3d(2, output_size=2)(torch.ones(1, 3, 3, 3)).shape
    torch.Size([1, 2, 2, 2])
    """

    dims = 3


class _AvgPoolNd(Module):
    """What all pools of means are."""


class AvgPool1d(_AvgPoolNd):
    """The mean of every window of a signal.

    Args: `kernel_size`, `stride` (the kernel's size by default), `padding`, `ceil_mode`,
    `count_include_pad` (zeros of the margins count).

    >>> import seegrad as torch
    >>> torch.nn.AvgPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0]]))
    tensor([[2., 1.]])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = each(kernel_size, 1)
        self.stride = each(kernel_size if stride is None else stride, 1)
        self.padding = each(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, l) or (c, l) to as many places as windows fit."""
        options = (self.kernel_size, self.stride, self.padding)
        return F.avg_pool1d(input, *options, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        """The options."""
        return _named(self, "kernel_size", "stride", "padding")


class _AvgPool(_AvgPoolNd):
    dims = 0

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) or (c, *sizes) to as many places as windows fit."""
        call = F.avg_pool2d if self.dims == 2 else F.avg_pool3d
        return call(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The options."""
        return _named(self, "kernel_size", "stride", "padding")


class AvgPool2d(_AvgPool):
    """The mean of every window of an image; `divisor_override` divides; else as `AvgPool1d`.

    >>> import seegrad as torch
    >>> torch.nn.AvgPool2d(2)(torch.arange(4.0).reshape(1, 2, 2))
    tensor([[[1.5000]]])
    """

    dims = 2


class AvgPool3d(_AvgPool):
    """The mean of every window of a volume; else as `AvgPool2d`.

    >>> import seegrad as torch
    >>> torch.nn.AvgPool3d(2)(torch.arange(8.0).reshape(1, 2, 2, 2))
    tensor([[[[3.5000]]]])
    """

    dims = 3


class _LPPoolNd(Module):
    dims = 0

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) or (c, *sizes) to as many places as windows fit."""
        call = (F.lp_pool1d, F.lp_pool2d, F.lp_pool3d)[self.dims - 1]
        return call(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        """The options."""
        return _named(self, "norm_type", "kernel_size", "stride", "ceil_mode")


class LPPool1d(_LPPoolNd):
    """The norm of every window of a signal.

    >>> import seegrad as torch
    >>> torch.nn.LPPool1d(2, 2)(torch.tensor([[3.0, 4.0]]))
    tensor([[5.]])
    """

    dims = 1


class LPPool2d(_LPPoolNd):
    """The norm of every window of an image.

    >>> import seegrad as torch
    >>> torch.nn.LPPool2d(2, (1, 2))(torch.tensor([[[3.0, 4.0]]]))
    tensor([[[5.]]])
    """

    dims = 2


class LPPool3d(_LPPoolNd):
    """The norm of every window of a volume.

    >>> import seegrad as torch
    >>> torch.nn.LPPool3d(2, (1, 1, 2))(torch.tensor([[[[3.0, 4.0]]]]))
    tensor([[[[5.]]]])
    """

    dims = 3


class _AdaptiveAvgPoolNd(Module):
    dims = 0

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """(n, c, *sizes) or (c, *sizes) to `output_size`."""
        pools = (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d)
        return pools[self.dims - 1](input, self.output_size)

    def extra_repr(self) -> str:
        """The size."""
        return _named(self, "output_size")


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """The means of `output_size` equal parts of a signal.

    >>> import seegrad as torch
    >>> torch.nn.AdaptiveAvgPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0]]))
    tensor([[2., 1.]])
    """

    dims = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """The means of `output_size` equal parts of an image, a number or (h, w).

    >>> import seegrad as torch
    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.ones(2, 3, 8, 8)).shape
    torch.Size([2, 3, 1, 1])
    """

    dims = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """The means of `output_size` equal parts of a volume.

    >>> import seegrad as torch
    >>> torch.nn.AdaptiveAvgPool3d(2)(torch.ones(2, 3, 4, 4, 4)).shape
    torch.Size([2, 3, 2, 2, 2])
    """

    dims = 3


class _AdaptiveMaxPoolNd(Module):
    dims = 0

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Pair:
        """(n, c, *sizes) or (c, *sizes) to `output_size`."""
        pools = (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d)
        return pools[self.dims - 1](input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        """The size."""
        return _named(self, "output_size")


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """The largest elements of `output_size` equal parts of a signal.

    >>> import seegrad as torch
    >>> torch.nn.AdaptiveMaxPool1d(2)(torch.tensor([[1.0, 3.0, 2.0, 0.0]]))
    tensor([[3., 2.]])
    """

    dims = 1


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """The largest elements of `output_size` equal parts of an image.

    >>> import seegrad as torch
    >>> torch.nn.AdaptiveMaxPool2d(1)(torch.ones(2, 3, 8, 8)).shape
    torch.Size([2, 3, 1, 1])
    """

    dims = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """The largest elements of `output_size` equal parts of a volume.

    >>> import seegrad as torch
    >>> torch.nn.AdaptiveMaxPool3d(2)(torch.ones(2, 3, 4, 4, 4)).shape
    torch.Size([2, 3, 2, 2, 2])
    """

    dims = 3
