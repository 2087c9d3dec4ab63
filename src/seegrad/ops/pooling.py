"""Public pools: the largest element, the mean or the norm of windows."""

# mypy: disable-error-code="no-any-return"
# The namespace of operators is filled at import; its functions return Tensors.

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from seegrad.arrays.refusals import need_kind
from seegrad.operators.recording import recorded as op
from seegrad.ops.calls import public
from seegrad.ops.sizes import need_ints, sizes

if TYPE_CHECKING:
    from seegrad.tensor.tensor import Tensor

Sizes = int | tuple[int, ...] | list[int]
Pair = Any  # a Tensor, or a tuple of two where indices are wanted


def _sizes(value: Any, dims: int, pool: str, name: str) -> tuple[int, ...]:
    """A number for each dimension, with a pool's own words for a wrong count."""
    given = tuple(value) if isinstance(value, tuple | list) else (value,)
    if len(given) not in (1, dims):
        what = "tuple of two ints" if dims == 2 else "tuple of three ints"
        verb = "either be omitted, a single int, or a" if name == "stride" else (
            "either be a single int, or a"
        )  # fmt: skip
        raise RuntimeError(f"{pool}: {name} must {verb} {what}")
    return sizes(value, dims, name)


def _stride(stride: Any, kernel: tuple[int, ...], dims: int, pool: str) -> tuple[int, ...]:
    """The kernel's size where no stride is given."""
    if stride is None or (isinstance(stride, tuple | list) and not stride):
        return kernel
    return _sizes(stride, dims, pool, "stride")


# The largest element


@public
def max_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Pair:
    """Return the largest element of every window of a signal.

    `input`: (n, c, l) or (c, l). `stride`: the kernel's size by default. With `ceil_mode` a window
    may reach over the end. With `return_indices` also where the elements stand. Returns (n, c,
    places) or (c, places). Raises RuntimeError where no window fits.

    >>> import seegrad as torch
    >>> torch.nn.functional.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[3., 2.]])
    """
    kernel = _sizes(kernel_size, 1, "max_pool1d", "kernel_size")
    (jump,) = _stride(stride, kernel, 1, "max_pool1d")
    (margin,) = _sizes(padding, 1, "max_pool1d", "padding")
    (step,) = _sizes(dilation, 1, "max_pool1d", "dilation")
    if not return_indices:
        need_kind(input._array.dtype, "max_pool1d_impl", "uilbc")
        _check_pool1d(input, kernel[0], jump, margin, step, ceil_mode)
    flat = ((1, *kernel), (1, jump), (0, margin), (1, step))
    found, index = op.max_pool2d_with_indices(op.unsqueeze(input, -2), *flat, ceil_mode)
    found = op.squeeze_dim(found, -2)
    return (found, op.squeeze_dim(index, -2)) if return_indices else found


def _check_pool1d(
    input: Any, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool
) -> None:
    if input.ndim not in (2, 3) or 0 in input.shape[-2:]:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(input.shape)}"
        )
    for name, value in (("kernel_size", kernel), ("stride", stride)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if padding < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {padding}")
    if padding > kernel // 2:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={padding} and kernel_size={kernel}"
        )
    if dilation <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {dilation}")
    room = input.shape[-1] + 2 * padding - dilation * (kernel - 1) - 1
    count = (math.ceil(room / stride) if ceil_mode else room // stride) + 1
    if count < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {count}")


@public
def max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Pair:
    """Return the largest element of every window of an image.

    `input`: (n, c, h, w) or (c, h, w). Otherwise as max_pool1d; indices count the elements of
    a plane.

    >>> import seegrad as torch
    >>> torch.nn.functional.max_pool2d(torch.arange(16.0).reshape(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    options = (kernel_size, stride, padding, dilation)
    found = _largest("max_pool2d", 2, input, *options, ceil_mode)
    return found if return_indices else found[0]


@public
def max_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Pair:
    """Return the largest element of every window of a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as max_pool1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.max_pool3d(torch.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
    options = (kernel_size, stride, padding, dilation)
    found = _largest("max_pool3d", 3, input, *options, ceil_mode)
    return found if return_indices else found[0]


def _largest(
    pool: str,
    dims: int,
    input: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
) -> Any:
    kernel = _sizes(kernel_size, dims, pool, "kernel_size")
    call = op.max_pool2d_with_indices if dims == 2 else op.max_pool3d_with_indices
    return call(
        input,
        kernel,
        _stride(stride, kernel, dims, pool),
        _sizes(padding, dims, pool, "padding"),
        _sizes(dilation, dims, pool, "dilation"),
        ceil_mode,
    )


# Back to where the largest elements stood


@public
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Any = None,
) -> Tensor:
    """Return a signal of zeros with the elements of a pool back in their places.

    `input`, `indices`: (n, c, places) or (c, places), as max_pool1d returns them. `output_size`:
    the length, where the pool left it open. Returns (n, c, l) or (c, l). Raises ValueError for a
    size that the pool can't have had, RuntimeError for indices out of it.

    >>> import seegrad as torch
    >>> found = torch.nn.functional.max_pool1d(torch.tensor([[1.0, 3.0]]), 2, return_indices=True)
    >>> torch.nn.functional.max_unpool1d(*found, 2)
    tensor([[0., 3.]])
    """
    (size,) = _unpooled(input, indices, 1, kernel_size, stride, padding, output_size)
    flat = op.unsqueeze(input, -1)
    out = op.max_unpool2d(flat, op.unsqueeze(indices, -1), (size, 1))
    return op.squeeze_dim(out, -1)


@public
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Any = None,
) -> Tensor:
    """Return an image of zeros with the elements of a pool back in their places.

    As max_unpool1d, for max_pool2d.

    >>> import seegrad as torch
    >>> image = torch.tensor([[[1.0, 3.0], [2.0, 0.0]]])
    >>> found = torch.nn.functional.max_pool2d(image, 2, return_indices=True)
    >>> torch.nn.functional.max_unpool2d(*found, 2)
    tensor([[[0., 3.],
             [0., 0.]]])
    """
    size = _unpooled(input, indices, 2, kernel_size, stride, padding, output_size)
    return op.max_unpool2d(input, indices, size)


@public
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Any = None,
) -> Tensor:
    """Return a volume of zeros with the elements of a pool back in their places.

    As max_unpool1d, for max_pool3d.

    >>> import seegrad as torch
    >>> volume = torch.arange(8.0).reshape(1, 2, 2, 2)
    >>> found = torch.nn.functional.max_pool3d(volume, 2, return_indices=True)
    >>> torch.nn.functional.max_unpool3d(*found, 2).sum()
    tensor(7.)
    """
    size = _unpooled(input, indices, 3, kernel_size, stride, padding, output_size)
    return op.max_unpool3d(input, indices, size)


def _unpooled(
    input: Any,
    indices: Any,
    dims: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    output_size: Any,
) -> tuple[int, ...]:
    """The sizes of what was pooled. Numbers of stride and padding beyond `dims` do not count."""
    kernel, steps, margins = (
        tuple(value)
        if isinstance(value, tuple | list) and len(value) > 1
        else sizes(value, dims, "")
        for value in (kernel_size, kernel_size if stride is None else stride, padding)
    )
    if len(kernel) != dims:
        raise IndexError("tuple index out of range")
    usual = tuple(
        (input.shape[axis - dims] - 1) * steps[axis] + kernel[axis] - 2 * margins[axis]
        for axis in range(dims)
    )
    wanted = usual
    if output_size is not None:
        wanted = output_size if len(output_size) != dims + 2 else output_size[2:]
        _check_unpooled(wanted, usual, steps, dims)
    for axis, size in enumerate(wanted):
        if size < 0:
            raise ValueError(
                "max_unpooling: output_size must contain non-negative spatial dimensions, but got "
                f"output_size[{axis}]={size}"
            )
    name = f"max_unpool{max(dims, 2)}d()"
    need_ints(tuple(wanted), f"{name}: argument 'output_size' (position 3)")
    if indices is None:
        raise TypeError(f"{name}: argument 'indices' (position 2) must be Tensor, not NoneType")
    if dims == 3:
        _check_volume(steps, margins)
    return tuple(wanted)


def _check_unpooled(wanted: Any, usual: Any, steps: Any, dims: int) -> None:
    if len(wanted) != dims:
        raise ValueError(
            f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it "
            f"has a length of '{len(wanted)}'"
        )
    for axis, (size, step) in enumerate(zip(usual, steps, strict=False)):
        if not size - step < wanted[axis] < size + step:
            raise ValueError(
                f'invalid output_size "{wanted}" (dim {axis} must be between {size - step} and '
                f"{size + step})"
            )


def _check_volume(steps: Any, margins: Any) -> None:
    for name, value in (("stride", steps), ("padding", margins)):
        if len(value) != 3:
            raise RuntimeError(
                "There should be exactly three elements (depth, height, width) in "
                f"{name}, but got: {len(value)} elements."
            )
    if min(steps) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(steps)}")


# The mean


@public
def avg_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Return the mean of every window of a signal.

    `input`: (n, c, l) or (c, l). `stride`: the kernel's size by default. `count_include_pad`:
    zeros of the margins count. Returns (n, c, places) or (c, places). Raises RuntimeError where no
    window fits.

    >>> import seegrad as torch
    >>> torch.nn.functional.avg_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[2., 1.]])
    """
    _need_dims(input, "avg_pool1d")
    kernel = _sizes(kernel_size, 1, "avg_pool1d", "kernel_size")
    steps = _stride(stride, kernel, 1, "avg_pool1d")
    margin = _sizes(padding, 1, "avg_pool1d", "padding")
    options = ((1, *kernel), (1, *steps), (0, *margin), ceil_mode, count_include_pad, None)
    return op.squeeze_dim(op.avg_pool2d(op.unsqueeze(input, -2), *options), -2)


def _need_dims(input: Any, name: str) -> None:
    if input.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input.ndim}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )


@public
def avg_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the mean of every window of an image.

    `input`: (n, c, h, w) or (c, h, w). `divisor_override`: divides the sums instead of the number
    of elements. Otherwise as avg_pool1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.avg_pool2d(torch.arange(4.0).reshape(1, 2, 2), 2)
    tensor([[[1.5000]]])
    """
    kernel = _sizes(kernel_size, 2, "avg_pool2d", "kernel_size")
    return op.avg_pool2d(
        input,
        kernel,
        _stride(stride, kernel, 2, "avg_pool2d"),
        _sizes(padding, 2, "avg_pool2d", "padding"),
        ceil_mode,
        count_include_pad,
        divisor_override,
    )


@public
def avg_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the mean of every window of a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as avg_pool2d.

    >>> import seegrad as torch
    >>> torch.nn.functional.avg_pool3d(torch.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
    kernel = _sizes(kernel_size, 3, "avg_pool3d", "kernel_size")
    return op.avg_pool3d(
        input,
        kernel,
        _stride(stride, kernel, 3, "avg_pool3d"),
        _sizes(padding, 3, "avg_pool3d", "padding"),
        ceil_mode,
        count_include_pad,
        divisor_override,
    )


# The norm


@public
def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: int,
    stride: Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the norm of every window of a signal: `sum(x ** p) ** (1 / p)`.

    `input`: (n, c, l) or (c, l). `norm_type`: p. Otherwise as avg_pool1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.lp_pool1d(torch.tensor([[3.0, 4.0]]), 2, 2)
    tensor([[5.]])
    """
    power = op.pow_scalar(input, norm_type)
    return _rooted(avg_pool1d(power, kernel_size, stride, 0, ceil_mode), norm_type, kernel_size, 1)


@public
def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the norm of every window of an image.

    `input`: (n, c, h, w) or (c, h, w). Otherwise as lp_pool1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.lp_pool2d(torch.tensor([[[3.0, 4.0]]]), 2, (1, 2))
    tensor([[[5.]]])
    """
    power = op.pow_scalar(input, norm_type)
    return _rooted(avg_pool2d(power, kernel_size, stride, 0, ceil_mode), norm_type, kernel_size, 2)


@public
def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the norm of every window of a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as lp_pool1d.

    >>> import seegrad as torch
    >>> torch.nn.functional.lp_pool3d(torch.tensor([[[[3.0, 4.0]]]]), 2, (1, 1, 2))
    tensor([[[[5.]]]])
    """
    power = op.pow_scalar(input, norm_type)
    return _rooted(avg_pool3d(power, kernel_size, stride, 0, ceil_mode), norm_type, kernel_size, 3)


def _rooted(mean: Any, norm_type: float, kernel_size: Any, dims: int) -> Any:
    """The root of the sum whose mean is known; sums that are negative stay so."""
    count = math.prod(sizes(kernel_size, dims, "kernel_size"))
    size = op.mul(op.sign(mean), op.relu(op.abs(mean)))
    return op.pow_scalar(op.mul(size, count), 1.0 / norm_type)


# Pools of as many windows as the result has places


def _wanted(output_size: Any, input: Any, dims: int, name: str) -> tuple[int, ...]:
    """The sizes of the result; None stands for the input's own."""
    if not isinstance(output_size, tuple | list):
        return (output_size,) * dims
    if dims == 1 and len(output_size) != 1:
        raise RuntimeError(
            f"{name}() argument 'output_size' should contain one int (got {len(output_size)})"
        )
    if input.ndim <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    own = input.shape[input.ndim - len(output_size) :]
    if len(own) != dims:
        inner = "(): internal error: output_size.size()" if "max" in name else ": output_size"
        raise RuntimeError(f"{name}{inner} must be {dims}")
    return tuple(o if w is None else w for w, o in zip(output_size, own, strict=True))


def _check_adaptive(input: Any, name: str, dims: int, wanted: tuple[int, ...]) -> None:
    colon = ":" if "max" in name else ""
    if "avg" in name:
        _check_signs(name, wanted)
    if input.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{colon} "
            f"{list(input.shape)}"
        )
    for axis in range(input.ndim - dims, input.ndim):
        if input.shape[axis] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                f"input has sizes {list(input.shape)} with dimension {axis} being empty"
            )
    if "max" in name:
        _check_signs(name, wanted, input.shape[: input.ndim - dims])


def _check_signs(name: str, wanted: tuple[int, ...], lead: tuple[int, ...] = ()) -> None:
    """Refuses sizes below zero, in the words of the mean or of the memory for the largest."""
    if all(size >= 0 for size in wanted):
        return
    if "max" in name:
        least = next(size for size in wanted if size < 0)
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {least}: {[*lead, *wanted]}"
        )
    said = ", ".join(map(str, wanted[:2])) + "".join(f",{size}" for size in wanted[2:])
    raise RuntimeError(
        f"{name}: elements of output_size must be greater than or equal to 0 but received "
        f"{{{said}}}"
    )


@public
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """Return the means of so many equal parts of a signal.

    `input`: (n, c, l) or (c, l). `output_size`: their number. Returns (n, c, output_size) or
    without n. Raises RuntimeError for other numbers of dimensions.

    >>> import seegrad as torch
    >>> torch.nn.functional.adaptive_avg_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[2., 1.]])
    """
    _need_dims(input, "adaptive_avg_pool1d")
    (size,) = _wanted(output_size, input, 1, "adaptive_avg_pool1d")
    _check_signs("adaptive_avg_pool2d", (1, size))
    return op.squeeze_dim(_parts(op.unsqueeze(input, -2), (1, size)), -2)


@public
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Return the means of so many equal parts of an image.

    `input`: (n, c, h, w) or (c, h, w). `output_size`: a number or (h, w), None for the input's.
    Returns (n, c, *output_size) or without n. Raises RuntimeError for other numbers of dimensions.

    >>> import seegrad as torch
    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(16.0).reshape(1, 4, 4), 2)
    tensor([[[ 2.5000,  4.5000],
             [10.5000, 12.5000]]])
    """
    wanted = _wanted(output_size, input, 2, "adaptive_avg_pool2d")
    _check_adaptive(input, "adaptive_avg_pool2d", 2, wanted)
    return _parts(input, wanted)


@public
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Return the means of so many equal parts of a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as adaptive_avg_pool2d.

    >>> import seegrad as torch
    >>> torch.nn.functional.adaptive_avg_pool3d(torch.arange(8.0).reshape(1, 2, 2, 2), 1)
    tensor([[[[3.5000]]]])
    """
    wanted = _wanted(output_size, input, 3, "adaptive_avg_pool3d")
    _check_adaptive(input, "adaptive_avg_pool3d", 3, wanted)
    return _parts(input, wanted)


def _parts(input: Any, wanted: tuple[int, ...]) -> Any:
    """The means; of one part alone it is the mean over dimensions, as in PyTorch's graph."""
    dims = len(wanted)
    if wanted == (1,) * dims:
        return op.mean_dim(input, tuple(range(-dims, 0)), True)
    return (op.adaptive_avg_pool2d if dims == 2 else op.adaptive_avg_pool3d)(input, wanted)


@public
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Pair:
    """Return the largest elements of so many equal parts of a signal.

    `input`: (n, c, l) or (c, l). `output_size`: their number. With `return_indices` also where the
    elements stand. Returns (n, c, output_size) or without n.

    >>> import seegrad as torch
    >>> torch.nn.functional.adaptive_max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[3., 2.]])
    """
    _need_dims(input, "adaptive_max_pool1d")
    (size,) = _wanted(output_size, input, 1, "adaptive_max_pool1d")
    _check_signs("adaptive_max_pool2d", (1, size), input.shape[:-1])
    found, index = op.adaptive_max_pool2d(op.unsqueeze(input, -2), (1, size))
    found = op.squeeze_dim(found, -2)
    return (found, op.squeeze_dim(index, -2)) if return_indices else found


@public
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Pair:
    """Return the largest elements of so many equal parts of an image.

    `input`: (n, c, h, w) or (c, h, w). Otherwise as adaptive_avg_pool2d.

    >>> import seegrad as torch
    >>> torch.nn.functional.adaptive_max_pool2d(torch.arange(16.0).reshape(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    wanted = _wanted(output_size, input, 2, "adaptive_max_pool2d")
    _check_adaptive(input, "adaptive_max_pool2d", 2, wanted)
    found = op.adaptive_max_pool2d(input, wanted)
    return found if return_indices else found[0]


@public
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Pair:
    """Return the largest elements of so many equal parts of a volume.

    `input`: (n, c, d, h, w) or (c, d, h, w). Otherwise as adaptive_avg_pool2d.

    >>> import seegrad as torch
    >>> torch.nn.functional.adaptive_max_pool3d(torch.arange(8.0).reshape(1, 2, 2, 2), 1)
    tensor([[[[7.]]]])
    """
    wanted = _wanted(output_size, input, 3, "adaptive_max_pool3d")
    _check_adaptive(input, "adaptive_max_pool3d", 3, wanted)
    found = op.adaptive_max_pool3d(input, wanted)
    return found if return_indices else found[0]
