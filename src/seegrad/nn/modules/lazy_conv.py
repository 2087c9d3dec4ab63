"""Convolutions whose number of channels is that of their first input."""

from typing import Any

from seegrad.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    _ConvNd,
)
from seegrad.nn.modules.lazy import LazyModuleMixin
from seegrad.nn.parameter import UninitializedParameter
from seegrad.tensor.tensor import Tensor


class _LazyConvXdMixin(LazyModuleMixin):
    """What lazy convolutions have in common."""

    cls_to_become: type[_ConvNd]

    def _forget_shapes(self: Any, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self: Any) -> None:
        """Draw weight and bias anew, once they have shapes."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            self.cls_to_become.reset_parameters(self)

    def initialize_parameters(self: Any, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """The shapes that follow from `input` (n, in_channels, *sizes), or without n."""
        if self.has_uninitialized_params():
            self.in_channels = self._get_in_channels(input)
            if self.in_channels % self.groups != 0:
                raise ValueError("in_channels must be divisible by groups")
            self.weight.materialize(self._weight_shape())
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _get_in_channels(self: Any, input: Tensor) -> int:
        unbatched, batched = self.dims + 1, self.dims + 2
        if input.ndim not in (unbatched, batched):
            raise RuntimeError(
                f"Expected {unbatched}D (unbatched) or {batched}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        return int(input.shape[1 if input.ndim == batched else 0])


class LazyConv1d(_LazyConvXdMixin, Conv1d):  # type: ignore[misc]
    """A `Conv1d` whose `in_channels` are those of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyConv1d(4, 3)
    >>> _ = layer(torch.ones(1, 2, 8))
    >>> type(layer).__name__, layer.in_channels
    ('Conv1d', 2)
    """

    cls_to_become = Conv1d

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode
        )  # fmt: skip
        self._forget_shapes(out_channels, bias, device, dtype)


class LazyConv2d(_LazyConvXdMixin, Conv2d):  # type: ignore[misc]
    """A `Conv2d` whose `in_channels` are those of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyConv2d(4, 3)
    >>> _ = layer(torch.ones(1, 2, 8, 8))
    >>> type(layer).__name__, layer.in_channels
    ('Conv2d', 2)
    """

    cls_to_become = Conv2d

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode
        )  # fmt: skip
        self._forget_shapes(out_channels, bias, device, dtype)


class LazyConv3d(_LazyConvXdMixin, Conv3d):  # type: ignore[misc]
    """A `Conv3d` whose `in_channels` are those of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyConv3d(4, 3)
    >>> _ = layer(torch.ones(1, 2, 8, 8, 8))
    >>> type(layer).__name__, layer.in_channels
    ('Conv3d', 2)
    """

    cls_to_become = Conv3d

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode
        )  # fmt: skip
        self._forget_shapes(out_channels, bias, device, dtype)


class LazyConvTranspose1d(_LazyConvXdMixin, ConvTranspose1d):  # type: ignore[misc]
    """A `ConvTranspose1d` whose `in_channels` are those of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyConvTranspose1d(4, 3)
    >>> _ = layer(torch.ones(1, 2, 8))
    >>> type(layer).__name__, layer.in_channels
    ('ConvTranspose1d', 2)
    """

    cls_to_become = ConvTranspose1d

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode,
        )  # fmt: skip
        self._forget_shapes(out_channels, bias, device, dtype)


class LazyConvTranspose2d(_LazyConvXdMixin, ConvTranspose2d):  # type: ignore[misc]
    """A `ConvTranspose2d` whose `in_channels` are those of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyConvTranspose2d(4, 3)
    >>> _ = layer(torch.ones(1, 2, 8, 8))
    >>> type(layer).__name__, layer.in_channels
    ('ConvTranspose2d', 2)
    """

    cls_to_become = ConvTranspose2d

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode,
        )  # fmt: skip
        self._forget_shapes(out_channels, bias, device, dtype)


class LazyConvTranspose3d(_LazyConvXdMixin, ConvTranspose3d):  # type: ignore[misc]
    """A `ConvTranspose3d` whose `in_channels` are those of its first input.

    >>> import seegrad as torch
    >>> layer = torch.nn.LazyConvTranspose3d(4, 3)
    >>> _ = layer(torch.ones(1, 2, 8, 8, 8))
    >>> type(layer).__name__, layer.in_channels
    ('ConvTranspose3d', 2)
    """

    cls_to_become = ConvTranspose3d

    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode,
        )  # fmt: skip
        self._forget_shapes(out_channels, bias, device, dtype)
