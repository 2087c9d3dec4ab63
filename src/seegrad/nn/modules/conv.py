"""`Conv1d` to `Conv3d` and `ConvTranspose1d` to `ConvTranspose3d`."""

import math
from typing import Any

from seegrad.nn import functional as F
from seegrad.nn import init
from seegrad.nn.modules.module import Module
from seegrad.nn.parameter import Parameter
from seegrad.tensor.creation import empty
from seegrad.tensor.tensor import Tensor

MODES = ("zeros", "replicate", "reflect", "circular")


def each(value: Any, dims: int) -> tuple[Any, ...]:
    """A number for each dimension; a sequence stays as it is."""
    return tuple(value) if isinstance(value, tuple | list) else (value,) * dims


class _ConvNd(Module):
    """What all convolutions have: sizes, weight and bias."""

    dims = 0
    weight: Tensor
    bias: Tensor | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: str | tuple[int, ...],
        dilation: tuple[int, ...],
        transposed: bool,
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        channels = (in_channels, out_channels)
        _check(channels, groups, stride, padding, padding_mode)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        # An attribute of the instance, as in PyTorch: files of whole modules hold it.
        self._reversed_padding_repeated_twice = self._margins()
        shape = self._weight_shape()
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _weight_shape(self) -> tuple[int, ...]:
        """(out, in / groups, *kernel), or (in, out / groups, *kernel) where it is transposed."""
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        return (first, second // self.groups, *self.kernel_size)

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniform in +-1 / sqrt(elements of a window)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _margins(self) -> Any:
        """The margins as `pad` takes them."""
        if not isinstance(self.padding, str):
            return tuple(size for size in reversed(self.padding) for _ in range(2))
        margins = []
        for step, width in reversed(list(zip(self.dilation, self.kernel_size, strict=True))):
            total = step * (width - 1) if self.padding == "same" else 0
            margins += [total // 2, total - total // 2]
        return margins

    def extra_repr(self) -> str:
        """The sizes and what differs from the defaults."""
        words = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        if self.padding != (0,) * len(self.padding):
            words += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.dilation):
            words += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.output_padding):
            words += f", output_padding={self.output_padding}"
        if self.groups != 1:
            words += f", groups={self.groups}"
        if self.bias is None:
            words += ", bias=False"
        if self.padding_mode != "zeros":
            words += f", padding_mode={self.padding_mode}"
        return words


def _check(
    channels: tuple[int, int], groups: int, stride: Any, padding: Any, padding_mode: str
) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    for name, count in zip(("in_channels", "out_channels"), channels, strict=True):
        if count % groups:
            raise ValueError(f"{name} must be divisible by groups")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
            )
        if padding == "same" and any(jump != 1 for jump in each(stride, 1)):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if padding_mode not in MODES:
        known = ", ".join(map(repr, MODES))
        raise ValueError(
            f"padding_mode must be one of {{{known}}}, but got padding_mode='{padding_mode}'"
        )


class _Conv(_ConvNd):
    """The three convolutions, which differ in their number of dimensions only."""

    def __init__(
        self,
        in_channels: int,
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
        dims = self.dims
        super().__init__(
            in_channels, out_channels, each(kernel_size, dims), each(stride, dims),
            padding if isinstance(padding, str) else each(padding, dims), each(dilation, dims),
            False, each(0, dims), groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        """(n, in_channels, *sizes) to (n, out_channels, *places); or both without n."""
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            margins = self._reversed_padding_repeated_twice
            input, padding = F.pad(input, margins, mode=self.padding_mode), 0
        call = (F.conv1d, F.conv2d, F.conv3d)[self.dims - 1]
        return call(input, weight, bias, self.stride, padding, self.dilation, self.groups)


class Conv1d(_Conv):
    """The products of a learnt kernel with every window of a signal.

    Args: channels in and out, `kernel_size`, `stride`, `padding` (a number, "same", "valid"),
    `dilation`, `groups`, whether there is a `bias`, `padding_mode`. Shapes: input (n, c, l) or
    (c, l), weight (out, in / groups, k). Raises ValueError for what does not go together.

    >>> import seegrad as torch
    >>> torch.nn.Conv1d(2, 4, 3)(torch.ones(5, 2, 8)).shape
    torch.Size([5, 4, 6])
    """

    dims = 1


class Conv2d(_Conv):
    """The products of a learnt kernel with every window of an image; else as `Conv1d`.

    >>> import seegrad as torch
    >>> torch.nn.Conv2d(3, 4, 3, padding=1)(torch.ones(5, 3, 8, 8)).shape
    torch.Size([5, 4, 8, 8])
    """

    dims = 2


class Conv3d(_Conv):
    """The products of a learnt kernel with every window of a volume; else as `Conv1d`.

    >>> import seegrad as torch
    >>> torch.nn.Conv3d(1, 2, 3)(torch.ones(1, 1, 4, 4, 4)).shape
    torch.Size([1, 2, 2, 2, 2])
    """

    dims = 3


class _ConvTransposeNd(_ConvNd):
    """The three transposed convolutions."""

    def __init__(
        self,
        in_channels: int,
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
        if padding_mode != "zeros":
            name = type(self).__name__
            raise ValueError(f'Only "zeros" padding mode is supported for {name}')
        dims = self.dims
        super().__init__(
            in_channels, out_channels, each(kernel_size, dims), each(stride, dims),
            each(padding, dims), each(dilation, dims), True, each(output_padding, dims), groups,
            bias, padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """(n, in_channels, *sizes) to (n, out_channels, *larger sizes); or both without n."""
        call: Any = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[self.dims - 1]
        out: Tensor = call(
            input, self.weight, self.bias, self.stride, self.padding,
            self._output_padding(input, output_size), self.groups, self.dilation,
        )  # fmt: skip
        return out

    def _output_padding(self, input: Tensor, output_size: Any) -> tuple[int, ...]:
        """How much longer the result has to be for a size that was asked for."""
        if output_size is None:
            return self.output_padding
        wanted, dims = tuple(output_size), self.dims
        if len(wanted) == input.ndim:
            wanted = wanted[-dims:]
        if len(wanted) != dims:
            raise ValueError(
                f"ConvTranspose{dims}D: for {input.ndim}D input, output_size must have {dims} or "
                f"{input.ndim} elements (got {len(wanted)})"
            )
        sizes: Any = input.shape[-dims:]
        padding: Any = self.padding
        least = [
            (size - 1) * jump - 2 * margin + step * (width - 1) + 1
            for size, jump, margin, step, width in zip(
                sizes, self.stride, padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        most = [low + jump - 1 for low, jump in zip(least, self.stride, strict=True)]
        if not all(a <= w <= b for a, w, b in zip(least, wanted, most, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {least} "
                f"to {most} (for an input of {sizes})"
            )
        return tuple(w - low for w, low in zip(wanted, least, strict=True))


class ConvTranspose1d(_ConvTransposeNd):
    """Each element of a signal spreads a learnt kernel.

    Args: channels in and out, `kernel_size`, `stride`, `padding`, `output_padding` (how much
    longer the result is), `groups`, `bias`, `dilation`. Shapes: input (n, c, l) or (c, l), weight
    (in, out / groups, k). Called with `output_size` it finds the output padding itself.

    >>> import seegrad as torch
    >>> torch.nn.ConvTranspose1d(2, 4, 3, stride=2)(torch.ones(5, 2, 8)).shape
    torch.Size([5, 4, 17])
    """

    dims = 1


class ConvTranspose2d(_ConvTransposeNd):
    """Each pixel of an image spreads a learnt kernel; else as `ConvTranspose1d`.

    >>> import seegrad as torch
    >>> torch.nn.ConvTranspose2d(3, 4, 2, stride=2)(torch.ones(5, 3, 8, 8)).shape
    torch.Size([5, 4, 16, 16])
    """

    dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    """Each voxel of a volume spreads a learnt kernel; else as `ConvTranspose1d`.

    >>> import seegrad as torch
    >>> torch.nn.ConvTranspose3d(1, 2, 3)(torch.ones(1, 1, 2, 2, 2)).shape
    torch.Size([1, 2, 4, 4, 4])
    """

    dims = 3
