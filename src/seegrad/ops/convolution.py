"""Public functions of convolution, and of windows as columns."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seegrad.arrays.dims import wrap_dim
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.once import warn_once
from seegrad.ops.sizes import need_ints, sizes

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Sizes = int | tuple[int, ...] | list[int]


@public
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the products of a kernel with every window of a signal.

    `input`: (n, c, l) or (c, l). `weight`: (o, c / groups, k). `bias`: (o,). `padding`: how many
    zeros, "valid" for none or "same" for as many as keep the length. Returns (n, o, places) or
    (o, places). Raises RuntimeError where shapes or types do not fit.

    >>> import seegrad as torch
    >>> signal = torch.tensor([[[1.0, 2.0, 4.0, 8.0]]])
    >>> torch.nn.functional.conv1d(signal, torch.tensor([[[-1.0, 1.0]]]))
    tensor([[[1., 2., 4.]]])
    """
    return _forward("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@public
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the products of a kernel with every window of an image.

    `input`: (n, c, h, w) or (c, h, w). `weight`: (o, c / groups, kh, kw). Otherwise as conv1d.

    >>> import seegrad as torch
    >>> image, kernel = torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)
    >>> torch.nn.functional.conv2d(image, kernel)
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return _forward("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@public
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the products of a kernel with every window of a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). `weight`: (o, c / groups, kd, kh, kw). Otherwise as
    conv1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.conv3d(torch.ones(1, 4, 4, 4), torch.ones(2, 1, 3, 3, 3)).shape
    torch.Size([2, 2, 2, 2])
    """
    return _forward("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


def _forward(
    name: str,
    dims: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Any:
    """The convolution of an input with or without batch."""
    batched = _has_batch(name, dims, input)
    _check_weight(input, weight, stride, padding, dims)
    x = input if batched else op.unsqueeze(input, 0)
    strides, steps = sizes(stride, dims, "stride"), sizes(dilation, dims, "dilation")
    if isinstance(padding, str):
        x, margins = _worded(padding, x, weight, strides, steps)
    else:
        margins = sizes(padding, dims, "padding")
    none = (0,) * dims
    out = op.convolution(x, weight, bias, strides, margins, steps, False, none, groups)
    return out if batched else op.squeeze_dim(out, 0)


def _has_batch(name: str, dims: int, input: Any) -> bool:
    if input.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got "
            f"input of size: {list(input.shape)}"
        )
    return bool(input.ndim == dims + 2)


def _check_weight(input: Any, weight: Any, stride: Any, padding: Any, dims: int) -> None:
    """The kernel must have the dimensions of the windows."""
    if weight.ndim == dims + 2:
        return
    if weight.ndim < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if padding != "same":
        sizes(sizes(stride, dims, "stride"), weight.ndim - 2, "stride")
    space = "" if padding == "same" else " "
    raise RuntimeError(
        f"Expected {weight.ndim}-dimensional input for {weight.ndim}-dimensional weight{space}"
        f"{list(weight.shape)}, but got {input.ndim}-dimensional input of size "
        f"{list(input.shape)} instead"
    )


def _worded(padding: str, input: Any, weight: Any, stride: Any, dilation: Any) -> Any:
    """The input and the margins that "same" or "valid" mean."""
    if padding == "valid":
        return input, (0,) * len(stride)
    if padding != "same":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    if any(jump != 1 for jump in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    totals = [d * (k - 1) for d, k in zip(dilation, weight.shape[2:], strict=True)]
    uneven = [total % 2 for total in totals]
    if any(uneven):
        warn_once(
            "Using padding='same' with even kernel lengths and odd dilation may require a "
            "zero-padded copy of the input be created"
        )
        ends = tuple(end for more in reversed(uneven) for end in (0, more))
        input = op.constant_pad_nd(input, ends, 0)
    return input, tuple(total // 2 for total in totals)


@public
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return what conv1d's gradient makes of a signal: each element spreads a kernel.

    `input`: (n, c, l) or (c, l). `weight`: (c, o / groups, k). `output_padding`: how much longer
    the result is at its end. Returns (n, o, (l - 1) * stride + ...) or without n. Raises
    RuntimeError where shapes or types do not fit.

    >>> import seegrad as torch
    >>> signal = torch.tensor([[[1.0, 2.0]]])
    >>> torch.nn.functional.conv_transpose1d(signal, torch.tensor([[[1.0, 10.0]]]))
    tensor([[[ 1., 12., 20.]]])
    """
    options = (stride, padding, output_padding, groups, dilation)
    return _backward("conv_transpose1d", 1, input, weight, bias, *options)


@public
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return what conv2d's gradient makes of an image: each pixel spreads a kernel.

    `input`: (n, c, h, w) or (c, h, w). `weight`: (c, o / groups, kh, kw). Otherwise as
    conv_transpose1d.

    >>> import seegrad as torch
    >>> image, kernel = torch.ones(1, 2, 2), torch.ones(1, 1, 2, 2)
    >>> torch.nn.functional.conv_transpose2d(image, kernel)
    tensor([[[1., 2., 1.],
             [2., 4., 2.],
             [1., 2., 1.]]])
    """
    options = (stride, padding, output_padding, groups, dilation)
    return _backward("conv_transpose2d", 2, input, weight, bias, *options)


@public
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return what conv3d's gradient makes of a volume: each voxel spreads a kernel.

    `input`: (n, c, d, h, w) or (c, d, h, w). `weight`: (c, o / groups, kd, kh, kw). Otherwise as
    conv_transpose1d.

    >>> import seegrad as torch
    >>> volume, kernel = torch.ones(1, 2, 2, 2), torch.ones(1, 3, 2, 2, 2)
    >>> torch.nn.functional.conv_transpose3d(volume, kernel, stride=2).shape
    torch.Size([3, 4, 4, 4])
    """
    options = (stride, padding, output_padding, groups, dilation)
    return _backward("conv_transpose3d", 3, input, weight, bias, *options)


def _backward(
    name: str,
    dims: int,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
) -> Any:
    """The transposed convolution of an input with or without batch."""
    batched = _has_batch(name, dims, input)
    _check_weight(input, weight, stride, padding, dims)
    out = op.convolution(
        input if batched else op.unsqueeze(input, 0),
        weight,
        bias,
        sizes(stride, dims, "stride"),
        sizes(padding, dims, "padding"),
        sizes(dilation, dims, "dilation"),
        True,
        sizes(output_padding, dims, "output_padding"),
        groups,
    )
    return out if batched else op.squeeze_dim(out, 0)


@public
def unfold(
    input: Tensor,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor:
    """Return every window of an image as a column.

    `input`: (n, c, h, w) or (c, h, w). Returns (n, c * kh * kw, places) or without n. Raises
    RuntimeError where no window fits.

    >>> import seegrad as torch
    >>> torch.nn.functional.unfold(torch.arange(6.0).reshape(1, 2, 3), 2)
    tensor([[0., 1.],
            [1., 2.],
            [3., 4.],
            [4., 5.]])
    """
    need_ints(kernel_size, "im2col(): argument 'kernel_size' (position 2)")
    options = _columns(kernel_size, dilation, padding, stride)
    if input.ndim < 3:
        wrap_dim(2, input.ndim)
    return op.im2col(input, *options)


@public
def fold(
    input: Tensor,
    output_size: Sizes,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor:
    """Return an image of columns, added up where windows overlap: unfold's gradient.

    `input`: (n, c * kh * kw, places) or without n. `output_size`: (h, w). Returns (n, c, h, w) or
    (c, h, w). Raises RuntimeError where the columns are not those of such an image.

    >>> import seegrad as torch
    >>> torch.nn.functional.fold(torch.ones(4, 2), (2, 3), 2)
    tensor([[[1., 2., 1.],
             [1., 2., 1.]]])
    """
    need_ints(output_size, "col2im(): argument 'output_size' (position 2)")
    if isinstance(output_size, tuple | list) and len(output_size) == 1:
        raise RuntimeError("It is expected output_size equals to 2, but got size 1")
    options = _columns(kernel_size, dilation, padding, stride)
    return op.col2im(input, _pair(output_size, "output_size"), *options)


def _columns(kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    return (
        _pair(kernel_size, "kernel_size"),
        _pair(dilation, "dilation"),
        _pair(padding, "padding"),
        _pair(stride, "stride"),
    )


def _pair(value: Any, name: str) -> tuple[int, ...]:
    if isinstance(value, tuple | list) and len(value) not in (1, 2):
        raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(value)}")
    return sizes(value, 2, name)
